"""Every scratchpad item of one project or of all, and one key for each thing to do with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from zsmem_tui.core.layout import has_checklist
from zsmem_tui.core.visible import visible
from zsmem_tui.service.tasks import Task
from zsmem_tui.ui.deciding import Run
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.tool import ToolScreen
from zsmem_tui.ui.triage import rows as format_triage
from zsmem_tui.ui.triage import verbs as triaging
from zsmem_tui.ui.triage.lists import TaskLists
from zsmem_tui.ui.triage.rows import GROUPS, ORDERS, STATES
from zsmem_tui.ui.triage.verbs import ListPlace
from zsmem_tui.ui.widgets.filter_line import FilterLine
from zsmem_tui.ui.widgets.mark_list import MarkList
from zsmem_tui.ui.widgets.row_list import RowList

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp


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

    def __init__(self, host: ZsmemApp, project: str, decided: set[str]) -> None:
        super().__init__(host)
        self.shown = TaskLists(host.main, project or self.session.project)
        self.tasks: dict[str, Task] = {}
        self._problems: dict[str, tuple[str, str]] = {}
        self.run: Run[str] = Run(decided, "x done · space leave · m move · p promote · e edit · d delete")
        self.last_target = ""
        self.filter_words = ""
        self._shown, self._group, self._order = STATES[0], GROUPS[0], ORDERS[0]
        self._at_first: tuple[int, int] | None = None

    def compose_body(self) -> Iterable[Widget]:
        """Filter line, list, detail."""
        with Vertical(classes="pane tool-list") as left:
            left.border_title = Content("Triage")
            yield FilterLine("words that the item holds", id="todo-filter", rows="todos")
            yield Static("", classes="notice", id="run", markup=False)
            yield TaskRows(
                lambda key: format_triage.row(
                    key, self.tasks, self.shown.problems, self._group, self.host.now_ns(), self.shown.where
                ),
                id="todos",
            )
            yield Static("", id="todo-detail", markup=False)

    @property
    def rows(self) -> TaskRows:
        """The list."""
        return self.query_one(TaskRows)

    def offered(self, action: Action) -> Action | None:
        """Nothing can be added where there is no checklist."""
        return None if action.id == "todos.add" and not has_checklist(self.session.layout) else action

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Read the scratchpads, show them, then find out how old the items are."""
        await self.read(None)
        await self.shown.find_ages()
        self.show()

    async def read(self, places: list[ListPlace] | None) -> None:
        """Read the items of these projects again (None: of all that are shown)."""
        await self.shown.read(places)
        if self.closed:
            return
        if self._at_first is None:
            self._at_first = format_triage.taken(self.shown.lists.values())
        self.show()

    @on(Input.Changed, "#todo-filter")
    def show(self) -> None:
        """Show what is known, as the person wants it; nothing once the screen is closed, for reading may end later."""
        if not self.query("#todo-filter"):
            return
        every = self.shown.tasks
        self.tasks = self.rows.items = {task.key: task for task in every}
        wanted = self.filter_words = self.query_one(FilterLine).words
        keys: list[str] = format_triage.arranged(
            every,
            shown=self._shown,
            wanted=wanted,
            group=self._group,
            order=self._order,
            now_ns=self.host.now_ns(),
            where=self.shown.where,
        )
        self._problems = self.shown.problems
        rows = self.rows
        rows.nothing = format_triage.nothing(
            bool(every),
            self._shown,
            wanted,
            self.shown.without,
            beyond=self.shown.beyond,
            agent_writes=self.session.layout.has_profiles,
        )
        rows.show([*self._problems, *keys])
        pane = self.query_one(".tool-list")
        listed = [self.tasks[key] for key in keys if not key.startswith("\0")]
        pane.border_title = Content(format_triage.title(self.shown.scope_name, self._shown, self._group, self._order, listed))
        now = format_triage.taken(self.shown.lists.values())
        pane.border_subtitle = Content(format_triage.cost(now, self._at_first or now))
        self._tell()

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
            self._stop_run("Stopped: Q goes on from here.")
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
            self.shown.widen()
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
            store = self.host.main.store_of(task.store)
            if self.host.main.use(store):
                self.host.read_file(store.session.ref_at(task.path), task.item.line, store=task.store)

    @on(RowList.Moved)
    def _tell(self) -> None:
        task = self.rows.at_cursor()
        self.query_one("#todo-detail", Static).update(
            Content(visible(format_triage.detail(task, self.host.now_ns(), self.shown.where)) if task else "")
        )
        if self.run.on:
            run = self.query_one("#run", Static)
            run.update(Content(self.run.words(self.rows.listed())))
            run.add_class("-shown")
