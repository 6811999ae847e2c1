"""Pane focus on the main screen, and which file, project, line or store an action applies to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from textual import on
from textual.events import DescendantFocus
from textual.getters import query_one
from textual.reactive import reactive

from zsmem_tui.core.layout import can_add, group_word, only_instructions
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.ui.keys.bindings import bar_actions
from zsmem_tui.ui.keys.panes import while_selecting
from zsmem_tui.ui.memory.editor import EditorPane
from zsmem_tui.ui.memory.search import NO_HIT, SEARCHING, SearchPane
from zsmem_tui.ui.memory.tree import TreePane
from zsmem_tui.ui.memory.viewer import LINK_TO, ViewerPane
from zsmem_tui.ui.messages import Selected
from zsmem_tui.ui.open_store import At, Extent
from zsmem_tui.ui.textual_private import SeenScreen
from zsmem_tui.ui.widgets.bars import KeyBar, StatusLine
from zsmem_tui.ui.widgets.cursored import Cursored
from zsmem_tui.ui.widgets.row_list import MarkList
from zsmem_tui.ui.widgets.strip import ScreenStrip

if TYPE_CHECKING:
    from zsmem_tui.service.news import Row
    from zsmem_tui.service.session import Session
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.messages import FileChosen
    from zsmem_tui.ui.open_store import OpenStore
    from zsmem_tui.ui.tool import ToolScreen

PANES = ("tree", "viewer", "today", "search", "editor")

_PLACES = {"tree": "1 Memory", "viewer": "2 Viewer", "search": "3 Search", "today": "5 Review"}
"""The name of each pane, for the status line where it has no border."""

SCOPE_OF = {"tree-view": "tree", "page": "viewer", "today-list": "today", "query": "query", "hits": "hits", "text": "editor"}
"""Widget id to the scope of its actions; any other widget is a line input."""


class PanesScreen(SeenScreen[None]):
    """The base of the main screen: its panes, and what an action applies to.

    The editor takes the viewer's place while a file is edited.
    """

    current: reactive[str] = reactive("tree")
    """The name of the focused pane."""

    way_back: Callable[[], object] | None = None
    """Called to leave the viewer; None: go to the tree."""

    wanted: FileChosen | None = None
    """The message that asked for a file last; results for any other are discarded. None if a group was chosen since."""

    host: ZsmemApp
    stores: list[OpenStore]
    extent: Extent
    """How much Review lists."""
    here: OpenStore
    """The current store."""
    session: Session
    """The current store's session."""

    tree_pane = query_one(TreePane)
    viewer = query_one(ViewerPane)
    search = query_one(SearchPane)
    editor = query_one(EditorPane)
    status = query_one(StatusLine)

    @property
    def is_at_line(self) -> bool:
        """Whether the file in view was opened at a line, such as that of a fact or of a hit."""
        return self.wanted is not None and self.wanted.line is not None

    @property
    def reader(self) -> str:
        """The id of the widget at the right: the editor, the page of Review, or the text."""
        return "text" if self.editor.ref is not None else "today-list" if self.has_class("-today") else "page"

    def watch_current(self, before: str = "", now: str = "") -> None:
        """Set the CSS classes for the focused pane, and remember from which pane the viewer was entered."""
        if now == "tree" and before and (at := self.tree_pane.at_cursor()) is not None:
            store = self.store_of(at.store)
            self.search.look_at(store, at.group, self.agent_of(store))  # an opened hit may have moved the cursor
        if self.status.said.startswith({"search": SEARCHING, "viewer": LINK_TO}.get(before, "\0")):
            self.status.clear()
        if now == "viewer" and before in ("tree", "search", "today"):
            self.way_back = self.way_to(before)
        for name in PANES:
            for pane in self.query(f"#{name}"):
                pane.set_class(name == self.current, "-current", update=False)
        self.status.place = _PLACES.get(self.current, "")
        for strip in self.query(ScreenStrip):
            strip.page = "review" if self.current == "today" else "memory"
            strip.refresh()
        left = self.current == "tree"
        self.query_one("#right").update_classes({"-current": not left, "-below": left}, update=False)
        if before != now:
            self.query_one("#body").update_node_styles()  # all panes at once

    def way_to(self, name: str) -> Callable[[], object] | None:
        """A function that returns to a pane (of the search, to its hits); None for the viewer."""
        rows = name if name != "search" else "hits" if self.search.active else "tree"
        return partial(self.focus_pane, rows) if name in ("tree", "search", "today") else None

    def action_mark(self) -> None:
        """Toggle the mark of the row of Review."""
        self.query_one("#today-list", MarkList).toggle_mark()

    def focus_pane(self, name: str) -> None:
        """Focus a pane, or the `hits` list. `viewer` and `editor` are what is shown at the right, `today` the page of Review."""
        lists = self.query("#today-list").results(MarkList)
        if name != "today" and self.viewer.file is not None and not any(rows.keys for rows in lists):
            self.remove_class("-today")  # an empty page would stand in the place of the file
        if name in ("viewer", "editor"):
            name = SCOPE_OF[self.reader]
        self.current = "search" if name == "hits" else name
        if name == "tree":
            if self.has_class("-narrow", "-tall"):
                self.remove_class("-today")  # below the tree stands what its cursor is on
            self.tree_pane.project_tree.focus()
        elif name in ("viewer", "today"):
            self.set_class(name == "today", "-today")
            (self.viewer.view if name == "viewer" else self.query_one("#today-list")).focus()
        elif name == "editor":
            self.editor.area.focus()
        elif name == "hits":
            self.search.action_to_hits()
        else:
            self.search.action_to_query()

    @on(DescendantFocus)
    @on(Selected)
    def _focused(self, event: DescendantFocus | Selected) -> None:
        if isinstance(event, Selected):
            focused = (self.focused.id if self.focused is not None else "") or ""
            if focused in ("tree-view", "hits", "query") or (focused in ("page", "today-list") and focused == self.reader):
                _show_keys(self, SCOPE_OF[focused])
            return
        if event.widget is not self.focused:
            return  # focus has moved on before this event arrived
        for pane in event.widget.ancestors_with_self:
            if pane.id in PANES:
                self.current = pane.id
        scope = SCOPE_OF.get(event.widget.id or "", "line")
        if scope == "line" and event.widget.has_class("line-input") and not event.widget.has_class("-shown"):
            # A hidden widget passes its focus to the next one, which may be a hidden input: typed text would not be seen.
            self.focus_pane(self.current)
        _show_keys(self, scope)

    def store_of(self, key: str) -> OpenStore:
        """The open store with this key; if there is none, the current store."""
        return next((store for store in self.stores if store.key == key), self.here)

    def agent_of(self, store: OpenStore) -> OpenStore:
        """The store whose memory a row of `store` belongs to: itself, or that of an agent which reads it or works in its folder."""
        if not only_instructions(store.session.layout):
            return store
        agents = [each for each in (self.here, *self.stores) if each.session.layout.has_prompt(each.session.project)]
        told = (each for each in agents if store.key in each.told.get(each.group_beside(store), ()))
        there = (each for each in agents if store.session.root in each.folders.values())
        return next(chain(told, there, agents), store)

    def file_meant(self) -> MemRef | None:
        """The file that an action applies to: the one under the cursor of the focused pane; without a list, the one shown."""
        if self.current == "tree":
            return self.tree_pane.file_at_cursor()
        if self.current == "today":
            row = self.waiting_row
            return row.ref if row is not None else None
        if self.current == "search" and self.search.active:
            return hit.ref if (hit := self.search.hit_at_cursor()) is not None else None
        return self.editor.ref or (self.viewer.file.ref if self.viewer.file else None)

    @property
    def waiting_row(self) -> Row | None:
        """The row under the cursor of the page of Review, or None."""
        found: Row | None = next((each.at_cursor() for each in self.query("#today-list").results(MarkList)), None)
        return found

    def others_wrote(self) -> None:
        """Remember the rows under the cursors: no key may act on what comes in their place before it was seen."""
        self.tree_pane.seen = self.tree_pane.at_cursor()
        for rows in [each for screen in self.app.screen_stack for each in screen.query("RowList, LineDiff")]:
            assert isinstance(rows, Cursored)
            rows.others_wrote()

    def nothing_meant(self) -> str:
        """Why there is no file that an action applies to."""
        at = self.tree_pane.at_cursor() if self.current == "tree" else None
        if self.current == "search" and self.search.active:
            return NO_HIT
        if at is not None and at.group and not at.folder:
            store = self.store_of(at.store)
            return f"{store.group_name(at.group)} is a {group_word(store.session.layout)}, not a file: l unfolds it."
        if at is not None:
            return "This is no file: l unfolds it."
        if all(store.empty for store in self.stores):
            return "There is no file yet: a in the tree (1) adds one."
        return "No file is selected: choose one in the tree (1)."

    def line_meant(self, ref: MemRef) -> int:
        """The 0-based line of a file at which to start: that of the hit, or the viewer's current line; else 0."""
        row = self.search.row_at_cursor() if self.current == "search" else None
        if row is not None and self.search.found.hits[row.place].ref == ref:
            return self.search.found.line_of(row) or 0
        return self.viewer.view.line_meant if self.is_shown(ref) else 0

    def project_meant(self) -> str:
        """The project that new files are added to: that of the tree's cursor if it is in the right store, else the session's."""
        store = self.store_meant()
        at = self._row_in_view() if self.current != "today" else None
        own = at.group if at is not None and self.store_of(at.store) is store else ""
        return own or store.session.project

    def _row_in_view(self) -> At | None:
        """What the tree's cursor is on; if nothing has the filter's letters, what is shown beside the tree."""
        file, about = self.viewer.file, self.viewer.about
        shown = At(self.viewer.store, file.ref.project, file.ref) if file is not None else about[0] if about else None
        return self.tree_pane.at_cursor() or shown

    def project_in_view(self, store: OpenStore | None = None) -> str:
        """The project for the screens of a store (default: here): the open screen's, that of the row or file, or the session's."""
        here, shown, tool = store or self.here, self._store_shown(), self._tool
        meant = tool.memory if tool is not None else shown
        if tool is not None and meant is tool.home is here and tool.PAGE != "projects":
            return tool.project
        if meant is not here and only_instructions(meant.session.layout):
            is_its = tool is not None and tool.home is here and not tool.is_of_all  # its rows are all in that project's prompt
            return tool.project if tool is not None and is_its else here.group_beside(meant)
        ref = self.file_meant() if shown is here and self.current != "today" else None  # another store has other projects
        at = self._row_in_view()
        own = at.group if at is not None and self.store_of(at.store) is here else ""
        return (ref.project if ref is not None else "") or own or here.session.project

    @property
    def page(self) -> str:
        """The page of help on the current pane."""
        return "review" if self.current == "today" else self.current

    @property
    def in_view(self) -> OpenStore:
        """The store that the strip tells about and that its screens open for."""
        return self.agent_of(self._tool.memory if self._tool is not None else self._store_shown())

    @property
    def _tool(self) -> ToolScreen | None:
        """The open screen, if it is about one memory: what Review is on changes nothing of what is in view."""
        return self.host.tool if self.host.tool is not None and not self.host.tool.OF_FOLDER else None

    def _store_shown(self) -> OpenStore:
        """The store that is in view on the main screen."""
        if self.current != "today":
            return self.store_meant()
        at = self._row_in_view()
        return self.store_of(at.store) if at is not None else self.here

    def store_meant(self) -> OpenStore:
        """The store that an action applies to: that of the tree row, of the hit, or of the file shown."""
        if self.current == "tree" and (at := self.tree_pane.at_cursor()) is not None:
            return self.store_of(at.store)
        row = self.search.row_at_cursor() if self.current == "search" else None
        if row is not None:
            return self.store_of(self.search.found.store_key(self.search.found.hits[row.place]))
        if self.viewer.file and self.editor.ref is None and self.current in ("viewer", "" if self.search.active else "search"):
            return self.store_of(self.viewer.store)
        if self.current == "today" and (waits := self.waiting_row) is not None:
            return self.store_of(f"{waits.session.layout.kind}:{waits.session.root}")
        return self.here

    def is_shown(self, ref: MemRef) -> bool:
        """Whether the viewer shows this file of the current store."""
        file = self.viewer.file
        return file is not None and file.ref == ref and self.viewer.store in ("", self.here.key)


def _show_keys(screen: PanesScreen, scope: str) -> None:
    """Show the keys of a scope: in the viewer, those for a selection or those that need no file; in Review, those for the row."""
    actions, row = screen.host.actions, screen.waiting_row if scope == "today" else None
    lists = list(screen.query("#today-list").results(MarkList)) if scope == "today" else []
    if scope == "viewer" and (selecting := screen.viewer.view.selecting).is_on:
        own = while_selecting(actions, whole=selecting.is_whole)
    else:
        is_bare = screen.viewer.file is None if scope == "viewer" else scope == "hits" and screen.search.row_at_cursor() is None
        left_out = screen.viewer.cannot if scope == "viewer" and not is_bare else set[str]()
        at = screen.tree_pane.file_at_cursor() if scope == "tree" else None
        only_shown = at is not None and screen.is_shown(at) and bool(screen.viewer.file and screen.viewer.file.only_shown)
        if scope == "tree" and (at is None or only_shown):
            left_out |= {"file.edit"} if screen.tree_pane.project_tree.marked else {"file.edit", "file.delete"}
        layout, project = screen.store_meant().session.layout, screen.project_meant()
        if scope == "tree" and (project != EVERYBODY or layout.global_folders()) and not can_add(layout, project):
            left_out |= {"tree.add"}
        labels = {"file.delete": "Delete file"} if scope == "viewer" and not screen.is_at_line else {}  # not the line that is read
        labels |= {"today.seen": "Hide"} if row is not None and row.kind == "not-connected" else {}
        labels |= {"query.open": screen.search.opens} if scope == "query" else {}
        labels |= {"today.wider": "This folder"} if screen.extent.is_of_all else {}
        shown = [each for each in bar_actions(actions, scope, bare=is_bare) if each.id not in left_out]
        own = [each._replace(label=labels.get(each.id, each.label)) for each in shown]
    for rows in lists:
        own = [each for each in own if rows.offers(each.id)]
    screen.query_one(KeyBar).show(own)
