"""What is remembered of projects' folders, kept in the state folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from zsmem_tui.core.project_folders import Child, FolderFacts, Identity, ProjectRecord, Repository, packed
from zsmem_tui.store import project_register
from zsmem_tui.store.disk import git_facts
from zsmem_tui.store.project_register import Register

GIT = Repository("/a/.git", ".", Identity(1, 3), 5, False, "h/o/n", ("c0ffee",), "d1")
FACTS = FolderFacts("/a/\udcff", Identity(1, 2), packed([Child("x\udcfe 1", 4, 10**18), Child("y\n", 5, 0)]), GIT)
RECORD = ProjectRecord("a-00000000", ("/a/\udcff",), FACTS, 1, 2, "Mine", ("b-00000000",), ("/c",))


def test_what_is_kept_is_read_again_whatever_bytes_names_have(tmp_path: Path) -> None:
    wanted = Register({RECORD.slug: RECORD, "n-00000000": ProjectRecord("n-00000000")}, {"/a/.git 3": ("c0ffee",)})
    project_register.change(str(tmp_path), lambda _: wanted)
    assert project_register.load(str(tmp_path)) == wanted
    assert os.stat(project_register.place_of(str(tmp_path))).st_mode & 0o777 == 0o600


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'{"format": 9}', b'{"format":1,"commits":{},"records":{"a":[1]}}', b"\xff"])
def test_a_damaged_register_is_made_anew_and_kept_beside(tmp_path: Path, raw: bytes) -> None:
    place = Path(project_register.place_of(str(tmp_path)))
    place.parent.mkdir(parents=True)
    place.write_bytes(raw)
    found = project_register.load(str(tmp_path))
    assert not found.records and "is damaged" in found.problem
    project_register.change(str(tmp_path), lambda known: known._replace(records={RECORD.slug: RECORD}))
    assert project_register.load(str(tmp_path)).records == {RECORD.slug: RECORD}
    assert place.with_name("register.json.damaged").read_bytes() == raw


def test_a_password_in_a_remote_is_kept_nowhere(tmp_path: Path) -> None:
    git = tmp_path / "p" / ".git"
    (git / "logs").mkdir(parents=True)
    (git / "config").write_text(
        '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://ann:s3cret@h/o/n.git\n[remote "x"]\n\turl = y\n'
    )
    (git / "logs" / "HEAD").write_text("0 1 Ann <a@b> 1 +0000\tclone: from https://ann:s3cret@h/o/n.git\n")
    facts = git_facts.observed(str(tmp_path / "p"))
    assert facts is not None and facts.repository is not None and facts.repository.remote == "h/o/n"
    record = ProjectRecord("p-00000000", (facts.path,), facts)
    project_register.change(str(tmp_path), lambda known: known._replace(records={record.slug: record}))
    assert b"s3cret" not in Path(project_register.place_of(str(tmp_path))).read_bytes()
