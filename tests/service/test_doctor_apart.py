"""A large store is looked into by another process, which finds the same, and keeps what it has read when it is told to stop."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.builders import AStore
from zsmem_tui.config.model import Config
from zsmem_tui.core.search import Cancelled
from zsmem_tui.service import checkups
from zsmem_tui.service.checkups import Apart, Asked, Rounds
from zsmem_tui.service.doctor import Doctor
from zsmem_tui.service.session import portable
from zsmem_tui.service.stores import open_store
from zsmem_tui.store.disk import beside
from zsmem_tui.store.scan import scan

FACTS = "- Backups start at 0{}:00 in Paris\n- See [it](gone.md) and [[other]].\n- The lift is serviced in March.\n"


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    made = AStore(tmp_path / "memory").has("MEMORY.md", FACTS.format(1))
    for at in range(3):
        made.has(f"projects/p{at}-00000000/notes/n.md", FACTS.format(at + 2))
    return made


@pytest.fixture
def rounds(store: AStore, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rounds]:
    monkeypatch.setattr(checkups, "MUCH", 1)
    made = Rounds(store.session())
    yield made
    made.close()


def test_another_process_finds_the_same_also_after_a_change_and_after_it_died(
    store: AStore, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = store.session()
    monkeypatch.setattr(checkups, "_START_PATIENCE", 0.0)  # nobody cancels it

    def in_this_process(self: Doctor, *_: object, **__: object) -> None:
        raise AssertionError("looked into here")

    def expected() -> object:
        return Rounds(session).look(()).faults

    def told() -> object:
        with monkeypatch.context() as now:
            now.setattr(Doctor, "examine", in_this_process)
            return rounds.look((), catalog=scan(session.root, session.layout)).faults

    first = told()
    assert first and first == expected()
    store.has("projects/p1-00000000/notes/more.md", "- Backups start at 09:00 in Paris\n")
    assert told() == expected() != first
    helper = rounds._apart._helper
    assert helper is not None
    helper.end()
    assert told() == expected()


def test_what_a_person_was_told_of_is_told_again_when_what_was_known_was_given_back(store: AStore, rounds: Rounds) -> None:
    catalog = scan(str(store.root), store.session().layout)
    assert rounds.look((), catalog=catalog, most=0).left == 4
    whole = rounds.look((), catalog=catalog)
    rounds.close()
    assert rounds.look((), catalog=catalog, most=0) == whole and not whole.left


def test_where_no_other_process_can_be_begun_this_one_looks(store: AStore, rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    def begun(*_: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(beside, "Helper", begun)
    session = store.session()
    assert rounds.look((), catalog=scan(session.root, session.layout)).faults == Rounds(session).look(()).faults


def test_what_is_told_to_stop_goes_on_to_live_and_keeps_what_it_read(store: AStore) -> None:
    session = store.session()
    apart = Apart(session)
    try:
        with pytest.raises(Cancelled):
            apart.examine(Asked((), session.clock().date(), None), lambda: True)
        helper = apart._helper
        assert helper is not None
        assert apart.examine(Asked((), session.clock().date(), None)) == Doctor(session).examine()
        assert apart._helper is helper
    finally:
        apart.close()


def test_one_that_does_not_begin_is_ended_once_it_was_told_to_stop_for_long(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, is_over = [False, True, False, *[True] * 9], list[bool]()
    monkeypatch.setattr(checkups, "time", SimpleNamespace(monotonic=lambda: float(len(is_over))))  # a second for each question

    def ask(self: beside.Helper, request: bytes, *, cancelled: Callable[[], bool], patience: float = 0.0) -> None:
        while not any(is_over):
            is_over.append(cancelled())

    monkeypatch.setattr(beside.Helper, "ask", ask)
    with pytest.raises(Cancelled):
        Apart(store.session()).examine(Asked((), store.session().clock().date(), None), lambda: wanted.pop(0))
    assert is_over == [False] * 5 + [True], "two seconds after it was wanted again"


def test_the_process_stops_in_the_middle_and_reads_nothing_twice(store: AStore) -> None:
    worker = checkups._Worker()
    session = store.session()
    assert worker.answer(pickle.dumps(portable(session)), lambda: False) == b"-"
    asked = pickle.dumps(Asked((), session.clock().date(), None))
    assert worker.answer(asked, stopping_after(2)) == b"-"
    assert worker.doctor is not None
    known = dict(worker.doctor._files)
    assert len(known) == 2
    worker.answer(asked, lambda: False)
    assert all(worker.doctor._files[path] is kept for path, kept in known.items()) and len(worker.doctor._files) == 4


def stopping_after(looks: int) -> Callable[[], bool]:
    left = iter(range(looks - 1))
    return lambda: next(left, None) is None


def test_the_process_ends_when_nobody_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkups, "is_scarce", lambda: False)
    assert not checkups._is_over(500.0) and checkups._is_over(601.0)
    monkeypatch.setattr(checkups, "is_scarce", lambda: True)
    assert checkups._is_over(0.0)


@pytest.mark.parametrize(
    "kind", ["zerostack", "claude-code", "ethos", "memsearch", "oh-my-pi", "opencode", "markdown", "instructions"]
)
def test_every_kind_of_store_can_be_sent(tmp_path: Path, kind: str) -> None:
    session = open_store(Config(), f"{kind}:{tmp_path}", needs_group=False)
    again = pickle.loads(pickle.dumps(portable(session))).session()
    assert (again.root, again.project, again.layout.kind) == (session.root, session.project, kind)
