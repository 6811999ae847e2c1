"""The watcher notices every change that an agent can make, in time."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.failing import no_permission
from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.store.watch import FOLDERS_EVERY, ROUND_SECONDS, Watcher
from zsmem_tui.ui import wording as format


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    store = AStore(tmp_path / "store").has("MEMORY.md", "a\n").has("~/notes/a.md", "a\n").has("~/notes/b.md", "b\n")
    store.has("projects/p33/notes/a.md", "a\n")
    for number in range(40):
        store.has(f"projects/p{number:02}/notes/n.md", "n\n").has(f"projects/p{number:02}/SCRATCHPAD.md", "- [ ] x\n")
    old = 1_000_000_000 * 10**9
    for folder, folders, names in os.walk(store.root):
        for name in (*folders, *names):
            os.utime(Path(folder, name), ns=(old, old))
    return store


def watching(store: AStore) -> tuple[Watcher, Clock]:
    clock = Clock()
    watcher = Watcher(str(store.root), ZEROSTACK, now=clock)
    assert watcher.scan().catalog.file_count == 84
    return watcher, clock


def changed(watcher: Watcher) -> set[str]:
    found = watcher.poll(PROJECT)
    return {ref.path for ref in found.changed} if found else set()


def seen_in_a_round(watcher: Watcher, clock: Clock) -> set[str]:
    """What polls find in the time in which every file is checked once."""
    seen: set[str] = set()
    for _ in range(int(ROUND_SECONDS / 0.5) + 1):
        clock.now += 0.5
        seen |= changed(watcher)
    return seen


@pytest.mark.parametrize(
    "path", ["~/notes/a.md", "~/notes/new.md", "~/daily/2026-05-25.md", "projects/p07/notes/n.md", "MEMORY.md"]
)
def test_a_file_that_was_written_lately_stirs_between_two_looks_and_is_seen_at_the_next(store: AStore, path: str) -> None:
    os.utime(store.at("projects/p07/notes/n.md"))
    os.utime(store.root, (1, 1))
    watcher, clock = watching(store)
    assert not watcher.stirs(PROJECT)
    store.has(path, "more\n")
    assert watcher.stirs(PROJECT)
    clock.now += 0.5
    assert changed(watcher) == {str(store.at(path).relative_to(store.root))}


def test_a_file_that_was_written_lately_and_goes_or_comes_back_stirs_until_it_is_seen(store: AStore) -> None:
    watcher, clock = watching(store)
    place = store.at("projects/p07/notes/n.md")
    for act in (lambda: place.write_text("in place\n"), place.unlink, lambda: place.write_text("again\n")):
        act()
        clock.now += FOLDERS_EVERY
        assert changed(watcher) == {"projects/p07/notes/n.md"}
        clock.now += 0.5
        assert not watcher._recently_changed() and changed(watcher) == set()


def test_a_folder_that_was_not_there_is_seen_however_it_comes(store: AStore, tmp_path: Path) -> None:
    os.symlink(tmp_path / "later", store.at("projects/p05/notes").with_name("daily"))
    os.utime(store.at("projects/p05/notes").parent, (10**9, 10**9))
    watcher, clock = watching(store)
    for _ in range(3):  # looks at what is not there, and never was
        clock.now += FOLDERS_EVERY
        assert changed(watcher) == set()
    store.has("projects/p03/archive/SCRATCHPAD.md", "made\n")
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "2026-05-25.md").write_text("moved\n")
    (tmp_path / "made").rename(store.at("projects/p04/daily"))
    (tmp_path / "later").mkdir()
    (tmp_path / "later" / "2026-05-25.md").write_text("through a link\n")
    clock.now += FOLDERS_EVERY
    there = {"projects/p03/archive/SCRATCHPAD.md", "projects/p04/daily/2026-05-25.md", "projects/p05/daily/2026-05-25.md"}
    assert changed(watcher) == there
    store.at("projects/p04/daily").rename(tmp_path / "away")
    clock.now += FOLDERS_EVERY
    assert changed(watcher) == {"projects/p04/daily/2026-05-25.md"}
    clock.now += FOLDERS_EVERY - 0.1
    (tmp_path / "away").rename(store.at("projects/p04/daily"))
    assert changed(watcher) == set(), "folders are not looked at all the time"
    clock.now += FOLDERS_EVERY
    assert changed(watcher) == {"projects/p04/daily/2026-05-25.md"}


def test_files_made_replaced_and_removed_anywhere_are_seen_with_the_folders_once(store: AStore) -> None:
    watcher, clock = watching(store)
    replacement = store.at("projects/p07/notes/other.tmp")
    replacement.write_text("replaced\n")
    replacement.rename(store.at("projects/p07/notes/n.md"))
    store.has("projects/p08/notes/new.md", "x")
    store.at("projects/p09/notes/n.md").unlink()
    shutil.rmtree(store.at("projects/p10"))
    store.has("projects/brand-new/notes/n.md", "x")
    clock.now += FOLDERS_EVERY
    assert changed(watcher) == {
        "projects/p07/notes/n.md",
        "projects/p08/notes/new.md",
        "projects/p09/notes/n.md",
        "projects/p10/SCRATCHPAD.md",
        "projects/p10/notes/n.md",
        "projects/brand-new/notes/n.md",
    }
    for project in (PROJECT, "p10") * 15:
        clock.now += 0.5
        assert watcher.poll(project) is None


def test_a_file_that_was_edited_in_place_before_is_seen_with_the_folders_however_many_there_are(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zsmem_tui.store.watch.MOST_A_SECOND", 2)
    watcher, clock = watching(store)
    store.has("projects/p33/notes/n.md", "edited in place\n")
    rounds = 0
    while not changed(watcher):
        clock.now += 0.5
        rounds += 1
    assert 5 < rounds <= 84 + 1, "not all at once"
    store.has("projects/p33/notes/n.md", "edited in place again\n")
    clock.now += FOLDERS_EVERY
    assert changed(watcher) == {"projects/p33/notes/n.md"}


def test_every_file_is_looked_at_in_each_round_while_folders_come_and_go(store: AStore) -> None:
    watcher, clock = watching(store)
    for at in range(6):
        store.has(f"projects/p{at:02}/notes/n.md", f"edited {at}\n")
    seen: set[str] = set()
    for step in range(2 * (int(ROUND_SECONDS / 0.5) + 1)):
        clock.now += 0.5
        if not step % 4:
            store.has(f"projects/more{step}/notes/n.md", "new\n")
        seen |= changed(watcher)
    assert {f"projects/p{at:02}/notes/n.md" for at in range(6)} <= seen


def test_the_open_file_is_looked_at_each_time(store: AStore) -> None:
    watcher, clock = watching(store)
    ref = next(entry.ref for project in watcher.scan().catalog.projects if project.slug == "p20" for entry in project.files)
    store.has(ref.path, "changed\n")
    clock.now += 0.1
    found = watcher.poll(PROJECT, ref)
    assert found and found.changed == {ref}


@pytest.mark.parametrize("path", ["MEMORY.md", "projects/p07/notes/n.md"])
def test_a_write_in_place_is_seen_though_size_and_time_are_what_they_were(store: AStore, path: str) -> None:
    watcher, clock = watching(store)
    place = store.at(path)
    before = place.stat()
    place.write_bytes(place.read_bytes()[:-2] + b"Z\n")
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert place.stat().st_size == before.st_size
    assert seen_in_a_round(watcher, clock) == {path}
    assert not changed(watcher)


def test_another_folder_in_its_place_is_seen_though_it_has_the_same_time(store: AStore) -> None:
    watcher, clock = watching(store)
    notes = store.at("projects/p07/notes")
    before = notes.stat()
    (notes / "m.md").write_text("m\n")
    os.utime(notes, ns=(before.st_atime_ns, before.st_mtime_ns))
    clock.now += FOLDERS_EVERY
    assert changed(watcher) == {"projects/p07/notes/m.md"}


def test_a_root_that_vanishes_and_comes_back(store: AStore) -> None:
    watcher, clock = watching(store)
    store.root.rename(store.root.with_name("away"))
    clock.now += FOLDERS_EVERY
    found = watcher.poll(PROJECT)
    assert found and found.catalog.file_count == 0
    store.root.with_name("away").rename(store.root)
    clock.now += FOLDERS_EVERY
    found = watcher.poll(PROJECT)
    assert found and found.catalog.file_count == 84


@pytest.mark.parametrize("path", ["projects/p07/notes", "projects/p07", "projects", f"projects/{PROJECT}/notes"])
def test_what_a_folder_has_is_unknown_while_it_cannot_be_read_and_compared_with_before_when_it_can(
    store: AStore, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher, clock = watching(store)
    with no_permission(monkeypatch, store.root / path):
        clock.now += FOLDERS_EVERY
        found = watcher.poll(PROJECT)
        assert found and not found.changed and found.catalog.file_count < 84
        assert any(f"{path}" in each and each.endswith("Permission denied") for each in found.catalog.hidden)
        assert [*path.split("/"), "p07"][1] in [each.slug for each in found.catalog.projects if each.problem]
        for _ in range(30):
            clock.now += 0.5
            assert watcher.poll(PROJECT) is None
    store.has("projects/p07/notes/n.md", "another\n").has(f"projects/{PROJECT}/notes/b.md", "another\n")
    clock.now += FOLDERS_EVERY
    found = watcher.poll(PROJECT)
    assert found and found.catalog.file_count == 84 and not found.catalog.hidden
    expected = {"projects/p07/notes/n.md", f"projects/{PROJECT}/notes/b.md"}
    late = {ref.path for ref in found.changed}
    clock.now += ROUND_SECONDS
    assert late | changed(watcher) == expected


def test_a_file_that_is_deleted_is_not_there_rather_than_unreadable(store: AStore) -> None:
    watcher, clock = watching(store)
    store.at("MEMORY.md").unlink()
    clock.now += ROUND_SECONDS / 9
    found = watcher.poll(PROJECT, next(entry.ref for entry in watcher._catalog().shared))
    assert found is not None
    [entry] = found.catalog.shared
    assert entry.missing and format.facts_of_file(entry, 0) == "! not there"
    clock.now += FOLDERS_EVERY
    found = watcher.poll(PROJECT)
    assert found is not None and found.catalog.shared == ()


def test_a_note_that_is_a_link_is_told_from_a_file(store: AStore) -> None:
    store.at("projects/p07/notes/linked.md").symlink_to("n.md")
    [project] = [each for each in Watcher(str(store.root), ZEROSTACK).scan().catalog.projects if each.slug == "p07"]
    facts = {entry.ref.path.rpartition("/")[2]: format.facts_of_file(entry, 0) for entry in project.files}
    assert facts["linked.md"].startswith("link ") and "link" not in facts["n.md"]


def test_a_glance_shows_the_shared_files_and_one_project(store: AStore) -> None:
    found = Watcher(str(store.root), ZEROSTACK).glance(PROJECT)
    assert [project.slug for project in found.projects] == [PROJECT]
    assert found.file_count == 3


def test_a_project_that_comes_between_two_looks_at_every_folder_is_there_after_the_second(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "x\n")
    clock = Clock()
    watcher = Watcher(str(store.root), ZEROSTACK, now=clock)
    watcher.scan()
    store.has("~/notes/new.md", "new\n")
    clock.now = FOLDERS_EVERY / 2
    first = watcher.poll(store.project)
    assert first is not None and [ref.name for ref in first.changed] == ["new"]
    clock.now = FOLDERS_EVERY * 2
    change = watcher.poll(store.project)
    assert change is not None and change.catalog.file_count == 2
    clock.now = FOLDERS_EVERY * 4
    assert watcher.poll(store.project) is None
