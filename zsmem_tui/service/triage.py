"""The verbs on scratchpad items, across projects. Each is one step to undo.

An item is found again by its line and its words in the text that is there when it is written: what moved is followed, what is gone
is said, and nothing that an agent wrote meanwhile is written over.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from zsmem_tui.core import checklist
from zsmem_tui.core.append import appended, deduplicate
from zsmem_tui.core.checklist import Box, Item, items
from zsmem_tui.core.daily import entry
from zsmem_tui.core.errors import BadName, BadTarget, Missing
from zsmem_tui.core.names import note_stem
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.service.tasks import Task, every_project, read, scratchpad_of, task_list
from zsmem_tui.store.disk import files
from zsmem_tui.store.write_path.batch import Batch


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskResult(VerbResult):
    """What a verb did with how many items, and the texts of those that were gone."""

    gone: tuple[str, ...] = ()


@says_undo
def set_done(session: Session, tasks: Sequence[Task], *, done: bool) -> TaskResult:
    """Tick items, or open them again. Raises `StoreError`."""
    verb = "Done" if done else "Reopened"
    with session.batch(f"{verb}: {_names(tasks)}") as batch:
        without_box = 0

        def change(text: str, found: list[Item]) -> str:
            nonlocal without_box
            without_box += sum(not checklist.can_tick(text, item) for item in found)
            return checklist.ticked(text, found, done=done)

        outcome = _change(session, tasks, change, batch)
        hint = f" {without_box} had no box with room for a mark." if without_box else ""
        changed = outcome.changed - without_box
        return _result(f"{verb} {_count(changed)}.{_gone(outcome.gone)}{hint}", changed, outcome.gone)


@says_undo
def edit(session: Session, task: Task, text: str) -> TaskResult:
    """Give an item other words. Raises `BadName` for none, or `StoreError`."""
    if not text.strip():
        raise BadName("An item needs words. Nothing was changed.")
    with session.batch(f"Edited: {text}") as batch:
        outcome = _change(session, [task], lambda old, found: checklist.reworded(old, found[0], text), batch)
        return replace(outcome, message="Edited 1 item." if outcome.changed else _gone(outcome.gone).strip())


@says_undo
def add(session: Session, project: str, text: str, heading: str | None = None) -> TaskResult:
    """Add items, one a line; lines that have no box get one. Raises `BadName`, `BadTarget` or `StoreError`."""
    block = checklist.as_items(text)
    if not block:
        raise BadName("An item needs words. Nothing was added.")
    with session.batch(f"Added: {block.split(chr(10))[0]}") as batch:
        _insert(session, project, block, batch, heading)
        count = block.count("\n")
        to = "" if project == EVERYBODY else f" to {session.group_name(project)}"
        return _result(f"Added {_count(count)}{to}.", count)


@says_undo
def remove(session: Session, tasks: Sequence[Task]) -> TaskResult:
    """Delete items with the lines below them. Raises `StoreError`."""
    with session.batch(f"Deleted: {_names(tasks)}") as batch:
        outcome = _change(session, tasks, checklist.without, batch)
    return replace(outcome, message=f"Deleted {_count(outcome.changed)}.{_gone(outcome.gone)}")


@says_undo
def shift(session: Session, task: Task, step: int) -> TaskResult:
    """Move an item up or down among those beside it. Raises `StoreError`."""
    with session.batch(f"Moved: {task.item.text}") as batch:
        outcome = _change(session, [task], lambda text, found: checklist.shifted(text, found[0], step), batch)
        return replace(
            outcome, message=f"Moved {'down' if step > 0 else 'up'}." if not outcome.gone else _gone(outcome.gone).strip()
        )


@says_undo
def indent(session: Session, tasks: Sequence[Task], step: int) -> TaskResult:
    """Move items further in or out. Raises `StoreError`."""
    with session.batch(f"Indented: {_names(tasks)}") as batch:
        outcome = _change(session, tasks, lambda text, found: checklist.indented(text, found, step), batch)
        return replace(
            outcome, message=f"{'Indented' if step > 0 else 'Outdented'} {_count(outcome.changed)}.{_gone(outcome.gone)}"
        )


@says_undo
def relocate(session: Session, tasks: Sequence[Task], heading: str) -> TaskResult:
    """Move items below another heading of their scratchpad. Raises `BadTarget` or `StoreError`."""

    def change(text: str, found: list[Item]) -> str:
        try:
            return checklist.added(checklist.without(text, found), "".join(checklist.blocks(text, found)), heading)
        except ValueError:
            raise BadTarget(f"There is no heading {heading!r} any more. Nothing was moved.") from None

    with session.batch(f"Moved below {heading}: {_names(tasks)}") as batch:
        outcome = _change(session, tasks, change, batch)
    return replace(outcome, message=f"Moved {_count(outcome.changed)} below {heading}.{_gone(outcome.gone)}")


@says_undo
def move(session: Session, tasks: Sequence[Task], project: str) -> TaskResult:
    """Move items to the scratchpad of another project. Raises `BadTarget` when it is gone, or `StoreError`."""
    if project not in every_project(session):
        raise BadTarget(f"There is no project {printable_path(project)}. Nothing was moved.")
    tasks = [task for task in tasks if task.project != project]
    with session.batch(f"Moved to {session.group_name(project)}: {_names(tasks)}") as batch:
        taken, outcome = _take(session, tasks, lambda blocks: _insert(session, project, "".join(blocks), batch), batch)
        return replace(outcome, message=f"Moved {_count(taken)} to {session.group_name(project)}.{_gone(outcome.gone)}")


@says_undo
def promote(session: Session, tasks: Sequence[Task]) -> TaskResult:
    """Make items facts of long-term memory, one a line; what is there already is not written twice. Raises `StoreError`."""
    with session.batch(f"Promoted: {_names(tasks)}") as batch:
        skipped = 0

        def put(blocks: list[str]) -> None:
            nonlocal skipped
            facts = "\n".join(checklist.one_fact(block) for block in blocks)

            def change(now: bytes | None) -> bytes | None:
                nonlocal skipped
                kept = deduplicate((now or b"").decode("utf-8", "replace"), facts)
                skipped = kept.skipped
                return None if kept.kept is None else appended(now or b"", kept.kept.encode())

            batch.update(path, change)

        taken = 0
        gone: list[str] = []
        places = {task.project: session.place_of(Role.FACTS, task.project).path for task in tasks}
        for path in dict.fromkeys(places.values()):
            count, outcome = _take(session, [task for task in tasks if places[task.project] == path], put, batch)
            taken += count
            gone += outcome.gone
        long_term = session.layout.label(Role.FACTS)
        twice = f" {skipped} stood there already." if skipped else ""
        return _result(f"Promoted {_count(taken)} to {long_term}.{twice}{_gone(tuple(gone))}", taken, tuple(gone))


@says_undo
def to_note(session: Session, tasks: Sequence[Task], name: str) -> TaskResult:
    """Turn items into a new note of their project. Raises `BadName` when there is one of that name, or `StoreError`."""
    project = tasks[0].project
    ref = session.place_of(Role.NOTE, project, note_stem(name))
    with session.batch(f"Turned into note {ref.name}: {_names(tasks)}") as batch:

        def put(blocks: list[str]) -> None:
            def change(now: bytes | None) -> bytes:
                if now is not None:
                    raise BadName(f"There is a note {printable_path(ref.name)} already. Nothing was changed.")
                return f"# {ref.name}\n\n{''.join(blocks)}".encode()

            batch.update(ref.path, change)

        taken, outcome = _take(session, tasks, put, batch)
        return replace(outcome, message=f"Turned {_count(taken)} into note {printable_path(ref.name)}.{_gone(outcome.gone)}")


@says_undo
def log(session: Session, tasks: Sequence[Task]) -> TaskResult:
    """Log items as done in today's log of their project, and take them off the list. Raises `StoreError`."""
    with session.batch(f"Logged: {_names(tasks)}") as batch:

        def put_for(project: str) -> Callable[[list[str]], None]:
            def put(blocks: list[str]) -> None:
                text = entry("done", _all_done("".join(blocks)), session.clock())
                path = session.mem(project).ref(Role.LOG).path
                raw = text.encode()
                batch.update(path, lambda now: appended(now or b"", raw))

            return put

        return _by_project(session, tasks, put_for, batch, "Logged {} in today's log.")


@says_undo
def archive(session: Session, tasks: Sequence[Task]) -> TaskResult:
    """Move finished items out of the prompt, to the project's archive; one with open items below it stays. Raises `StoreError`."""
    every = task_list(session, dict.fromkeys(task.project for task in tasks)).tasks
    ready = [task for task in tasks if task.item.box is Box.DONE and not _has_open(task, every)]
    with session.batch(f"Archived: {_names(ready)}") as batch:

        def put_for(project: str) -> Callable[[list[str]], None]:
            def put(blocks: list[str]) -> None:
                path = session.layout.archive(project)
                if path is None:
                    raise BadTarget(f"{session.layout.title} has no place for finished items. Nothing was archived.")
                raw = f"## {session.clock().date().isoformat()}\n\n{''.join(blocks)}".encode()
                batch.update(path, lambda now: appended(now + b"\n" if now else b"", raw))

            return put

        done = _by_project(session, ready, put_for, batch, "Archived {}.")
        left = len(tasks) - len(ready)
        return replace(done, message=done.message + (f" {left} not done, or with open items below, stayed." if left else ""))


def note_name(task: Task) -> str:
    """A name for a note made from an item: its first words, without what a name may not hold."""
    kept = "".join(" " if char in "/\\.\0" or not char.isprintable() else char for char in task.item.text)
    name = " ".join(kept.split(" ")[:6]).strip()
    return name.encode()[:80].decode("utf-8", "ignore") or f"item {task.id}"


def _change(session: Session, tasks: Sequence[Task], change: Callable[[str, list[Item]], str], batch: Batch) -> TaskResult:
    """Change each scratchpad once, the items found again in the text that is there."""
    gone: list[str] = []
    changed = 0
    for path in dict.fromkeys(task.path for task in tasks):
        own = [task.item for task in tasks if task.path == path]
        lost: list[str] = []

        def rewrite(now: bytes | None, path: str = path, own: list[Item] = own, lost: list[str] = lost) -> bytes | None:
            text = _decoded(session, path, now)
            lost.clear()
            located = _located(text, own, lost)
            return change(text, located).encode() if located else None

        batch.update(path, rewrite)
        changed += len(own) - len(lost)
        gone += lost
    return _result("", changed, tuple(gone))


def _take(session: Session, tasks: Sequence[Task], put: Callable[[list[str]], None], batch: Batch) -> tuple[int, TaskResult]:
    """Put the blocks of items elsewhere, then take them off their lists: a crash between leaves two, never none."""
    blocks: list[str] = []
    found: list[Task] = []
    gone: list[str] = []
    for path in dict.fromkeys(task.path for task in tasks):
        own = [task for task in tasks if task.path == path]
        try:
            text, _ = read(session, path)
        except Missing:
            text = ""
        located = _located(text, [task.item for task in own], gone)
        blocks += checklist.blocks(text, located)
        found += [task for task in own if task.item.text not in gone]
    if blocks:
        put(blocks)
        _change(session, found, checklist.without, batch)
    return len(found), _result("", len(found), tuple(gone))


def _by_project(
    session: Session,
    tasks: Sequence[Task],
    put_for: Callable[[str], Callable[[list[str]], None]],
    batch: Batch,
    words: str,
) -> TaskResult:
    taken = 0
    gone: list[str] = []
    for project in dict.fromkeys(task.project for task in tasks):
        own = [task for task in tasks if task.project == project]
        count, outcome = _take(session, own, put_for(project), batch)
        taken += count
        gone += outcome.gone
    return _result(f"{words.format(_count(taken))}{_gone(tuple(gone))}", taken, tuple(gone))


def _insert(session: Session, project: str, block: str, batch: Batch, heading: str | None = None) -> None:
    path = scratchpad_of(session, project).path

    def change(now: bytes | None) -> bytes:
        try:
            return checklist.added(_decoded(session, path, now or b""), block, heading).encode()
        except ValueError:
            raise BadTarget(f"There is no heading {heading!r} in {session.group_name(project)}. Nothing was added.") from None

    batch.update(path, change)


def _decoded(session: Session, path: str, raw: bytes | None) -> str:
    place = os.path.join(session.root, path)
    return files.decoded(place, raw or b"", ". Nothing was written.")


def _located(text: str, wanted: Sequence[Item], gone: list[str]) -> list[Item]:
    """The wanted items as they are in a text, none of them twice; the texts of the others are added to `gone`."""
    free: dict[str, list[Item]] = {}
    for item in items(text):
        free.setdefault(item.text, []).append(item)
    out: list[Item] = []
    for item in wanted:
        same = free.get(item.text, [])
        here = checklist.locate(same, item)
        if here is None:
            gone.append(item.text)
        else:
            same.remove(here)
            out.append(here)
    return out


def _has_open(task: Task, tasks: Sequence[Task]) -> bool:
    """Whether an item below this one is not done."""
    item = task.item
    return any(
        each.path == task.path and item.line < each.item.line < item.stop and each.item.box is not Box.DONE for each in tasks
    )


def _all_done(block: str) -> str:
    """A block with every box ticked."""
    return checklist.ticked(block, items(block), done=True)


def _result(message: str, changed: int, gone: tuple[str, ...] = ()) -> TaskResult:
    return TaskResult(message=message, changed=changed, gone=gone, warning=bool(gone))


def _names(tasks: Sequence[Task]) -> str:
    if len(tasks) == 1:
        return tasks[0].item.text
    return f"{len(tasks)} items"


def _count(count: int) -> str:
    return counted(count, "item")


def _gone(gone: Sequence[str]) -> str:
    if not gone:
        return ""
    return f" {_count(len(gone))} {'is' if len(gone) == 1 else 'are'} gone: {gone[0]}" + (" …" if len(gone) > 1 else "")
