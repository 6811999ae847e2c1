"""Every scratchpad item of one project or of all, and one key for each thing to do with it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from textual import on, work
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from zsmem_tui.core.checklist import Box
from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.fold import terms_of
from zsmem_tui.core.layout import group_word, has_checklist
from zsmem_tui.core.text import printable_path, trim
from zsmem_tui.core.visible import visible, visible_line
from zsmem_tui.service import triage
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.service.tasks import Task, TaskList, every_project, headings, task_groups, task_list, with_ages
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.dialogs.ask import choose
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.perform import attempt
from zsmem_tui.ui.tool import Asked, DecidingScreen, Make, PromotingScreen, after, pane, verb
from zsmem_tui.ui.triage import rows as task_rows
from zsmem_tui.ui.widgets.frame import FilterLine
from zsmem_tui.ui.widgets.row_list import PROBLEM, MarkList, RowList

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import OpenStore


class ListPlace(NamedTuple):
    """A project of one of the stores, by its key."""

    store: str
    project: str


REACHES: Final = ("project", "store", "stores")
"""What is shown: a project, all of its store, all stores."""


class TaskLists:
    """What was read, by project and store. `home` is the store that the screen was opened for, `project` the project."""

    def __init__(self, main: MainScreen, project: str) -> None:
        self._main = main
        self.home = main.here
        self.project = project
        self.reach = REACHES[0]
        self.lists: dict[ListPlace, TaskList] = {}
        self._ages: dict[tuple[str, str, str], int] = {}
        """When an item first appeared, by its store, path and words."""
        self._names: dict[ListPlace, str] = {}

    @property
    def several(self) -> bool:
        """Whether there are several stores."""
        return len(self._main.stores) > 1

    @property
    def stores(self) -> list[OpenStore]:
        """The stores that are shown, that of the screen first."""
        return [self.home, *(store for store in self._main.stores if store is not self.home and self.reach == "stores")]

    @property
    def tasks(self) -> list[Task]:
        """Every item, as old as is known."""
        every = [task for each in self.lists.values() for task in each.tasks]
        ages = self._ages
        since = (ages.get((task.store, task.path, task.item.text), task.since) for task in every)
        return [task if at == task.since else task._replace(since=at) for task, at in zip(every, since, strict=True)]

    @property
    def problems(self) -> list[str]:
        """The rows of scratchpads that cannot be read: whose they are, and why."""
        found = ((self.name(place), problem) for place, each in self.lists.items() for problem in list(each.problems.values())[:1])
        return [f"{PROBLEM}{name}: {problem.rpartition(': ')[2]}" for name, problem in found]

    @property
    def without(self) -> str:
        """The agent that has no checklist, where only its items are shown."""
        has_none = self.reach != "stores" and not has_checklist(self.home.session.layout)
        return self.home.title if has_none else ""

    @property
    def scope_name(self) -> str:
        """What is shown, in words."""
        if self.reach == "project":
            return self.name(ListPlace(self.home.key, self.project))
        if not self.several:
            return f"all {group_word(self.home.session.layout)}s"
        return f"all of {self.home.title}" if self.reach == "store" else "all agents"

    @property
    def beyond(self) -> str:
        """What `widen` would show besides, in words; empty where that is less than now."""
        if self.reach == "project":
            return f"the other {group_word(self.home.session.layout)}s"
        return "the other agents" if self.reach == "store" and self.several else ""

    def name(self, place: ListPlace) -> str:
        """What a project is called; where several stores are shown, whose it is too."""
        if place not in self._names:
            store = self._main.store_of(place.store)
            is_shared = place.project == EVERYBODY and not has_checklist(store.session.layout) and "" not in store.folders
            label = "for everybody" if is_shared else store.group_name(place.project)
            self._names[place] = f"{store.title} · {label}" if self.reach == "stores" and self.several else label
        return self._names[place]

    def where(self, task: Task) -> str:
        """What the project of an item is called."""
        return self.name(ListPlace(task.store, task.project))

    def widen(self) -> None:
        """Show more, or behind everything, one project again."""
        self._names.clear()
        reaches = REACHES if self.several else REACHES[:2]
        self.reach = after(self.reach, reaches) if self.reach in reaches else REACHES[0]

    async def read(self, places: Sequence[ListPlace] | None) -> None:
        """Read the items of these projects again (None: of all that are shown)."""
        if places is not None:
            for place in places:
                self.lists |= await asyncio.to_thread(_read, self._main.store_of(place.store), [place.project])
            return
        found: dict[ListPlace, TaskList] = {}
        for store in self.stores:
            found |= await asyncio.to_thread(_read, store, [self.project] if self.reach == "project" else None)
        self.lists = found

    async def find_ages(self) -> None:
        """Find out how old the items are: a file that was just written is young, what stood in it is not."""
        for store in self.stores:
            own = tuple(task for place, each in self.lists.items() if place.store == store.key for task in each.tasks)
            if not own:
                continue
            try:
                dated = await asyncio.to_thread(with_ages, store.session, TaskList(own, {}, 0, 0))
            except HistoryError:
                continue  # the times of the files stay
            for task in dated.tasks:
                key = (task.store, task.path, task.item.text)
                self._ages[key] = min(self._ages.get(key, task.since), task.since)


def _read(store: OpenStore, wanted: list[str] | None) -> dict[ListPlace, TaskList]:
    """The items of these projects of a store (None: of all that may hold some), for a thread."""
    out = {}
    for project in task_groups(store.session) if wanted is None else wanted:
        found = task_list(store.session, [project])
        own = tuple(task._replace(store=store.key) for task in found.tasks)
        out[ListPlace(store.key, project)] = found._replace(tasks=own)
    return out


class TaskRows(MarkList[Task], keys="todos"):
    """The items; the rows between them are headings and problems."""


class TriageScreen(PromotingScreen, DecidingScreen[Task]):
    """One list, one line about the item under the cursor, one key for each verb."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"todos": "todos"}
    PAGE = "triage"
    WAYS = task_rows.WAYS
    NOUN = "item"
    KEYS = "x done · space leave · m move · p promote · e edit · d delete"

    def __init__(self, host: ZsmemApp, project: str, decided: set[str]) -> None:
        super().__init__(host, decided)
        self.shown = TaskLists(host.main, project or self.session.project)
        self.tasks: dict[str, Task] = {}
        self._last_target = ""
        """Where items were moved last: `p` and a project, or `h` and a heading."""
        self._filter = ""
        """What the filter lets through; empty: everything."""
        self._at_first: tuple[int, int] | None = None

    def compose_body(self) -> Iterable[Widget]:
        """Filter line, list, detail."""
        yield pane(
            "list",
            "Triage",
            FilterLine("words that the item holds", id="todo-filter", rows="todos"),
            Static("", classes="notice", id="run", markup=False),
            TaskRows(
                lambda key: task_rows.task_row(self.tasks[key], self.way["group"], self.host.now_ns(), self.shown.where),
                id="todos",
            ),
            Static("", id="todo-detail", markup=False),
        )

    def offered(self, action: Action) -> Action | None:
        """Nothing can be added where there is no checklist, nor promoted where nothing is in every prompt."""
        layout = self.session.layout
        cannot = (action.id == "todos.add" and not has_checklist(layout)) or (
            action.id == "todos.promote" and not self.can_promote(self.shown.project)
        )
        return None if cannot else action

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Read the scratchpads, show them, then find out how old the items are."""
        try:
            await self.read()
        finally:
            self.ready.set()
        await self.shown.find_ages()
        self.show()

    async def read(self, places: Sequence[ListPlace] | None = None) -> None:
        """Read the items of these projects again (None: of all that are shown)."""
        await self.shown.read(places)
        if self.closed:
            return
        if self._at_first is None:
            self._at_first = task_rows.taken(self.shown.lists.values())
        self.show()

    async def read_again(self, items: Sequence[Task], *, project: str = "") -> None:
        """Read the lists that a verb about these items touched, and that of a `project`; nothing is marked any more."""
        key = next((task.store for task in items), self.host.main.here.key)
        projects = [*(task.project for task in items), *([project] if project else [])]
        touched = [ListPlace(key, each) for each in dict.fromkeys(projects)]
        target = ListPlace(key, self._last_target[1:])
        if self._last_target.startswith("p") and target in self.shown.lists:
            touched.append(target)
        self.rows.marked.clear()
        await self.read(touched)

    @on(Input.Changed, "#todo-filter")
    def show(self) -> None:
        """Show what is known, as the person wants it; nothing once the screen is closed, for reading may end later."""
        if not self.query("#todo-filter"):
            return
        every, rows = self.shown.tasks, self.rows
        self.tasks = rows.items = {task.key: task for task in every}
        self._filter = self.query_one(FilterLine).words
        keys: list[str] = task_rows.arranged(
            every,
            shown=self.way["state"],
            wanted=self._filter,
            group=self.way["group"],
            order=self.way["order"],
            now_ns=self.host.now_ns(),
            where=self.shown.where,
        )
        rows.nothing = task_rows.nothing(
            bool(every),
            self.way["state"],
            self._filter,
            self.shown.without,
            beyond=self.shown.beyond,
            agent_writes=self.session.layout.has_profiles,
        )
        rows.show([*self.shown.problems, *keys])
        pane = self.query_one(".tool-list")
        listed = [self.tasks[key] for key in keys if key in self.tasks]
        pane.border_title = Content(task_rows.title(self.shown.scope_name, self.way, listed))
        now = task_rows.taken(self.shown.lists.values())
        pane.border_subtitle = Content(task_rows.cost(now, self._at_first or now))
        self.tell()

    @on(RowList.Moved)
    def tell(self) -> None:
        """What is known of the item under the cursor."""
        super().tell()
        task = self.rows.at_cursor()
        told = visible(task_rows.detail(task, self.host.now_ns(), self.shown.where)) if task else ""
        self.query_one("#todo-detail", Static).update(Content(told))

    def named(self) -> Mapping[str, str]:
        """An item is named by its key."""
        return {key: key for key in self.rows.keys if key in self.tasks}

    def names_after(self, items: Sequence[Task], *, edited: bool) -> Iterable[str]:
        """Their keys, and the keys that they have where they were edited, or where they come up again once they are moved."""
        places = {(task.store, task.path, task.item.line) for task in items if task.key not in self.tasks}
        moved = {(self._last_target[1:], task.item.text) for task in items}
        yield from (task.key for task in items)
        for task in self.tasks.values():
            if (edited and (task.store, task.path, task.item.line) in places) or (task.project, task.item.text) in moved:
                yield task.key

    def action_cycle(self, what: str) -> None:
        """The next state, group, order or scope."""
        if what == "scope":
            self.shown.widen()
            self._at_first = None
            self.rows.marked.clear()
            self.load()
        else:
            super().action_cycle(what)

    def action_open(self) -> None:
        """Read the scratchpad at this item."""
        task = self.rows.at_cursor()
        if task is not None:
            store = self.host.main.store_of(task.store)
            if self.host.main.use(store):
                self.host.read_file(store.session.ref_at(task.path), task.item.line, store=task.store)

    async def meant(self, *, at_cursor: bool = False) -> list[Task]:
        """The chosen items, when they are in one store, which is worked in from now on."""
        tasks = await super().meant(at_cursor=at_cursor)
        return tasks if tasks and self._enter(tasks) else []

    @in_turn
    async def action_tick(self) -> None:
        """Done, or where all are done, open again."""
        if tasks := await self.meant():
            done = any(task.item.box is not Box.DONE for task in tasks)
            await self.do(tasks, lambda: triage.set_done(self.session, tasks, done=done))

    action_delete = verb(triage.remove)
    action_log = verb(triage.log)
    action_shift = verb(lambda session, tasks, step: triage.shift(session, tasks[0], step))
    action_indent = verb(triage.indent)

    @in_turn
    async def action_promote(self) -> None:
        """Make the items facts of what is in every prompt: of the memory, or of the instructions of the folder."""
        tasks = await self.meant()
        rows = await attempt(asyncio.to_thread(triage.as_facts, self.session, tasks), self.warn) if tasks else None
        if rows and await self.is_within_store(tasks, rows, self.within(tasks[0].project or self.session.project), noun="item"):
            await self.do(tasks, lambda: triage.promote(self.session, tasks))

    @in_turn
    async def action_archive(self) -> None:
        """Move the marked items to the archive, else all done ones of the project of the cursor that the filter lets through."""
        await self.ready.wait()
        tasks = self.rows.chosen()
        if not self._enter(tasks):
            return
        if not self.rows.marked:
            here = self.host.main.here.key
            lists = {(task.store, task.project) for task in tasks} or {place for place in self.shown.lists if place.store == here}
            tasks = [task for task in self.tasks.values() if (task.store, task.project) in lists]
            terms = terms_of(self._filter)
            tasks = [task for task in tasks if task.item.box is Box.DONE and task_rows.has_words(task, terms)]
        if tasks:
            await self.do(tasks, lambda: triage.archive(self.session, tasks))
        elif self._filter:
            self.warn(f"No done item holds {visible_line(self._filter)!r}. Nothing was archived.")
        else:
            self.warn("Nothing is done that could be archived.")

    @in_turn
    async def action_edit(self) -> None:
        """Give the item other words."""
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
        """To another project, or below another heading; where the last ones went comes first."""
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
        there = await asyncio.to_thread(every_project, session) if has_checklist(session.layout) else []
        answers = [(f"p{slug}", visible_line(printable_path(session.group_name(slug)))) for slug in there if {slug} != own]
        if len({task.path for task in tasks}) == 1:
            titles = await asyncio.to_thread(headings, session, tasks[0].path)
            answers += [(f"h{title}", f"# {visible_line(title)}") for title in dict.fromkeys(titles)]
        if not answers:
            words = "here is no other project or heading to move it to."
            self.warn(f"T{words}" if has_checklist(session.layout) else f"{session.layout.title} has no checklist, and t{words}")
            return None
        answers.sort(key=lambda answer: answer[0] != self._last_target)
        name = visible_line(tasks[0].item.text) if len(tasks) == 1 else f"{len(tasks)} items"
        return await choose(self, "Move", f"Move {name} to:", answers, names=True)

    @in_turn
    async def action_add(self) -> None:
        """Add an item, or as many as lines are pasted, below the heading of the cursor."""
        tasks = self.rows.chosen()
        if not self._enter(tasks):
            return
        project = tasks[0].project if tasks else self.shown.project or self.session.project
        if not has_checklist(self.session.layout):
            self.warn(f"{self.session.layout.title} has no checklist. Nothing was added.")
            return
        heading = tasks[0].item.heading or None if tasks else None
        where = visible_line(self.session.group_name(project)) + (f" › {visible_line(heading)}" if heading else "")

        async def how(asked: Asked) -> Make | None:
            await asked.line("Add", f"A new item in {where}; pasted lines become one each:", lines=True)
            return partial(triage.add, self.session, project, asked.text, heading) if trim(asked.text) else None

        await self.ask_and_do([], how, refresh=partial(self.read_again, [], project=project))

    def _enter(self, tasks: Sequence[Task]) -> bool:
        """Work in the store that these items are of (none: in the one that the screen was opened for); False when not."""
        main = self.host.main
        keys = {task.store for task in tasks} or {self.shown.home.key}
        if len(keys) > 1:
            self.warn(
                f"The chosen items are in {len(keys)} stores, and a step is undone in one: choose those of one. Nothing was done."
            )
            return False
        store = main.store_of(keys.pop())
        if not main.use(store):
            self.warn("A file of another store is being edited: leave it first. Nothing was done.")
            return False
        self.session = store.session
        return True
