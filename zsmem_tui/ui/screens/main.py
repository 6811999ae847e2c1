"""The main screen: tree, viewer, search, and who has the focus."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import DescendantFocus
from textual.reactive import reactive
from textual.screen import Screen

from zsmem_tui.core.catalog import Catalog
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.browsing import OpenFile, open_file
from zsmem_tui.service.searching import warm_up
from zsmem_tui.service.session import Session
from zsmem_tui.service.watching import Follower, prompt_use
from zsmem_tui.ui import format
from zsmem_tui.ui.messages import FileChosen, ProjectChosen, Said
from zsmem_tui.ui.panes.search import SearchPane
from zsmem_tui.ui.panes.tree import TreePane
from zsmem_tui.ui.panes.viewer import ViewerPane
from zsmem_tui.ui.reading.page import Page
from zsmem_tui.ui.welcome import about_project, welcome
from zsmem_tui.ui.widgets.bars import KeyBar, StatusLine

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

POLL_SECONDS = 0.5
"""Seconds between two looks at the store."""

PANES = ("tree", "viewer", "search")


class MainScreen(Screen[None]):
    """Panes post facts; this screen asks the session and hands values back."""

    BINDINGS: ClassVar[list[BindingType]] = []
    AUTO_FOCUS = None

    current: reactive[str] = reactive("tree")
    """The pane that is in use."""

    def __init__(self, session: Session, *, now_ns: Callable[[], int] = time.time_ns, follow: bool = True) -> None:
        super().__init__()
        self._session = session
        self._now_ns = now_ns
        self._follow = follow
        self._follower = Follower(session)
        self._catalog: Catalog | None = None
        self._wanted: FileChosen | None = None
        self._return_to = "tree"
        self._use = ""

    def compose(self) -> ComposeResult:
        """Tree at the left, search over viewer at the right, two lines below."""
        with Horizontal(id="body"):
            yield TreePane(self._session.project, self._now_ns)
            with Vertical(id="right"):
                yield SearchPane(self._session)
                yield ViewerPane()
        yield StatusLine(id="status")
        yield KeyBar(id="keys")

    @property
    def tree_pane(self) -> TreePane:
        """The tree pane."""
        return self.query_one(TreePane)

    @property
    def viewer(self) -> ViewerPane:
        """The viewer pane."""
        return self.query_one(ViewerPane)

    @property
    def search(self) -> SearchPane:
        """The search pane."""
        return self.query_one(SearchPane)

    @property
    def empty(self) -> bool:
        """Whether the store holds nothing that could be shown."""
        return self._catalog is None or not (self._catalog.shared or self._catalog.projects)

    @property
    def status(self) -> StatusLine:
        """The status line."""
        return self.query_one(StatusLine)

    def on_mount(self) -> None:
        """Paint first, read afterwards."""
        self.watch_current()
        self.tree_pane.project_tree.focus()
        self.call_after_refresh(self.follow)

    @work(exclusive=True, group="follow")
    async def follow(self) -> None:
        """Read the store, then look at it twice a second."""
        if self._catalog is None:
            glance = await asyncio.to_thread(self._follower.glance)
            if glance.file_count:
                self._show_catalog(glance)
                await asyncio.sleep(0)
        self._show_catalog(await asyncio.to_thread(self._follower.first))
        assert self._catalog is not None
        self._show_catalog(await asyncio.to_thread(self._follower.counted, self._catalog))
        await self._measure()
        await asyncio.to_thread(warm_up, self._session)
        while self._follow:
            await asyncio.sleep(POLL_SECONDS)
            opened = self.viewer.file.ref if self.viewer.file else None
            change = await asyncio.to_thread(self._follower.poll, opened)
            if change:
                self._session.texts.expire()
                self._show_catalog(change.catalog)
                await self._measure()
                if opened in change.changed and self.viewer.file:
                    self._reload(opened)
                if text := format.change(change.changed, opened):
                    self.say(text)
                self.search.search_again()

    def watch_current(self) -> None:
        """Mark the pane in use, for the narrow layouts."""
        for name in PANES:
            self.query_one(f"#{name}").set_class(name == self.current, "-current")
        self.query_one("#right").set_class(self.current != "tree", "-current")

    def focus_pane(self, name: str) -> None:
        """Go to a pane."""
        self.current = name
        if name == "tree":
            self.tree_pane.project_tree.focus()
        elif name == "viewer":
            self.viewer.view.focus()
        else:
            self.search.to_query()

    def next_pane(self, step: int) -> None:
        """Left to right: tree, search, viewer."""
        order = ("tree", "search", "viewer")
        self.focus_pane(order[(order.index(self.current) + step) % len(order)])

    def back(self) -> None:
        """One step back: close what is open in the pane, then go to where the person came from."""
        if self.has_class("-max"):
            self.remove_class("-max")
        elif self.current == "tree":
            self.tree_pane.close_filter()
        elif self.current == "viewer":
            if not self.viewer.close_find():
                self._leave_viewer()
        elif self.search.hits.has_focus:
            self.search.to_query()
        else:
            self.focus_pane("tree")

    def say(self, text: str, *, warning: bool = False) -> None:
        """Tell a result."""
        self.status.say(text, warning=warning)

    @on(DescendantFocus)
    def _focused(self, event: DescendantFocus) -> None:
        for pane in event.widget.ancestors_with_self:
            if pane.id in PANES:
                self.current = pane.id
        scope = {"tree-view": "tree", "page": "viewer", "query": "query", "hits": "hits"}.get(event.widget.id or "", "")
        self.query_one(KeyBar).show(cast("ZsmemApp", self.app).bar_actions(scope))

    @on(Said)
    def _said(self, event: Said) -> None:
        self.say(event.text, warning=event.warning)

    @on(FileChosen)
    def _file_chosen(self, event: FileChosen) -> None:
        self._wanted = event
        if event.enter:
            self._return_to = "hits" if self.search.hits.has_focus else "tree"
        self._open(event)

    @on(ProjectChosen)
    def _project_chosen(self, event: ProjectChosen) -> None:
        if self.empty:
            return  # the welcome is on the screen
        self._wanted = None
        self.workers.cancel_group(self, "open")
        project = self._catalog.project(event.slug) if self._catalog else None
        shown = visible_line(event.slug)
        self.viewer.show_nothing(about_project(self._session, project, event.slug), f"2 {shown}")
        self.status.left = shown

    @work(exclusive=True, group="open")
    async def _open(self, event: FileChosen) -> None:
        file, page = await asyncio.to_thread(_read, self._session, event.ref)
        if self._wanted is not event:
            return
        self.viewer.show(file, page, line=event.line, terms=event.terms)
        self.status.left = format.title_of(file.ref) + (" !" if file.problem else "")
        if event.enter:
            self.focus_pane("viewer")

    @work(exclusive=True, group="reload")
    async def _reload(self, ref: MemRef) -> None:
        before = self.viewer.file
        file, page = await asyncio.to_thread(_read, self._session, ref)
        if self.viewer.file is not before or before is None:
            return
        lines = len(page.lines) - len(self.viewer.view.page.lines)
        self.viewer.show(file, page)
        self.say(format.reloaded(ref, lines, gone=file.missing), warning=file.missing)

    def _leave_viewer(self) -> None:
        if self._return_to == "hits" and self.search.active:
            self.current = "search"
            self.search.to_hits()
        else:
            self.focus_pane("tree")

    def _show_catalog(self, catalog: Catalog) -> None:
        nothing_yet = self._catalog is None or self.empty
        self._catalog = catalog
        self.tree_pane.show(catalog)
        if self.empty or catalog.problem:
            self.viewer.show_nothing(welcome(self._session, catalog.problem), "2 Welcome")
        elif nothing_yet and catalog.shared and (self._wanted is None or self.viewer.file is None):
            self.post_message(FileChosen(catalog.shared[0].ref))
        self._tell_right()

    async def _measure(self) -> None:
        """How full the prompt is."""
        self._use = format.prompt(await asyncio.to_thread(prompt_use, self._session))
        self._tell_right()

    def _tell_right(self) -> None:
        counted = format.counts(self._catalog) if self._catalog else ""
        self.status.right = " · ".join(part for part in (visible_line(self._session.project), counted, self._use) if part)


def _read(session: Session, ref: MemRef) -> tuple[OpenFile, Page]:
    """A file with its lines looked at, for a thread."""
    file = open_file(session, ref)
    return file, Page(file.text)
