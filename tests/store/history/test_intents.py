"""Writes that bear one name and were killed between two of them, or in the middle of one, are undone as far as they went."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests import forking
from tests.builders import AStore
from tests.odd_values import with_odd_values
from zsmem_tui.core.version import Origin
from zsmem_tui.service import history, undoing
from zsmem_tui.service.session import Session
from zsmem_tui.store import writing
from zsmem_tui.store.history import journal

ONE, TWO, THREE = "MEMORY.md", "projects/p/notes/two.md", "projects/p/notes/three.md"

CHILD = f"""
import os, sys
from zsmem_tui.service.session import Session
from zsmem_tui.store import writing
from zsmem_tui.store.disk import swap
root, wanted, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
seen = []
def step(name):
    seen.append(name)
    if name == wanted and seen.count(name) == count: os.kill(os.getpid(), 9)
swap.step = step
recorder = Session(root, "p").recorder("Changed three files")
writing.update(root, "{ONE}", lambda now: b"ONE\\n" + now, recorder=recorder)
writing.update(root, "{TWO}", lambda now: b"new\\n", recorder=recorder)
writing.remove(root, "{THREE}", recorder=recorder)
"""


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "memory", "p").has(ONE, "one\n").has(THREE, "three\n")


def killed(store: AStore, step: str, count: int) -> None:
    store.looked_at()
    child = forking.python(CHILD, store.root, step, count)
    assert child.returncode == -9


def memory(store: AStore) -> dict[str, bytes]:
    return {path: raw for path, raw in store.tree().items() if not path.rpartition("/")[2].startswith(".")}


@pytest.mark.draw(3)
@pytest.mark.parametrize("look_first", [True, False])
@pytest.mark.parametrize(
    ("step", "count"),
    [
        ("exchanged", 1),
        ("read back", 1),
        ("moved into place", 1),
        ("read back", 2),
        ("taken away", 1),
        ("temporary file synced", 2),
    ],
)
def test_undo_takes_back_all_that_a_killed_step_had_done(
    store: AStore, session: Session, step: str, count: int, look_first: bool
) -> None:
    before = memory(store)
    killed(store, step, count)
    assert memory(store) != before
    if look_first:
        history.look_at_all(session)
    assert undoing.undo(session).message.startswith("Undid: Changed three files")
    assert memory(store) == before
    assert undoing.undo(session, redo=True).done and memory(store)[ONE] == b"ONE\none\n"


def test_what_was_only_meant_is_not_taken_for_done(store: AStore, session: Session) -> None:
    killed(store, "temporary file synced", 1)
    assert memory(store) == {ONE: b"one\n", THREE: b"three\n"}
    assert not undoing.undo(session).done


def test_what_others_wrote_after_a_killed_write_is_theirs_and_stays(store: AStore, session: Session) -> None:
    killed(store, "exchanged", 1)
    store.has(ONE, "ONE\none\ntheirs\n")
    session.mem().write("note", "x", name="other")
    history.look_at_all(session)
    versions = session.history.versions(ONE)
    own = [session.history.text(each.after) for each in versions if each.origin is Origin.YOU]
    assert own == [b"ONE\none\n"] and versions[0].origin is Origin.OTHER
    assert undoing.undo(session).done
    assert undoing.undo(session).message == "Undid: Changed three files. What was written since stays in MEMORY.md"
    assert store.raw(ONE) == b"one\ntheirs\n"


def test_a_plan_of_a_write_that_is_under_way_is_not_judged_before_it_ends(store: AStore, session: Session) -> None:
    recorder = session.recorder("mine")
    recorder.record_plan(ONE, b"one\n", b"mine\n")
    session.history.drain()
    assert journal.names(session.history.pending) == []
    store.has(ONE, "mine\n")
    recorder.record_written(ONE, b"one\n", b"mine\n")
    session.history.drain()
    assert [each.origin for each in session.history.versions(ONE)] == [Origin.YOU, Origin.OTHER]


def entries(session: Session) -> list[str]:
    return journal.names(journal.pending_folder(session.root))


def test_a_write_that_came_out_as_planned_is_one_entry(session: Session) -> None:
    history.look_at_all(session)
    writing.update(session.root, ONE, lambda now: b"new\n", recorder=session.recorder("Changed"))
    home = journal.pending_folder(session.root)
    [name] = entries(session)
    [entry] = journal.read(home, name)
    assert (entry.kind, entry.before and entry.before.raw, entry.after and entry.after.raw) == ("wrote", b"one\n", b"new\n")
    history.look_at_all(session)
    assert not entries(session)
    assert undoing.undo(session).message.startswith("Undid: Changed")
    assert Path(session.root, ONE).read_bytes() == b"one\n"


@pytest.mark.parametrize("is_alive", [True, False])
def test_an_entry_that_is_being_made_waits_with_what_comes_after_it(session: Session, is_alive: bool) -> None:
    history.look_at_all(session)
    home = journal.pending_folder(session.root)
    recorder = session.recorder("Changed")
    assert recorder.record_plan(ONE, b"one\n", b"two\n")
    [whole] = entries(session)
    pid = os.getpid() if is_alive else 2**22 + 1
    half = Path(home, f"{int(whole.partition('-')[0]) - 1:020d}-00000000-{pid}.entry")
    half.write_bytes(Path(home, whole).read_bytes()[:-3])
    session.history.drain()
    assert entries(session) == ([half.name, whole] if is_alive else [])


def test_an_entry_with_any_odd_value_stops_no_look_at_the_history(store: AStore, session: Session) -> None:
    history.look_at_all(session)
    writing.update(session.root, ONE, lambda now: b"ONE\n", recorder=session.recorder("Changed it"))
    pending = Path(journal.pending_folder(session.root))
    [name] = journal.names(str(pending))
    head, _, body = (pending / name).read_bytes().partition(b"\n")
    every = json.loads(head) | {"writers": {ONE: "agent"}, "written": {ONE: 1}}
    for odd in with_odd_values(json.dumps(every).encode()):
        (pending / name).write_bytes(odd + b"\n" + body)
        for found in journal.read(str(pending), name):
            words = found.kind, found.path, found.who, found.batch, found.label, found.relation
            assert all(isinstance(each, str) for each in words) and "\0" not in found.path, odd
            assert all(type(each) is int and 0 <= each < 2**63 for each in (found.when, found.written)), odd
            for text in (found.before, found.after):
                assert text is None or (type(text.size), type(text.digest)) == (int, str), odd
        history.look_at_all(store.session())
