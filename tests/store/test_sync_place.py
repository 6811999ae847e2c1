"""The repository that a set-up makes for others to share: whole, or as if it had not been tried."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zsmem_tui.core.errors import BadTarget, RemoteFailed
from zsmem_tui.store.disk import folders, replace
from zsmem_tui.store.sync import branch, place
from zsmem_tui.store.sync.branch import Told


def is_repository(folder: Path) -> bool:
    return (
        subprocess.run(["git", "-C", folder, "rev-parse", "--is-bare-repository"], capture_output=True, check=False).stdout
        == b"true\n"
    )


Call = Callable[..., Any]


def full(after: int) -> Callable[[Call], Call]:
    """A disk that is full after so many folders and files."""
    left = after

    def spend(true: Call) -> Call:
        def call(*args: object, **options: object) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return true(*args, **options)

        return call

    return spend


@pytest.mark.parametrize("is_there", [False, True])
@pytest.mark.parametrize("after", range(8))
def test_on_a_full_disk_nothing_is_left_and_the_next_set_up_works(tmp_path: Path, after: int, is_there: bool) -> None:
    remote = tmp_path / "a/b/r.git"
    if is_there:
        remote.mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    with pytest.MonkeyPatch.context() as patch:
        spend = full(after)
        patch.setattr(place, "make_folders", spend(folders.make_folders))
        patch.setattr(place, "replacing", spend(replace.replacing))
        if after < len(place._FOLDERS) + len(place._FILES):
            with pytest.raises(RemoteFailed, match="No space left"):
                place.make_repository(str(remote))
            assert sorted(tmp_path.rglob("*")) == before
    place.make_repository(str(remote))
    assert is_repository(remote)
    place.make_repository(str(remote))


def test_what_a_killed_set_up_left_is_made_whole_and_nothing_else_is_touched(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    place.make_repository(str(whole))
    for number, cut in enumerate([("HEAD", None), ("config", 0), ("HEAD", 0), ("config", 9), ("HEAD", 5)]):
        left = tmp_path / f"left{number}"
        shutil.copytree(whole, left)
        name, size = cut
        (left / "HEAD").unlink()
        if size is None:
            shutil.rmtree(left / "objects/pack")
        else:
            (left / name).write_bytes(place._FILES[name][:size])
        place.make_repository(str(left))
        assert is_repository(left)
    for name, text in (("notes.md", "mine\n"), ("config", "[core]\n\teditor = vi\n"), ("objects/x", "")):
        other = tmp_path / f"other-{Path(name).name}"
        (other / "objects").mkdir(parents=True)
        (other / name).write_text(text)
        with pytest.raises(BadTarget, match="not empty"):
            place.make_repository(str(other))
        assert (other / name).read_text() == text and [each for each in other.rglob("*") if each.is_file()] == [other / name]


@pytest.mark.parametrize("was", ["", "c1"])
def test_what_a_commit_says_is_read_back(was: str) -> None:
    said = branch.message("ann's laptop\n", "id1", {"a.md": ["you", "claude-code"], "b.md": []}, was)
    assert said.startswith("Sync from ann's laptop?\n\n")
    assert branch.told(said) == Told("ann's laptop?", {"a.md": "you, claude-code"}, "id1", was)
    assert branch.told(branch.with_former(said, "c2")) == Told("ann's laptop?", {"a.md": "you, claude-code"}, "id1", "c2")
