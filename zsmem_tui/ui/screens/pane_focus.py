"""Which pane is in use: focus, the way round, one step back."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on
from textual.events import DescendantFocus
from textual.reactive import reactive
from textual.screen import Screen

from zsmem_tui.ui.flows import editing
from zsmem_tui.ui.panes.editor import EditorPane
from zsmem_tui.ui.panes.search import SearchPane
from zsmem_tui.ui.panes.tree import TreePane
from zsmem_tui.ui.panes.viewer import ViewerPane
from zsmem_tui.ui.widgets.bars import KeyBar, StatusLine

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.screens.main import MainScreen
    from zsmem_tui.ui.screens.prompt import Place

PANES = ("tree", "viewer", "search", "editor")

SCOPE_OF = {"tree-view": "tree", "page": "viewer", "query": "query", "hits": "hits", "text": "editor"}
"""The scope of actions for the widget that has the focus; other widgets are lines to type in."""


class PanesScreen(Screen[None]):
    """A screen with our four panes. The editor stands in the viewer's place while a file is edited."""

    current: reactive[str] = reactive("tree")
    """The pane that is in use."""

    return_to = "tree"
    """Where the person came from when they went into the viewer: `tree` or `hits`."""

    come_back: Place | None = None
    """Where the person came from when they came from another screen."""

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
    def editor(self) -> EditorPane:
        """The editor pane."""
        return self.query_one(EditorPane)

    @property
    def status(self) -> StatusLine:
        """The status line."""
        return self.query_one(StatusLine)

    def watch_current(self) -> None:
        """Mark the pane in use, for the narrow layouts."""
        for name in PANES:
            self.query_one(f"#{name}").set_class(name == self.current, "-current")
        self.query_one("#right").set_class(self.current != "tree", "-current")

    def focus_pane(self, name: str) -> None:
        """Go to a pane; to the editor instead of the viewer while a file is edited."""
        if name == "viewer" and self.editor.ref is not None:
            name = "editor"
        self.current = name
        if name == "tree":
            self.tree_pane.focus_tree()
        elif name == "viewer":
            self.viewer.view.focus()
        elif name == "editor":
            self.editor.area.focus()
        else:
            self.search.to_query()

    def next_pane(self, step: int) -> None:
        """Left to right: tree, search, viewer or editor."""
        order = ("tree", "search", "editor" if self.editor.ref is not None else "viewer")
        at = order.index(self.current) if self.current in order else 0
        self.focus_pane(order[(at + step) % len(order)])

    async def back(self) -> None:
        """One step back: close what is open in the pane, then go to where the person came from."""
        if self.current == "editor":
            if not self.editor.close_find():
                await editing.leave(cast("MainScreen", self))
        elif self.has_class("-max"):
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

    def _leave_viewer(self) -> None:
        if self.come_back is not None:
            place, self.come_back = self.come_back, None
            cast("ZsmemApp", self.app).open_prompt(*place)
            return
        if self.return_to == "hits" and self.search.active:
            self.current = "search"
            self.search.to_hits()
        else:
            self.focus_pane("tree")

    @on(DescendantFocus)
    def _focused(self, event: DescendantFocus) -> None:
        for pane in event.widget.ancestors_with_self:
            if pane.id in PANES:
                self.current = pane.id
        scope = SCOPE_OF.get(event.widget.id or "", "line")
        self.query_one(KeyBar).show(cast("ZsmemApp", self.app).bar_actions(scope))
