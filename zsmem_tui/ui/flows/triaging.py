"""The verbs of triage, asking in between for words, projects and names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from zsmem_tui.core.checklist import Box
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.text import printable_path, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import triage
from zsmem_tui.service.tasks import Todo, every_project, headings
from zsmem_tui.service.triage import Done
from zsmem_tui.ui.dialogs.choice import ChoiceDialog, PromptDialog
from zsmem_tui.ui.format import triage as format_triage
from zsmem_tui.ui.format.common import undoable

if TYPE_CHECKING:
    from zsmem_tui.ui.screens.triage import TriageScreen


async def act(screen: TriageScreen, verb: str) -> None:
    """Do one thing with the chosen items; in a run, go on to the next."""
    todos = screen.chosen()
    if verb == "add":
        await _add(screen, todos)
        return
    if verb == "archive" and not screen.rows.marked:
        meant = {todo.project for todo in todos} or set(screen.boards)
        todos = [
            todo
            for todo in screen.todos.values()
            if todo.item.box is Box.DONE and todo.project in meant and format_triage.holds(todo, screen.wanted)
        ]
    if not todos:
        screen.say(_nothing(screen, verb), warning=True)
        return
    asked = Asked()
    while True:
        how = await _how(screen, verb, todos, asked)
        if how is None:
            return
        asked.problem = await _do(screen, todos, how, edited=verb == "edit", ask_again=bool(asked.text))
        if not asked.problem:
            return


@dataclass
class Asked:
    """What the person typed for a verb, and why it was refused."""

    text: str = ""
    problem: str = ""


def _nothing(screen: TriageScreen, verb: str) -> str:
    if verb != "archive":
        return "Nothing selected: put the cursor on an item first."
    if screen.wanted:
        return f"No done item holds {visible_line(screen.wanted)!r}. Nothing was archived."
    return "Nothing is done that could be archived."


async def _how(screen: TriageScreen, verb: str, todos: list[Todo], asked: Asked) -> Callable[[], Done] | None:
    """What to do, once everything is asked; None: nothing."""
    session = screen.session
    match verb:
        case "tick":
            done = any(todo.item.box is not Box.DONE for todo in todos)
            return lambda: triage.set_done(session, todos, done=done)
        case "edit":
            text = await _ask(screen, asked, "Edit", "The words of this item:", todos[0].item.text)
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
            name = await _ask(screen, asked, "Note", "The name of the note:", triage.note_name(todos[0]))
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
    projects = [slug for slug in await asyncio.to_thread(every_project, session) if {slug} != own]
    answers = [(f"p{slug}", visible_line(printable_path(slug))) for slug in projects]
    if len(own) == 1:
        titles = await asyncio.to_thread(headings, session, todos[0].project)
        answers += [(f"h{title}", f"# {visible_line(title)}") for title in dict.fromkeys(titles)]
    if not answers:
        screen.say("There is no other project or heading to move it to.", warning=True)
        return None
    answers.sort(key=lambda answer: answer[0] != screen.last_target)
    answer = await screen.app.push_screen_wait(ChoiceDialog("Move", f"Move {_what(todos)} to:", answers, names=True))
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
    asked = Asked()
    while True:
        dialog = PromptDialog("Add", question, asked.text, lines=True, problem=asked.problem)
        answer: str | None = await screen.app.push_screen_wait(dialog)
        text = asked.text = answer or ""
        if not trim(text):
            return
        how = partial(triage.add, screen.session, project, text, heading)
        asked.problem = await _do(screen, [], how, [project], ask_again=True)
        if not asked.problem:
            return


async def _do(
    screen: TriageScreen,
    todos: list[Todo],
    how: Callable[[], Done],
    projects: list[str] | None = None,
    *,
    edited: bool = False,
    ask_again: bool = False,
) -> str:
    """Do it and show what came of it; why it was refused, when the person shall be asked again."""
    try:
        done = await asyncio.to_thread(how)
    except MemError as error:
        problem = f"{error.message} {error.hint}".rstrip(" ")
        if not ask_again:
            screen.say(problem, warning=True)
        return problem if ask_again else ""
    touched = list(dict.fromkeys(projects or [todo.project for todo in todos]))
    if screen.last_target.startswith("p") and screen.last_target[1:] in screen.boards:
        touched.append(screen.last_target[1:])
    if not screen.closed:
        screen.rows.marked.clear()
        await screen.read(touched)
    problem = screen.session.undo_problem
    words = undoable(done.message, problem) if done.changed else done.message
    screen.say(words, warning=bool(done.gone or problem))
    if not screen.closed:
        screen.next_after(todos, edited=edited)
    return ""


async def _ask(screen: TriageScreen, asked: Asked, title: str, text: str, value: str) -> str:
    dialog = PromptDialog(title, text, asked.text or value, problem=asked.problem)
    answer: str | None = await screen.app.push_screen_wait(dialog)
    asked.text = answer or ""
    return trim(asked.text)


def _what(todos: list[Todo]) -> str:
    return visible_line(todos[0].item.text) if len(todos) == 1 else f"{len(todos)} items"
