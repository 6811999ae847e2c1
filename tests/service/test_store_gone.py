"""A store that is renamed away while it is open is never made anew."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from zsmem_tui import MemoryUpdate, Profile, ZerostackMemory, agent_memory, flush_compaction_summary
from zsmem_tui.core.errors import StoreGone, WriteFailed
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.version import Version
from zsmem_tui.service import applying, editing, file_ops, history, reviewing, triage, undoing
from zsmem_tui.service.session import Session
from zsmem_tui.service.tasks import Task, task_list


def memory(session: Session) -> MemRef:
    return session.place_of(Role.FACTS, PROJECT)


def note(session: Session) -> MemRef:
    return session.place_of(Role.NOTE, PROJECT, "plan")


def open_session(tmp_path: Path) -> tuple[AStore, Session]:
    store = (
        AStore(tmp_path / "store").has("MEMORY.md", "- one\n").has("~/SCRATCHPAD.md", "- [ ] first\n").has("~/notes/plan.md", "p\n")
    )
    session = store.session()
    editing.save(session, memory(session), b"- two\n", b"- one\n")
    return store, session


VERBS: dict[str, Callable[[Session, list[Task], list[Version]], object]] = {
    "save": lambda session, tasks, found: editing.save(session, memory(session), b"- three\n", b"- two\n"),
    "save anew": lambda session, tasks, found: editing.save(session, memory(session), b"- three\n", None),
    "new note": lambda session, tasks, found: file_ops.new_note(session, "fresh", PROJECT),
    "new scratchpad": lambda session, tasks, found: file_ops.new_scratchpad(session, "other"),
    "log entry": lambda session, tasks, found: file_ops.log_entry(session, "heading", PROJECT),
    "rename": lambda session, tasks, found: file_ops.rename(session, note(session), "else"),
    "copy": lambda session, tasks, found: file_ops.duplicate(session, note(session), "else"),
    "delete": lambda session, tasks, found: file_ops.delete(session, note(session)),
    "tick": lambda session, tasks, found: applying.apply(triage.set_done(session, tasks, done=True)),
    "add": lambda session, tasks, found: applying.apply(triage.add(session, PROJECT, "words", None)),
    "promote": lambda session, tasks, found: applying.apply(triage.promote(session, tasks)),
    "to note": lambda session, tasks, found: applying.apply(triage.to_note(session, tasks, "made")),
    "log": lambda session, tasks, found: applying.apply(triage.log(session, tasks)),
    "undo": lambda session, tasks, found: undoing.undo(session, redo=False),
    "put a version back": lambda session, tasks, found: history.restore(session, found[-1]),
}


@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_makes_a_store_anew_and_all_go_on_when_it_is_back(tmp_path: Path, verb: str) -> None:
    store, session = open_session(tmp_path)
    tasks = list(task_list(session, [PROJECT]).tasks)
    found = history.of_file(session, memory(session))
    away = tmp_path / "away"
    store.root.rename(away)
    with pytest.raises(StoreGone, match=r"is gone.*Nothing was written"):
        VERBS[verb](session, tasks, found)
    assert not store.root.exists()
    away.rename(store.root)
    VERBS[verb](session, tasks, found)


ANEW: dict[str, Callable[[AStore], object]] = {
    "library": lambda store: store.mem().write("long_term", "- anew\n"),
    "dry": lambda store: store.mem(dry_run=True).write("long_term", "- anew\n"),
    "memory of any agent": lambda store: agent_memory("zerostack", store.root).session.mem().write("daily", "- anew\n"),
    "provider": lambda store: ZerostackMemory(store.mem()).sync([MemoryUpdate("add", "anew")]),
    "daily": lambda store: store.mem().append_daily("later", "anew"),
    "note": lambda store: file_ops.new_note(store.session(), "fresh", PROJECT),
    "save": lambda store: editing.save(store.session(), memory(store.session()), b"- anew\n", None),
    "undo": lambda store: undoing.undo(store.session()),
}


@pytest.mark.draw(2)
@pytest.mark.parametrize("verb", ANEW)
@pytest.mark.parametrize("is_drained", [False, True])
def test_no_program_that_starts_later_makes_it_anew_while_its_history_has_files(
    tmp_path: Path, verb: str, is_drained: bool
) -> None:
    store = AStore(tmp_path / "store")
    store.mem().write("long_term", "- one\n")
    if is_drained:
        store.looked_at()
    away = tmp_path / "away"
    store.root.rename(away)
    with pytest.raises(WriteFailed, match=r"its disk is away\. The history has 1 file of it\. Nothing was written") as told:
        ANEW[verb](store)
    assert not store.root.exists() and "`zsmem review back`" in told.value.hint
    reviewing.restore_wiped(store.session(), reviewing.wipes(store.session()))
    assert store.tree() == {"MEMORY.md": b"- one\n"}
    shutil.rmtree(store.root)
    away.rename(store.root)
    ANEW[verb](store)


@pytest.mark.parametrize("profile", Profile)
def test_a_summary_that_cannot_be_written_stops_no_compaction(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, profile: Profile
) -> None:
    store = AStore(tmp_path / "store").has("~/daily", "a file in the way of the logs")
    mem, wrong = store.mem(profile), AStore(tmp_path / "other").mem(profile)
    failed = [flush_compaction_summary(mem, "done", 3), flush_compaction_summary(wrong, "cut \ud83d", None)]
    assert [(each.changed, each.written) for each in failed] == [(False, 0)] * 2
    assert "Nothing was written" in str(failed[0]) and store.tree() == {
        f"projects/{PROJECT}/daily": b"a file in the way of the logs"
    }
    logged = ["was not written" in each.message for each in caplog.records]
    assert logged == ([True, True] if profile is Profile.ZEROSTACK_1_7 else [])
    assert flush_compaction_summary(AStore(tmp_path / "third").mem(profile), "done", 3).changed


def test_a_store_that_was_never_there_is_made_by_the_first_write(tmp_path: Path) -> None:
    session = Session(str(tmp_path / "new"), PROJECT)
    assert session.store_problem() == session.store_problem() == ""
    file_ops.new_note(session, "first", PROJECT)
    assert (tmp_path / "new" / "projects" / PROJECT / "notes" / "first.md").exists() and session.store_problem() == ""
    (tmp_path / "new").rename(tmp_path / "away")
    assert session.store_problem() == f"The memory folder {tmp_path}/new is gone: renamed, or its disk is away."


def test_a_text_is_not_marked_as_seen_by_a_store_that_is_gone(tmp_path: Path) -> None:
    store, session = open_session(tmp_path)
    store.root.rename(tmp_path / "away")
    assert not reviewing.unreviewed(session)
    assert "is gone" in session.store_problem()
