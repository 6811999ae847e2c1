"""The `zsmem scratch` command: list and change checklist items."""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from zsmem_tui.cli.output import Exit, put_done, put_json, put_line, say
from zsmem_tui.cli.reporting import check_meant, content_of, meanings, note_name, text_of
from zsmem_tui.config.locate import shortened
from zsmem_tui.core.checklist import Box
from zsmem_tui.core.checks.secret import masked_each
from zsmem_tui.core.errors import BadContent, BadTarget, HistoryError
from zsmem_tui.core.layout import has_checklist, only_instructions
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import applying, prompts, triage
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.projects.known import former_slugs, group_called
from zsmem_tui.service.session import Session
from zsmem_tui.service.tasks import Task, TaskList, by_ids, groups_in, older, task_list, with_ages

EXAMPLES = """\
  zsmem scratch list --all --older 30d
  zsmem scratch add 'rotate the key'
  zsmem scratch done 1f3a9c 77b2
  zsmem scratch edit 1f3a 'rotate both keys'
  zsmem scratch move 77b2 --to harbor-api-d08a5407
  zsmem scratch list --all --state done --json | jq -r '.items[].id' | zsmem scratch archive --all -"""

ACTIONS = {
    "list": "the items, with their ids",
    "add": "add items, one a line; - or nothing: from standard input",
    "done": "tick items",
    "reopen": "open them again",
    "edit": "give an item other words",
    "move": "to the project that --to names, or below --heading",
    "promote": "make items facts of MEMORY.md",
    "note": "turn items into a note (--name)",
    "log": "log items as done in today's log, and take them off the list",
    "rm": "delete items",
    "archive": "move finished items out of the prompt; without an id, all of them",
}


_ONLY = {
    "to": ["move"],
    "heading": ["add", "move"],
    "name": ["note"],
    "state": ["list"],
    "all": [each for each in ACTIONS if each != "add"],
    "older": [each for each in ACTIONS if each != "add"],
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("action", choices=list(ACTIONS), help=meanings(ACTIONS))
    parser.add_argument(
        "words", metavar="ID|TEXT", nargs="*", default=[], help="ids, or their first letters; - reads them from standard input"
    )
    parser.add_argument("--all", action="store_true", help="all projects, not only this one")
    parser.add_argument("--older", metavar="AGE", help="only items that first appeared longer ago: 30d, 8w, 6mo, 1y")
    parser.add_argument("--state", choices=["open", "done", "all"], help="list: only these (default all)")
    parser.add_argument("--to", metavar="SLUG", help="move: the project to move to")
    parser.add_argument("--heading", metavar="TEXT", help="add, move: below this heading")
    parser.add_argument("--name", metavar="NAME", help="note: what it is called")


def run(session: Session, args: argparse.Namespace) -> int:
    """Run the action and print the outcome."""
    check_meant("scratch", args.action, args, _ONLY)
    if args.action == "add":
        session.dry_run = args.dry_run
        text = content_of("\n".join(args.words) if args.words else None)
        return _report(session, args, triage.add(session, session.project, text, args.heading))
    told = prompts.stores_told(session)
    memory = {each.root: each for each in (session, *session.beside, *(each for each, _ in told))}
    for each in memory.values():
        each.dry_run = args.dry_run
    found = _wanted(memory.values(), {f"{each.root}/{path}" for each, paths in told for path in paths}, args)
    for problem in found.problems.values():
        say(f"{problem}. Its items are left out.")
    if not found.tasks and not has_checklist(session.layout):
        if args.action != "list":
            session.place_of(Role.CHECKLIST)
        say(f"{session.layout.title} has no checklist.")
    if args.action == "list":
        return _list(session, found, args)
    ids = content_of("-").split() if args.words == ["-"] else list(args.words)
    if args.action == "edit":
        if len(ids) != 2 and not args.words[1:]:
            raise BadContent("scratch edit needs an id and the new words. Nothing was changed.")
        [task] = by_ids(found, args.words[:1], former_slugs(session))
        own = memory[task.store]
        return _report(own, args, triage.edit(own, task, text_of(" ".join(args.words[1:]))), [task])
    if args.action == "archive" and not args.words:
        chosen = [task for task in found.tasks if task.item.box is Box.DONE and task.store == session.root]
    else:
        chosen = by_ids(found, ids, former_slugs(session))
    if not chosen:
        say("There is no item to do this with. Nothing was changed.")
        return Exit.NOTHING
    if len(stores := {task.store for task in chosen}) > 1:
        raise BadTarget(f"These items are in {len(stores)} memories, and a step is undone in one. Nothing was changed.")
    own = memory[chosen[0].store]
    return _report(own, args, _act(own, args, chosen), chosen)


def _act(session: Session, args: argparse.Namespace, chosen: list[Task]) -> Plan:
    match args.action:
        case "done" | "reopen":
            return triage.set_done(session, chosen, done=args.action == "done")
        case "move" if args.heading:
            return triage.relocate(session, chosen, args.heading)
        case "move" if args.to:
            return triage.move(session, chosen, group_called(session, args.to))
        case "move":
            raise BadContent("scratch move needs --to SLUG or --heading TEXT. Nothing was moved.")
        case "promote":
            return triage.promote(session, chosen)
        case "note":
            return triage.to_note(session, chosen, note_name(args.name) if args.name else triage.note_name(chosen[0]))
        case "log":
            return triage.log(session, chosen)
        case "archive":
            return triage.archive(session, chosen)
        case _:
            return triage.remove(session, chosen)


def _wanted(memory: Iterable[Session], told: Collection[str], args: argparse.Namespace) -> TaskList:
    """The items of this project or all and of the instruction files `told`, filtered by age; with dates if they are needed."""
    age = re.fullmatch(r"([0-9]{1,6})(d|w|mo|y)", args.older or "", re.ASCII)
    if args.older is not None and not age:
        months = f" m is for minutes, as on the screens: {args.older}o means months." if re.fullmatch("[0-9]+m", args.older) else ""
        raise BadContent(f"--older {args.older!r} is no age: 30d, 8w, 6mo or 1y.{months} Nothing was done.")
    every: list[Task] = []
    problems: dict[str, str] = {}
    for session in memory:
        found = task_list(session, None if args.all else groups_in(session, session.project))
        try:
            found = with_ages(session, found) if age or args.json else found
        except HistoryError as error:
            say(f"{error.message} The ages are those of the files.")
        if age:
            days = int(age[1]) * {"d": 1, "w": 7, "mo": 30, "y": 365}[age[2]]
            found = found._replace(tasks=older(found, session.now_ns(), days))
        own = (task._replace(store=session.root) for task in found.tasks)
        every += (task for task in own if not only_instructions(session.layout) or f"{session.root}/{task.path}" in told)
        problems |= found.problems
    return TaskList(tuple(every), problems, 0, 0)


def _list(session: Session, found: TaskList, args: argparse.Namespace) -> int:
    shown = _masked([task for task in found.tasks if args.state in (None, "all", task.item.box.value)])
    if args.json:
        put_json({"items": [_as_json(task) for task in shown]}, session)
    for task in shown if not args.json else ():
        item = task.item
        box = {Box.OPEN: "[ ]", Box.DONE: "[x]", Box.OTHER: "[-]"}[item.box]
        why = f"  (not seen by the agent: {item.hidden_reason})" if item.hidden_reason and item.box is not Box.DONE else ""
        is_own = task.store == session.root
        place = printable_path(task.project if is_own else shortened(f"{task.store}/{task.path}"))
        project = f"{place}  " if args.all or not is_own else ""
        put_line(f"{task.id}  {project}{'  ' * item.depth}{box} {item.text}{why}")
    if not shown and (found.tasks or has_checklist(session.layout)):
        say("There is no such item.")
    return Exit.DONE if shown else Exit.NOTHING


def _masked(tasks: Sequence[Task]) -> list[Task]:
    """The items with credentials masked."""
    texts = masked_each([task.item.text for task in tasks])
    return [task._replace(item=task.item._replace(text=text)) for task, text in zip(tasks, texts, strict=True)]


def _as_json(task: Task) -> dict[str, Any]:
    item = task.item
    return {
        "id": task.id,
        "project": printable_path(task.project),
        "path": printable_path(f"{task.store}/{task.path}"),
        "line": item.line + 1,
        "state": item.box.value,
        "text": item.text,
        "seen_by_agent": not item.hidden_reason,
        "why_unseen": item.hidden_reason or None,
        "heading": item.heading or None,
        "depth": item.depth,
        "since": task.since // 10**9 or None,
    }


def _report(session: Session, args: argparse.Namespace, plan: Plan, meant: Iterable[Task] = ()) -> int:
    done, warnings = applying.apply(plan), [f"gone: {text}" for text in plan.left]
    put_done(args, done.message, session, path=printable_path(session.root), written=plan.count, warnings=warnings)
    for task in _masked([*meant]) if not args.json else ():
        put_line(f"  {task.id}  {task.item.text}")
    return Exit.DONE if plan.count else Exit.NOTHING
