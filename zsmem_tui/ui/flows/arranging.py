"""Making, renaming, copying, moving, deleting files, asking for names in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.refs import MemRef, WriteTarget
from zsmem_tui.core.text import printable_path, trim
from zsmem_tui.service import file_ops
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.file_ops import FileOpResult
from zsmem_tui.ui.dialogs.choice import ChoiceDialog, PromptDialog
from zsmem_tui.ui.flows import editing
from zsmem_tui.ui.format import common as format

if TYPE_CHECKING:
    from zsmem_tui.ui.screens.main import MainScreen


async def add(main: MainScreen, project: str) -> None:
    """A note, an entry in today's log, or a scratchpad."""
    answers = [("note", "A note"), ("entry", "An entry in today's log"), ("scratchpad", "A scratchpad, when there is none")]
    where = f"Add to {printable_path(project)}:"
    kind = await main.app.push_screen_wait(ChoiceDialog("Add", where, answers))
    session = main.session
    if kind == "note":
        question = ("New note", "Its name: anything but slashes and dots.", "")
        made = await _named(main, question, lambda name: file_ops.new_note(session, name, project))
        if made:
            await editing.edit(main, made.ref, at_end=True)
    elif kind == "entry":
        await _named(main, ("Entry in today's log", "What is it about?", ""), lambda heading: _logged(main, heading, project))
    elif kind == "scratchpad":
        made = await _tried(main, lambda: file_ops.new_scratchpad(session, project))
        if made:
            await editing.edit(main, made.ref, at_end=True)


async def rename(main: MainScreen, ref: MemRef) -> None:
    """Another name for a note."""
    if problem := file_ops.why_not(ref, "renamed"):
        main.say(problem, warning=True)
        return
    question = ("Rename", f"A new name for {format.title_of(ref)}:", ref.name)
    await _named(main, question, lambda name: file_ops.rename(main.session, ref, name), ref)


async def duplicate(main: MainScreen, ref: MemRef) -> None:
    """A copy under another name."""
    question = ("Copy", f"The name of a note to copy {format.title_of(ref)} to:", f"{ref.name or 'copy'}-2")
    await _named(main, question, lambda name: file_ops.duplicate(main.session, ref, name))


async def move(main: MainScreen, ref: MemRef) -> None:
    """Another project for a note or a log."""
    if problem := file_ops.why_not(ref, "moved to another project"):
        main.say(problem, warning=True)
        return
    projects = main.catalog.projects if main.catalog else ()
    others = [project.slug for project in projects if project.slug != ref.project]
    if not others:
        main.say("There is no other project to move it to.", warning=True)
        return
    answers = [(slug, printable_path(slug)) for slug in others]
    project = await main.app.push_screen_wait(ChoiceDialog("Move", f"Move {format.title_of(ref)} to:", answers, names=True))
    if project:
        await _tried(main, lambda: file_ops.move(main.session, ref, project), ref)


async def delete(main: MainScreen, ref: MemRef) -> None:
    """Without asking: one key undoes it."""
    await _tried(main, lambda: file_ops.delete(main.session, ref))


async def copy_text(main: MainScreen, ref: MemRef) -> None:
    """The text of a file to the terminal's clipboard."""
    file = await asyncio.to_thread(open_file, main.session, ref)
    if not file.text:
        main.say(f"Nothing to copy: {format.title_of(ref)} {'cannot be read' if file.problem else 'is empty'}.", warning=True)
        return
    main.app.copy_to_clipboard(file.text.encode("utf-8", "replace").decode())
    main.say(f"Sent {format.title_of(ref)} to the terminal's clipboard ({format.size(len(file.raw))}).")


def _logged(main: MainScreen, heading: str, project: str) -> FileOpResult:
    report = file_ops.log_entry(main.session, heading, "", project)
    return FileOpResult(main.session.mem(project).ref(WriteTarget.DAILY), f"Added an entry: {report.message}")


async def _named(
    main: MainScreen, question: tuple[str, str, str], act: Callable[[str], FileOpResult], old: MemRef | None = None
) -> FileOpResult | None:
    """Ask for a line and do something with it; what is refused is asked again, with what was typed."""
    title, text, value = question
    problem = ""
    while True:
        answer = await main.app.push_screen_wait(PromptDialog(title, text, value, problem=problem))
        value = answer or ""
        if not trim(value):
            return None
        try:
            done = await asyncio.to_thread(act, trim(value))
        except MemError as error:
            problem = _words(error)
            continue
        await _tell(main, done, old)
        return done


async def _tried(main: MainScreen, act: Callable[[], FileOpResult], old: MemRef | None = None) -> FileOpResult | None:
    try:
        done = await asyncio.to_thread(act)
    except MemError as error:
        main.say(_words(error), warning=True)
        return None
    await _tell(main, done, old)
    return done


async def _tell(main: MainScreen, done: FileOpResult, old: MemRef | None) -> None:
    """Show what was done; a file that has another name or place now is followed there."""
    if old is not None:
        main.show_instead(old, done.ref)
    await main.look_now()
    problem = main.session.undo_problem
    main.say(format.undoable(done.message, problem), warning=bool(problem))
    main.tree_pane.reveal(done.ref)


def _words(error: MemError) -> str:
    return f"{error.message}{f' {error.hint}' if error.hint else ''}"
