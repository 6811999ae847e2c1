"""The main screen: tree, search, viewer or editor, and what they tell each other."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.css.query import NoMatches
from textual.widgets import Static

from zsmem_tui.core.catalog import Catalog
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.browsing import OpenFile, open_file
from zsmem_tui.service.session import Session
from zsmem_tui.service.watching import PromptUse, StoreFollower
from zsmem_tui.ui.flows import editing, following
from zsmem_tui.ui.format import common as format
from zsmem_tui.ui.messages import FileChosen, ProjectChosen, Said
from zsmem_tui.ui.panes.editor import EditorPane
from zsmem_tui.ui.panes.search import SearchPane
from zsmem_tui.ui.panes.tree import TreePane
from zsmem_tui.ui.panes.viewer import ViewerPane
from zsmem_tui.ui.reading.page import Page
from zsmem_tui.ui.screens.meaning import MeaningScreen
from zsmem_tui.ui.welcome import about_project, welcome
from zsmem_tui.ui.widgets.bars import KeyBar, StatusLine

if TYPE_CHECKING:
    from zsmem_tui.service.reviewing import Wipe


class MainScreen(MeaningScreen):
    """Panes post facts; this screen asks the session and hands values back."""

    BINDINGS: ClassVar[list[BindingType]] = []
    AUTO_FOCUS = None

    def __init__(self, session: Session, *, now_ns: Callable[[], int] = time.time_ns, follow: bool = True) -> None:
        super().__init__()
        self.session = session
        self.follower = StoreFollower(session)
        self.looking = asyncio.Lock()
        self.follows = follow
        self.catalog: Catalog | None = None
        self.use = ""
        self._now_ns = now_ns
        self.pending_reviews = 0
        self.wipes: list[Wipe] = []
        self._undo_problem = ""
        self._wanted: FileChosen | None = None
        self.after_editor: Callable[[], object] | None = None
        """Where leaving the editor leads; None: to the viewer."""

    def compose(self) -> ComposeResult:
        """Tree at the left, search over viewer at the right, two lines below."""
        yield Static("", id="banner", classes="notice", markup=False)
        with Horizontal(id="body"):
            yield TreePane(self.session.project, self._now_ns)
            with Vertical(id="right"):
                yield SearchPane(self.session)
                yield ViewerPane()
                yield EditorPane()
        yield StatusLine(id="status")
        yield KeyBar(id="keys")

    @property
    def empty(self) -> bool:
        """Whether the store holds nothing that could be shown."""
        return self.catalog is None or not (self.catalog.shared or self.catalog.projects)

    def on_mount(self) -> None:
        """Paint first, read afterwards."""
        self.watch_current()
        self.tree_pane.focus_tree()
        self.call_after_refresh(self.follow)

    @work(exclusive=True, group="follow")
    async def follow(self) -> None:
        """Read the store, then look at it twice a second."""
        try:
            await following.follow(self, again=self.catalog is not None)
        except NoMatches:
            if self.app.is_running:
                raise  # else the screen went away meanwhile: the program is ending

    async def look_now(self) -> None:
        """Look at the store at once: something was done to it here."""
        await following.look(self)

    def say(self, text: str, *, warning: bool = False) -> None:
        """Tell a result; once this screen is gone, nobody."""
        if self.query(StatusLine):
            self.status.say(text, warning=warning)

    def show_edited(self, ref: MemRef) -> None:
        """Back in the viewer, from where `esc` leads where it led before."""
        event = FileChosen(ref, enter=True)
        self._wanted = event
        self._open(event)

    async def open_editor(self, ref: MemRef, base: bytes | None, *, text: bytes | None = None, line: int = 0) -> None:
        """Edit a file in the viewer's place."""
        await self.editor.open(ref, base, text=text, line=line)
        self.add_class("-editing")
        self.focus_pane("editor")

    def close_editor(self) -> None:
        """Show the viewer again."""
        self.editor.close()
        self.remove_class("-editing")

    @on(EditorPane.Typed)
    def _typed(self) -> None:
        self._measure()

    @work(exclusive=True, group="meter")
    async def _measure(self) -> None:
        await editing.measure(self)

    @on(EditorPane.DraftDue)
    async def _draft_due(self) -> None:
        await editing.keep_draft(self)

    @on(Said)
    def _said(self, event: Said) -> None:
        self.say(event.text, warning=event.warning)

    @on(FileChosen)
    def _file_chosen(self, event: FileChosen) -> None:
        self._wanted = event
        if event.enter and event.line is None:
            self.come_back = None
        if event.enter and self.current != "editor":
            self.return_to = "hits" if self.search.hits.has_focus else "tree"
        if self.editor.ref is None:
            self._open(event)
        elif event.enter:
            self.say(f"{format.title_of(self.editor.ref)} is being edited: esc leaves it first.", warning=True)

    @on(ProjectChosen)
    def _project_chosen(self, event: ProjectChosen) -> None:
        if self.empty:
            return  # the welcome is on the screen
        self._wanted = None
        self.workers.cancel_group(self, "open")
        project = self.catalog.project(event.slug) if self.catalog else None
        shown = visible_line(event.slug)
        self.viewer.show_nothing(about_project(self.session, project, event.slug), f"2 {shown}")
        self.status.left = shown

    @work(exclusive=True, group="open")
    async def _open(self, event: FileChosen) -> None:
        file, page = await asyncio.to_thread(_read, self.session, event.ref)
        if self._wanted is not event:
            return
        self.viewer.show(file, page, line=event.line, terms=event.terms)
        self.status.left = format.title_of(file.ref) + (" !" if file.problem else "")
        if event.enter:
            self.focus_pane("viewer")

    async def reload(self) -> None:
        """Show the open file as it is now; it stays where it was scrolled to."""
        before = self.viewer.file
        if before is None:
            return
        file, page = await asyncio.to_thread(_read, self.session, before.ref)
        if self.viewer.file is not before or file.raw == before.raw:
            return
        lines = len(page.lines) - len(self.viewer.view.page.lines)
        self.viewer.show(file, page)
        self.say(format.reloaded(before.ref, lines, gone=file.missing), warning=file.missing)

    def show_catalog(self, catalog: Catalog) -> None:
        """Show what the store holds."""
        nothing_yet = self.catalog is None or self.empty or bool(self.catalog.problem)
        self.catalog = catalog
        self.tree_pane.show(catalog)
        if self.empty or catalog.problem:
            self.viewer.show_nothing(welcome(self.session, catalog.problem), "2 Welcome")
            if self.current == "tree":
                self.focus_pane("viewer")
        elif nothing_yet and catalog.shared and (self._wanted is None or self.viewer.file is None):
            self.post_message(FileChosen(catalog.shared[0].ref))
        self._tell_right()

    def show_use(self, use: PromptUse) -> None:
        """Show how full the prompt is."""
        self.use = format.prompt(use)
        self._tell_right()

    def show_unseen(self, count: int, wipes: list[Wipe]) -> None:
        """Show how many files others changed since the person looked, and which texts they wiped."""
        self.pending_reviews = count
        self.wipes = wipes
        self.status.alert = format.to_review(count)
        self._tell_banner()

    def show_problem(self, problem: str) -> None:
        """Say for as long as it lasts that undo and history are off; empty: they are not."""
        if problem != self._undo_problem:
            self._undo_problem = problem
            self._tell_banner()

    def _tell_banner(self) -> None:
        text = format.wiped(self.wipes) or (f"! Undo and history are off. {self._undo_problem}" if self._undo_problem else "")
        banner = self.query_one("#banner", Static)
        banner.set_class(bool(text), "-shown")
        banner.update(Content(visible_line(text)))

    def on_unmount(self) -> None:
        """Begin nothing new in the background."""
        self.follower.stop()

    def _tell_right(self) -> None:
        counted = format.counts(self.catalog) if self.catalog else ""
        self.status.right = " · ".join(part for part in (visible_line(self.session.project), counted, self.use) if part)


def _read(session: Session, ref: MemRef) -> tuple[OpenFile, Page]:
    """A file with its lines looked at, for a thread."""
    file = open_file(session, ref)
    return file, Page(file.text)
