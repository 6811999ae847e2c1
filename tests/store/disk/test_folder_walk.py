"""Walking over folders: which are entered, and what does not stop it."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from zsmem_tui.core.names import project_slug
from zsmem_tui.core.slug_hash import parts
from zsmem_tui.store.disk import folder_walk
from zsmem_tui.store.disk.folder_walk import SeenFolder, walk


def walked(*roots: Path, **limits: int) -> tuple[list[str], folder_walk.WalkResult]:
    found: list[SeenFolder] = []
    done = walk([str(root) for root in roots], found.append, **limits)  # type: ignore[arg-type]
    for each in found:
        known = parts(project_slug(each.path))
        assert known is not None and known.value == each.hash
    return [each.path for each in found], done


def test_real_folders_are_entered_and_nothing_that_nobody_works_in(tmp_path: Path) -> None:
    for name in ("a/b", ".config/x", ".cache/y", "node_modules/z", "a/target/q", "my-venv/lib", "日本/c"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "file").write_text("")
    found, done = walked(tmp_path)
    inside = sorted(os.path.relpath(path, tmp_path) for path in found)
    assert inside == [".", ".config", ".config/x", "a", "a/b", "日本", "日本/c"]
    assert (done.folders, done.problems, done.is_whole) == (7, (), True)


def test_a_place_to_begin_at_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real/a").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    found, done = walked(tmp_path / "link")
    assert found == [str(tmp_path / "link"), str(tmp_path / "link/a")] and not done.problems


def test_it_goes_down_so_far_and_no_further_than_it_may(tmp_path: Path) -> None:
    (tmp_path / "1/2/3").mkdir(parents=True)
    assert len(walked(tmp_path, deepest=2)[0]) == 3
    found, done = walked(tmp_path, most=2)
    assert len(found) == 2 and not done.is_whole and "More than 2 folders" in done.problems[0]


def test_a_folder_that_is_there_twice_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    assert len(walked(tmp_path, tmp_path / "a")[0]) == 2
    (tmp_path / "mounted").mkdir()
    monkeypatch.setattr(folder_walk, "mount_points", lambda: frozenset({os.fsencode(tmp_path / "mounted")}))
    assert str(tmp_path / "mounted") not in walked(tmp_path)[0]


def test_names_that_are_no_utf_8_have_their_slug_all_the_same(tmp_path: Path) -> None:
    os.mkdir(os.fsencode(tmp_path) + b"/\xff\xfe")
    assert walked(tmp_path)[0][-1] == f"{tmp_path}/\udcff\udcfe"


def test_a_root_that_cannot_be_read_is_said_and_the_others_are(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "file").write_text("")
    found, done = walked(tmp_path / "away", tmp_path / "file", tmp_path / "here")
    assert found == [str(tmp_path / "here")]
    assert done.problems == (f"{tmp_path}/away: No such file or directory", f"{tmp_path}/file is no folder.")


def test_a_folder_that_does_not_answer_is_left_out_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "hangs", "z"):
        (tmp_path / name / "in").mkdir(parents=True)
    never, real = threading.Event(), folder_walk._read

    def read(place: folder_walk._Waiting) -> folder_walk._Read:
        if place.path.endswith(b"hangs"):
            never.wait()
        return real(place)

    monkeypatch.setattr(folder_walk, "_read", read)
    found: list[SeenFolder] = []
    done = walk([str(tmp_path)], found.append, budget=0.2)
    assert {os.path.relpath(each.path, tmp_path) for each in found} == {".", "a", "a/in", "z", "z/in"}
    assert done.problems == (f"{tmp_path}/hangs does not answer: it was left out.",)
    monkeypatch.setattr(folder_walk, "_MOST_LEFT_BEHIND", 1)
    done = walk([str(tmp_path)], found.append, budget=0.2)
    assert done.problems[1:] == ("Too much does not answer: the rest was not looked at.",) and not done.is_whole
    never.set()


def test_it_ends_when_nobody_waits_for_it_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    never = threading.Event()
    monkeypatch.setattr(folder_walk, "_read", lambda place: never.wait() and None)
    done = walk([str(tmp_path)], lambda _: None, cancelled=lambda: True)
    assert not done.is_whole
    never.set()


def test_mount_points_are_read_with_blanks_in_their_names() -> None:
    assert folder_walk._unescaped(b"/mnt/my\\040disk\\134x") == b"/mnt/my disk\\x"
    assert folder_walk._unescaped(b"/plain") == b"/plain"
