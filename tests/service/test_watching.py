"""Following a store while others write to it."""

from __future__ import annotations

import os
from pathlib import Path

from tests.builders import PROJECT, AStore
from zsmem_tui.core.catalog import Catalog
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.watching import StoreFollower


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
