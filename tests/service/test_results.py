"""What verbs say of whether they can be undone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.service.test_store_gone import memory, note, open_session
from zsmem_tui.core.errors import BadContent, WriteFailed
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.service import (
    applying,
    bundles,
    exporting,
    file_ops,
    formats,
    history,
    importing,
    review_lines,
    reviewing,
    titles,
    triage,
    undoing,
)
from zsmem_tui.service.projects import moving
from zsmem_tui.service.results import Resolution
from zsmem_tui.service.session import Session
from zsmem_tui.service.tasks import task_list

WRITING: dict[str, Callable[[Session, Path], VerbResult]] = {
    "new note": lambda session, other: file_ops.new_note(session, "fresh", PROJECT),
    "new scratchpad": lambda session, other: file_ops.new_scratchpad(session, "other"),
    "new entry": lambda session, other: file_ops.new_entry(session, "heading", PROJECT),
    "rename": lambda session, other: file_ops.rename(session, note(session), "else"),
    "copy": lambda session, other: file_ops.duplicate(session, note(session), "else"),
    "move": lambda session, other: file_ops.new_scratchpad(session, "other") and file_ops.move(session, note(session), "other"),
    "delete": lambda session, other: file_ops.delete(session, note(session)),
    "tick": lambda session, other: applying.apply(triage.set_done(session, task_list(session, [PROJECT]).tasks, done=True)),
    "reword": lambda session, other: applying.apply(triage.edit(session, task_list(session, [PROJECT]).tasks[0], "other")),
    "add": lambda session, other: applying.apply(triage.add(session, PROJECT, "words")),
    "remove": lambda session, other: applying.apply(triage.remove(session, task_list(session, [PROJECT]).tasks)),
    "promote": lambda session, other: applying.apply(triage.promote(session, task_list(session, [PROJECT]).tasks)),
    "to note": lambda session, other: applying.apply(triage.to_note(session, task_list(session, [PROJECT]).tasks, "made")),
    "log": lambda session, other: applying.apply(triage.log(session, task_list(session, [PROJECT]).tasks)),
    "import": lambda session, other: applying.apply(importing.plan(session, formats.of_agent("markdown"), str(other))),
    "export": lambda session, other: applying.apply(exporting.plan(session, formats.of_agent("markdown"), str(other / "out"))),
    "bundle": lambda session, other: bundles.export_to(session, str(other / "all.tar.gz")),
}

SAYS: dict[str, str] = {
    "new note": "Made note fresh.",
    "new scratchpad": "Made a scratchpad.",
    "new entry": f"Added an entry to ~/store/projects/{PROJECT}/daily/2026-05-25.md.",
    "rename": "Renamed plan to else.",
    "copy": "Copied to note else.",
    "move": "Moved plan to other.",
    "delete": f"Deleted projects/{PROJECT}/notes/plan.md.",
    "tick": "Done “first”.",
    "reword": "Edited 1 item.",
    "add": f"Added 1 item to {PROJECT}.",
    "remove": "Deleted “first”.",
    "promote": "Loaded “first” into MEMORY.md.",
    "to note": "Turned “first” into note made.",
    "log": "Logged “first” in today's log.",
    "import": "Imported 1 note from Markdown.",
    "export": "Wrote 3 files to ~/other/out.",
    "bundle": "Wrote 3 files to ~/other/all.tar.gz.",
}

LOSING = ("delete", "tick", "reword", "remove")
"""What takes a line away, in one file, is not done where it could not be kept."""

REFUSED = (*LOSING, "rename", "move", "bundle", "export")
"""Nor is anything written elsewhere."""


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A folder with a fact to import."""
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "facts.md").write_text("- a fact of another memory\n")
    return folder


@pytest.mark.parametrize("verb", WRITING)
def test_a_verb_that_changed_something_says_whether_that_can_be_undone(tmp_path: Path, other: Path, verb: str) -> None:
    _, session = open_session(tmp_path)
    done = WRITING[verb](session, other)
    assert done.changed > 0 and done.message.replace(str(tmp_path), "~") == SAYS[verb] and not done.undo_problem


@pytest.mark.parametrize("verb", [verb for verb in WRITING if verb not in REFUSED])
def test_a_verb_says_why_what_it_did_cannot_be_undone(tmp_path: Path, other: Path, verb: str) -> None:
    _, session = open_session(tmp_path)
    (tmp_path / "state").write_text("a file where a folder is needed")
    session._history_home = str(tmp_path / "state" / "history")
    done = WRITING[verb](session, other)
    assert done.changed > 0 and "undo" in done.undo_problem


@pytest.mark.parametrize("verb", LOSING)
def test_what_could_not_be_kept_is_not_lost(tmp_path: Path, other: Path, verb: str) -> None:
    store, session = open_session(tmp_path)
    (tmp_path / "state").write_text("a file where a folder is needed")
    session._history_home = str(tmp_path / "state" / "history")
    before = store.tree()
    with pytest.raises(WriteFailed, match="could not be kept first"):
        WRITING[verb](session, other)
    assert store.tree() == before


NOTHING: dict[str, Callable[[Session], VerbResult]] = {
    "It is called that already.": lambda session: file_ops.rename(session, note(session), "plan"),
    "It is there already.": lambda session: file_ops.move(session, note(session), PROJECT),
    "The file holds just this already. Nothing was written.": lambda session: history.restore(
        session, history.of_file(session, memory(session))[0]
    ),
    "Left deleted, as it is. Nothing was written.": lambda session: history.put_back_change(
        session, history.of_file(session, memory(session))[0], (0,), resolved=Resolution(memory(session), None, None)
    ),
    "Nothing to mark as seen.": lambda session: review_lines.accept(session, []),
    "Nothing to revert.": lambda session: review_lines.revert(session, []),
    f"{PROJECT} has no name of yours.": lambda session: moving.label(session, PROJECT, ""),
}


@pytest.mark.parametrize("says", NOTHING)
def test_a_verb_that_changed_nothing_says_so_and_has_made_no_step(tmp_path: Path, says: str) -> None:
    _, session = open_session(tmp_path)
    before = session.history.step()
    done = NOTHING[says](session)
    session.history.drain()
    assert (done.changed, done.message, session.history.step()) == (0, says, before)
    assert done.warning is says.startswith("Nothing")


def test_a_file_that_was_deleted_then_is_deleted_again_and_a_step_is_passed_over(tmp_path: Path) -> None:
    store, session = open_session(tmp_path)
    file_ops.delete(session, memory(session))
    store.has("MEMORY.md", "- back\n")
    gone = history.of_file(session, memory(session))[1]
    done = history.restore(session, gone)
    assert (done.changed, done.message, store.at("MEMORY.md").exists()) == (1, "Deleted MEMORY.md, as it was then.", False)
    with pytest.raises(BadContent, match="then, and there is none now"):
        history.restore(session, gone)
    assert undoing.skip(session).message == "Passed over: Restored MEMORY.md"
    while (done := undoing.skip(session)).changed:
        assert done.message.startswith("Passed over: ") and not done.warning
    assert (done.message, done.warning) == ("Nothing to undo.", True)
    assert moving.label(session, PROJECT, "Tea").message == f"Named {PROJECT} “Tea”."
    assert moving.label(session, PROJECT, "Tea").message == f"{PROJECT} is called that already."


def test_lines_that_changed_meanwhile_are_not_put_back(tmp_path: Path) -> None:
    store, session = open_session(tmp_path)
    change = reviewing.PendingReview(memory(session), b"- mine\n", b"- two\n", ())
    store.has("MEMORY.md", "- agent\n")
    done = review_lines.revert(session, [review_lines.Pick(change)])
    assert done.conflicted and done.changed == 0 and "Nothing was written" in done.message
    assert store.raw("MEMORY.md") == b"- agent\n"


def test_a_sentence_names_files_by_their_titles_and_quotes_their_text_as_it_is(tmp_path: Path) -> None:
    session = AStore(tmp_path / "memory").has("~/notes/deploy.md", "x\n").session()
    path = f"projects/{session.project}/notes/deploy.md"
    line = f"“- see [how]({path})”"
    assert titles.in_words(f"{path}: line 2 is now {line}.", [session]) == f"{session.project} · note deploy: line 2 is now {line}."
