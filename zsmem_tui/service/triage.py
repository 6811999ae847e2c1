"""Verbs on scratchpad items, across projects. Each makes the plan of one step.

When a file is written, an item is found again by its line and text in the current content: a moved item is followed, a missing one
is reported, and nothing that an agent wrote meanwhile is overwritten.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from zsmem_tui.core import task_edits
from zsmem_tui.core.append import appended, appended_alike, deduplicate
from zsmem_tui.core.checklist import Box, Item, items, locate
from zsmem_tui.core.checks.finding import without_secrets
from zsmem_tui.core.daily import entry
from zsmem_tui.core.errors import BadName, BadTarget, Conflict, Missing
from zsmem_tui.core.layout import main_file, only_instructions
from zsmem_tui.core.names import note_stem
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import clipped, counted, grouped, printable_path
from zsmem_tui.service.plan import Plan, drafted, stood_there
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.service.tasks import Task, projects_to_choose, read, task_list
from zsmem_tui.store.disk import files
from zsmem_tui.store.steps import Batch

if TYPE_CHECKING:
    from zsmem_tui.service.facts.rows import FactRow


_LONGEST: Final = 40
"""The most characters of an item in a message."""


def set_done(session: Session, tasks: Sequence[Task], *, done: bool) -> Plan:
    """Tick items, or with `done` False reopen them. Like all these verbs, raises `StoreError`."""
    verb, wanted = ("Done", Box.DONE) if done else ("Reopened", Box.OPEN)
    without_box: list[int] = []
    already: list[int] = []

    def change(text: str, found: list[Item]) -> str:
        with_box = [item for item in found if task_edits.can_tick(text, item)]
        without_box.append(len(found) - len(with_box))
        already.append(sum(item.box is wanted for item in with_box))
        return task_edits.ticked(text, found, done=done)

    draft = _Draft(session, f"{verb} {_names(tasks)}")
    draft.change(tasks, change)
    left, same = sum(without_box), sum(already)
    draft.count -= left + same
    said = f"{verb} {_count(draft.count, tasks)}." if draft.count or not same else ""
    more = f" {left:,} had no box with room for a mark." if left else ""
    return draft.plan(said, f"{more} {_count(same)} {'is' if same == 1 else 'are'} {wanted.value} already." if same else more)


def edit(session: Session, task: Task, text: str) -> Plan:
    """Replace the text of an item. Raises `BadName` for an empty text, or `StoreError`."""
    if not text.strip():
        raise BadName("An item needs words. Nothing was changed.")
    draft = _Draft(session, f"Edited “{without_secrets(text)}”")
    draft.change([task], lambda old, found: task_edits.reworded(old, found[0], text))
    return draft.plan("Edited 1 item." if draft.count else "")


def add(session: Session, project: str, text: str, heading: str | None = None) -> Plan:
    """Add items, one per line; lines without a check box get one. Raises `BadName`, `BadTarget` or `StoreError`."""
    block = task_edits.as_items(text)
    if not block:
        raise BadName("An item needs words. Nothing was added.")
    count = block.count("\n")
    draft = _Draft(session, f"Added {_count(count) if count > 1 else f'“{without_secrets(block.rstrip())}”'}")
    draft.count = count
    _insert(session, project, [block], draft.batch, heading)
    to = "" if project == EVERYBODY else f" to {session.group_name(project)}"
    return draft.plan(f"Added {_count(draft.count)}{to}.")


def remove(session: Session, tasks: Sequence[Task]) -> Plan:
    """Delete items with their sub-items. Raises `StoreError`."""
    draft = _Draft(session, f"Deleted {_names(tasks)}")
    draft.take(tasks, lambda blocks: None)
    return replace(draft.plan(f"Deleted {_count(draft.count, tasks)}."), deletes=True)


def shift(session: Session, task: Task, step: int) -> Plan:
    """Move an item up or down among its siblings. Raises `StoreError`."""
    draft = _Draft(session, f"Moved {_names([task])}")
    draft.change([task], lambda text, found: task_edits.shifted(text, found[0], step))
    return draft.plan(f"Moved {'down' if step > 0 else 'up'}." if draft.count else "")


def indent(session: Session, tasks: Sequence[Task], step: int) -> Plan:
    """Change the depth of items. Raises `StoreError`."""
    draft = _Draft(session, f"Indented {_names(tasks)}")
    draft.change(tasks, lambda text, found: task_edits.indented(text, found, step))
    return draft.plan(f"{'Indented' if step > 0 else 'Outdented'} {_count(draft.count, tasks)}.")


def relocate(session: Session, tasks: Sequence[Task], heading: str) -> Plan:
    """Move items below another heading of their scratchpad. Raises `BadTarget` or `StoreError`."""

    def change(text: str, found: list[Item]) -> str:
        try:
            return task_edits.added(task_edits.without(text, found), "".join(task_edits.blocks(text, found)), heading)
        except ValueError:
            raise BadTarget(f"There is no heading {heading!r} any more. Nothing was moved.") from None

    draft = _Draft(session, f"Moved {_names(tasks)} below {heading}")
    draft.change(tasks, change)
    return draft.plan(f"Moved {_count(draft.count, tasks)} below {heading}.")


def move(session: Session, tasks: Sequence[Task], project: str) -> Plan:
    """Move items to the scratchpad of another project, where existing ones are not repeated.

    Raises `BadTarget` if the project is gone, or `StoreError`.
    """
    if project not in projects_to_choose(session):
        raise BadTarget(f"There is no project {printable_path(project)}. Nothing was moved.")
    tasks = [task for task in tasks if task.project != project]
    draft = _Draft(session, f"Moved {_names(tasks)} to {session.group_name(project)}")
    skipped: list[int] = []
    draft.take(tasks, lambda blocks: _insert(session, project, blocks, draft.batch, skipped=skipped))
    return draft.plan(f"Moved {_count(draft.count, tasks)} to {session.group_name(project)}.{stood_there(sum(skipped))}")


def as_facts(session: Session, tasks: Sequence[Task]) -> list[FactRow]:
    """The items as facts of their files, to be promoted without check boxes. Raises `Conflict` if one is gone."""
    from zsmem_tui.service.facts.rows import FactReader, Scope  # deferred, as below

    reader, found = FactReader(session), []
    for task in tasks:
        ref = session.ref_at(task.path)
        rows = reader.read(Scope.FILE, ref).rows
        row = next((each for each in rows if each.fact.line == task.item.line), None)
        if row is None:
            raise Conflict(f"{_names([task])} is no longer in {printable_path(task.path)}. Nothing was moved.", "Look at it again.")
        found.append(row if ref.role is Role.INSTRUCTIONS else row._replace(ref=ref._replace(role=Role.CHECKLIST)))
    return found


def promote(session: Session, tasks: Sequence[Task]) -> Plan:
    """Move items to the file that is in every prompt, one fact per line; existing facts are not repeated.

    The message says if the prompt has no room for them. Raises `StoreError`, or `BadTarget` for an item that is in that file.
    """
    from zsmem_tui.service.facts.acts import refuse_promoted  # deferred: only needed for promotion

    draft = _Draft(session, f"Loaded {_names(tasks)}")
    skipped: list[int] = []
    places: dict[str, str] = {}
    for task in tasks:
        ref = session.ref_at(task.path)
        if ref.role is not Role.INSTRUCTIONS:
            places[task.project] = main_file(session.layout, task.project or session.project).path
        refuse_promoted(ref, places.get(task.project, ""), _names([task]), is_loaded=not task.item.hidden_reason)
    for path in dict.fromkeys(places.values()):

        def put(blocks: list[str], path: str = path) -> None:
            facts = "\n".join(task_edits.one_fact(block) for block in blocks)

            def change(now: bytes | None) -> bytes | None:
                kept = deduplicate((now or b"").decode("utf-8", "replace"), facts)
                skipped.append(kept.skipped)
                return None if kept.kept is None else appended_alike(now or b"", kept.kept.encode())

            draft.batch.update(path, change)

        draft.take([task for task in tasks if places[task.project] == path], put)
    then = {path: (edit.after() or b"").decode("utf-8", "replace") for path, edit in draft.batch.edits.items()}
    more = _unseen(session, places, then) - _unseen(session, places, {}) if draft.count else 0
    full = f" The prompt is full: {counted(more, 'fact')} more of it {'is' if more == 1 else 'are'} not seen." if more > 0 else ""
    goal = " and ".join(sorted({path.rpartition("/")[2] for path in places.values()}))
    did, to = ("Moved", "to") if full else ("Loaded", "into")
    plan = draft.plan(f"{did} {_count(draft.count, tasks)} {to} {printable_path(goal)}.{stood_there(sum(skipped))}{full}")
    return replace(plan, warning=bool(full))


def _unseen(session: Session, places: Mapping[str, str], texts: Mapping[str, str]) -> int:
    """The number of facts in these files (by project) that are cut from the prompt if files have these texts."""
    from zsmem_tui.service import previewing  # deferred: 9 ms for the preview, which only this verb needs

    one = {path: project for project, path in places.items()}
    about = previewing.subject(session)
    prompts = {path: previewing.preview(session, about._replace(project=project), unsaved=texts) for path, project in one.items()}
    return sum(prompt.loss(path).facts for path, prompt in prompts.items())


def to_note(session: Session, tasks: Sequence[Task], name: str) -> Plan:
    """Turn items into a new note of their project. Raises `BadName` if the name is taken, or `StoreError`."""
    ref = session.place_of(Role.NOTE, tasks[0].project, note_stem(name))
    draft = _Draft(session, f"Turned {_names(tasks)} into note {ref.name}")

    def put(blocks: list[str]) -> None:
        def change(now: bytes | None) -> bytes:
            if now is not None:
                raise BadName(f"There is a note {printable_path(ref.name)} already. Nothing was changed.")
            return f"# {ref.name}\n\n{''.join(blocks)}".encode()

        draft.batch.update(ref.path, change)

    draft.take(tasks, put)
    return draft.plan(f"Turned {_count(draft.count, tasks)} into note {printable_path(ref.name)}.")


def log(session: Session, tasks: Sequence[Task]) -> Plan:
    """Record items as done in today's log of their project, and remove them. Raises `StoreError`."""
    draft = _Draft(session, f"Logged {_names(tasks)}")

    def put(project: str, blocks: list[str]) -> None:
        text = "".join(blocks)
        raw = entry("done", task_edits.ticked(text, items(text), done=True), session.clock()).encode()
        draft.batch.update(session.mem(project).ref(Role.LOG).path, lambda now: appended(now or b"", raw))

    draft.take_by_project(tasks, put)
    return draft.plan(f"Logged {_count(draft.count, tasks)} in today's log.")


def archive(session: Session, tasks: Sequence[Task]) -> Plan:
    """Move done items to the project's archive, out of the prompt; items with open sub-items stay. Raises `StoreError`."""
    every = task_list(session, dict.fromkeys(task.project for task in tasks)).tasks
    ready = [task for task in tasks if task.item.box is Box.DONE and not _has_open(task, every)]
    draft = _Draft(session, f"Archived {_names(ready)}")

    def put(project: str, blocks: list[str]) -> None:
        path = session.layout.archive(project)
        if path is None:
            why = (
                "Instruction files are not archived"
                if only_instructions(session.layout)
                else f"{session.layout.title} has no archive"
            )
            raise BadTarget(
                f"{why}: {_count(len(ready))} that {'is' if len(ready) == 1 else 'are'} done can only be deleted. Nothing was done."
            )
        raw = f"## {session.clock().date().isoformat()}\n\n{''.join(blocks)}".encode()
        draft.batch.update(path, lambda now: appended(now + b"\n" if now else b"", raw))

    draft.take_by_project(ready, put)
    left = len(tasks) - len(ready)
    return draft.plan(
        f"Archived {_count(draft.count, ready)}.", f" {left:,} not done, or with open items below, stayed." if left else ""
    )


def note_name(task: Task) -> str:
    """A name for a note made from an item: its first words, without characters that names may not have."""
    kept = "".join(" " if char in "/\\.\0" or not char.isprintable() else char for char in task.item.text)
    name = " ".join(kept.split(" ")[:6]).strip()
    return name.encode()[:80].decode("utf-8", "ignore") or f"item {task.id}"


class _Draft:
    """A plan being made: the batch of changed files, and which items were found."""

    def __init__(self, session: Session, label: str) -> None:
        self.session = session
        self.batch = session.batch(label)
        self.count = 0
        self.gone: list[str] = []

    def plan(self, done: str, more: str = "") -> Plan:
        """The finished plan. Its message is `done`, then what is said of missing items, then `more`."""
        count = len(self.gone)
        which = f"{_quoted(self.gone[0])}{' …' * (count > 1)}" if self.gone else ""
        lost = f" {_count(count)} {'is' if count == 1 else 'are'} gone: {which}" if self.gone else ""
        said = f"{done}{lost}{more}".strip()
        return drafted(self.session, self.batch, said, left=tuple(self.gone), count=self.count, unchanged=said)

    def change(
        self, tasks: Sequence[Task], change: Callable[[str, list[Item]], str], shown: Mapping[str, list[str]] | None = None
    ) -> None:
        """Change each scratchpad once; items are found in its current text.

        Raises `Conflict` if more are missing when it is written, or if the blocks differ from `shown` (by path).
        """
        for path in dict.fromkeys(task.path for task in tasks):
            own = [task.item for task in tasks if task.path == path]
            looks = list[list[str]]() if shown is None else [[]]
            self.batch.update(path, partial(self._rewritten, path, own, change, None if shown is None else shown[path], looks))
            gone = looks[0] if looks else []
            self.count += len(own) - len(gone)
            self.gone += gone

    def _rewritten(
        self,
        path: str,
        wanted: list[Item],
        change: Callable[[str, list[Item]], str],
        shown: list[str] | None,
        looks: list[list[str]],
        now: bytes | None,
    ) -> bytes | None:
        """The file with its items changed: only those found when it was first looked at; `looks` gets the texts of the missing."""
        text, gone = _decoded(self.session, path, now), list[str]()
        found = _located(text, wanted, gone)
        looks.append(gone)
        if looks[0] != gone or shown not in (None, task_edits.blocks(text, found)):
            raise self.batch.changed(path)
        return change(text, found).encode() if found else None

    def take(self, tasks: Sequence[Task], put: Callable[[list[str]], None]) -> None:
        """Put the blocks of items elsewhere, then remove them from their lists."""
        shown: dict[str, list[str]] = {}
        found: list[Task] = []
        for path in dict.fromkeys(task.path for task in tasks):
            own = [task for task in tasks if task.path == path]
            try:
                text, _ = read(self.session, path)
            except Missing:
                text = ""
            located = _located(text, [task.item for task in own], self.gone)
            shown[path] = task_edits.blocks(text, located)
            found += [own[0]._replace(item=each) for each in located]
        if any(shown.values()):
            put([block for own in shown.values() for block in own])
            self.change(found, task_edits.without, shown)

    def take_by_project(self, tasks: Sequence[Task], put: Callable[[str, list[str]], None]) -> None:
        """Like `take`, separately for each project."""
        for project in dict.fromkeys(task.project for task in tasks):
            self.take([task for task in tasks if task.project == project], partial(put, project))


def _insert(
    session: Session,
    project: str,
    blocks: Sequence[str],
    batch: Batch,
    heading: str | None = None,
    skipped: list[int] | None = None,
) -> None:
    """Insert blocks of items; with `skipped`, only those that the checklist lacks, and append to it how many it has."""
    path = session.place_of(Role.CHECKLIST, project).path

    def change(now: bytes | None) -> bytes | None:
        text = _decoded(session, path, now or b"")
        there = f"\n{text}\n".replace("\r", "")
        new = [block for block in blocks if skipped is None or f"\n{block}".replace("\r", "") not in there]
        if skipped is not None:
            skipped.append(len(blocks) - len(new))
        try:
            return task_edits.added(text, "".join(new), heading).encode() if new else None
        except ValueError:
            raise BadTarget(f"There is no heading {heading!r} in {session.group_name(project)}. Nothing was added.") from None

    batch.update(path, change)


def _decoded(session: Session, path: str, raw: bytes | None) -> str:
    return files.decoded(os.path.join(session.root, path), raw or b"", ". Nothing was written.")


def _located(text: str, wanted: Sequence[Item], gone: list[str]) -> list[Item]:
    """The wanted items as they are in a text, none of them twice; the texts of missing items are added to `gone`."""
    free = grouped((item.text, item) for item in items(text))
    out: list[Item] = []
    for item in wanted:
        same = free.get(item.text, [])
        here = locate(same, item)
        if here is None:
            gone.append(item.text)
        else:
            same.remove(here)
            out.append(here)
    return out


def _has_open(task: Task, tasks: Sequence[Task]) -> bool:
    """Whether an item has a sub-item that is not done."""
    item = task.item
    return any(
        each.path == task.path and item.line < each.item.line < item.stop and each.item.box is not Box.DONE for each in tasks
    )


def _names(tasks: Sequence[Task]) -> str:
    return _count(len(tasks), tasks)


def _count(count: int, tasks: Sequence[Task] = ()) -> str:
    """How many items, or of the only one of the `tasks` the first words."""
    return _quoted(tasks[0].item.text) if count == len(tasks) == 1 else counted(count, "item")


def _quoted(text: str) -> str:
    return f"“{clipped(without_secrets(text), _LONGEST)}”"
