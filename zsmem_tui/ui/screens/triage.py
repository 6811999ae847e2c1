"""Every scratchpad item of one project or of all, and one key for each thing to do with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.refs import WriteTarget
from zsmem_tui.core.text import printable_path, trim
from zsmem_tui.core.visible import visible, visible_line
from zsmem_tui.service.session import Session
from zsmem_tui.service.tasks import Task, TaskList, projects_with_scratchpad, task_list, with_ages
from zsmem_tui.ui.actions import bindings
from zsmem_tui.ui.flows import triaging
from zsmem_tui.ui.format import triage as format_triage
from zsmem_tui.ui.format.triage import GROUPS, ORDERS, STATES
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.screens.tool import ToolScreen
from zsmem_tui.ui.widgets.row_list import ListRow, RowList


class TaskRows(RowList):
    """The items."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("todos")]


class TriageScreen(ToolScreen):
    """One list, one line about the item under the cursor, one key for each verb."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"todos": "todos"}
    PAGE = "triage"

    def __init__(self, session: Session, project: str, now_ns: Callable[[], int], decided: set[str]) -> None:
        super().__init__(session)
        self.project: str = project
        """The project that is shown; empty: all."""
        self.task_lists: dict[str, TaskList] = {}
        self.tasks: dict[str, Task] = {}
        self.running = False
        """Whether one item after another is being decided."""
        self.decided = decided
        self.last_target = ""
        self._home = project or session.project
        self._now_ns = now_ns
        self._ages: dict[tuple[str, str], int] = {}
        self._shown, self._group, self._order = STATES[0], GROUPS[0], ORDERS[0]
        self._at_first: tuple[int, int] | None = None
        self._anchor: Any = None
        self._total = 0

    def compose_body(self) -> Iterable[Widget]:
        """Filter line, list, detail."""
        with Vertical(classes="pane tool-list") as left:
            left.border_title = Content("Triage")
            yield Input(placeholder="words that the item holds", id="todo-filter", classes="line-input", compact=True)
            yield Static("", classes="notice", id="run", markup=False)
            yield TaskRows(self._draw_row, id="todos")
            yield Static("", id="todo-detail", markup=False)

    @property
    def rows(self) -> TaskRows:
        """The list."""
        return self.query_one(TaskRows)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Read the scratchpads, show them, then find out how old the items are."""
        await self.read(None)
        try:
            every = [task for each in self.task_lists.values() for task in each.tasks]
            dated = await asyncio.to_thread(with_ages, self.session, TaskList(tuple(every), {}, 0, 0))
        except HistoryError:
            return  # the times of the files stay
        for task in dated.tasks:  # a file that was just written is young, what stood in it is not
            key = (task.project, task.item.text)
            self._ages[key] = min(self._ages.get(key, task.since), task.since)
        self.show()

    async def read(self, projects: list[str] | None) -> None:
        """Read these scratchpads again (None: all that are shown)."""
        wanted = projects
        if wanted is None:
            wanted = [self.project] if self.project else await asyncio.to_thread(projects_with_scratchpad, self.session)
        found = await asyncio.to_thread(lambda: {each: task_list(self.session, [each]) for each in wanted})
        self.task_lists = found if projects is None else self.task_lists | found
        if self.closed:
            return
        if self._at_first is None:
            self._at_first = self.cost
        self.show()

    @property
    def cost(self) -> tuple[int, int]:
        """Bytes and tokens that the open items add to the prompts."""
        return sum(each.size for each in self.task_lists.values()), sum(each.tokens for each in self.task_lists.values())

    def show(self) -> None:
        """Show what is known, as the person wants it; nothing once the screen is closed, for reading may end later."""
        if not self.query("#todo-filter"):
            return
        every = [
            task._replace(since=self._ages.get((task.project, task.item.text), task.since))
            for each in self.task_lists.values()
            for task in each.tasks
        ]
        self.tasks = {task.id: task for task in every}
        wanted = self.wanted
        keys: list[str] = format_triage.arranged(
            every, shown=self._shown, wanted=wanted, group=self._group, order=self._order, now_ns=self._now_ns()
        )
        problems = [f"\1{project}" for project, each in self.task_lists.items() if each.problems]
        rows = self.rows
        rows.nothing = format_triage.nothing(bool(every), self._shown, wanted)
        rows.show([*problems, *keys])
        pane = self.query_one(".tool-list")
        count = sum(not key.startswith("\0") for key in keys)
        scope = visible_line(printable_path(self.project)) if self.project else "all projects"
        pane.border_title = Content(format_triage.title(scope, self._shown, self._group, self._order, count))
        pane.border_subtitle = Content(format_triage.cost(self.cost, self._at_first or self.cost))
        self._tell()

    @property
    def wanted(self) -> str:
        """The words of the filter; empty while there is none."""
        return trim(self.query_one("#todo-filter", Input).value)

    def chosen(self) -> list[Task]:
        """The marked items, else the one under the cursor."""
        rows = self.rows
        keys = [key for key in rows.keys if key in rows.marked] or [rows.key]
        return [self.tasks[key] for key in keys if key in self.tasks]

    def next_after(self, tasks: list[Task], *, edited: bool = False) -> None:
        """In a run, these are decided: on to the next one. When they were `edited`, others stand on their lines now."""
        if not self.running:
            return
        self.decided |= {task.id for task in tasks}
        places = {(task.project, task.item.line) for task in tasks if task.id not in self.tasks}
        moved = {(self.last_target[1:], task.item.text) for task in tasks}
        for task in self.tasks.values():  # edited, or moved to where it comes up again
            if ((task.project, task.item.line) in places and edited) or (task.project, task.item.text) in moved:
                self.decided.add(task.id)
        left = [key for key in self.rows.keys if key in self.tasks and key not in self.decided]
        if not left:
            self.stop_run("Every item is decided.")
            return
        self.rows.show(self.rows.keys, cursor=left[0])
        self._tell()

    def stop_run(self, words: str = "Stopped: r goes on from here.") -> None:
        """Back to the whole list."""
        self.running = False
        self.query_one("#run").remove_class("-shown")
        self.say(words)

    def back(self) -> None:
        """Stop the run, drop the filter, then the marks, then leave."""
        line = self.query_one("#todo-filter", Input)
        if self.running:
            self.stop_run()
        elif line.has_class("-shown"):
            line.value = ""
            line.remove_class("-shown")
            self.first.focus()
        elif self.rows.marked:
            self.rows.marked.clear()
            self.rows.refresh()
        else:
            self.dismiss(None)

    def action_run(self) -> None:
        """One item after another."""
        self.running = True
        left = [key for key in self.rows.keys if key in self.tasks and key not in self.decided]
        if not left:
            self.decided.clear()
            left = [key for key in self.rows.keys if key in self.tasks]
        if not left:
            self.running = False
            self.say("There is no item to decide.", warning=True)
            return
        self._total = len(left)
        self.rows.marked.clear()
        self.rows.show(self.rows.keys, cursor=left[0])
        self._tell()

    def action_mark(self) -> None:
        """Mark the item, or in a run, leave it and go on."""
        if self.running:
            self.next_after(self.chosen())
        else:
            self._anchor = self.rows.key
            self.rows.toggle_mark()

    def action_mark_range(self) -> None:
        """Mark everything from the item marked last to this one."""
        rows = self.rows
        keys = list(rows.keys)
        if not keys:
            return
        if self._anchor not in keys:
            self._anchor = rows.key
        first, last = sorted((keys.index(self._anchor), rows.cursor))
        rows.marked |= {key for key in keys[first : last + 1] if key in self.tasks}
        rows.refresh()

    def action_mark_all(self, which: str = "all") -> None:
        """Mark all that are shown, or the group of the cursor; or none when all are marked."""
        rows = self.rows
        keys = list(rows.keys)
        if which == "group":
            heads = [place for place, key in enumerate(keys) if key.startswith("\0")]
            first = max((place for place in heads if place <= rows.cursor), default=-1)
            keys = keys[first + 1 : min((place for place in heads if place > rows.cursor), default=len(keys))]
        wanted = {key for key in keys if key in self.tasks}
        rows.marked = rows.marked - wanted if wanted <= rows.marked else rows.marked | wanted
        rows.refresh()

    def action_filter(self) -> None:
        """Type words."""
        line = self.query_one("#todo-filter", Input)
        line.add_class("-shown")
        line.focus()

    def action_cycle(self, what: str) -> None:
        """The next state, group, order or scope."""
        if what == "scope":
            self.project = "" if self.project else self._home
            self._at_first = None
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
        self.talk(triaging.act(self, name))

    def action_open(self) -> None:
        """Read the scratchpad at this item."""
        task = self.tasks.get(str(self.rows.key))
        if task is not None:
            ref = self.session.place_of(WriteTarget.SCRATCHPAD, task.project)
            self.dismiss(None)
            self.zsmem.main.post_message(FileChosen(ref, enter=True, line=task.item.line))

    @on(RowList.Moved)
    def _moved(self) -> None:
        self._tell()

    @on(Input.Changed, "#todo-filter")
    def _filtered(self) -> None:
        self.show()

    @on(Input.Submitted, "#todo-filter")
    def _filter_done(self) -> None:
        self.first.focus()

    def _tell(self) -> None:
        task = self.tasks.get(str(self.rows.key))
        self.query_one("#todo-detail", Static).update(Content(visible(format_triage.detail(task, self._now_ns())) if task else ""))
        if self.running:
            left = sum(key in self.tasks and key not in self.decided for key in self.rows.keys)
            run = self.query_one("#run", Static)
            place = self._total - left + 1
            run.update(
                Content(f"{place} of {self._total} · x done · space leave · m move · p promote · e edit · d delete · esc stop")
            )
            run.add_class("-shown")

    def _draw_row(self, key: Any) -> ListRow:
        if key.startswith("\0"):
            return format_triage.heading_row(key[1:])
        if key.startswith("\1"):
            return format_triage.problem_row(key[1:], self.task_lists[key[1:]].problems[key[1:]])
        return format_triage.task_row(self.tasks[key], self._group, self._now_ns())
