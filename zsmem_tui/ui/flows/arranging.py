"""Making, renaming, copying, moving, deleting files, asking for names in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import printable_path, trim
from zsmem_tui.service import arranging
from zsmem_tui.service.arranging import Arranged
from zsmem_tui.ui import format
from zsmem_tui.ui.dialogs.choice import ChoiceDialog, PromptDialog
from zsmem_tui.ui.flows import editing

if TYPE_CHECKING:
    from zsmem_tui.ui.screens.main import MainScreen


async def add(main: MainScreen, project: str) -> None:
    """A note, an entry in today's log, or a scratchpad."""
    answers = [("note", "A note"), ("entry", "An entry in today's log"), ("scratchpad", "A scratchpad, when there is none")]
    where = f"Add to {printable_path(project)}:"
    kind = await main.app.push_screen_wait(ChoiceDialog("Add", where, answers))
    if kind == "note":
        name = await _ask(main, "New note", "Its name: anything but slashes and dots.")
        if name and (made := await _do(main, lambda: arranging.new_note(main.session, name, project))):
            await editing.edit(main, made.ref)
    elif kind == "entry":
        heading = await _ask(main, "Entry in today's log", "What is it about?")
        if heading:
            await _log(main, heading, project)
    elif kind == "scratchpad" and (made := await _do(main, lambda: arranging.new_scratchpad(main.session, project))):
        await editing.edit(main, made.ref)


async def rename(main: MainScreen, ref: MemRef) -> None:
    """Another name for a note."""
    name = await _ask(main, "Rename", f"A new name for {format.title_of(ref)}:", ref.name)
    if name:
        await _do(main, lambda: arranging.rename(main.session, ref, name))


async def duplicate(main: MainScreen, ref: MemRef) -> None:
    """A copy under another name."""
    name = await _ask(main, "Copy", f"The name of a note to copy {format.title_of(ref)} to:", f"{ref.name or 'copy'}-2")
    if name:
        await _do(main, lambda: arranging.duplicate(main.session, ref, name))


async def move(main: MainScreen, ref: MemRef) -> None:
    """Another project for a note or a log."""
    projects = main.catalog.projects if main.catalog else ()
    others = [project.slug for project in projects if project.slug != ref.project]
    if not others:
        main.say("There is no other project to move it to.", warning=True)
        return
    answers = [(slug, printable_path(slug)) for slug in others]
    project = await main.app.push_screen_wait(ChoiceDialog("Move", f"Move {format.title_of(ref)} to:", answers))
    if project:
        await _do(main, lambda: arranging.move(main.session, ref, project))


async def delete(main: MainScreen, ref: MemRef) -> None:
    """Without asking: one key undoes it."""
    await _do(main, lambda: arranging.delete(main.session, ref))


async def _log(main: MainScreen, heading: str, project: str) -> None:
    try:
        report = await asyncio.to_thread(arranging.log_entry, main.session, heading, "", project)
    except MemError as error:
        main.say(error.message, warning=True)
        return
    await main.look_now()
    problem = main.session.undo_problem
    main.say(format.undoable(f"Added an entry: {report.message}", problem), warning=bool(problem))


async def _ask(main: MainScreen, title: str, text: str, value: str = "") -> str:
    answer = await main.app.push_screen_wait(PromptDialog(title, text, value))
    return trim(answer or "")


async def _do(main: MainScreen, act: Callable[[], Arranged]) -> Arranged | None:
    try:
        done = await asyncio.to_thread(act)
    except MemError as error:
        main.say(f"{error.message}{f' {error.hint}' if error.hint else ''}", warning=True)
        return None
    await main.look_now()
    problem = main.session.undo_problem
    main.say(format.undoable(done.message, problem), warning=bool(problem))
    main.tree_pane.reveal(done.ref)
    return done
