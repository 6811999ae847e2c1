"""The triage screen: checklist items of a project or of all, with a key for each action."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import on, work
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from zsmem_tui.core.block_edits import Edge
from zsmem_tui.core.checklist import Box
from zsmem_tui.core.checks.secret import masked
from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.fold import terms_of
from zsmem_tui.core.layout import has_checklist, items_apart, main_file, only_instructions
from zsmem_tui.core.text import printable_path, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import triage
from zsmem_tui.service.facts import acts
from zsmem_tui.service.tasks import Task, TaskList, groups_in, headings, projects_to_choose, task_groups, task_list, with_ages
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.dialogs.ask import Asked, choose, lets_in
from zsmem_tui.ui.facts.verbs import MAIN, PromotingScreen
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.open_store import none
from zsmem_tui.ui.perform import attempt
from zsmem_tui.ui.tool import DecidingScreen, Make, verb
from zsmem_tui.ui.triage import rows as task_rows
from zsmem_tui.ui.widgets.frame import Detail, FilterLine, pane
from zsmem_tui.ui.widgets.row_list import PROBLEM, MarkList, RowList

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.open_store import OpenStore


class ListPlace(NamedTuple):
    """A project of the store with the key `store`."""

    store: str
    project: str


class TaskRows(MarkList[Task], keys="todos"):
    """The list of items, with headings and problems."""


class TriageScreen(PromotingScreen, DecidingScreen[Task]):
    """The triage screen: a list, and a line with details."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"todos": "todos"}
    PAGE = "triage"
    WAYS = task_rows.WAYS
    NOUN = "item"
    KEYS = "x done · space leave · m move · + load · e edit · d delete"

    def __init__(self, host: ZsmemApp, decided: set[str]) -> None:
        super().__init__(host, decided)
        self._lists: dict[ListPlace, TaskList] = {}
        self._ages: dict[tuple[str, str, str], int] = {}
        """When an item first appeared (ns), by store, path and text."""
        self._names: dict[ListPlace, str] = {}
        self.tasks: dict[str, Task] = {}
        self._last_target = ""
        """The last target of a move: `p` and a project, or `h` and a heading."""
        self._at_first: tuple[int, int] | None = None

    def compose_body(self) -> Iterable[Widget]:
        """Yield filter, list and details."""
        yield pane(
            "list",
            "Triage",
            FilterLine("words that the item holds", id="todo-filter", rows="todos"),
            Static("", classes="notice", id="run", markup=False),
            TaskRows(
                lambda key: task_rows.task_row(self.tasks[key], self.way["group"], self.host.now_ns(), self._where),
                id="todos",
            ),
            Detail(id="todo-detail"),
        )

    def offered(self, action: Action) -> Action | None:
        """Leave out Add without a checklist, and Load without a target."""
        from zsmem_tui.service import promoting  # deferred: imports every kind of store

        if action.id == "todos.promote":
            can = bool(self.within(self.project) or promoting.takers(self.session, [self.project])[1])
        else:
            can = action.id != "todos.add" or has_checklist(self.session.layout)
        return super().offered(action) if can else None

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Read and show the items, then add their ages."""
        await self.read()
        for store in self.memories:
            own = tuple(task for place, each in self._lists.items() if place.store == store.key for task in each.tasks)
            with suppress(HistoryError):  # then they keep the files' times, which are those of the last change
                dated = await asyncio.to_thread(with_ages, store.session, TaskList(own, {}, 0, 0)) if own else None
                for task in dated.tasks if dated is not None else ():
                    key = (task.store, task.path, task.item.text)
                    self._ages[key] = min(self._ages.get(key, task.since), task.since)
        self.show()

    async def read(self, places: Sequence[ListPlace] | None = None) -> None:
        """Read the items of these projects (None: of all shown)."""
        if places is None:
            await self.find_told()
        found = await asyncio.to_thread(lambda: dict(map(self._read, self._places() if places is None else places)))
        if self.closed:
            return
        self._lists = found if places is None else self._lists | found
        if self._at_first is None:
            self._at_first = task_rows.taken(self._lists.values())
        self.show()

    def _places(self) -> Iterable[ListPlace]:
        for store in self.memories:
            own = self.project if store is self.home else store.session.project
            groups = task_groups(store.session) if self.is_of_all else groups_in(store.session, own)
            yield from (ListPlace(store.key, each) for each in groups)

    def _read(self, place: ListPlace) -> tuple[ListPlace, TaskList]:
        store = self.host.main.store_of(place.store)
        found = task_list(store.session, [place.project])
        shown = (task for task in found.tasks if self.is_shown(store, task.path))
        return place, found._replace(tasks=tuple(task._replace(store=store.key) for task in shown))

    def _called(self, place: ListPlace) -> str:
        """The name of a project; with several agents, with the agent's name."""
        if place not in self._names:
            self._names[place] = self.name_of(self.host.main.store_of(place.store), place.project)
        return self._names[place]

    def _where(self, task: Task) -> str:
        """The name of an item's project."""
        return self._called(ListPlace(task.store, task.project))

    async def read_again(self, items: Sequence[Task], *, project: str = "") -> None:
        """Read the lists affected by an action, and that of `project`; clear the marks."""
        key = next((task.store for task in items), self.memory.key)
        touched = [*(ListPlace(task.store, task.project) for task in items), *([ListPlace(key, project)] if project else [])]
        target = ListPlace(key, self._last_target[1:])
        if self._last_target.startswith("p") and target in self._lists:
            touched.append(target)
        self.rows.marked.clear()
        await self.read([*dict.fromkeys(touched)])

    def show(self) -> None:
        """Show the items with filter, grouping and order; does nothing once the screen is closed."""
        if not self.query("#todo-filter"):
            return
        rows, ages = self.rows, self._ages
        every = [task for each in self._lists.values() for task in each.tasks]
        every = [task._replace(since=ages.get((task.store, task.path, task.item.text), task.since)) for task in every]
        self.tasks = rows.items = {task.key: task for task in every}
        keys: list[str] = task_rows.arranged(
            every,
            shown=self.way["state"],
            wanted=self.words,
            group=self.way["group"],
            order=self.way["order"],
            now_ns=self.host.now_ns(),
            where=self._where,
        )
        nothing = task_rows.nothing(
            bool(every),
            self.way["state"],
            self.words,
            "" if self.is_of_all or has_checklist(self.home.session.layout) else self.home.title,
            is_of_all=self.is_of_all,
            agent_writes=self.session.layout.has_profiles,
        )
        rows.nothing = none(nothing, self.memories, "" if every else self.project)
        bad = (
            (self._called(place), problem) for place, each in self._lists.items() for problem in list(each.problems.values())[:1]
        )
        rows.show([*(f"{PROBLEM}{name}: {problem.rpartition(': ')[2]}" for name, problem in bad), *keys])
        listed = [self.tasks[key] for key in keys if key in self.tasks]
        rows.title = task_rows.title(self.way, listed)
        now = task_rows.taken(self._lists.values())
        agents = (each for each in self.memories if not only_instructions(each.session.layout))
        keeps = next((each.title for each in agents if not items_apart(each.session.layout)), "")
        self.query_one(".tool-list").border_subtitle = Content(task_rows.cost(now, self._at_first or now, keeps))
        self.tell()

    @on(RowList.Moved)
    def tell(self) -> None:
        """Show details of the item under the cursor."""
        super().tell()
        task = self.rows.at_cursor()
        if task is not None:
            self.look_at(self.store_of(task))
        self.query_one(Detail).tell(task_rows.detail(task, self.host.now_ns(), self._where) if task else "")

    def named(self) -> Mapping[str, str]:
        """Items are identified by their keys."""
        return {key: key for key in self.rows.keys if key in self.tasks}

    def names_after(self, items: Sequence[Task], *, edited: bool) -> Iterable[str]:
        """The keys of decided items, including the new ones of edited or moved items."""
        places = {(task.store, task.path, task.item.line) for task in items if task.key not in self.tasks}
        moved = {(self._last_target[1:], task.item.text) for task in items}
        yield from (task.key for task in items)
        for task in self.tasks.values():
            if (edited and (task.store, task.path, task.item.line) in places) or (task.project, task.item.text) in moved:
                yield task.key

    def action_widen(self) -> None:
        """Switch between this memory and all; the initial cost is measured again."""
        self._at_first = None
        super().action_widen()

    def action_open(self) -> None:
        """Open the checklist at the item."""
        task = self.rows.at_cursor()
        if task is not None:
            store = self.host.main.store_of(task.store)
            self.host.read_file(store.session.ref_at(task.path), task.item.line, store=task.store)

    def store_of(self, item: Task) -> OpenStore:
        """The store of an item."""
        return self.host.main.store_of(item.store)

    @in_turn
    async def action_tick(self) -> None:
        """Mark the items as done; if all are done, reopen them."""
        if tasks := await self.meant(anywhere=True):
            done = any(task.item.box is not Box.DONE for task in tasks)
            await self.do(tasks, lambda: self.planned(tasks, partial(triage.set_done, done=done)))

    action_delete = verb(triage.remove)
    action_log = verb(triage.log)
    action_shift = verb(lambda session, tasks, step: triage.shift(session, tasks[0], step))
    action_indent = verb(triage.indent)

    @in_turn
    async def action_promote(self) -> None:
        """Make the items facts of long-term memory or of the folder's instructions."""
        tasks = await self.meant()
        rows = await attempt(asyncio.to_thread(triage.as_facts, self.session, tasks), self.warn) if tasks else None
        session, project = self.session, (tasks[0].project if tasks else "") or self.session.project
        main = {MAIN: within} if (within := self.within(project)) else {}
        if rows and await self.ask_where(tasks, rows, main, "item"):
            make = await self.with_room(
                rows,
                lambda: triage.promote(session, tasks),
                lambda: acts.move(session, rows, acts.Target(main_file(session.layout, project), Edge.TOP)),
            )
            if make is not None and await lets_in(self, [row.fact.text for row in rows]):
                await self.do(tasks, make)

    @in_turn
    async def action_archive(self) -> None:
        """Archive the marked items; by default all done items of the project that match the filter."""
        tasks, store_of = self.rows.chosen(), self.host.main.store_of
        if not self.rows.marked:
            lists = {(task.store, task.project) for task in tasks} or set(self._lists)
            tasks = [task for task in self.tasks.values() if (task.store, task.project) in lists]
            terms = terms_of(self.words)
            tasks = [task for task in tasks if task.item.box is Box.DONE and task_rows.has_words(task, terms)]
            tasks = [task for task in tasks if store_of(task.store).session.layout.archive(task.project) is not None] or tasks
        if tasks:
            await self.do(tasks, lambda: self.planned(tasks, triage.archive))
        elif self.words:
            self.warn(f"No done item holds {visible_line(self.words)!r}. Nothing was archived.")
        else:
            self.warn("Nothing is done that could be archived.")

    @in_turn
    async def action_edit(self) -> None:
        """Ask for another text for the item."""
        tasks = await self.meant()

        async def how(asked: Asked) -> Make | None:
            text = await asked.line("Edit", "The words of this item:", tasks[0].item.text, mend=True)
            is_new = bool(text) and text != tasks[0].item.text
            return (lambda: triage.edit(self.session, tasks[0], text)) if is_new else None

        if tasks:
            await self.ask_and_do(tasks, how, edited=True)

    @in_turn
    async def action_note(self) -> None:
        """Turn the items into a note."""
        tasks = await self.meant()

        async def how(asked: Asked) -> Make | None:
            name = await asked.line("Note", "The name of the note:", triage.note_name(tasks[0]))
            return (lambda: triage.to_note(self.session, tasks, name)) if name else None

        if tasks:
            await self.ask_and_do(tasks, how)

    @in_turn
    async def action_move(self) -> None:
        """Move the items to another project or heading; the last target is offered first."""
        tasks = await self.meant()
        answer = await self._place_for(tasks) if tasks else None
        if not answer:
            return
        self._last_target = answer
        move = triage.move if answer[0] == "p" else triage.relocate
        await self.do(tasks, partial(move, self.session, tasks, answer[1:]))

    async def _place_for(self, tasks: Sequence[Task]) -> str | None:
        session = self.session
        own = {task.project for task in tasks}
        elsewhere = "" if has_checklist(session.layout) else " (m in Facts, 7, goes to other files)"
        there = await asyncio.to_thread(projects_to_choose, session) if has_checklist(session.layout) else []
        answers = [(f"p{slug}", visible_line(printable_path(session.group_name(slug)))) for slug in there if {slug} != own]
        if len({task.path for task in tasks}) == 1:
            titles = await asyncio.to_thread(headings, session, tasks[0].path)
            answers += [(f"h{title}", f"# {visible_line(title)}") for title in dict.fromkeys(titles)]
        if not answers:
            self.warn(f"There is no other project or heading to move it to{elsewhere}.")
            return None
        answers.sort(key=lambda answer: answer[0] != self._last_target)
        name = f"“{visible_line(masked(tasks[0].item.text))}”" if len(tasks) == 1 else f"{len(tasks):,} items"
        return await choose(self, "Move", f"Move {name} to{elsewhere}:", answers, names=True)

    @in_turn
    async def action_add(self) -> None:
        """Add an item, or one per pasted line, below the heading of the item under the cursor."""
        tasks = self.rows.chosen()
        if not self.is_in_one(map(self.store_of, tasks)):
            return
        project = tasks[0].project if tasks else self.project or self.session.project
        if not has_checklist(self.session.layout):
            self.warn(f"{self.session.layout.title} has no checklist. Nothing was added.")
            return
        heading = tasks[0].item.heading or None if tasks else None
        where = visible_line(self.session.group_name(project)) + (f" › {visible_line(heading)}" if heading else "")

        async def how(asked: Asked) -> Make | None:
            await asked.line("Add", f"A new item in {where}; pasted lines become one each:", lines=True)
            return partial(triage.add, self.session, project, asked.text, heading) if trim(asked.text) else None

        await self.ask_and_do([], how, refresh=partial(self.read_again, [], project=project))
