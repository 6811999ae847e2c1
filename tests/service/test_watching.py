"""Following a store while others write to it."""

from __future__ import annotations

import os
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from tests.builders import NOW, PROJECT, AStore, held_by_another
from zsmem_tui.config.model import Config
from zsmem_tui.core.catalog import Catalog
from zsmem_tui.service import applying, history, losses, undoing, watching
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.projects import moving
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store
from zsmem_tui.service.watching import StoreFollower
from zsmem_tui.store.disk import swap


def test_what_comes_while_the_first_versions_are_recorded_is_told_at_the_next_look(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "one\n")
    follower = StoreFollower(store.session())
    follower.first()
    store.has("MEMORY.md", "one\ntwo\n")
    change = follower.poll(None)
    assert change is not None and [ref.path for ref in change.changed] == ["MEMORY.md"] and change.others == change.changed
    store.has("~/notes/new.md", "new\n")
    assert follower.record(change.changed) and store.session().history.versions(f"projects/{PROJECT}/notes/new.md")
    later = follower.poll(None)
    assert later is not None and [ref.name for ref in later.changed] == ["new"]
    assert later.catalog.file_count == 2
    assert follower.poll(None) is None


def test_nobody_is_said_to_have_changed_a_file_of_which_no_byte_did(tmp_path: Path) -> None:
    clock = [NOW]
    store = AStore(tmp_path / "memory").has("MEMORY.md", "one\n").has("~/notes/n.md", "- a\n")
    session, other = (Session(str(store.root), store.project, config=Config(), clock=lambda: clock[0]) for _ in range(2))
    history.look_at_all(session)
    follower, note = StoreFollower(session), store.at("~/notes/n.md")
    follower.counted(follower.first())
    clock[0] += timedelta(seconds=1)
    assert follower.poll(None) is None
    for change_dates in (
        lambda: note.chmod(0o600),
        lambda: os.utime(note, ns=(10**18, 10**18)),
        lambda: store.has("~/notes/n.md", "- a\n"),
    ):
        change_dates()
        change = follower.poll(None, folders=True)
        assert change is None or not change.others
    store.has("~/notes/n.md", "- b\n")
    clock[0] += timedelta(seconds=1)
    history.look_at_all(other)  # another window was quicker to record it
    change = follower.poll(None, folders=True)
    assert change is not None and [ref.name for ref in change.others] == ["n"]


def test_what_others_made_shorter_is_told_once_the_file_is_at_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "one\ntwo\n").has("~/notes/old.md", "- a\n")
    follower = StoreFollower(store.looked_at())
    follower.counted(follower.first())
    monkeypatch.setattr(watching, "AT_REST_NS", 60 * 10**9)
    store.has("MEMORY.md", "")
    assert follower.poll(None, folders=True) is None, "emptied, to be filled"
    store.has("MEMORY.md", "one\ntwo\nthree\n")
    change = follower.poll(None, folders=True)
    assert change is not None and [ref.path for ref in change.others] == ["MEMORY.md"]
    store.at("~/notes/old.md").rename(store.at("~/notes/new.md"))
    assert follower.poll(None, folders=True) is None, "not the new name alone"
    monkeypatch.setattr(watching, "AT_REST_NS", 0)
    change = follower.poll(None, folders=True)
    assert change is not None and {ref.name for ref in change.others} == {"old", "new"}
    assert follower.poll(None, folders=True) is None


def test_what_is_open_in_a_project_is_counted_at_every_look(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("~/SCRATCHPAD.md", "- [ ] one\n- [ ] two\n").has("MEMORY.md", "one\n")
    follower = StoreFollower(store.session())
    follower.first()
    looks = []
    for number in range(2):
        store.has("MEMORY.md", f"one\n{number}\n" * (number + 1))
        change = follower.poll(None)
        assert change is not None and follower.record(change.changed)
        looks.append(change.catalog.projects)
    assert [[each.open_items for each in projects] for projects in looks] == [[2], [2]]
    store.root.rename(tmp_path / "away")
    assert follower.counted(Catalog()).problem == f"The memory folder {store.root} is gone: renamed, or its disk is away."


def test_the_file_shown_at_the_first_look_is_as_old_as_it_says(tmp_path: Path) -> None:
    session = AStore(tmp_path / "memory").has("MEMORY.md", "- long there\n").session()
    ref, long_ago = session.ref_at("MEMORY.md"), session.now_ns() - 400 * 86_400 * 10**9
    os.utime(session.path(ref), ns=(long_ago, long_ago))
    follower = StoreFollower(session)
    follower.catch_up(follower.first(), open_file(session, ref))
    assert [each.since for each in session.history.versions("MEMORY.md")] == [long_ago]


def test_an_index_is_looked_into_again_once_a_file_of_its_group_changed(tmp_path: Path) -> None:
    home = "projects/-w/memory"
    store = AStore(tmp_path / ".claude").has(f"{home}/MEMORY.md", "# Memory Index\n\n- [X](x.md)\n").has(f"{home}/x.md", "x\n")
    follower = StoreFollower(open_store(Config(), f"claude-code:{store.root}", group="project:-w", cwd="/w"))
    assert not follower.listing(follower.first())
    store.has(f"{home}/y.md", "y\n")
    change = follower.poll(None)
    assert change is not None and [*follower.listing(change.catalog)] == [f"{home}/y.md"]


def test_what_another_zsmem_is_just_moving_is_nobody_else_s_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = AStore(tmp_path / "memory").has("~/notes/n.md", "- one\n- two\n").has("~/notes/m.md", "- three\n")
    session, other = store.looked_at(), store.session()
    follower, found = StoreFollower(session), list[object]()
    follower.first()

    def look() -> None:
        change = follower.poll(None, folders=True)
        found.extend([*(change.others if change else ()), *losses.dropped(session)])

    def step(name: str) -> None:  # a file is gone, or has another text, and that is noted only afterwards
        if name in ("taken away", "exchanged"):
            threads.append(threading.Thread(target=look))
            threads[-1].start()
            threads[-1].join(0.1)

    threads: list[threading.Thread] = []
    monkeypatch.setattr(swap, "step", step)
    applying.apply(moving.move(other, store.project, "elsewhere-0123abcd"))
    assert undoing.undo(other).done and threads
    for thread in threads:
        thread.join()
    look()
    assert not found


def test_a_step_of_another_zsmem_that_takes_long_is_told_apart_at_a_later_look(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "one\n")
    follower = StoreFollower(store.looked_at())
    follower.first()
    with held_by_another(store.root):
        store.has("MEMORY.md", "two\n")
        change = follower.poll(None)
        assert change is not None and change.changed and not change.others
    later = follower.poll(None)
    assert later is not None and [ref.path for ref in later.others] == ["MEMORY.md"]
    assert follower.poll(None) is None
