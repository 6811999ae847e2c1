"""The verbs of triage, asking in between for words, projects and names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from zsmem_tui.core.checklist import Box
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.text import printable_path, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import board, triage
from zsmem_tui.service.board import Todo
from zsmem_tui.service.triage import Done
from zsmem_tui.ui.dialogs.choice import ChoiceDialog, PromptDialog

if TYPE_CHECKING:
    from zsmem_tui.ui.screens.triage import TriageScreen


async def act(screen: TriageScreen, verb: str) -> None:
    """Do one thing with the chosen items; in a run, go on to the next."""
    todos = screen.chosen()
    if verb == "add":
        await _add(screen, todos)
        return
    if verb == "archive" and not screen.rows.marked:
        shown = {todo.project for todo in todos} or set(screen.boards)
        todos = [todo for todo in screen.todos.values() if todo.item.box is Box.DONE and todo.project in shown]
    if not todos:
        nothing = (
            "Nothing is done that could be archived." if verb == "archive" else "Nothing selected: put the cursor on an item first."
        )
        screen.say(nothing, warning=True)
        return
    how = await _how(screen, verb, todos)
    if how is not None:
        await _do(screen, todos, how, edited=verb == "edit")


async def _how(screen: TriageScreen, verb: str, todos: list[Todo]) -> Callable[[], Done] | None:
    """What to do, once everything is asked; None: nothing."""
    session = screen.session
    match verb:
        case "tick":
            done = any(todo.item.box is not Box.DONE for todo in todos)
            return lambda: triage.set_done(session, todos, done=done)
        case "edit":
            text = await _ask(screen, "Edit", "The words of this item:", todos[0].item.text)
            return (lambda: triage.edit(session, todos[0], text)) if text and text != todos[0].item.text else None
        case "delete":
            return lambda: triage.remove(session, todos)
        case "promote":
            return lambda: triage.promote(session, todos)
        case "log":
            return lambda: triage.log(session, todos)
        case "archive":
            return lambda: triage.archive(session, todos)
        case "note":
            name = await _ask(screen, "Note", "The name of the note:", triage.note_name(todos[0]))
            return (lambda: triage.to_note(session, todos, name)) if name else None
        case "move":
            return await _where(screen, todos)
        case "up" | "down":
            return lambda: triage.shift(session, todos[0], 1 if verb == "down" else -1)
        case _:
            return lambda: triage.indent(session, todos, 1 if verb == "in" else -1)


async def _where(screen: TriageScreen, todos: list[Todo]) -> Callable[[], Done] | None:
    """To another project, or below another heading; where the last ones went comes first."""
    session = screen.session
    own = {todo.project for todo in todos}
    projects = [slug for slug in await asyncio.to_thread(board.every_project, session) if {slug} != own]
    answers = [(f"p{slug}", visible_line(printable_path(slug))) for slug in projects]
    if len(own) == 1:
        titles = await asyncio.to_thread(board.headings, session, todos[0].project)
        answers += [(f"h{title}", f"# {visible_line(title)}") for title in dict.fromkeys(titles)]
    if not answers:
        screen.say("There is no other project or heading to move it to.", warning=True)
        return None
    answers.sort(key=lambda answer: answer[0] != screen.last_target)
    answer = await screen.app.push_screen_wait(ChoiceDialog("Move", f"Move {_what(todos)} to:", answers))
    if not answer:
        return None
    screen.last_target = answer
    if answer[0] == "p":
        return lambda: triage.move(session, todos, answer[1:])
    return lambda: triage.relocate(session, todos, answer[1:])


async def _add(screen: TriageScreen, todos: list[Todo]) -> None:
    """One item, or as many as lines were pasted, below the heading of the cursor."""
    project = todos[0].project if todos else screen.project or screen.session.project
    heading = todos[0].item.heading or None if todos else None
    where = visible_line(printable_path(project)) + (f" › {visible_line(heading)}" if heading else "")
    question = f"A new item in {where}; pasted lines become one each:"
    answer: str | None = await screen.app.push_screen_wait(PromptDialog("Add", question, lines=True))
    text = answer or ""
    if trim(text):
        await _do(screen, [], lambda: triage.add(screen.session, project, text, heading), [project])


async def _do(
    screen: TriageScreen,
    todos: list[Todo],
    how: Callable[[], Done],
    projects: list[str] | None = None,
    *,
    edited: bool = False,
) -> None:
    try:
        done = await asyncio.to_thread(how)
    except MemError as error:
        screen.say(f"{error.message} {error.hint}".rstrip(" "), warning=True)
        return
    touched = list(dict.fromkeys(projects or [todo.project for todo in todos]))
    if screen.last_target.startswith("p") and screen.last_target[1:] in screen.boards:
        touched.append(screen.last_target[1:])
    if not screen.closed:
        screen.rows.marked.clear()
        await screen.read(touched)
    problem = screen.session.undo_problem
    screen.say(
        done.message + (f" {problem}" if problem else " · u to undo" if done.changed else ""), warning=bool(done.gone or problem)
    )
    if not screen.closed:
        screen.next_after(todos, edited=edited)


async def _ask(screen: TriageScreen, title: str, text: str, value: str) -> str:
    answer: str | None = await screen.app.push_screen_wait(PromptDialog(title, text, value))
    return trim(answer or "")


def _what(todos: list[Todo]) -> str:
    return visible_line(todos[0].item.text) if len(todos) == 1 else f"{len(todos)} items"
