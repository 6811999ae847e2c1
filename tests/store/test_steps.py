"""Writes that belong together: all of them or none, whoever writes meanwhile, whatever fails, also when the program is killed."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import IO

import pytest

from tests.builders import AStore
from tests.failing import failing
from zsmem_tui.core.errors import Conflict, MemError, Missing, WriteFailed
from zsmem_tui.core.outcomes import Conflicted, Saved, Unchanged
from zsmem_tui.core.version import Origin
from zsmem_tui.service import losses, undoing
from zsmem_tui.store import interrupted, step_record, steps, writing
from zsmem_tui.store.disk import swap
from zsmem_tui.store.disk.places import steps_folder
from zsmem_tui.store.steps import Batch
from zsmem_tui.store.write_path import lost_updates

ONE, TWO, THREE = "MEMORY.md", "projects/p/notes/two.md", "projects/p/notes/three.md"


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "memory", "p").has(ONE, "one\n").has(THREE, "three\n")


def three_files(store: AStore) -> Batch:
    """One that changes, one that is new, one that goes."""
    batch = store.session().batch("Changed three files")
    batch.update(ONE, lambda now: b"ONE\n" + (now or b""))
    batch.update(TWO, lambda now: b"new\n")
    batch.remove(THREE)
    batch.makes_folders = ("projects/p/daily",)
    return batch


def memory(store: AStore) -> dict[str, bytes]:
    return {path: raw for path, raw in store.tree().items() if not path.rpartition("/")[2].startswith(".")}


def notes() -> list[str]:
    return [name for name in os.listdir(steps_folder()) if name.endswith(".step")] if os.path.isdir(steps_folder()) else []


BEFORE = {ONE: b"one\n", THREE: b"three\n"}
AFTER = {ONE: b"ONE\none\n", TWO: b"new\n"}


def when(monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[], object], count: int = 1) -> None:
    """Let something happen at a step of a write, once."""
    seen: list[str] = []

    def step(now: str) -> None:
        seen.append(now)
        if now == name and seen.count(name) == count:
            act()

    monkeypatch.setattr(swap, "step", step)


def test_nothing_is_touched_before_the_step_is_applied(store: AStore) -> None:
    batch = three_files(store)
    assert memory(store) == BEFORE
    batch.apply()
    assert memory(store) == AFTER and notes() == []
    assert undoing.undo(store.session()).message == "Undid: Changed three files. two.md is deleted"
    assert memory(store) == BEFORE


def test_what_plainly_cannot_be_written_stops_it_while_it_is_put_together(store: AStore) -> None:
    batch = three_files(store)
    with pytest.raises(WriteFailed, match=rf"{ONE}: it is not a folder\. Nothing"):
        batch.update(f"{ONE}/x.md", lambda now: b"x")
    assert memory(store) == BEFORE


def test_a_new_file_has_the_usual_mode(store: AStore) -> None:
    three_files(store).apply()
    assert store.at(TWO).stat().st_mode == store.at(ONE).stat().st_mode


def test_changes_of_one_file_are_made_one_after_the_other(store: AStore) -> None:
    with store.session().batch("Twice") as batch:
        assert batch.update(ONE, lambda now: (now or b"") + b"a\n").after == b"one\na\n"
        assert batch.update(ONE, lambda now: (now or b"") + b"b\n").after == b"one\na\nb\n"
        assert not batch.update(ONE, lambda now: None).changed
    assert store.raw(ONE) == b"one\na\nb\n"


def test_a_file_that_is_made_and_taken_away_again_is_not_written(store: AStore) -> None:
    with store.session().batch("Nothing") as batch:
        batch.update(TWO, lambda now: b"x")
        batch.remove(TWO)
        with pytest.raises(Missing):
            batch.remove(TWO)
    assert memory(store) == BEFORE and batch.written == {}


def test_an_error_inside_the_context_writes_nothing(store: AStore) -> None:
    with pytest.raises(Conflict, match="not so"), store.session().batch("Refused") as batch:
        batch.update(ONE, lambda now: b"x")
        raise Conflict("not so")
    assert memory(store) == BEFORE


def test_a_dry_run_works_out_the_same_and_writes_nothing(store: AStore) -> None:
    session = store.session()
    session.dry_run = True
    with session.batch("Dry") as batch:
        assert batch.update(ONE, lambda now: b"x").changed and batch.remove(THREE).changed
    assert memory(store) == BEFORE and notes() == []


def test_saving_merges_and_says_where_it_cannot(store: AStore) -> None:
    store.has(ONE, "a\nb\nc\n")
    with store.session().batch("Saved") as batch:
        assert batch.save(ONE, b"A\nb\nc\n", b"a\nb\n") == Saved(b"A\nb\nc\n", 1)
        assert isinstance(batch.save(ONE, b"x\nb\nc\n", b"a\nb\nc\n"), Conflicted)
        assert isinstance(batch.save(THREE, b"three\n", b"other\n"), Conflicted | Unchanged)
        assert isinstance(batch.save("gone.md", b"x", b"y"), Conflicted)
    assert store.raw(ONE) == b"A\nb\nc\n"


@pytest.mark.parametrize("count", [-1, 0, 1, 2])
def test_what_an_agent_adds_meanwhile_stays(store: AStore, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    batch = three_files(store)
    if count < 0:
        store.has(ONE, "one\ntheirs\n")
    elif count:
        when(monkeypatch, "read", lambda: store.has(ONE, "one\ntheirs\n"), count)
    else:  # just before the file is written
        batch.progress = lambda number, of: store.has(ONE, "one\ntheirs\n") if number == 0 else None
    batch.apply()
    assert memory(store) == AFTER | {ONE: b"ONE\none\ntheirs\n"}


def test_a_file_that_was_to_go_and_was_changed_stops_the_step(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = three_files(store)
    when(monkeypatch, "folder synced", lambda: store.has(THREE, "three\ntheirs\n"), 2)
    with pytest.raises(Conflict, match=r"Somebody changed .*three.md since"):
        batch.apply()
    assert memory(store) == BEFORE | {THREE: b"three\ntheirs\n"}
    assert undoing.undo(store.session()).message == "Nothing to undo."


def test_a_file_that_may_stay_stays_and_the_step_goes_on(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = store.session().batch("Moved")
    batch.update(TWO, lambda now: b"three\n")
    batch.remove(THREE, is_left=True)
    when(monkeypatch, "folder synced", lambda: store.has(THREE, "three\ntheirs\n"))
    batch.apply()
    assert memory(store) == BEFORE | {TWO: b"three\n", THREE: b"three\ntheirs\n"}


def test_what_was_shown_is_done_or_nothing(store: AStore) -> None:
    batch = store.session().batch("Shown", nothing="Nothing was mended.")
    with pytest.raises(Conflict, match=r"Somebody changed MEMORY.md since the plan was made\. Nothing was mended\."):
        batch.replace(ONE, b"other\n", b"x\n")
    with pytest.raises(Conflict, match="Nothing was mended"):
        batch.replace(THREE, b"other\n", None)
    batch.replace(ONE, b"one\n", b"x\n")
    batch.replace(THREE, b"three\n", None)
    store.has(ONE, "theirs\n")
    with pytest.raises(Conflict, match=r"changed MEMORY.md .* Nothing was mended\."):
        batch.apply()
    assert memory(store) == BEFORE | {ONE: b"theirs\n"}


def test_what_could_not_be_taken_back_is_named(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = three_files(store)

    def both() -> None:
        store.has(ONE, "ONE and more\none\n").has(THREE, "theirs\n")

    when(monkeypatch, "folder synced", both, 2)
    with pytest.raises(Conflict) as found:
        batch.apply()
    assert memory(store) == {ONE: b"ONE and more\none\n", THREE: b"theirs\n"}
    assert found.value.message == f"Somebody changed {THREE} since the plan was made. Nothing was written."


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), 5])
@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC])
def test_a_failure_at_any_call_leaves_all_or_nothing_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, step: int
) -> None:
    for at in range(1, 400, step):
        store = AStore(tmp_path / str(at), "p").has(ONE, "one\n").has(THREE, "three\n")
        batch = three_files(store)
        said = ""
        with failing(monkeypatch, at, code) as fault:
            try:
                batch.apply()
            except MemError as error:
                said = error.message
        if not fault.failed:
            assert memory(store) == AFTER
            return
        why = f"{at}: {fault.failed}: {said}"
        if not said:
            assert memory(store) == AFTER, why
        elif "could not be taken back" not in said:
            assert memory(store) == BEFORE and not store.at("projects/p/notes/two.md").exists(), why
        assert interrupted.recover() == [] or memory(store) in (BEFORE, AFTER), why
    raise AssertionError("it never came to an end")


def test_two_stores_are_one_step(tmp_path: Path) -> None:
    one, two = (AStore(tmp_path / name).has(ONE, "x\n") for name in ("one", "two"))
    batches = [store.session().batch("Both") for store in (one, two)]
    steps.join([batch.recorder for batch in batches], [steps.Store("zerostack", str(s.root), s.project) for s in (one, two)])
    for batch in batches:
        batch.update(ONE, lambda now: b"y\n")
    steps.apply(batches)
    assert one.raw(ONE) == two.raw(ONE) == b"y\n"
    assert undoing.undo(two.session()).message == "Undid: Both"
    assert one.raw(ONE) == two.raw(ONE) == b"x\n"


def test_a_store_that_cannot_be_written_stops_it_before_anything_is_touched(tmp_path: Path) -> None:
    one, two = (AStore(tmp_path / name).has(ONE, "x\n") for name in ("one", "two"))
    batches = [store.session().batch("Both") for store in (one, two)]
    batches[0].update(ONE, lambda now: b"y\n")
    two.root.rename(tmp_path / "away")
    with pytest.raises(MemError):
        batches[1].update(ONE, lambda now: b"y\n")
        steps.apply(batches)
    assert one.raw(ONE) == b"x\n"


# -- what the history has of it -------------------------------------------------------------------------------------------


def made(store: AStore) -> dict[str, tuple[str, str]]:
    """The newest version of each file: whose it is, and of which step."""
    history = store.session().history
    history.drain()
    out: dict[str, tuple[str, str]] = {}
    for version in history.latest():
        out.setdefault(version.path, (version.origin.value, version.label))
    return out


OURS = ("you", "Changed three files")


def test_the_journal_has_one_entry_of_a_step(store: AStore) -> None:
    three_files(store).apply()
    assert store.session().history.waiting() == 1
    assert made(store) == dict.fromkeys((ONE, TWO, THREE), OURS)


def test_who_looks_in_the_middle_of_a_step_takes_none_of_it_for_others(store: AStore) -> None:
    store.session().history.observe([ONE, THREE])
    batch = three_files(store)
    with ThreadPoolExecutor(1) as other:

        def look(number: int, _: int) -> None:
            if number:
                wait([other.submit(store.session().history.observe, [ONE, TWO, THREE])], timeout=0.3)

        batch.progress = look
        batch.apply()
    assert made(store) == dict.fromkeys((ONE, TWO, THREE), OURS)
    assert sum(version.origin is Origin.OTHER for version in store.session().history.latest()) == 2


def fail() -> None:
    raise OSError(errno.EIO, "Input/output error")


def test_what_fails_and_is_taken_back_is_no_news_of_others(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.session().history.observe([ONE, THREE])
    when(monkeypatch, "temporary file written", fail, 2)
    with pytest.raises(MemError):
        three_files(store).apply()
    assert memory(store) == BEFORE
    assert {whose for whose, label in made(store).values() if label} <= {"you", "undo"}


@pytest.mark.parametrize("at", [1, 2])
def test_a_step_of_which_nothing_was_taken_down_leaves_no_mark(store: AStore, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    when(monkeypatch, "temporary file written", fail, at)
    with pytest.raises(MemError):
        three_files(store).apply()
    assert memory(store) == BEFORE and store.session().history.waiting() == 0


# -- what a dead process left ---------------------------------------------------------------------------------------------


def killed(store: AStore, at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a process die after so many of the three files were written."""
    moments, update = iter(range(at)), writing.update

    def counted(*words: object, **named: object) -> object:
        return os._exit(9) if next(moments, None) is None else update(*words, **named)  # type: ignore[arg-type]

    with monkeypatch.context() as dying:
        dying.setattr(writing, "update", counted)
        for name in ("remove", "rename"):
            dying.setattr(writing, name, lambda *words, **named: os._exit(9))
        died(three_files(store))


def died(batch: Batch) -> None:
    """Apply it in a process that dies meanwhile."""
    pid = os.fork()
    if not pid:
        batch.apply()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 9 << 8


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_step_that_a_dead_process_left_is_finished_and_that_is_said(
    store: AStore, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    killed(store, at, monkeypatch)
    assert len(notes()) == 1
    assert interrupted.recover() == ["Finished what was interrupted: Changed three files."]
    assert memory(store) == AFTER and notes() == [] and interrupted.recover() == [] and store.at("~/daily").is_dir()
    assert made(store) == dict.fromkeys((ONE, TWO, THREE), OURS)
    assert undoing.undo(store.session()).message == "Undid: Changed three files. two.md is deleted"
    assert memory(store) == BEFORE


def test_a_file_that_a_dead_process_had_just_deleted_is_no_loss_by_others(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    with store.session().batch("Made") as batch:
        batch.update(THREE, lambda now: b"three\nwritten here\n")
    with monkeypatch.context() as dying:
        dying.setattr(lost_updates, "forget", lambda *_: os._exit(9))
        died(three_files(store))
    assert not store.at(THREE).exists()
    assert interrupted.recover() == ["Finished what was interrupted: Changed three files."]
    assert memory(store) == AFTER and losses.dropped(store.session()) == []


@pytest.mark.parametrize("at", [0, 1, 2])
def test_what_others_wrote_since_is_merged(store: AStore, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    killed(store, at, monkeypatch)
    store.has(ONE, store.raw(ONE).decode() + "theirs\n")
    assert interrupted.recover() == ["Finished what was interrupted: Changed three files."]
    assert memory(store) == AFTER | {ONE: b"ONE\none\ntheirs\n"}


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_step_that_cannot_be_finished_is_taken_back(store: AStore, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    killed(store, at, monkeypatch)
    store.has(THREE, "theirs\n").has(ONE, store.raw(ONE).decode() + "more of theirs\n")
    [said] = interrupted.recover()
    assert said.startswith("Took back what was interrupted: Changed three files.") and "three.md changed since" in said
    assert memory(store) == {ONE: b"one\nmore of theirs\n", THREE: b"theirs\n"} and notes() == []


def test_a_step_that_can_neither_be_finished_nor_taken_back_waits(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    killed(store, 1, monkeypatch)
    store.has(THREE, "theirs\n").at(ONE).rename(store.at("kept"))
    store.at(ONE).mkdir()
    waits = f"Changed three files: interrupted, and it waits to be taken back. {store.at(ONE)}: it is a folder"
    for _ in range(2):
        assert [said.rstrip(".") for said in interrupted.recover()] == [waits] and len(notes()) == 1
    store.at(ONE).rmdir()
    store.at("kept").rename(store.at(ONE))
    assert interrupted.recover() == ["Took back what was interrupted: Changed three files."]
    assert memory(store) == {ONE: b"one\n", THREE: b"theirs\n"} and notes() == []


def test_a_name_is_given_back_when_the_step_fails(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = store.session().batch("Renamed a note")
    batch.rename(THREE, THREE.replace("three", "Three"))
    batch.update(ONE, lambda now: b"ONE\n")
    renamed: list[bool] = []

    def full(*words: object, **named: object) -> object:
        renamed.append(store.at(THREE.replace("three", "Three")).exists())
        raise WriteFailed(ONE, "The disk is full. Nothing was written.")

    monkeypatch.setattr(writing, "update", full)
    with pytest.raises(WriteFailed, match="The disk is full"):
        batch.apply()
    assert renamed[0] and memory(store) == BEFORE and notes() == []


def test_a_name_that_a_dead_process_was_to_change_is_changed(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = store.session().batch("Renamed a note")
    batch.rename(THREE, THREE.replace("three", "Three"))
    batch.update(ONE, lambda now: b"ONE\n")
    with monkeypatch.context() as dying:
        dying.setattr(writing, "rename", lambda *words: os._exit(9))
        died(batch)
    assert interrupted.recover() == ["Finished what was interrupted: Renamed a note."]
    assert memory(store) == {ONE: b"ONE\n", THREE.replace("three", "Three"): b"three\n"}


def test_a_note_that_was_cut_short_is_of_a_step_that_wrote_nothing(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    killed(store, 0, monkeypatch)
    place = Path(steps_folder(), notes()[0])
    whole = place.read_bytes()
    for size in (0, 1, 20, len(whole) // 2, len(whole) - 1):
        place.write_bytes(whole[:size])
        assert interrupted.recover() == [] and notes() == [] and memory(store) == BEFORE
        place.write_bytes(whole)
    for damaged in (
        whole.replace(b"new\n", b"old\n"),
        whole.replace(b'"sizes": [', b'"sizes": [1' + b"0" * 40),
        whole.replace(b'"sizes": [', b'"sizes": [1' + b"0" * 16),
        whole.replace(b'"writers": {}', b'"writers": []'),
    ):
        assert damaged != whole
        place.write_bytes(damaged)
        assert interrupted.recover() == [] and notes() == [] and memory(store) == BEFORE


def test_a_step_of_a_newer_program_and_one_whose_store_is_away_wait(
    store: AStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(store, 1, monkeypatch)
    place = Path(steps_folder(), notes()[0])
    whole = place.read_bytes()
    for version in (b"2", b'"2"', b'"1.1"', b"[2, 0]"):
        place.write_bytes(whole.replace(b'"version": 1', b'"version": ' + version, 1))
        assert "newer zsmem" in interrupted.recover()[0] and notes(), version
    place.write_bytes(whole)
    store.root.rename(tmp_path / "away")
    assert interrupted.recover() == [f"Changed three files: interrupted, and it waits until {store.root} is back."] and notes()
    (tmp_path / "away").rename(store.root)
    assert interrupted.recover() == ["Finished what was interrupted: Changed three files."]


def test_a_step_that_another_process_ends_just_now_keeps_no_other_waiting(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    killed(store, 0, monkeypatch)
    ended, real = Path(steps_folder(), "0.step"), fcntl.flock
    ended.touch()

    def flock(stream: IO[bytes], how: int) -> None:
        ended.unlink(missing_ok=True)
        real(stream, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    assert interrupted.recover() == ["Finished what was interrupted: Changed three files."]


@pytest.mark.parametrize("odd", [None, 1, "x", ["x"], {"x": 1}, [[]], [[1] * 5]])
def test_a_record_that_tells_no_stores_is_of_a_step_in_one(odd: object) -> None:
    step_record.put("1-1-1", {"stores": odd}, "")
    assert steps.stores_of("1-1-1") == []


def test_a_step_that_is_under_way_is_left_alone(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[list[str]] = []
    when(monkeypatch, "exchanged", lambda: said.append(interrupted.recover()))
    three_files(store).apply()
    assert said == [[]] and memory(store) == AFTER
