"""Reading other programs' folders: bounded, by name first, never out of them."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.core.errors import BadContent, Missing, Unreadable
from zsmem_tui.store.transfer import sources


def anything(path: str) -> bool:
    return True


def test_only_folders_that_are_agreed_to_are_entered_and_only_wanted_files_are_read(tmp_path: Path) -> None:
    AStore(tmp_path).has("a.md", "a").has("in/b.md", "b").has("in/c.txt", "c").has("out/d.md", "d")
    found = sources.read(str(tmp_path), lambda path: path.endswith(".md"), lambda path: path == "in")
    assert found.files == {"a.md": b"a", "in/b.md": b"b"} and not found.problems
    assert found.times_ns["a.md"] == (tmp_path / "a.md").stat().st_mtime_ns
    assert sources.read(str(tmp_path), anything, name="in/c.txt").files == {"in/c.txt": b"c"}


def test_what_is_no_file_or_leads_away_is_told_and_nothing_waits_for_it(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = tmp_path_factory.mktemp("away")
    AStore(away).has("secret.md", "s")
    AStore(tmp_path).has("a.md", "a")
    os.mkfifo(tmp_path / "pipe.md")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s.md")
        (tmp_path / "link.md").symlink_to(away / "secret.md")
        (tmp_path / "inside.md").symlink_to("a.md")
        (tmp_path / "dead.md").symlink_to("nowhere.md")
        (tmp_path / "folder").symlink_to(away)
        (tmp_path / "loop").symlink_to(".")
        found = sources.read(str(tmp_path), anything)
    assert found.files == {"a.md": b"a", "inside.md": b"a"}
    assert set(found.problems) == {"pipe.md", "s.md", "link.md", "dead.md", "folder"}
    assert found.problems["link.md"] == found.problems["folder"] == "a link that leaves the folder"


def test_a_folder_that_cannot_be_listed_is_told_and_does_not_count_as_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    AStore(tmp_path).has("a.md", "a").has("journal/b.md", "b")
    usual = os.scandir

    def scandir(place: str) -> object:
        if place.endswith("journal"):
            raise PermissionError(13, "Permission denied", place)
        return usual(place)

    monkeypatch.setattr(os, "scandir", scandir)  # the superuser may list every folder
    found = sources.read(str(tmp_path), anything)
    assert (found.files, found.problems) == ({"a.md": b"a"}, {"journal": "cannot be listed: Permission denied"})
    assert sources.read(str(tmp_path / "journal"), anything).problems == {".": "cannot be listed: Permission denied"}


def test_too_much_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MOST_BYTES", 1 << 20)
    with (AStore(tmp_path).at("big.md")).open("wb") as file:
        file.truncate(3 << 20)
    with pytest.raises(BadContent, match=r"has more than 1 MB to bring in\. Nothing was imported\.") as refused:
        sources.read(str(tmp_path), anything)
    assert refused.value.hint == "Name a folder in it, one after the other: each is a step of its own."


def test_what_is_not_there_or_no_folder_is_refused(tmp_path: Path) -> None:
    AStore(tmp_path).has("a.md", "a")
    with pytest.raises(Missing):
        sources.read(str(tmp_path / "none"), anything)
    with pytest.raises(Missing):
        sources.read(str(tmp_path), anything, name="none.md")
    with pytest.raises(Unreadable, match="is not a folder"):
        sources.read(str(tmp_path / "a.md"), anything)


def test_a_look_that_is_stopped_ends(tmp_path: Path) -> None:
    AStore(tmp_path).has("a.md", "a").has("b/c.md", "c")
    assert not sources.read(str(tmp_path), anything, cancelled=lambda: True).files
