"""Every scratchpad item of one project or of all, and one key for each thing to do with it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on, work
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.layout import has_checklist
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible, visible_line
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.service.tasks import Task, TaskList, task_groups, task_list, with_ages
from zsmem_tui.ui.flows import triaging
from zsmem_tui.ui.flows.triaging import ListPlace
from zsmem_tui.ui.format import triage as format_triage
from zsmem_tui.ui.format.triage import GROUPS, ORDERS, STATES
from zsmem_tui.ui.host import Host
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.screens.deciding import Run
from zsmem_tui.ui.screens.tool import ToolScreen
from zsmem_tui.ui.widgets.filter_line import FilterLine
from zsmem_tui.ui.widgets.mark_list import MarkList
from zsmem_tui.ui.widgets.row_list import RowList

if TYPE_CHECKING:
    from zsmem_tui.ui.open_store import OpenStore

Reach = Literal["project", "store", "stores"]

REACHES: tuple[Reach, ...] = ("project", "store", "stores")
"""What is shown: a project, all of its store, all stores."""


class TaskRows(MarkList[Task]):
    """The items; the rows between them are headings and problems."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("todos")]

    def listed(self) -> list[str]:
        """The keys of the items that are shown."""
        return [key for key in self.keys if key in self.items]


class TriageScreen(ToolScreen):
    """One list, one line about the item under the cursor, one key for each verb."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"todos": "todos"}
    PAGE = "triage"

    def __init__(self, host: Host, project: str, decided: set[str]) -> None:
        super().__init__(host)
        self.project: str = project or self.session.project
        """The project that the screen was opened for."""
        self.task_lists: dict[ListPlace, TaskList] = {}
        self.tasks: dict[str, Task] = {}
        self.run: Run[str] = Run(decided, "x done · space leave · m move · p promote · e edit · d delete")
        self.last_target = ""
        self.filter_words = ""
        self._home = host.main.here
        self._scope: Reach = "project"
        self._ages: dict[tuple[str, str, str], int] = {}
        self._shown, self._group, self._order = STATES[0], GROUPS[0], ORDERS[0]
        self._at_first: tuple[int, int] | None = None

    def compose_body(self) -> Iterable[Widget]:
        """Filter line, list, detail."""
        with Vertical(classes="pane tool-list") as left:
            left.border_title = Content("Triage")
            yield FilterLine("words that the item holds", id="todo-filter", rows="todos")
            yield Static("", classes="notice", id="run", markup=False)
            yield TaskRows(
                lambda key: format_triage.row(key, self.tasks, self._problems, self._group, self.host.now_ns(), self._where),
                id="todos",
            )
            yield Static("", id="todo-detail", markup=False)

    @property
    def rows(self) -> TaskRows:
        """The list."""
        return self.query_one(TaskRows)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Read the scratchpads, show them, then find out how old the items are."""
        await self.read(None)
        for store in self._stores():
            own = tuple(task for place, each in self.task_lists.items() if place.store == store.key for task in each.tasks)
            try:
                dated = await asyncio.to_thread(with_ages, store.session, TaskList(own, {}, 0, 0)) if own else None
            except HistoryError:
                continue  # the times of the files stay
            for task in dated.tasks if dated is not None else ():  # a file that was just written is young, what stood in it is not
                key = (task.store, task.path, task.item.text)
                self._ages[key] = min(self._ages.get(key, task.since), task.since)
        self.show()

    def _stores(self) -> list[OpenStore]:
        """The stores that are shown, that of the screen first."""
        others = [store for store in self.host.main.stores if store is not self._home] if self._scope == "stores" else []
        return [self._home, *others]

    async def read(self, places: list[ListPlace] | None) -> None:
        """Read the items of these projects again (None: of all that are shown)."""
        if places is None:
            found: dict[ListPlace, TaskList] = {}
            for store in self._stores():
                wanted = [self.project] if self._scope == "project" else None
                found |= await asyncio.to_thread(_lists, store, wanted)
                if self.closed:
                    return
            self.task_lists = found
        else:
            for place in places:
                store = self.host.main.store_of(place.store)
                self.task_lists |= await asyncio.to_thread(_lists, store, [place.project])
        if self.closed:
            return
        if self._at_first is None:
            self._at_first = format_triage.taken(self.task_lists.values())
        self.show()

    def enter(self, tasks: list[Task]) -> str:
        """Work in the store that these items are of (none: in the one that the screen was opened for); why not, where not."""
        keys = {task.store for task in tasks} or {self._home.key}
        if len(keys) > 1:
            return (
                f"The chosen items are in {len(keys)} stores, and a step is undone in one: choose those of one. Nothing was done."
            )
        store = self.host.main.store_of(keys.pop())
        if not self.host.main.use(store):
            return "A file of another store is being edited: leave it first. Nothing was done."
        self.session = store.session
        return ""

    @property
    def _problems(self) -> dict[str, tuple[str, str]]:
        """Scratchpads that cannot be read, by the keys of their rows: whose they are, and why."""
        return {
            f"\1{place.store}\0{place.project}": (self._project_name(place), problem)
            for place, each in self.task_lists.items()
            for problem in list(each.problems.values())[:1]
        }

    def _where(self, task: Task) -> str:
        return self._project_name(ListPlace(task.store, task.project))

    def _project_name(self, place: ListPlace) -> str:
        """What a project is called; where several stores are shown, whose it is too."""
        store = self.host.main.store_of(place.store)
        layout = store.session.layout
        is_shared = place.project == EVERYBODY and not has_checklist(layout)
        label = "for everybody" if is_shared else visible_line(printable_path(layout.group_label(place.project)))
        return f"{store.title} · {label}" if self._scope == "stores" and len(self.host.main.stores) > 1 else label

    @on(Input.Changed, "#todo-filter")
    def show(self) -> None:
        """Show what is known, as the person wants it; nothing once the screen is closed, for reading may end later."""
        if not self.query("#todo-filter"):
            return
        every = [
            task._replace(since=self._ages.get((task.store, task.path, task.item.text), task.since))
            for each in self.task_lists.values()
            for task in each.tasks
        ]
        self.tasks = self.rows.items = {task.key: task for task in every}
        wanted = self.filter_words = self.query_one(FilterLine).words
        keys: list[str] = format_triage.arranged(
            every,
            shown=self._shown,
            wanted=wanted,
            group=self._group,
            order=self._order,
            now_ns=self.host.now_ns(),
            where=self._where,
        )
        problems = list(self._problems)
        rows = self.rows
        rows.nothing = format_triage.nothing(bool(every), self._shown, wanted, self._without)
        rows.show([*problems, *keys])
        pane = self.query_one(".tool-list")
        count = sum(not key.startswith("\0") for key in keys)
        scope = self._project_name(ListPlace(self._home.key, self.project)) if self._scope == "project" else self._reach_name()
        pane.border_title = Content(format_triage.title(scope, self._shown, self._group, self._order, count))
        now = format_triage.taken(self.task_lists.values())
        pane.border_subtitle = Content(format_triage.cost(now, self._at_first or now))
        self._tell()

    def _reach_name(self) -> str:
        if len(self.host.main.stores) == 1:
            return f"all {self._home.session.layout.group_noun}s"
        return f"all of {self._home.title}" if self._scope == "store" else "all agents"

    @property
    def _without(self) -> str:
        """The agent that has no checklist, where only its items are shown."""
        has_none = self._scope != "stores" and not has_checklist(self._home.session.layout)
        return self._home.title if has_none else ""

    def next_after(self, tasks: list[Task], *, edited: bool = False) -> None:
        """In a run, these are decided: on to the next one. When they were `edited`, others stand on their lines now."""
        if not self.run.on:
            return
        self.run.decide(task.key for task in tasks)
        places = {(task.store, task.path, task.item.line) for task in tasks if task.key not in self.tasks}
        moved = {(self.last_target[1:], task.item.text) for task in tasks}
        for task in self.tasks.values():  # edited, or moved to where it comes up again
            if ((task.store, task.path, task.item.line) in places and edited) or (task.project, task.item.text) in moved:
                self.run.decide([task.key])
        following = self.run.next(self.rows.listed())
        if following is None:
            self._stop_run("Every item is decided.")
            return
        self.rows.show(self.rows.keys, cursor=following)
        self._tell()

    def _stop_run(self, words: str) -> None:
        """Back to the whole list."""
        self.run.on = False
        self.query_one("#run").remove_class("-shown")
        self.say(words)

    def back(self) -> None:
        """Stop the run, drop the filter, then the marks, then leave."""
        if self.run.on:
            self._stop_run("Stopped: r goes on from here.")
        elif self.query_one(FilterLine).close():
            return
        elif self.rows.marked:
            self.rows.marked.clear()
            self.rows.refresh()
        else:
            self.dismiss(None)

    def action_run(self) -> None:
        """One item after another."""
        first = self.run.begin(self.rows.listed())
        if first is None:
            self.say("There is no item to decide.", warning=True)
            return
        self.rows.marked.clear()
        self.rows.show(self.rows.keys, cursor=first)
        self._tell()

    def action_mark(self) -> None:
        """Mark the item, or in a run, leave it and go on."""
        if self.run.on:
            self.next_after(self.rows.chosen())
        else:
            self.rows.mark()

    def action_filter(self) -> None:
        """Type words."""
        self.query_one(FilterLine).begin()

    def action_cycle(self, what: str) -> None:
        """The next state, group, order or scope."""
        if what == "scope":
            reaches = REACHES if len(self.host.main.stores) > 1 else REACHES[:2]
            self._scope = reaches[(reaches.index(self._scope) + 1) % len(reaches)] if self._scope in reaches else "project"
            self._at_first = None
            self.rows.marked.clear()
            self.load()
            return
        if what == "state":
            self._shown = STATES[(STATES.index(self._shown) + 1) % len(STATES)]
        elif what == "group":
            self._group = GROUPS[(GROUPS.index(self._group) + 1) % len(GROUPS)]
        else:
            self._order = ORDERS[(ORDERS.index(self._order) + 1) % len(ORDERS)]
        self.show()

    def action_verb(self, name: str) -> None:
        """Do something with the chosen items."""
        self.host.talk(triaging.act(self, name), self)

    def action_open(self) -> None:
        """Read the scratchpad at this item."""
        task = self.rows.at_cursor()
        if task is not None:
            ref = self.host.main.store_of(task.store).session.ref_at(task.path)
            self.dismiss(None)
            self.host.main.post_message(FileChosen(ref, enter=True, line=task.item.line, store=task.store))

    @on(RowList.Moved)
    def _tell(self) -> None:
        task = self.rows.at_cursor()
        self.query_one("#todo-detail", Static).update(
            Content(visible(format_triage.detail(task, self.host.now_ns(), self._where)) if task else "")
        )
        if self.run.on:
            run = self.query_one("#run", Static)
            run.update(Content(self.run.words(self.rows.listed())))
            run.add_class("-shown")


def _lists(store: OpenStore, wanted: list[str] | None) -> dict[ListPlace, TaskList]:
    """The items of these projects of a store (None: of all that may hold some), for a thread."""
    out = {}
    for project in task_groups(store.session) if wanted is None else wanted:
        found = task_list(store.session, [project])
        own = tuple(task._replace(store=store.key) for task in found.tasks)
        out[ListPlace(store.key, project)] = found._replace(tasks=own)
    return out
