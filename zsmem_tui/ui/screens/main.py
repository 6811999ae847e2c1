"""The main screen: tree, search, viewer or editor, and what they tell each other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.css.query import NoMatches

from zsmem_tui.core.catalog import Catalog
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.session import Session
from zsmem_tui.service.watching import PromptUse, StoreFollower
from zsmem_tui.ui.flows import editing, following, reading
from zsmem_tui.ui.format import common as format
from zsmem_tui.ui.messages import FileChosen, ProjectChosen, Said
from zsmem_tui.ui.panes.editor import EditorPane
from zsmem_tui.ui.panes.search import SearchPane
from zsmem_tui.ui.panes.tree import TreePane
from zsmem_tui.ui.panes.viewer import ViewerPane
from zsmem_tui.ui.screens.pane_focus import PanesScreen
from zsmem_tui.ui.welcome import welcome
from zsmem_tui.ui.widgets.banner import Banner
from zsmem_tui.ui.widgets.bars import KeyBar, StatusLine

if TYPE_CHECKING:
    from zsmem_tui.service.reviewing import Wipe
    from zsmem_tui.ui.host import Host


class MainScreen(PanesScreen):
    """Panes post facts; this screen asks the session and hands values back."""

    BINDINGS: ClassVar[list[BindingType]] = []
    AUTO_FOCUS = None

    def __init__(self, host: Host, session: Session, *, follow: bool = True) -> None:
        super().__init__()
        self.host = host
        self.session = session
        self.follower = StoreFollower(session)
        self.looking = asyncio.Lock()
        self.follows = follow
        self.catalog: Catalog | None = None
        self.use = ""
        self.unreviewed: frozenset[MemRef] = frozenset()
        self.wipes: list[Wipe] = []
        self.wanted: FileChosen | None = None
        """The file that was asked for last; an answer about another one comes too late."""
        self.after_editor: Callable[[], object] | None = None
        """Leads to where the person was when they began to edit; None: to the viewer."""

    def compose(self) -> ComposeResult:
        """Tree at the left, search over viewer at the right, two lines below."""
        yield Banner(id="banner")
        with Horizontal(id="body"):
            yield TreePane(self.session.project, self.host.now_ns)
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

    async def open_editor(
        self, ref: MemRef, base: bytes | None, *, text: bytes | None = None, line: int = 0, row: int | None = None
    ) -> None:
        """Edit a file in the viewer's place, the cursor on `line`, at `row` of the screen."""
        await self.editor.open(ref, base, text=text, line=line, row=row)
        self.add_class("-editing")
        self.focus_pane("editor")

    def close_editor(self) -> None:
        """Show the viewer again."""
        self.editor.close()
        self.remove_class("-editing")

    @on(EditorPane.Typed)
    @work(exclusive=True, group="meter")
    async def _typed(self) -> None:
        await editing.measure(self)

    @on(EditorPane.DraftDue)
    async def _draft_due(self) -> None:
        await editing.keep_draft(self)

    @on(Said)
    def _said(self, event: Said) -> None:
        self.say(event.text, warning=event.warning)

    @on(FileChosen)
    def _file_chosen(self, event: FileChosen) -> None:
        self.wanted = event
        if self.editor.ref is None:
            self.open_file(event)
        elif event.enter:
            self.say(f"{format.title_of(self.editor.ref)} is being edited: esc leaves it first.", warning=True)

    @on(ProjectChosen)
    def _project_chosen(self, event: ProjectChosen) -> None:
        if self.empty:
            return  # the welcome is on the screen
        self.wanted = None
        self.workers.cancel_group(self, "open")
        reading.show_project(self, event.slug)

    @work(exclusive=True, group="open")
    async def open_file(self, event: FileChosen) -> None:
        """Read a file into the viewer; whatever else was asked for is not shown any more."""
        self.wanted = event
        await reading.show_file(self, event)

    def show_catalog(self, catalog: Catalog) -> None:
        """Show what the store holds."""
        nothing_yet = self.catalog is None or self.empty or bool(self.catalog.problem)
        self.catalog = catalog
        self.tree_pane.show(catalog, self.unreviewed)
        if self.empty or catalog.problem:
            self.viewer.show_nothing(welcome(self.session, catalog.problem), "2 Welcome")
            if self.current == "tree":
                self.focus_pane("viewer")
        elif nothing_yet and catalog.shared and (self.wanted is None or self.viewer.file is None):
            self.post_message(FileChosen(catalog.shared[0].ref))
        self._tell_right()

    def show_use(self, use: PromptUse) -> None:
        """Show how full the prompt is."""
        self.use = format.prompt(use)
        self._tell_right()

    def show_unseen(self, refs: frozenset[MemRef], wipes: list[Wipe]) -> None:
        """Show which files others changed since the person looked, and which texts they wiped."""
        if self.catalog is not None and refs != self.unreviewed and self.query(TreePane):
            self.tree_pane.show(self.catalog, refs)
        self.unreviewed = refs
        self.wipes = wipes
        self.status.alert = format.to_review(len(refs))
        self.query_one(Banner).show_wipes(wipes)

    def show_problem(self, problem: str) -> None:
        """Say for as long as it lasts that undo and history are off; empty: they are not."""
        self.query_one(Banner).show_problem(problem)

    def on_unmount(self) -> None:
        """Begin nothing new in the background."""
        self.follower.stop()

    def _tell_right(self) -> None:
        counted = format.counts(self.catalog) if self.catalog else ""
        self.status.right = " · ".join(part for part in (visible_line(self.session.project), counted, self.use) if part)
