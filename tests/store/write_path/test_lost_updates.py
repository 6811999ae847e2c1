"""A change made here that a stale copy takes away is put back or told."""

from __future__ import annotations

import errno
import itertools
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import forking
from tests.builders import AStore, at_the_first_pause
from tests.command_line import zsmem
from tests.odd_values import with_odd_values
from zsmem_tui import MemError, Profile, WriteFailed
from zsmem_tui.core.refs import Role
from zsmem_tui.core.version import PUT_BACK
from zsmem_tui.service import applying, editing, file_ops, history, losses, past, previewing, undoing
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.session import Session
from zsmem_tui.store import writing
from zsmem_tui.store.disk import displaced, rename_exchange, swap
from zsmem_tui.store.history import journal
from zsmem_tui.store.write_path import install_file, late_writes, lost_updates

BASE = "# Facts\n\n- one\n- two\n"

BY_ANOTHER = "import sys\nfrom zsmem_tui import Mem\nMem(sys.argv[1], 'p', '2026-05-25').write('long_term', sys.argv[2])"


STORE = {"MEMORY.md": BASE}


def stale(store: AStore, text: str) -> None:
    """An agent that had read the file before replaces it."""
    store.has("MEMORY.tmp", text).at("MEMORY.tmp").rename(store.at("MEMORY.md"))


def kept(store: AStore) -> list[bytes | None]:
    pending = journal.pending_folder(str(store.root))
    return [entry.before.raw for name in journal.names(pending) for entry in journal.read(pending, name) if entry.before]


def test_a_write_waits_a_moment_and_puts_its_line_back(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    at_the_first_pause(monkeypatch, lambda: stale(store, f"{BASE}- theirs\n"))
    report = store.mem().write("long_term", "- mine")
    assert report.confirmed and sorted(store.raw("MEMORY.md").split(b"\n")[2:]) == [b"", b"- mine", b"- one", b"- theirs", b"- two"]


def test_what_never_lasts_is_put_back_some_times_and_then_said(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: stale(store, f"{BASE}- theirs\n"))
    report = store.mem().write("long_term", "- mine")
    assert not report.confirmed and "keeps writing over it" in str(report)
    assert "keeps writing over it" in zsmem(store, "write", "MEMORY.md", "- mine").out
    assert store.raw("MEMORY.md") == f"{BASE}- theirs\n".encode()


def test_what_another_write_of_ours_takes_out_while_one_is_watched_stays_out(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_the_first_pause(monkeypatch, lambda: store.mem().write("long_term", BASE, "overwrite", confirm=False))
    store.mem().write("long_term", "- mine")
    assert store.raw("MEMORY.md") == BASE.encode()


def test_without_confirm_nobody_waits(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: pytest.fail("it waited"))
    assert store.mem().write("long_term", "- mine", confirm=False).written == 6


def test_a_later_loss_is_told_to_whoever_looks_and_nothing_is_written(store: AStore, session: Session) -> None:
    store.mem().write("long_term", "- mine\n- more")
    stale(store, f"{BASE}- theirs\n")
    before = store.tree()
    [found] = losses.dropped(session)
    assert (found.path, found.lines) == ("MEMORY.md", ("- mine", "- more"))
    assert store.tree() == before and losses.dropped(session) == [found]
    assert "dropped 2 lines written here" in losses.describe(found)


def test_status_reports_what_was_dropped(store: AStore) -> None:
    store.mem().write("long_term", "- mine")
    stale(store, BASE)
    words = zsmem(store, "status").err
    found = json.loads(zsmem(store, "status", "--json").out)["dropped"]
    assert [(each["path"], each["lines"]) for each in found] == [("MEMORY.md", ["- mine"])]
    assert "dropped 1 line written here" in words and "- mine" in words


def test_status_stays_short_when_much_is_gone(store: AStore, session: Session) -> None:
    for number in range(9):
        store.mem().write("note", "- a\n- b\n- c\n- d\n- e", name=f"n{number}")
        store.at(f"~/notes/n{number}.md").unlink()
    os.utime(store.at("~/notes"), (10**9, 10**9))
    words = zsmem(store, "status").err.replace("zsmem: ", "").splitlines()
    assert len(words) < 20 and "  and 2 lines more" in words
    assert words[-1] == "The same happened to 30 lines in 6 more files: `zsmem review` lists them."
    one = losses.dropped(session)[0]
    assert (one.gone, one.when) == (True, 10**18), "the time is not that of the look"
    assert losses.describe(one).endswith(" or before, with 5 lines written here.")


def test_lines_that_an_undo_brought_back_are_not_said_to_be_written_here(store: AStore, session: Session) -> None:
    store.has("~/notes/n.md", "- of the agent\n- of it, too\n").looked_at()
    place = store.at("~/notes/n.md")
    file_ops.delete(session, session.ref_at(place.relative_to(store.root).as_posix()))
    assert undoing.undo(session).done
    place.unlink()
    [found] = losses.dropped(session)
    assert losses.describe(found).endswith("with 2 lines brought back here.")


def test_a_program_that_stays_open_puts_its_own_lines_back_once(store: AStore, session: Session) -> None:
    """Who takes them out once more means it."""
    session.mem().write("long_term", "- mine")
    stale(store, f"{BASE}- theirs\n")
    assert losses.mend(session).put_back == (("MEMORY.md", 1),)
    assert b"- mine\n" in store.raw("MEMORY.md")
    for _ in range(2):
        stale(store, BASE)
        done = losses.mend(session)
        assert (done.put_back, store.raw("MEMORY.md")) == ((), BASE.encode())
        assert " dropped 1 line written here" in done.message and losses.dropped(session)[0].lines == ("- mine",)
    losses.accept(session, "MEMORY.md")
    assert losses.dropped(session) == []


@pytest.mark.parametrize(("seconds", "is_back"), [(-1, True), (2, True), (4, False), (20, False)])
def test_only_what_goes_at_once_is_put_back_and_later_it_is_told(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch, seconds: int, is_back: bool
) -> None:
    """No program holds an outdated copy for longer: who removes a line later has read it. When it is noticed does not count."""
    clock = time.time_ns
    with monkeypatch.context() as earlier:
        earlier.setattr(time, "time_ns", lambda: clock() - seconds * 10**9)
        session.mem().write("long_term", "- mine", confirm=False)
    old = store.has("MEMORY.tmp", BASE).at("MEMORY.tmp")
    os.utime(old, (10**9, 10**9))
    old.rename(store.at("MEMORY.md"))  # an old copy with its old time
    monkeypatch.setattr(time, "time_ns", lambda: clock() + 30 * 10**9)
    done = losses.mend(session)
    assert (bool(done.put_back), b"- mine\n" in store.raw("MEMORY.md")) == (is_back, is_back)
    assert ("dropped 1 line written here" in done.message) is not is_back


@pytest.mark.parametrize("left", ["", "\n", "---\nname: other\n---\nelse\n"])
def test_nothing_is_put_back_into_a_file_that_was_emptied_or_replaced(store: AStore, session: Session, left: str) -> None:
    session.mem().write("long_term", "- mine\n- more")
    store.has("MEMORY.md", left)
    done = losses.mend(session)
    assert (done.put_back, store.raw("MEMORY.md")) == ((), left.encode())
    assert " dropped 2 lines written here" in done.message and losses.dropped(session)[0].lines == ("- mine", "- more")


def test_lines_that_are_dropped_again_at_once_are_not_said_to_be_back(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_back = writing.put_back

    def beside_another(*asked: Any, **how: Any) -> list[tuple[str, int]]:
        found = put_back(*asked, **how)
        stale(store, BASE)
        return found

    session.mem().write("long_term", "- mine")
    stale(store, f"{BASE}- theirs\n")
    monkeypatch.setattr(writing, "put_back", beside_another)
    done = losses.mend(session)
    assert done.dropped and done.message.endswith(" MEMORY.md lacks lines written here again.")


@pytest.mark.parametrize("theirs", ["- ONE", "- one, as the agent sees it", "- something else"])
def test_a_line_that_undo_brought_back_and_another_program_edits_is_not_dropped(
    store: AStore, session: Session, theirs: str
) -> None:
    store.has("MEMORY.md", BASE.replace("- one", "- zero\n- one"))
    session.mem().edit("long_term", old_str="- one\n", new_str="")
    undoing.undo(session)
    edited = store.raw("MEMORY.md").decode().replace("- one", theirs)
    stale(store, edited)
    assert losses.dropped(session) == [] and losses.mend(session).put_back == ()
    assert store.raw("MEMORY.md") == edited.encode()


def _undone(session: Session) -> None:
    session.mem().edit("long_term", old_str="- one\n", new_str="")
    undoing.undo(session)


def _done_again(session: Session) -> None:
    session.mem().write("long_term", "- typed here")
    undoing.undo(session)
    undoing.undo(session, redo=True)


def _restored(session: Session) -> None:
    session.mem().edit("long_term", old_str="- one\n", new_str="")
    session.history.observe(["MEMORY.md"])
    version = next(each for each in session.history.versions("MEMORY.md") if history.text(session, each) == BASE.encode())
    assert history.restore(session, version).changed


def _change_put_back(session: Session) -> None:
    session.mem().edit("long_term", old_str="- one\n", new_str="")
    session.history.observe(["MEMORY.md"])
    assert history.put_back_change(session, session.history.versions("MEMORY.md")[0], (0,)).changed


def _moved_in(session: Session) -> None:
    session.mem().write("note", "- of the note\n", name="n")
    rows = [row for row in FactReader(session).read(Scope.PROJECT).rows if row.ref.role is Role.NOTE]
    applying.apply(acts.move(session, rows, acts.Target(session.ref_at("MEMORY.md"))))


@pytest.mark.parametrize("carry", [_undone, _done_again, _restored, _change_put_back, _moved_in])
def test_the_loss_of_a_line_that_was_only_brought_back_or_moved_is_told_and_not_repaired(
    store: AStore, session: Session, carry: Callable[[Session], None]
) -> None:
    """Whoever takes it away may have written it."""
    before = BASE.replace("- one\n", "") if carry in (_undone, _restored, _change_put_back) else BASE
    carry(session)
    assert store.raw("MEMORY.md") != before.encode()
    stale(store, f"{before}- theirs\n")
    done = losses.mend(session)
    assert (done.put_back, store.raw("MEMORY.md")) == ((), f"{before}- theirs\n".encode())
    assert " dropped 1 line brought back here" in done.message and len(done.dropped) == 1


def test_a_loss_has_the_time_of_the_write_that_made_it_whatever_is_written_later(store: AStore, session: Session) -> None:
    """Only a write that drops what was there is later; after the lines were there in between, the loss is a new one."""

    def agent_writes(seconds: int, text: str) -> None:
        stale(store, text)
        os.utime(store.at("MEMORY.md"), (at + seconds, at + seconds))

    def told() -> list[tuple[int, int, int]]:
        return [(each.when // 10**9 - at, each.since // 10**9 - at, len(each.lines)) for each in losses.dropped(session)]

    at = int(time.time()) - 400
    session.mem().write("long_term", "- mine\n- second")
    session.mem().edit("long_term", old_str="- one\n- two\n- mine\n- second\n", new_str="")
    undoing.undo(session)
    whole = store.raw("MEMORY.md").decode()
    agent_writes(60, "# Facts\n\n- second\n")
    assert told() == [(60, 60, 3)]
    for seconds, left in ((70, "mine"), (80, "second")):  # as many, and another one
        agent_writes(seconds, f"# Facts\n\n- {left}\n")
        assert told() == [(seconds, seconds, 3)]
    agent_writes(120, "# Facts\n\n- second\n- added\n")
    assert told() == [(80, 80, 3)]
    session.mem().write("long_term", "- added here")
    undoing.undo(session)
    session.mem().write("note", "- n", name="n")
    assert told() == [(80, 80, 3)]
    agent_writes(180, "# Facts\n\n- added\n")
    assert told() == [(180, 180, 4)] and " at " in losses.describe(losses.dropped(session)[0])
    agent_writes(240, whole)
    assert told() == []
    agent_writes(300, BASE.replace("- one\n- two\n", ""))
    session.mem().write("long_term", "- typed later")
    assert told() == [(300, 300, 4)]
    store.at("MEMORY.md").unlink()
    assert losses.dropped(session)[0].gone


def test_losses_of_several_writes_are_said_with_the_times_of_the_first_and_the_last(store: AStore, session: Session) -> None:
    session.mem().write("long_term", "- mine")
    stale(store, "\n")
    os.utime(store.at("MEMORY.md"), (10**9, 10**9))
    assert losses.dropped(session)
    session.mem().write("long_term", "- second")
    stale(store, "\n\n")
    os.utime(store.at("MEMORY.md"), (10**9 + 600, 10**9 + 600))
    [found] = losses.dropped(session)
    assert re.search(r"writes from \d\d:\d6 to \d\d:\d6 dropped 2 lines written here", losses.describe(found))


@pytest.mark.parametrize("is_undone", [True, False])
def test_lines_that_another_program_writes_again_stay_and_it_is_said(store: AStore, session: Session, is_undone: bool) -> None:
    """Who cut them was the person, in an editor or by an undo."""
    cut, whole = "- fact 0\n- fact 1\n", "".join(f"- fact {number}\n" for number in range(8))
    store.has("MEMORY.md", cut if is_undone else whole)
    if is_undone:
        session.mem().write("long_term", whole, "overwrite")
        assert undoing.undo(session).done
    else:
        editing.save(session, session.ref_at("MEMORY.md"), cut.encode(), whole.encode())
    stale(store, whole)
    done = losses.mend(session)
    assert (done.put_back, store.raw("MEMORY.md")) == ((), whole.encode())
    assert "wrote 6 lines again that you had deleted" in done.message


def test_of_a_change_that_a_stale_copy_undid_only_the_new_lines_come_back_and_the_rest_is_said(
    store: AStore, session: Session
) -> None:
    session.mem().edit("long_term", old_str="- one\n- two\n", new_str="- lives in Porto\n")
    stale(store, f"{BASE}- theirs\n")
    done = losses.mend(session)
    assert store.raw("MEMORY.md") == f"{BASE}- lives in Porto\n- theirs\n".encode()
    assert "Put back 1 line in MEMORY.md" in done.message and "wrote 2 lines again that you had deleted" in done.message
    session.history.observe(["MEMORY.md"])
    assert str(session.history.versions("MEMORY.md")[0].author) == "zsmem, put back"
    change = next(past.Walk(session, previewing.subject(session)).every())
    assert past.who_wrote(change) == ["zsmem, put back"]
    assert past.told(change) == "zsmem, put back, added 1 line to MEMORY.md: 1 in, 0 out"


def test_a_deletion_that_a_stale_copy_undoes_at_once_is_said_and_not_made_again(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_the_first_pause(monkeypatch, lambda: stale(store, f"{BASE}- theirs\n"))
    report = store.mem().edit("long_term", old_str="- one\n", new_str="")
    assert store.raw("MEMORY.md") == f"{BASE}- theirs\n".encode() and not report.confirmed


def test_lines_of_another_process_are_only_told(store: AStore, session: Session) -> None:
    assert forking.python(BY_ANOTHER, store.root, "- mine").returncode == 0
    stale(store, BASE)
    assert losses.mend(session).put_back == () and losses.dropped(session)[0].lines == ("- mine",)
    back = writing.put_back(session.root, session.recorder(PUT_BACK))
    assert back == [("MEMORY.md", 1)] and b"- mine\n" in store.raw("MEMORY.md")


def test_of_what_one_copy_took_away_only_the_lines_of_this_process_are_put_back(store: AStore, session: Session) -> None:
    session.mem().write("long_term", "- mine")
    assert forking.python(BY_ANOTHER, store.root, "- other").returncode == 0
    stale(store, BASE)
    assert losses.mend(session).put_back == (("MEMORY.md", 1),)
    assert b"- mine\n" in store.raw("MEMORY.md") and b"- other" not in store.raw("MEMORY.md")


@pytest.mark.parametrize("copy", ["", "- port 8080 is used here\n", "- port 8081 is used here\n", "\n"])
def test_an_edit_of_a_line_that_was_written_just_before_is_not_lost_unsaid(store: AStore, session: Session, copy: str) -> None:
    """Whichever of our texts the other program had read."""
    if "8081" not in copy:
        session.mem().write("long_term", "- port 8080 is used here")
    else:
        store.has("MEMORY.md", f"{BASE}- port 8081 is used here\n")
    session.mem().edit("long_term", old_str="is used here", new_str="is used there")
    session.mem().edit("long_term", old_str="is used there", new_str="is used everywhere")
    stale(store, f"{BASE}{copy}")
    [found] = losses.dropped(session)
    assert len(found.lines) == 1 and found.lines[0].endswith("is used everywhere")
    assert losses.mend(session).put_back == (("MEMORY.md", 1),) and b"is used everywhere\n" in store.raw("MEMORY.md")


def test_what_we_undo_or_overwrite_ourselves_is_not_missed(session: Session) -> None:
    session.mem().write("long_term", "- mine")
    session.mem().write("long_term", "# New\n", "overwrite")
    assert losses.dropped(session) == []
    session.mem().edit("long_term", old_str="# New", new_str="# Newer")
    assert losses.dropped(session) == []


def test_lines_of_others_that_were_out_of_sight_for_an_instant_are_watched_with_ours(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[bool] = []

    def agent(step: str) -> None:
        if step == "temporary file synced" and not done:
            done.append(True)
            stale(store, f"{BASE}- theirs\n")

    monkeypatch.setattr(f"{install_file.__name__}.swap.step", agent)
    session.mem().write("long_term", "- mine")
    stale(store, f"{BASE}- other\n")
    assert set(losses.dropped(session)[0].lines) >= {"- mine"}


@pytest.mark.parametrize("read", ["before", "displaced", "ours"])
def test_a_text_put_over_ours_in_the_instant_before_it_is_taken_back_takes_no_line_away(
    store: AStore, monkeypatch: pytest.MonkeyPatch, read: str
) -> None:
    """Two writes of an agent around our exchange; the second one goes on from any text that it can have read."""
    real, texts = rename_exchange.exchange, {"before": BASE.encode()}

    def exchange(one: str, other: str) -> None:
        if len(texts) == 1:
            texts["displaced"] = f"{BASE}- three\n".encode()
            stale(store, texts["displaced"].decode())
            real(one, other)
            texts["ours"] = store.raw("MEMORY.md")
            stale(store, texts[read].decode() + "- four\n")
        else:
            real(one, other)

    monkeypatch.setattr(swap, "exchange", exchange)
    report = store.mem().write("long_term", "- mine")
    lines = store.raw("MEMORY.md").decode().split("\n")
    assert report.confirmed and sorted(lines) == sorted(f"{BASE}- three\n- four\n- mine\n".split("\n"))


@pytest.mark.parametrize("at", [(3, 5), (5,), (6,), (6, 7), (7,)])
@pytest.mark.parametrize("ours", ["- mine", ""], ids=["append", "edit"])
def test_who_read_ours_in_the_instant_before_it_is_taken_back_keeps_it_once_beside_all_that_they_wrote(
    store: AStore, monkeypatch: pytest.MonkeyPatch, ours: str, at: tuple[int, ...]
) -> None:
    """An agent's text that it reads there lacks the line it wrote just before; it goes on from it, before and after exchanges."""
    real, moments, texts = rename_exchange.exchange, itertools.count(2), [f"{BASE}- three\n"]

    def agent(moment: int) -> None:
        if moment in at:
            texts.append(f"{texts[-1]}- at {moment}\n")
        if moment in (2, *at):
            stale(store, texts[-1])

    def exchange(one: str, other: str) -> None:
        agent(next(moments))
        real(one, other)
        if (moment := next(moments)) == 3:
            texts.append(store.raw("MEMORY.md").decode())
        agent(moment)

    monkeypatch.setattr(swap, "exchange", exchange)
    mem = store.mem()
    report = mem.write("long_term", ours) if ours else mem.edit("long_term", old_str="one", new_str="one one")
    lines = [ours, "- three", *(f"- at {moment}" for moment in at), *(BASE if ours else BASE.replace("one", "one one")).split("\n")]
    assert report.confirmed
    assert sorted(filter(None, store.raw("MEMORY.md").decode().split("\n"))) == sorted(filter(None, lines))


@pytest.mark.parametrize("is_full", [False, True])
def test_what_comes_into_a_text_just_after_it_was_displaced_and_read_is_kept(
    store: AStore, monkeypatch: pytest.MonkeyPatch, is_full: bool
) -> None:
    def agent(step: str) -> None:
        for each in store.root.glob(".*") if step == "displaced text read" else ():
            each.write_bytes(each.read_bytes() + b"- theirs\n")

    monkeypatch.setattr(f"{install_file.__name__}.swap.step", agent)
    with monkeypatch.context() as full:
        if is_full:
            full.setattr(journal.Recorder, "record_leftover", lambda *_: False)
        store.mem().write("long_term", "- mine", confirm=False)
    late_writes.take_in(str(store.root), store.session().recorder())
    assert any(b"- theirs\n" in (text or b"") for text in kept(store)) and set(store.tree()) == {"MEMORY.md"}


@pytest.mark.parametrize("mode", ["w", "a", "r+"])
def test_a_writer_that_had_the_file_open_loses_nothing(
    store: AStore, session: Session, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(displaced, "WAIT_FOR_WRITER", 0.0)
    opened, finish = threading.Event(), threading.Event()

    def agent() -> None:
        text = store.raw("MEMORY.md")
        with open(store.at("MEMORY.md"), f"{mode}b", buffering=0) as stream:
            opened.set()
            finish.wait(10)
            stream.seek(0, 2)
            stream.write((text if mode == "w" else b"") + b"- theirs\n")

    writer = threading.Thread(target=agent)
    writer.start()
    opened.wait(10)
    session.mem().write("long_term", "- mine", confirm=False)
    assert b"- mine\n" in store.raw("MEMORY.md")
    finish.set()
    writer.join()
    late_writes.keep_all(str(store.root), session.recorder())
    assert f"{BASE}- theirs\n".encode() in kept(store)
    ours = store.raw("MEMORY.md")
    assert late_writes.take_in(str(store.root), session.recorder()) == ["MEMORY.md"]
    assert {b"- one", b"- two", b"- mine", b"- theirs"} <= set(store.raw("MEMORY.md").split(b"\n"))
    assert {ours, store.raw("MEMORY.md")} <= {*kept(store)}
    assert set(store.tree()) == {"MEMORY.md"} and displaced.waiting(displaced.home_of(str(store.root))) == []


@pytest.mark.parametrize("why", ["same line", "another form of the line", "not confirmed"])
def test_what_came_late_and_cannot_be_merged_is_kept(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    monkeypatch.setattr(displaced, "WAIT_FOR_WRITER", 0.0)
    with open(store.at("MEMORY.md"), "r+b", buffering=0) as stream:
        line = {"same line": "- mine", "another form of the line": "- TWO of ours", "not confirmed": "- two\n- three"}[why]
        ours = BASE.replace("- two", line)
        session.mem().write("long_term", ours, "overwrite", confirm=False)
        stream.write(theirs := BASE.replace("- two", "- TWO").encode())
    run = install_file.Install.run
    with monkeypatch.context() as patch:
        if why == "not confirmed":
            patch.setattr(install_file.Install, "run", lambda own: run(own)._replace(confirmed=False))
        assert late_writes.take_in(str(store.root), session.recorder()) == ["MEMORY.md"]
    assert theirs in kept(store) and (store.raw("MEMORY.md") == ours.encode()) is (why != "not confirmed")


@pytest.mark.parametrize("late", [b"", b"late\n"])
def test_what_a_dead_process_displaced_stays_until_it_can_be_recorded(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch, late: bytes
) -> None:
    root, pid = str(store.root), os.fork()
    if not pid:
        monkeypatch.setattr(swap, "step", lambda name: os._exit(9) if name == "exchanged" else None)
        session.mem().write("long_term", "- mine", confirm=False)
    assert os.waitpid(pid, 0)[1] == 9 << 8
    [left] = displaced.waiting(displaced.home_of(root))
    Path(left.file).write_bytes(late)
    with monkeypatch.context() as full:
        full.setattr(journal.Recorder, "record_leftover", lambda *_: False)
        assert late_writes.take_in(root, session.recorder()) == [] and os.path.exists(left.file) is bool(late)
        session.mem().write("long_term", "- next", confirm=False)
        assert os.path.exists(left.file) is bool(late)
    assert late_writes.take_in(root, session.recorder()) == ["MEMORY.md"] * bool(late)
    assert (late in kept(store)) is bool(late) and set(store.tree()) == {"MEMORY.md"}


def test_what_a_writer_ends_while_a_write_is_watched_is_merged_before_that_returns(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(displaced, "WAIT_FOR_WRITER", 0.0)
    with open(store.at("MEMORY.md"), "ab", buffering=0) as stream:

        def finish() -> None:
            stream.write(b"- theirs\n")
            stream.close()

        at_the_first_pause(monkeypatch, finish)
        store.mem().write("long_term", "- mine")
    assert {b"- one", b"- two", b"- mine", b"- theirs"} <= set(store.raw("MEMORY.md").split(b"\n"))


def test_a_write_waits_for_a_program_that_is_writing_the_file(store: AStore, session: Session) -> None:
    def agent() -> None:
        with open(store.at("MEMORY.md"), "wb", buffering=0) as stream:
            opened.set()
            for line in BASE.splitlines(keepends=True) * 3:
                stream.write(line.encode())
                time.sleep(0.005)

    opened = threading.Event()
    writer = threading.Thread(target=agent)
    writer.start()
    opened.wait(10)
    session.mem().write("long_term", "- mine")
    writer.join()
    assert store.raw("MEMORY.md") == (BASE * 3 + "- mine\n").encode()


def test_what_comes_late_is_kept_when_we_are_killed_meanwhile(store: AStore, session: Session) -> None:
    code = (
        "import os, sys\nfrom zsmem_tui import Mem\nfrom zsmem_tui.store.disk import displaced\ndisplaced.WAIT_FOR_WRITER = 0\n"
        "Mem(sys.argv[1], 'p', '2026-05-25').write('long_term', '- mine', confirm=False)\nos.kill(os.getpid(), 9)"
    )
    with open(store.at("MEMORY.md"), "ab", buffering=0) as stream:
        assert forking.python(code, store.root).returncode == -9
        stream.write(b"- theirs\n")
    session.mem().write("long_term", "- next")
    assert {b"- mine", b"- theirs", b"- next"} <= set(store.raw("MEMORY.md").split(b"\n"))


@pytest.mark.parametrize("full", ["", "Recorder.record_leftover = lambda *_: False"])
def test_where_the_state_folder_is_on_another_file_system_the_file_is_gone_at_exit_once_it_is_kept(
    store: AStore, full: str
) -> None:
    code = (
        "import errno, os, sys\nfrom zsmem_tui import Mem\nfrom zsmem_tui.store.disk import displaced\n"
        "displaced.WAIT_FOR_WRITER = 0\nreal = os.rename\n"
        "def rename(old, new):\n"
        "    if '.file' in str(new): raise OSError(errno.EXDEV, 'Invalid cross-device link')\n"
        "    real(old, new)\n"
        "os.rename = rename\nagent = open(sys.argv[1] + '/MEMORY.md', 'ab', buffering=0)\n"
        "Mem(sys.argv[1], 'p', '2026-05-25').write('long_term', '- mine', confirm=False)\n"
        "agent.write(b'- theirs\\n')\nprint(len(os.listdir(sys.argv[1])))\n"
        f"from zsmem_tui.store.history.journal import Recorder\n{full}"
    )
    done = subprocess.run([sys.executable, "-c", code, store.root], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "2\n") and len(store.tree()) == 1 + bool(full)
    assert late_writes.take_in(str(store.root), store.session().recorder()) == ["MEMORY.md"] * bool(full)
    assert set(store.tree()) == {"MEMORY.md"} and any(b"- theirs\n" in (text or b"") for text in kept(store))


@pytest.mark.parametrize("kind", ["folder", "fifo", "dangling", "loop", "socket"])
@pytest.mark.parametrize("name", ["MEMORY.md", "MEMORY.bak"])
def test_what_is_no_ordinary_file_is_left_alone(tmp_path: Path, kind: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = AStore(tmp_path / "s")
    store.root.mkdir(exist_ok=True)
    place = store.at(name)
    if name == "MEMORY.bak":
        store.has("MEMORY.md", BASE)
    if kind == "folder":
        place.mkdir()
    elif kind == "fifo":
        os.mkfifo(place)
    elif kind == "socket":
        monkeypatch.chdir(store.root)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(name)
    else:
        place.symlink_to("nowhere.md" if kind == "dangling" else name)
    names, mode = sorted(os.listdir(store.root)), os.lstat(place).st_mode
    mem = store.mem(profile=Profile.ZEROSTACK_1_7)
    if name == "MEMORY.md":
        for how in ("append", "overwrite"):
            with pytest.raises(MemError, match="Nothing was written"):
                mem.write("long_term", "x", how)
    else:
        report = mem.write("long_term", "new\n", "overwrite")
        told = f"{report} {report.warnings}"
        assert "backup failed" in told and "Nothing was written" not in told
        assert store.raw("MEMORY.md") == b"new\n"
    assert sorted(os.listdir(store.root)) == names and os.lstat(place).st_mode == mode


def test_the_case_of_a_name_is_not_changed_over_another_file(store: AStore) -> None:
    store.has("~/notes/a.md", "a").has("~/notes/A.md", "A")
    path = f"projects/{store.project}/notes"
    with pytest.raises(WriteFailed, match="not renamed"):
        writing.rename(str(store.root), f"{path}/a.md", f"{path}/A.md")
    assert store.raw("~/notes/A.md") == b"A" and store.raw("~/notes/a.md") == b"a"


def test_a_file_whose_name_changes_its_case_is_not_missed(store: AStore, session: Session) -> None:
    store.mem().write("note", "mine", None, "a")
    notes = f"projects/{store.project}/notes"
    writing.rename(str(store.root), f"{notes}/a.md", f"{notes}/A.md")
    assert losses.dropped(session) == []
    store.has("~/notes/A.md", "stale\n")
    assert [(each.path, each.lines) for each in losses.dropped(session)] == [(f"{notes}/A.md", ("mine",))]


def test_what_is_written_through_a_link_and_through_its_target_is_one_file(store: AStore, session: Session) -> None:
    store.has("real/a.md", "one\n").at("link").symlink_to("real")
    writing.update(str(store.root), "real/a.md", lambda now: b"one\nmine\n")
    writing.update(str(store.root), "link/a.md", lambda now: b"two\n")
    assert losses.dropped(session) == []


@pytest.mark.parametrize("code", [errno.EINVAL, errno.EACCES])
def test_where_writers_cannot_be_told_only_a_file_that_changes_is_waited_for(
    store: AStore, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refused(*_: object) -> int:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(f"{displaced.__name__}.fcntl.fcntl", refused)
    mem = store.mem()
    mem.write("long_term", "- first")
    mem.write("long_term", "- second")
    held = displaced.waiting(displaced.home_of(str(store.root)))[-1]
    assert held.has_writer() and not held.is_at_work()
    os.utime(held.file, times=(time.time() - 3, time.time() - 3))
    assert not held.has_writer(), "nobody has written into it for a while"
    with open(held.file, "ab") as stream:
        stream.write(b"- late\n")
    assert held.is_at_work()
    monkeypatch.setattr(displaced, "_QUIET", 0.0)
    mem.write("long_term", "- third")
    assert b"- late\n" in store.raw("MEMORY.md") and b"- third\n" in store.raw("MEMORY.md")


def test_of_a_very_large_change_the_beginning_is_noted_and_its_loss_told(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lost_updates, "_MOST_BYTES", 1000)
    text = "".join(f"- mine {number}\n" for number in range(5000))
    writing.update(str(store.root), "MEMORY.md", lambda now: (BASE + text).encode())
    home = lost_updates.home_of(str(store.root))
    assert sum(os.path.getsize(os.path.join(home, name)) for name in os.listdir(home)) < 3000
    assert losses.dropped(session) == []
    stale(store, BASE + "- theirs\n")
    (found,) = losses.dropped(session)
    assert found.lines[0] == "- mine 0" and writing.put_back(session.root, session.recorder(PUT_BACK)) == []


@pytest.mark.parametrize(
    "raw", [b"[" * 200_000, b"[]", b"\xff", b'{"path": "a\\u0000b", "file": "a\\u0000b", "changes": [[1, 1, "", 0, [[]]]]}']
)
def test_a_note_that_is_spoilt_stops_no_write(store: AStore, session: Session, raw: bytes) -> None:
    for home in (lost_updates.home_of(str(store.root)), displaced.home_of(str(store.root))):
        os.makedirs(home)
        Path(home, "00000000000000000001-999999999-0-held.json").write_bytes(raw)
    assert store.mem().write("long_term", "- mine").confirmed
    assert losses.dropped(session) == []


def test_a_note_with_any_odd_value_stops_no_write(store: AStore, session: Session) -> None:
    store.mem().write("long_term", "- mine", confirm=False)
    [place] = Path(lost_updates.home_of(str(store.root))).iterdir()
    head, _, lines = place.read_bytes().partition(b"\n")
    for odd in with_odd_values(head):
        place.write_bytes(odd + b"\n" + lines)
        losses.dropped(session)
        lost_updates.moved(str(store.root), "MEMORY.md", "MEMORY.md")
        place.write_bytes(odd + b"\n" + lines)
        store.mem().write("long_term", "- more", "overwrite", confirm=False)


def test_many_large_changes_do_not_make_each_write_slower_and_the_last_is_watched(store: AStore, session: Session) -> None:
    for number in range(8):
        store.mem().write("note", f"{number} " + "x" * 30_000, "overwrite", "big", confirm=False)
    [place] = Path(lost_updates.home_of(str(store.root))).iterdir()
    assert place.stat().st_size < 200_000
    stale(store, BASE)
    store.has("~/notes/big.md", f"{6} " + "x" * 30_000)
    assert [each.path for each in losses.dropped(session)] == [f"projects/{store.project}/notes/big.md"]


def test_what_a_stale_copy_took_away_is_still_told_after_a_write_of_ours_which_does_not_put_it_back(
    store: AStore, session: Session
) -> None:
    store.mem().write("long_term", "- mine")
    stale(store, f"{BASE}- theirs\n")
    store.mem().write("long_term", "- later")
    assert store.raw("MEMORY.md") == f"{BASE}- theirs\n- later\n".encode()
    [found] = losses.dropped(session)
    assert (found.path, found.lines) == ("MEMORY.md", ("- mine",))
    assert losses.mend(session).put_back == (("MEMORY.md", 1),) and b"- mine\n" in store.raw("MEMORY.md")


@pytest.mark.slow
def test_what_was_taken_away_is_told_however_many_writes_of_ours_come_after_it(store: AStore, session: Session) -> None:
    mem = store.mem()
    mem.write("long_term", "- mine", confirm=False)
    stale(store, BASE)
    for number in range(3 * lost_updates._MOST):
        mem.write("long_term", f"- later {number}", confirm=False)
    assert [each.lines for each in losses.dropped(session)] == [("- mine",)]
    stale(store, BASE)
    lines = losses.dropped(session)[0].lines
    assert lines[0] == "- mine" and len(lines) == 1 + lost_updates._MOST, "the newest are still watched"


@pytest.mark.parametrize("when", ["temporary file removed", "exchange"])
def test_what_a_stale_copy_takes_away_in_the_middle_of_a_write_of_ours_is_not_taken_for_our_own_removal(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    mem = store.mem()
    mem.write("long_term", "- early", confirm=False)
    real, done = rename_exchange.exchange, list[str]()

    def agent(step: str) -> None:
        if step == when and not done:
            done.append(step)
            stale(store, f"{BASE}- theirs\n")

    def exchange(one: str, other: str) -> None:
        agent("exchange")
        real(one, other)

    monkeypatch.setattr(swap, "exchange", exchange)
    monkeypatch.setattr(f"{install_file.__name__}.swap.step", agent)
    mem.write("long_term", "- mine", confirm=False)
    assert done and b"- mine\n" in store.raw("MEMORY.md") and b"- early\n" not in store.raw("MEMORY.md")
    assert [each.lines for each in losses.dropped(session)] == [("- early",)]


def test_what_we_take_out_ourselves_is_not_missed_though_others_had_taken_out_more(store: AStore, session: Session) -> None:
    store.mem().write("long_term", "- mine\n- more")
    store.mem().edit("long_term", old_str="- mine\n", new_str="")
    store.mem().write("long_term", "- later")
    assert losses.dropped(session) == []
