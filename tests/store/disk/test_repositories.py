"""Which repository a folder is in: plain ones, linked work trees, submodules, and what only looks like one."""

from __future__ import annotations

from pathlib import Path

import pytest

from zsmem_tui.core.project_folders import Repository
from zsmem_tui.store.disk import git_facts
from zsmem_tui.store.disk.repositories import main_folder
from zsmem_tui.store.project_register import repository_key


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a folder two levels below it."""
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/src/deep").mkdir(parents=True)
    return tmp_path / "repo"


def a_work_tree(repository: Path, place: Path, *, relative: bool = False) -> Path:
    """A linked work tree, as git notes one."""
    own = repository / ".git/worktrees" / place.name
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    place.mkdir(parents=True)
    shown = f"../{repository.name}/.git/worktrees/{place.name}" if relative else str(own)
    (place / ".git").write_text(f"gitdir: {shown}\n")
    return place


def test_a_folder_is_in_the_nearest_repository_above_it(repository: Path) -> None:
    assert main_folder(str(repository / "src/deep")) == main_folder(str(repository)) == str(repository)


def test_a_folder_outside_of_any_is_in_none(tmp_path: Path) -> None:
    assert main_folder(str(tmp_path)) == ""


@pytest.mark.parametrize("relative", [False, True])
def test_a_linked_work_tree_belongs_to_its_repository(repository: Path, *, relative: bool) -> None:
    tree = a_work_tree(repository, repository.parent / "tree", relative=relative)
    (tree / "src").mkdir()
    assert main_folder(str(tree / "src")) == str(repository)


def test_a_submodule_is_a_repository_of_its_own(repository: Path) -> None:
    (repository / ".git/modules/part").mkdir(parents=True)
    (repository / "part").mkdir()
    (repository / "part/.git").write_text("gitdir: ../.git/modules/part\n")
    assert main_folder(str(repository / "part")) == str(repository / "part")


@pytest.mark.parametrize("noted", [b"", b"gitdir:", b"gitdir: /nowhere\n", b"\xff\xfe\x00", b"gitdir: " + b"x" * 20_000])
def test_a_damaged_note_leaves_the_work_tree_itself(tmp_path: Path, noted: bytes) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/.git").write_bytes(noted)
    assert main_folder(str(tmp_path / "tree")) == str(tmp_path / "tree")


def test_what_git_has_noted_of_a_folder(repository: Path, tmp_path: Path) -> None:
    top, own = str(repository), repository / ".git"

    def seen(folder: Path) -> Repository:
        found = git_facts.repository_of(str(folder))
        assert found is not None and found.identity == (own.stat().st_dev, own.stat().st_ino) and found.common == str(own)
        return found

    assert git_facts.repository_of(str(tmp_path)) is None
    assert seen(repository)[3:] == (0, False, "", (), "") and (seen(repository).within, seen(repository / "src/deep").within) == (
        ".",
        "src/deep",
    )
    (own / "config").write_text(
        '[remote "other"]\n\turl = x.org:a/b\n[remote "origin"]\n\turl = https://kim:key@x.org/a/c.git\n[branch "m"]\n\turl = no\n'
    )
    (own / "description").write_text("unnamed\n")
    (own / "logs").mkdir()
    (own / "logs/HEAD").write_text("0 1 Kim clone: from https://kim:key@x.org/a/c.git\n")
    now = seen(repository)
    assert now.made_ns == (own / "description").stat().st_mtime_ns and "key" not in now.remote and now.remote.endswith("x.org/a/c")
    assert len(now.first_log) == 16 and not set(now.first_log) - set("0123456789abcdef")
    (own / "logs/HEAD").write_text("0 2 Kim clone: from elsewhere\n")
    assert seen(repository).first_log not in ("", now.first_log) and top
    linked = git_facts.repository_of(str(a_work_tree(repository, tmp_path / "linked")))
    assert linked is not None and linked.is_linked and linked.common == str(own) and linked.identity != now.identity
    other = git_facts.repository_of(str(a_work_tree(repository, tmp_path / "other")))
    assert other is not None and repository_key(other) == repository_key(linked) != repository_key(now)
    later = now._replace(identity=linked.identity)
    assert repository_key(later) != repository_key(now), "one that was made in the same place"
    (own / "description").rename(tmp_path / "of all")
    (own / "description").symlink_to(tmp_path / "of all")
    assert seen(repository).made_ns == (own / "description").lstat().st_mtime_ns, "not that of what a template shares"
    assert git_facts.first_commits(top, {"PATH": str(tmp_path)}) == (), "without git"
