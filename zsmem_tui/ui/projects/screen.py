"""Every project of the store in use: which folder it belongs to, what became of that, and one key for each thing that mends it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from zsmem_tui.service.projects.known import KnownProjects, known_projects, last_sessions, memory_for, with_entries
from zsmem_tui.service.projects.own import own_folder
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.projects import rows as format_projects
from zsmem_tui.ui.projects import verbs as projecting
from zsmem_tui.ui.projects.pane import ProjectPane
from zsmem_tui.ui.projects.rows import ORDERS, WHICH, ProjectRow
from zsmem_tui.ui.tool import ToolScreen
from zsmem_tui.ui.widgets.filter_line import FilterLine
from zsmem_tui.ui.widgets.mark_list import MarkList
from zsmem_tui.ui.widgets.row_list import RowList

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

TELL_SECONDS: Final = 0.5
"""Seconds between two looks at how far the search for folders is."""


class ProjectRows(MarkList[ProjectRow]):
    """The projects; the rows between them are headings and problems."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("projects")]


class ProjectsScreen(ToolScreen):
    """Left every project with the state of its folder; right why, what it holds, and what would move."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"projects": "projects", "project": "project"}
    PAGE = "projects"

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(host)
        self._store = host.main.here
        self.every: Mapping[str, ProjectRow] = {}
        self.folders: Sequence[str] = ()
        self._known: KnownProjects | None = None
        self._problems: tuple[str, ...] = ()
        self._sessions: Mapping[str, int] | None = None
        self._which, self._order = WHICH[0], ORDERS[0]
        self._cursor = ""
        """The project that the cursor goes to when projects are shown next."""

    def compose_body(self) -> Iterable[Widget]:
        """Filter line and list; what is known of one."""
        with Vertical(classes="pane tool-list", id="project-list") as left:
            left.border_title = Content("Projects")
            yield FilterLine("words that the name, the slug or the folder holds", id="project-filter", rows="projects")
            yield ProjectRows(
                lambda key: format_projects.row(
                    key, self.every, self.host.now_ns(), self.rows.size.width, self._order, self.session.project
                ),
                id="projects",
            )
        with Vertical(classes="pane tool-side", id="project-side") as right:
            right.border_title = Content("Why, and what would move")
            yield ProjectPane(id="project")

    def on_mount(self) -> None:
        """As every tool; and follow the search for folders."""
        super().on_mount()
        self.set_interval(TELL_SECONDS, self._follow_search)

    @property
    def rows(self) -> ProjectRows:
        """The list."""
        return self.query_one(ProjectRows)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """What is known; then when agents were there last."""
        await self.read()
        if self._sessions is None:
            self._sessions = await self.asking(last_sessions, self.session)
            await self.read()

    async def read(self, *, cursor: str = "") -> None:
        """Read the projects again; the cursor goes to this one, at first to the one whose memory seems to belong here.

        Where the one under the cursor is gone, as after undo, it goes to one that has come instead.
        """
        session, store, is_first = self.session, self._store, self._known is None
        known = await asyncio.to_thread(known_projects, session)
        entries = await asyncio.to_thread(with_entries, session, known)
        if self.closed:
            return
        before, latest = self.every, self._sessions or {}
        self.every = {each.slug: ProjectRow(entry, each, latest.get(each.slug, 0)) for entry, each in entries}
        here = [session.folder] if session.folder else []
        self.folders = tuple(dict.fromkeys([*here, *self.host.main.folders]))
        if is_first:
            belongs = memory_for(session, known, await asyncio.to_thread(own_folder, session))
            cursor = belongs.slug if belongs is not None else session.project
        elif not cursor and self.rows.key not in self.every:
            cursor = next((slug for slug in self.every if slug not in before), "")
        self._known, self._cursor = known, cursor or self._cursor
        store.known = known
        self.show()

    @on(Input.Changed, "#project-filter")
    def show(self) -> None:
        """Show what is known, as the person wants it; nothing once the screen is closed, for reading may end later."""
        if not self.query("#project-filter") or self._known is None:
            return
        rows, pane, wanted = self.rows, self.query_one("#project-list"), self.query_one(FilterLine).words
        rows.items = self.every
        keys = format_projects.arranged(list(self.every.values()), which=self._which, order=self._order, wanted=wanted)
        rows.nothing = format_projects.nothing(len(self.every), self._which, wanted)
        self._problems = self._store.naming_problems
        problems = dict.fromkeys([*self._known.problems, *self._problems])
        cursor, self._cursor = self._cursor, ""
        rows.show([*format_projects.problem_keys(problems, rows.size.width), *keys], cursor=cursor if cursor in keys else None)
        count = sum(key in self.every for key in keys)
        pane.border_title = Content(format_projects.title(self._which, self._order, count, len(self.every)))
        self._follow_search()
        self._tell()

    def offered(self, action: Action) -> Action | None:
        """What can be done with the chosen projects."""
        return action if projecting.can_be_done(action.id.removeprefix("projects."), self.rows.chosen()) else None

    @on(RowList.Moved)
    def _tell(self) -> None:
        self.show_keys()
        self.query_one(ProjectPane).tell(self.session, self.rows.chosen(), self.every, self.host.now_ns())

    @on(RowList.Chosen)
    def _chosen(self) -> None:
        self.query_one(ProjectPane).focus()

    def _follow_search(self) -> None:
        """How far the search for folders is; once something new is known, show it."""
        store = self._store
        if self.closed or not self.query("#project-list"):
            return
        words = format_projects.progress(store.naming.progress) if store.naming is not None else ""
        self.query_one("#project-list").border_subtitle = Content(words)
        is_news = store.known != self._known or store.naming_problems != self._problems
        if self._known is not None and is_news:
            self.load()

    def back(self) -> None:
        """Drop the filter, then the marks, then leave."""
        if self.query_one(FilterLine).close():
            return
        if self.rows.marked and self.focused is self.rows:
            self.rows.marked.clear()
            self.rows.refresh()
            self._tell()
        else:
            super().back()

    def action_mark(self) -> None:
        """Mark the project."""
        self.rows.mark()
        self._tell()

    def action_filter(self) -> None:
        """Type words."""
        self.query_one(FilterLine).begin()

    def action_cycle(self, what: str) -> None:
        """The next kind of projects, or order."""
        if what == "which":
            self._which = WHICH[(WHICH.index(self._which) + 1) % len(WHICH)]
        else:
            self._order = ORDERS[(ORDERS.index(self._order) + 1) % len(ORDERS)]
        self.show()

    def action_scan(self) -> None:
        """Look for the folders of all; while that goes on, stop."""
        naming = self._store.naming
        if naming is not None:
            naming.stop.set()
            self.say("Stopped looking: what was found is kept. S looks again.")
        elif not self.session.layout.group_named_after("/"):
            self.say(
                f"{self.session.layout.title} does not name its memory after folders: there is none to look for.", warning=True
            )
        else:
            self._store.names_wanted.set()
            self.say("Looking for the folder of every project …")

    def action_verb(self, name: str) -> None:
        """Do something with the chosen projects."""
        self.host.talk(projecting.act(self, name), self)
