"""Whatever others write, a write of ours ends; what it says then is so, and no line is gone."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import NOW, AStore, held_by_another
from zsmem_tui.core.errors import NotKept, WriteFailed
from zsmem_tui.service import editing, undoing
from zsmem_tui.service.patience import describe
from zsmem_tui.service.session import Session
from zsmem_tui.store import writing
from zsmem_tui.store.disk import lock, swap, waiting
from zsmem_tui.store.disk.waiting import Contended, Patience, patient
from zsmem_tui.store.steps import Batch
from zsmem_tui.store.write_path import confirming

AS_OTHERS = "as others keep writing the file. `zsmem history` has what was written."
BASE = "# Facts\n\n- one\n- two\n"


class AClock(Patience):
    """A clock of its own, on which somebody acts whenever a wait of ours sleeps."""

    def __init__(self, act: Callable[[], object] = lambda: None, seconds: float = math.inf) -> None:
        self.time = 0.0
        self.act = act
        super().__init__(seconds)

    def now(self) -> float:
        self.time += 0.0001  # looking takes time, too: a loop that never sleeps ends as well
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds
        self.act()


STORE = {"MEMORY.md": BASE}


class Agent:
    """Writes a line of its own each time: to the file as it is, or to the copy that it read in the beginning."""

    def __init__(self, store: AStore, *, path: str = "MEMORY.md", is_stale: bool = False) -> None:
        self.place = store.at(path)
        self.text = self.place.read_text() if is_stale else ""
        self.lines: list[str] = []

    def write(self) -> None:
        self.lines.append(f"- agent {len(self.lines)}")
        text = self.text or self.place.read_text()
        temp = self.place.with_suffix(".tmp")
        temp.write_text(f"{text}{self.lines[-1]}\n")
        temp.rename(self.place)


def known(session: Session, path: str = "MEMORY.md") -> bytes:
    """Every text that the history has of a file."""
    session.history.observe([path])
    ids = {id for version in session.history.versions(path) for id in (version.before, version.after)}
    return b"".join(session.history.text(id) or b"" for id in ids)


@pytest.mark.parametrize("verb", ["write", "edit", "save", "undo", "clear"])
def test_beside_an_agent_that_never_stops_every_write_ends_and_says_that_it_stands(store: AStore, verb: str) -> None:
    session, agent = store.session(), Agent(store)
    ref = session.mem().source_ref("long_term")
    if verb == "undo":
        session.mem().write("long_term", "- mine")
    acts: dict[str, Callable[[], object]] = {
        "write": lambda: session.mem().write("long_term", "- mine"),
        "edit": lambda: session.mem().edit("long_term", old_str="- one", new_str="- mine"),
        "save": lambda: editing.save(session, ref, BASE.encode() + b"- mine\n", BASE.encode()),
        "undo": lambda: undoing.undo(session),
        "clear": lambda: session.mem().write("long_term", "", "overwrite"),
    }
    with waiting.patient(AClock(agent.write)) as patience:
        acts[verb]()
    assert patience.now() < 2.5
    [contended] = patience.contended.values()
    text = store.raw("MEMORY.md").decode()
    assert describe(contended) == f"{store.at('MEMORY.md')}: it is done, and the file is still being written by others."
    assert contended.is_kept and ("- mine" in text) == (verb in ("write", "edit", "save"))
    assert set(agent.lines) <= set(text.split("\n"))


def test_what_is_written_over_again_and_again_is_named_and_in_the_history(store: AStore) -> None:
    session, agent = store.session(), Agent(store, is_stale=True)
    with waiting.patient(AClock(agent.write)) as patience:
        report = session.mem().write("long_term", "- mine\n- more")
    [contended] = patience.contended.values()
    assert not report.confirmed and contended.missing == ("- mine", "- more")
    assert describe(contended) == f"{store.at('MEMORY.md')}: 2 lines of this did not last, {AS_OTHERS}"
    gone, back = contended._replace(returned=("- one", "- two")), f"{store.at('MEMORY.md')}: 1 line that this took out is back"
    assert describe(gone).endswith(f"did not last and 2 lines that this took out are back, {AS_OTHERS}")
    assert describe(Contended(contended.place, (), ("- one",))) == f"{back}, {AS_OTHERS}"
    assert b"- mine" not in store.raw("MEMORY.md") and b"- mine\n- more\n" in known(session)


def test_a_line_that_comes_back_again_and_again_is_named(store: AStore) -> None:
    agent = Agent(store, is_stale=True)
    with waiting.patient(AClock(agent.write)) as patience:
        store.session().mem().edit("long_term", old_str="- one\n", new_str="")
    [contended] = patience.contended.values()
    assert (contended.missing, contended.returned, contended.is_kept) == ((), ("- one",), False)


def test_a_file_that_others_deleted_is_not_said_to_hold_what_was_written(store: AStore) -> None:
    def delete() -> None:
        store.at("MEMORY.md").unlink(missing_ok=True)

    with waiting.patient(AClock(delete)) as patience:
        report = store.session().mem().write("long_term", "- mine")
    assert not report.confirmed and patience.now() < 1 and "- mine" in patience.contended[report.path].missing


def test_a_stale_copy_that_is_the_same_as_an_earlier_text_of_ours_is_no_text_of_ours(store: AStore) -> None:
    session = store.session()
    session.mem().write("long_term", "- earlier")
    earlier = store.raw("MEMORY.md")
    done: list[bool] = []

    def put_it_there() -> None:
        if not done:
            done.append(True)
            store.at("MEMORY.md").write_bytes(earlier)

    with waiting.patient(AClock(put_it_there)):
        report = session.mem().write("long_term", "- mine")
    assert report.confirmed and b"- mine\n" in store.raw("MEMORY.md")


def test_somebody_who_writes_between_any_two_steps_is_not_fought_without_an_end(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, agent = store.session(), Agent(store)
    monkeypatch.setattr(swap, "step", lambda name: agent.write() if name == "temporary file synced" else None)
    with pytest.raises(NotKept, match="others keep writing it"), waiting.patient(AClock()):
        session.mem().write("long_term", "- mine")
    text = store.raw("MEMORY.md")
    assert b"- mine" not in text and set(agent.lines) <= set(text.decode().split("\n")) and b"- mine" in known(session)


def test_what_cannot_be_put_in_its_new_place_stays_in_the_old_one(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.has("OTHER.md", "- other\n")
    agent = Agent(store, path="OTHER.md")
    monkeypatch.setattr(swap, "step", lambda name: agent.write() if name == "temporary file synced" else None)
    with pytest.raises(NotKept), waiting.patient(AClock()), store.session().batch("Moved") as batch:
        batch.update("OTHER.md", lambda now: (now or b"") + b"- two\n")
        batch.update("MEMORY.md", lambda now: (now or b"").replace(b"- two\n", b""))
    assert b"- two\n" in store.raw("MEMORY.md") and b"- two" not in store.raw("OTHER.md")


@pytest.mark.slow
def test_one_patience_is_enough_for_a_step_of_many_files(store: AStore) -> None:
    agents = []
    for number in range(2):
        store.has(f"{number}.md", BASE)
        agents.append(Agent(store, path=f"{number}.md").write)
    clock = AClock(lambda: [each() for each in agents])
    with waiting.patient(clock):
        for each in "ab":
            with Batch(str(store.root), store.session().recorder("Many")) as batch:
                for number in range(2):
                    batch.update(f"{number}.md", lambda now, each=each: (now or b"") + each.encode() + b"\n")  # type: ignore[misc]
    assert clock.now() < 2 * (waiting.FOR_OTHERS + 0.5)


def test_who_gives_up_before_anything_is_written_has_written_nothing(store: AStore) -> None:
    clock = AClock()
    clock.act = lambda: clock.end_within(0)
    with held_by_another(store.root), waiting.patient(clock), pytest.raises(WriteFailed, match=r"Nothing was written\."):
        store.session().mem().write("long_term", "- mine")
    assert store.raw("MEMORY.md") == BASE.encode() and clock.now() < 0.1


def test_who_gives_up_while_it_is_watched_is_told_how_it_stands(store: AStore) -> None:
    agent = Agent(store)
    clock = AClock()

    def act() -> None:
        agent.write()
        clock.end_within(0)

    clock.act = act
    with waiting.patient(clock):
        report = store.session().mem().write("long_term", "- mine")
    assert report.confirmed and clock.contended[report.path].is_kept and clock.now() < 0.5


def test_a_step_that_is_given_up_half_way_is_taken_back_if_it_would_have_to_wait(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "AFTER_A_WRITE", 0.0)  # who takes back many files takes longer than that
    store.has("OTHER.md", "- other\n")
    clock = AClock()

    def change() -> None:
        with waiting.patient(clock), store.session().batch("Two") as batch:
            batch.update("OTHER.md", lambda now: (now or b"") + b"- mine\n")
            clock.end_within(0)
            batch.update("MEMORY.md", lambda now: (now or b"") + b"- mine\n")

    with open(store.root / "MEMORY.md", "ab"), pytest.raises(NotKept, match="given up to wait"):
        change()
    assert (store.raw("OTHER.md"), store.raw("MEMORY.md")) == (b"- other\n", BASE.encode())
    change()
    assert (store.raw("OTHER.md"), store.raw("MEMORY.md")) == (b"- other\n- mine\n", f"{BASE}- mine\n".encode())


def test_locks_of_a_stopped_process_cost_together_what_one_does(store: AStore) -> None:
    clock = AClock()
    clock.for_locks = 4.5
    with held_by_another(store.root), waiting.patient(clock):
        for _ in range(4):
            with pytest.raises(WriteFailed, match="another zsmem"), lock.writer(str(store.root)):
                pytest.fail("it was free")
    assert 4.5 <= clock.now() < 5


def test_once_something_is_written_a_lock_is_not_waited_for_long(store: AStore) -> None:
    clock = AClock()
    with waiting.patient(clock):
        writing.update(str(store.root), "MEMORY.md", lambda now: (now or b"") + b"- mine\n")
        with held_by_another(store.root), pytest.raises(WriteFailed), lock.writer(str(store.root)):
            pytest.fail("it was free")
    assert clock.now() < waiting.AFTER_A_WRITE + 0.2


def test_nobody_who_is_patient_waits_where_nobody_else_writes(store: AStore) -> None:
    clock = AClock()
    with waiting.patient(clock):
        session = Session(str(store.root), store.project, clock=lambda: NOW)
        assert session.mem().write("long_term", "- mine").confirmed
    assert clock.now() < 1 and not clock.contended


class ASlowClock(AClock):
    """The clock of a machine that is busy with other work: whatever is waited for comes much later."""

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds + waiting.FOR_OTHERS)


def test_a_machine_that_is_slow_is_not_taken_for_somebody_who_writes(store: AStore) -> None:
    clock = ASlowClock()
    with waiting.patient(clock):
        assert store.session().mem().write("long_term", "- mine").confirmed
    assert clock.now() > waiting.FOR_OTHERS and not clock.contended


def test_somebody_who_writes_on_a_slow_machine_is_told(store: AStore) -> None:
    agent = Agent(store)
    clock = ASlowClock(agent.write)
    with waiting.patient(clock):
        assert store.session().mem().write("long_term", "- mine").confirmed
    assert [each.is_kept for each in clock.contended.values()] == [True]


def test_since_when_it_waits_is_known_as_long_as_it_does() -> None:
    patience = AClock()
    with patience.waiting():
        begun = patience.waits_since
        patience.sleep(5)
        with patience.waiting():
            assert patience.waits_since == begun and begun is not None and 0 < begun < 5
        assert patience.waits_since == begun
    assert patience.waits_since is None


@pytest.mark.parametrize(("age", "is_busy"), [(0, True), (2 * 10**9 - 1, True), (2 * 10**9, False)])
def test_what_somebody_has_just_written_is_watched_for_longer(
    store: AStore, monkeypatch: pytest.MonkeyPatch, age: int, is_busy: bool
) -> None:
    now = store.at("MEMORY.md").stat().st_mtime_ns + age
    monkeypatch.setattr(time, "time_ns", lambda: now)
    with patient(clock := AClock()):
        store.session().mem().write("long_term", "- mine")
    assert (clock.time > confirming.CONFIRM_BUSY) is is_busy


@pytest.mark.parametrize(("known", "is_known"), [({}, True), ({"is_known": False}, False)])
def test_what_counts_as_a_wait_is_one_unless_it_is_not_known_yet(known: dict[str, bool], is_known: bool) -> None:
    with patient(AClock()) as patience, waiting.Waits(10).counted(**known):
        assert (patience.waits_since is not None) is is_known


def test_our_own_work_is_no_wait_for_another_program(tmp_path: Path) -> None:
    seen: list[float | None] = []
    held, goes = threading.Event(), threading.Event()

    def hold() -> None:
        with lock.writer(str(tmp_path)):
            held.set()
            goes.wait(10)

    def look(patience: Patience) -> None:
        seen.append(patience.waits_since)
        goes.set()

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(10)
    with patient(Patience(look=look)), lock.writer(str(tmp_path)):
        thread.join()
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- one\n")
    with patient(Patience(look=look)):
        store.session().mem().write("long_term", "- two")
    assert len(seen) > 1 and set(seen) == {None}
