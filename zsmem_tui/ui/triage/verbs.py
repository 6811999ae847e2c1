"""The verbs of triage, asking in between for words, projects and names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from zsmem_tui.core.checklist import Box
from zsmem_tui.core.layout import has_checklist
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import printable_path, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import applying, triage
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.tasks import Task, every_project, headings
from zsmem_tui.ui.dialogs.ask import ask_line, choose
from zsmem_tui.ui.perform import perform
from zsmem_tui.ui.triage import rows as format_triage

if TYPE_CHECKING:
    from zsmem_tui.ui.triage.screen import TriageScreen


class ListPlace(NamedTuple):
    """A project of one of the stores, by its key."""

    store: str
    project: str


async def act(screen: TriageScreen, verb: str) -> None:
    """Do one thing with the chosen items; in a run, go on to the next."""
    tasks = screen.rows.chosen()
    if problem := _enter(screen, tasks):
        screen.say(problem, warning=True)
        return
    if verb == "add":
        await _add(screen, tasks)
        return
    if verb == "archive" and not screen.rows.marked:
        here = screen.host.main.here.key
        meant = {(task.store, task.project) for task in tasks} or {place for place in screen.shown.lists if place.store == here}
        tasks = [
            task
            for task in screen.tasks.values()
            if task.item.box is Box.DONE and (task.store, task.project) in meant and format_triage.holds(task, screen.filter_words)
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


def _enter(screen: TriageScreen, tasks: list[Task]) -> str:
    """Work in the store that these items are of (none: in the one that the screen was opened for); why not, where not."""
    main = screen.host.main
    keys = {task.store for task in tasks} or {screen.shown.home.key}
    if len(keys) > 1:
        return f"The chosen items are in {len(keys)} stores, and a step is undone in one: choose those of one. Nothing was done."
    store = main.store_of(keys.pop())
    if not main.use(store):
        return "A file of another store is being edited: leave it first. Nothing was done."
    screen.session = store.session
    return ""


@dataclass
class Asked:
    """What the person typed for a verb, and why it was refused."""

    text: str = ""
    problem: str = ""


def _nothing(screen: TriageScreen, verb: str) -> str:
    if verb != "archive":
        return "Nothing selected: put the cursor on an item first."
    if screen.filter_words:
        return f"No done item holds {visible_line(screen.filter_words)!r}. Nothing was archived."
    return "Nothing is done that could be archived."


async def _how(screen: TriageScreen, verb: str, tasks: list[Task], asked: Asked) -> Callable[[], Plan] | None:
    """What to do, once everything is asked; None: nothing."""
    session = screen.session
    match verb:
        case "tick":
            done = any(task.item.box is not Box.DONE for task in tasks)
            return lambda: triage.set_done(session, tasks, done=done)
        case "edit":
            text = await _ask(screen, asked, "Edit", "The words of this item:", tasks[0].item.text, mend=True)
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


async def _where(screen: TriageScreen, tasks: list[Task]) -> Callable[[], Plan] | None:
    """To another project, or below another heading; where the last ones went comes first."""
    session = screen.session
    own = {task.project for task in tasks}
    there = await asyncio.to_thread(every_project, session) if has_checklist(session.layout) else []
    answers = [(f"p{slug}", visible_line(printable_path(session.group_name(slug)))) for slug in there if {slug} != own]
    if len({task.path for task in tasks}) == 1:
        titles = await asyncio.to_thread(headings, session, tasks[0].path)
        answers += [(f"h{title}", f"# {visible_line(title)}") for title in dict.fromkeys(titles)]
    if not answers:
        no_list = "" if has_checklist(session.layout) else f"{session.layout.title} has no checklist, and "
        words = f"{no_list}there is no other project or heading to move it to."
        screen.say(f"{words[0].upper()}{words[1:]}" if not no_list else words, warning=True)
        return None
    answers.sort(key=lambda answer: answer[0] != screen.last_target)
    answer = await choose(screen, "Move", f"Move {_what(tasks)} to:", answers, names=True)
    if not answer:
        return None
    screen.last_target = answer
    if answer[0] == "p":
        return lambda: triage.move(session, tasks, answer[1:])
    return lambda: triage.relocate(session, tasks, answer[1:])


async def _add(screen: TriageScreen, tasks: list[Task]) -> None:
    """One item, or as many as lines were pasted, below the heading of the cursor."""
    project = tasks[0].project if tasks else screen.shown.project or screen.session.project
    if not has_checklist(screen.session.layout):
        screen.say(f"{screen.session.layout.title} has no checklist. Nothing was added.", warning=True)
        return
    heading = tasks[0].item.heading or None if tasks else None
    where = visible_line(screen.session.group_name(project)) + (f" › {visible_line(heading)}" if heading else "")
    question = f"A new item in {where}; pasted lines become one each:"
    asked = Asked()
    while True:
        text = asked.text = await ask_line(screen, "Add", question, asked.text, lines=True, problem=asked.problem) or ""
        if not trim(text):
            return
        how = partial(triage.add, screen.session, project, text, heading)
        asked.problem = await _do(screen, [], how, [project], ask_again=True)
        if not asked.problem:
            return


async def _do(
    screen: TriageScreen,
    tasks: list[Task],
    how: Callable[[], Plan],
    projects: list[str] | None = None,
    *,
    edited: bool = False,
    ask_again: bool = False,
) -> str:
    """Do it and show what came of it; why it was refused, when the person shall be asked again."""
    problems: list[str] = [""]

    async def refresh(done: VerbResult) -> None:
        key = next((task.store for task in tasks), screen.host.main.here.key)
        touched = [ListPlace(key, project) for project in dict.fromkeys(projects or [task.project for task in tasks])]
        target = ListPlace(key, screen.last_target[1:])
        if screen.last_target.startswith("p") and target in screen.shown.lists:
            touched.append(target)
        if not screen.closed:
            screen.rows.marked.clear()
            await screen.read(touched)

    done = await perform(
        screen.host, lambda: applying.apply(how()), screen, refresh=refresh, refused=problems.append if ask_again else None
    )
    if done is not None and not screen.closed:
        screen.next_after(tasks, edited=edited)
    return problems[-1]


async def _ask(screen: TriageScreen, asked: Asked, title: str, text: str, value: str, *, mend: bool = False) -> str:
    asked.text = await ask_line(screen, title, text, asked.text or value, mend=mend, problem=asked.problem) or ""
    return trim(asked.text)


def _what(tasks: list[Task]) -> str:
    return visible_line(tasks[0].item.text) if len(tasks) == 1 else f"{len(tasks)} items"
