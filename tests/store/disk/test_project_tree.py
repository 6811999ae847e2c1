"""The tree of a project's folder is what is there now, and a folder that is as it was is not listed again."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from zsmem_tui.core.catalog import SETTLED_NS
from zsmem_tui.store.disk.project_tree import ProjectFolder


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The folders that were listed, in order."""
    out: list[str] = []
    real = os.scandir

    def counted(place: str) -> Iterator[os.DirEntry[str]]:
        out.append(os.path.basename(place))
        return real(place)

    monkeypatch.setattr(os, "scandir", counted)
    yield out


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "lantern"
    for place in ("src/parts/deep", "docs", "build"):
        (root / place).mkdir(parents=True)
    (root / "src/parts/deep/lamp.py").write_text("pass\n")
    (root / "docs/index.md").write_text("# Docs\n")
    (root / "build/out.o").write_text("")
    (root / ".gitignore").write_text("*.tmp\n")
    return root


def in_an_hour() -> int:
    """When all that a test has written has settled."""
    return time.time_ns() + 3_600_000_000_000


def test_a_tree_that_is_as_it_was_is_the_same_and_lists_no_folder_again(root: Path, listed: list[str]) -> None:
    folder = ProjectFolder(str(root), in_an_hour)
    first = folder.tree()
    assert first is not None and "src/parts/deep/lamp.py" in first.files
    assert sorted(listed) == ["build", "deep", "docs", "lantern", "parts", "src"]
    listed.clear()
    assert folder.tree() is first and not listed


def test_only_the_folder_that_changed_is_listed_again(root: Path, listed: list[str]) -> None:
    folder = ProjectFolder(str(root), in_an_hour)
    folder.tree()
    listed.clear()
    (root / "src/parts/deep/wick.py").write_text("pass\n")
    now = folder.tree()
    assert now is not None and "src/parts/deep/wick.py" in now.files and listed == ["deep"]
    (root / "src/parts/deep/lamp.py").unlink()
    now = folder.tree()
    assert now is not None and "src/parts/deep/lamp.py" not in now.files


def test_a_renamed_folder_and_a_changed_ignore_file_are_seen(root: Path) -> None:
    folder = ProjectFolder(str(root), in_an_hour)
    folder.tree()
    (root / "src/parts").rename(root / "src/pieces")
    now = folder.tree()
    assert now is not None and "src/pieces/deep/lamp.py" in now.files and not any("parts" in path for path in now.folders)
    (root / ".gitignore").write_text("*.tmp\nbuild/\n")
    now = folder.tree()
    assert now is not None and "build/out.o" not in now.files and now.is_ignored("build")
    (root / ".gitignore").unlink()
    now = folder.tree()
    assert now is not None and "build/out.o" in now.files and not now.is_ignored("build")


def test_a_folder_that_has_not_settled_is_listed_again_but_the_tree_stays_the_same_one(root: Path, listed: list[str]) -> None:
    folder = ProjectFolder(str(root), lambda: (root / "docs").stat().st_mtime_ns + SETTLED_NS // 2)
    first = folder.tree()
    listed.clear()
    assert folder.tree() is first and "docs" in listed


def test_a_folder_that_goes_and_comes_back_is_read_anew(root: Path, tmp_path: Path) -> None:
    folder = ProjectFolder(str(root), in_an_hour)
    assert folder.tree() is not None
    root.rename(tmp_path / "away")
    assert folder.tree() is None
    root.mkdir()
    now = folder.tree()
    assert now is not None and not now.files
