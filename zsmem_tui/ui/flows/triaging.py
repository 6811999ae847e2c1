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
from zsmem_tui.service.tasks import Task, every_project, headings
from zsmem_tui.service.triage import TaskResult
from zsmem_tui.ui.dialogs.choice import ChoiceDialog, PromptDialog
from zsmem_tui.ui.format import triage as format_triage
from zsmem_tui.ui.format.common import undoable

if TYPE_CHECKING:
    from zsmem_tui.ui.screens.triage import TriageScreen


async def act(screen: TriageScreen, verb: str) -> None:
    """Do one thing with the chosen items; in a run, go on to the next."""
    tasks = screen.chosen()
    if verb == "add":
        await _add(screen, tasks)
        return
    if verb == "archive" and not screen.rows.marked:
        meant = {task.project for task in tasks} or set(screen.task_lists)
        tasks = [
            task
            for task in screen.tasks.values()
            if task.item.box is Box.DONE and task.project in meant and format_triage.holds(task, screen.wanted)
        ]
    if not tasks:
        screen.say(_nothing(screen, verb), warning=True)
        return
    asked = Asked()
    while True:
        how = await _how(screen, verb, tasks, asked)
        if how is None:
            return
        asked.problem = await _do(screen, tasks, how, edited=verb == "edit", ask_again=bool(asked.text))
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


async def _how(screen: TriageScreen, verb: str, tasks: list[Task], asked: Asked) -> Callable[[], TaskResult] | None:
    """What to do, once everything is asked; None: nothing."""
    session = screen.session
    match verb:
        case "tick":
            done = any(task.item.box is not Box.DONE for task in tasks)
            return lambda: triage.set_done(session, tasks, done=done)
        case "edit":
            text = await _ask(screen, asked, "Edit", "The words of this item:", tasks[0].item.text)
            return (lambda: triage.edit(session, tasks[0], text)) if text and text != tasks[0].item.text else None
        case "delete":
            return lambda: triage.remove(session, tasks)
        case "promote":
            return lambda: triage.promote(session, tasks)
        case "log":
            return lambda: triage.log(session, tasks)
        case "archive":
            return lambda: triage.archive(session, tasks)
        case "note":
            name = await _ask(screen, asked, "Note", "The name of the note:", triage.note_name(tasks[0]))
            return (lambda: triage.to_note(session, tasks, name)) if name else None
        case "move":
            return await _where(screen, tasks)
        case "up" | "down":
            return lambda: triage.shift(session, tasks[0], 1 if verb == "down" else -1)
        case _:
            return lambda: triage.indent(session, tasks, 1 if verb == "in" else -1)


async def _where(screen: TriageScreen, tasks: list[Task]) -> Callable[[], TaskResult] | None:
    """To another project, or below another heading; where the last ones went comes first."""
    session = screen.session
    own = {task.project for task in tasks}
    projects = [slug for slug in await asyncio.to_thread(every_project, session) if {slug} != own]
    answers = [(f"p{slug}", visible_line(printable_path(slug))) for slug in projects]
    if len(own) == 1:
        titles = await asyncio.to_thread(headings, session, tasks[0].project)
        answers += [(f"h{title}", f"# {visible_line(title)}") for title in dict.fromkeys(titles)]
    if not answers:
        screen.say("There is no other project or heading to move it to.", warning=True)
        return None
    answers.sort(key=lambda answer: answer[0] != screen.last_target)
    answer = await screen.app.push_screen_wait(ChoiceDialog("Move", f"Move {_what(tasks)} to:", answers, names=True))
    if not answer:
        return None
    screen.last_target = answer
    if answer[0] == "p":
        return lambda: triage.move(session, tasks, answer[1:])
    return lambda: triage.relocate(session, tasks, answer[1:])


async def _add(screen: TriageScreen, tasks: list[Task]) -> None:
    """One item, or as many as lines were pasted, below the heading of the cursor."""
    project = tasks[0].project if tasks else screen.project or screen.session.project
    heading = tasks[0].item.heading or None if tasks else None
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
    tasks: list[Task],
    how: Callable[[], TaskResult],
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
    touched = list(dict.fromkeys(projects or [task.project for task in tasks]))
    if screen.last_target.startswith("p") and screen.last_target[1:] in screen.task_lists:
        touched.append(screen.last_target[1:])
    if not screen.closed:
        screen.rows.marked.clear()
        await screen.read(touched)
    problem = screen.session.undo_problem
    words = undoable(done.message, problem) if done.changed else done.message
    screen.say(words, warning=bool(done.gone or problem))
    if not screen.closed:
        screen.next_after(tasks, edited=edited)
    return ""


async def _ask(screen: TriageScreen, asked: Asked, title: str, text: str, value: str) -> str:
    dialog = PromptDialog(title, text, asked.text or value, problem=asked.problem)
    answer: str | None = await screen.app.push_screen_wait(dialog)
    asked.text = answer or ""
    return trim(asked.text)


def _what(tasks: list[Task]) -> str:
    return visible_line(tasks[0].item.text) if len(tasks) == 1 else f"{len(tasks)} items"
