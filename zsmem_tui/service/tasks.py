"""Scratchpad items across projects.

If a kind of store has no checklist, items are the lines with a check box in any writable file.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from zsmem_tui.core import checklist
from zsmem_tui.core.checklist import Box, Item, item_id, items, open_items
from zsmem_tui.core.errors import BadName, MemError, Missing, StoreError
from zsmem_tui.core.layout import items_apart, only_instructions
from zsmem_tui.core.preview import InBlock
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import estimate_tokens, lines, printable_path
from zsmem_tui.service import previewing
from zsmem_tui.service.history import text_if_kept
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.store.disk import files
from zsmem_tui.store.scan import project_slugs

FULL: Final = "the prompt is full"
"""The reason why the agent does not see an open item that is cut from the prompt."""

HALF: Final = "the prompt is full after its first words"
"""The reason for an item that is cut in the middle."""

ELSEWHERE: Final = "its file is not in the prompt"
"""The reason for an item in a file that is only read on demand."""

_FOR_NOW: Final = frozenset({"", FULL, HALF, ELSEWHERE})
"""Reasons that depend on the prompt and not on the form of the item: such an item is open all the same."""

_IDS_HINT: Final = "`zsmem scratch list` shows the ids."
_NOTHING: Final = InBlock("", frozenset(), frozenset())
_DAY_NS: Final = 86_400 * 10**9


class Task(NamedTuple):
    """An item with its project and the relative path of its file.

    `item.hidden_reason` refers to the current prompt. `since` is when the item first appeared, in nanoseconds since 1970 (0:
    unknown). `store` names its store in a list of several.
    """

    project: str
    item: Item
    id: str
    since: int
    path: str
    store: str = ""

    @property
    def key(self) -> str:
        """A key that is unique among the items of several stores."""
        return f"{self.store}\0{self.id}" if self.store else self.id

    @property
    def is_open(self) -> bool:
        """Whether it has the form of an open item that agents recognize, and words; only such items are counted as open."""
        return self.item.box is Box.OPEN and bool(self.item.text) and self.item.hidden_reason in _FOR_NOW


class TaskList(NamedTuple):
    """The items of some projects. `problems` maps projects to why their scratchpad cannot be read.

    `size` and `tokens` are the total of the open items in the prompts of these projects.
    """

    tasks: tuple[Task, ...]
    problems: Mapping[str, str]
    size: int
    tokens: int


def task_list(session: Session, wanted: Iterable[str] | None = None) -> TaskList:
    """The items of these projects (default: all), in the order of projects and lines."""
    tasks: list[Task] = []
    problems: dict[str, str] = {}
    size = tokens = 0
    is_told = only_instructions(session.layout)  # the files of every folder have the same names
    if session.refusal:  # its files belong to another store
        return TaskList((), {}, 0, 0)
    for project in task_groups(session) if wanted is None else wanted:
        for path in _paths(session, project):
            try:
                text, when = read(session, path)
            except Missing:
                continue
            except StoreError as error:
                problems[project] = error.message
                continue
            found, seen = _items(session, project, path, text)
            own = project if items_apart(session.layout) else session.path(session.ref_at(path)) if is_told else path
            tasks += [Task(project, each, item_id(own, each), when, path) for each in found]
            size += len(seen.encode())
            tokens += estimate_tokens(seen) if seen else 0
    return TaskList(tuple(tasks), problems, size, tokens)


def groups_in(session: Session, project: str) -> list[str]:
    """The groups whose items belong to a project's memory: its own, and where any file may hold items, everybody's."""
    every = [] if items_apart(session.layout) or not session.layout.global_folders() else [EVERYBODY]
    return list(dict.fromkeys([*every, project]))


def open_by_file(session: Session, project: str) -> dict[str, int]:
    """The number of open items in each file of a project's memory; empty if checklists are apart, as the catalog counts those."""
    if items_apart(session.layout):
        return {}
    return dict(Counter(task.path for task in task_list(session, groups_in(session, project)).tasks if task.is_open))


def open_in(session: Session, paths: Collection[str]) -> int:
    """The number of open items in these files of the session's project."""
    return sum(count for path, count in open_by_file(session, session.project).items() if path in paths)


def _paths(session: Session, project: str) -> list[str]:
    """The files of a project with items: its checklist, or without checklists all files that have a line with a check box."""
    layout = session.layout
    if items_apart(layout):
        pad = layout.ref(Role.CHECKLIST, project)
        return [pad.path] if pad is not None else []
    folders = layout.global_folders() if project == EVERYBODY else layout.project_folders(project)
    every = [each for each in session.texts.files(session.root, folders) if checklist.may_hold_items(each.raw)]
    return sorted(each.ref.path for each in every if each.ref.role not in (None, Role.DERIVED))


def _items(session: Session, project: str, path: str, text: str) -> tuple[list[Item], str]:
    """The items of a file with the reasons why the agent does not see them, and the part of the open ones in the prompt."""
    about = previewing.subject(session)._replace(project=project)
    if items_apart(session.layout):
        block = previewing.in_block(session, about, unsaved={path: text}) if open_items(text) else {}
        seen = block.get(path, _NOTHING)
        return _judged(items(text), seen), seen.text
    found = [item._replace(hidden_reason="") for item in items(text) if item.box is not Box.OTHER]
    if not any(item.box is Box.OPEN for item in found):
        return found, ""
    try:
        block = previewing.in_block(session, about, unsaved={path: text})
    except MemError:
        block = {}  # without a known prompt, the items still exist
    if path not in block:
        return [item._replace(hidden_reason=ELSEWHERE) for item in found], ""
    open_lines = {item.line for item in found if item.box is Box.OPEN} & block[path].whole
    shown = [line for number, line in enumerate(lines(text)) if number in open_lines]
    return _judged(found, block[path]), "".join(f"{line}\n" for line in shown)


def _judged(found: list[Item], seen: InBlock) -> list[Item]:
    """The items of a file with the reasons why the agent does not see them whole, although their form is recognized."""
    gone, out = seen.begun | seen.lost, []
    for item, below in zip(found, [*(each.line for each in found[1:]), None], strict=False):
        own = range(item.line, item.stop if below is None else min(item.stop, below))  # without the items nested in it
        why = FULL if item.line not in seen.whole | seen.begun else HALF if gone.intersection(own) else ""
        out.append(item if item.hidden_reason else item._replace(hidden_reason=why))
    return out


def every_project(session: Session) -> list[str]:
    """All projects that have a folder, by name."""
    return project_slugs(session.root, session.layout)


def projects_to_choose(session: Session) -> list[str]:
    """Possible targets of a move: the session's project, even without a folder, then all others."""
    found, own = every_project(session), session.project
    is_one = not session.has_no_group and session.layout.project_folders(own)
    return [*([own] if is_one or own in found else []), *(each for each in found if each != own)]


def task_groups(session: Session) -> list[str]:
    """The groups that may hold items: those with a checklist, or without checklists everybody's and all groups."""
    layout = session.layout
    if items_apart(layout):
        pads = {slug: layout.ref(Role.CHECKLIST, slug) for slug in every_project(session)}
        return [slug for slug, pad in pads.items() if pad and os.path.lexists(session.path(pad))]
    return [*([EVERYBODY] if layout.global_folders() else []), *every_project(session)]


def with_ages(session: Session, found: TaskList) -> TaskList:
    """The same list with the time at which each item first appeared, if the history has it. Raises `HistoryError`.

    An item moved from another file in one step keeps its age.
    """
    session.history.drain()
    every = list(session.history.latest())[::-1]
    first: dict[tuple[str, str], int] = {}
    texts: dict[str, list[str]] = {}
    wanted = {task.path for task in found.tasks}
    steps: dict[str, set[str]] = {version.batch: set() for version in every if version.batch and version.path in wanted}
    for version in every:
        if version.batch in steps and version.removed:
            steps[version.batch].add(version.path)
    wanted = wanted.union(*steps.values())
    for version in every:
        if version.path not in wanted or not version.after:
            continue
        if version.after not in texts:
            raw = text_if_kept(session, version.after) or b""
            texts[version.after] = [item.text for item in items(raw.decode("utf-8", "replace"))]
        for text in texts[version.after]:
            if (version.path, text) not in first:
                there = (first.get((path, text), version.since) for path in steps.get(version.batch, ()))
                first[version.path, text] = min(there, default=version.since)
    return found._replace(
        tasks=tuple(task._replace(since=first.get((task.path, task.item.text), task.since)) for task in found.tasks)
    )


def older(found: TaskList, now_ns: int, days: int) -> tuple[Task, ...]:
    """The items that first appeared more than `days` ago."""
    return tuple(task for task in found.tasks if task.since and now_ns - task.since > days * _DAY_NS)


def headings(session: Session, path: str) -> list[str]:
    """The headings of a file; empty if it cannot be read."""
    try:
        return checklist.headings(read(session, path)[0])
    except StoreError:
        return []


def by_ids(found: TaskList, ids: Sequence[str], formerly: Mapping[str, Sequence[str]] = MappingProxyType({})) -> list[Task]:
    """The items with these ids or prefixes. Raises `BadName` for one that matches no item or several, or may be meant as a number.

    `formerly` has the former slugs of projects: items are also found by the ids that they had there.
    """
    out: list[Task] = []
    for id in ids:
        hits = [task for task in found.tasks if task.id.startswith(id)] if id else []
        if id and not hits:
            hits = [
                task
                for task in found.tasks
                if any(item_id(slug, task.item).startswith(id) for slug in formerly.get(task.project, ()))
            ]
        if len(hits) != 1:
            raise BadName(
                f"{'no item has' if not hits else f'{len(hits)} items have'} an id that begins with {id!r}. Nothing was changed.",
                _IDS_HINT,
            )
        number = int(id) if id.isascii() and id.isdecimal() and len(id) < len(hits[0].id) else 0
        nth = found.tasks[number - 1] if 0 < number <= len(found.tasks) else hits[0]
        if nth != hits[0]:
            one, other = (f"“{printable_path(task.item.text)}”, {task.id}" for task in (hits[0], nth))
            raise BadName(f"{id!r} begins the id of {one}, and item {number} is {other}. Nothing was changed.", _IDS_HINT)
        out += [hit for hit in hits if hit not in out]
    return out


def read(session: Session, path: str) -> tuple[str, int]:
    """The text of a scratchpad and its modification time in nanoseconds. Raises `StoreError`."""
    place = os.path.join(session.root, path)
    return files.read_text(place), files.look(place).mtime_ns
