"""Which pane is in use: focus, the way round, one step back; and which file, project or line an action is about there."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from textual import on
from textual.css.query import NoMatches
from textual.events import DescendantFocus
from textual.getters import query_one
from textual.reactive import reactive
from textual.screen import Screen

from zsmem_tui.core.layout import group_word
from zsmem_tui.core.refs import MemRef
from zsmem_tui.ui.keys.bindings import bar_actions
from zsmem_tui.ui.keys.panes import while_selecting
from zsmem_tui.ui.memory.editor import EditorPane
from zsmem_tui.ui.memory.search import SearchPane
from zsmem_tui.ui.memory.tree import TreePane
from zsmem_tui.ui.memory.viewer import ViewerPane
from zsmem_tui.ui.messages import FileChosen, Selected
from zsmem_tui.ui.textual_private import SeenScreen, is_going
from zsmem_tui.ui.widgets.bars import KeyBar, StatusLine
from zsmem_tui.ui.widgets.row_list import MarkList
from zsmem_tui.ui.wording import title_of

if TYPE_CHECKING:
    from zsmem_tui.service.news import Row
    from zsmem_tui.service.session import Session
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.open_store import OpenStore

PANES = ("tree", "viewer", "today", "search", "editor")

SCOPE_OF = {"tree-view": "tree", "page": "viewer", "today-list": "today", "query": "query", "hits": "hits", "text": "editor"}
"""The scope of actions for the widget that has the focus; other widgets are lines to type in."""


@contextlib.contextmanager
def unless_gone(screen: Screen[None]) -> Iterator[None]:
    """What is not found because the screen went away meanwhile is no error: the program is ending."""
    try:
        yield
    except NoMatches:
        kinds = (TreePane, SearchPane, ViewerPane, EditorPane, StatusLine)
        if all(any(not is_going(pane) for pane in screen.query(kind)) for kind in kinds):  # else one is going, from below
            raise


def next_of(screen: Screen[Any], ids: Iterable[str], step: int) -> None:
    """To the next of the widgets with these ids, or the one before, round the end; where one pane has room, that is shown."""
    order = [widget for id in ids for widget in screen.query(f"#{id}") if widget.display]
    if len(order) < 2:
        screen.focus_next() if step > 0 else screen.focus_previous()
        return
    at = order.index(screen.focused) if screen.focused in order else -1 if step > 0 else 0
    screen.set_focus(order[(at + step) % len(order)])


class PanesScreen(SeenScreen[None]):
    """A screen with our panes, as far as it knows what the person means by it.

    The editor stands in the viewer's place while a file is edited.
    """

    current: reactive[str] = reactive("tree")
    """The pane that is in use."""

    way_back: Callable[[], object] | None = None
    """Leads to where the person came from when they went into the viewer; None: to the tree."""

    host: ZsmemApp
    stores: list[OpenStore]
    here: OpenStore
    """The store in use."""
    session: Session
    """Of the store in use."""

    tree_pane = query_one(TreePane)
    viewer = query_one(ViewerPane)
    search = query_one(SearchPane)
    editor = query_one(EditorPane)
    status = query_one(StatusLine)

    @property
    def reader(self) -> str:
        """The widget in the viewer's place: of a file that is edited, of what waits, or of a text that is read."""
        return "text" if self.editor.ref is not None else "today-list" if self.has_class("-today") else "page"

    def watch_current(self, before: str = "", now: str = "") -> None:
        """Mark the pane in use, for the narrow layouts. From which pane the viewer was entered is where `esc` leads from it."""
        if now == "tree" and before and (at := self.tree_pane.at_cursor()) is not None:
            self.search.look_at(self.store_of(at.store), at.group)  # hits may have brought the cursor to another memory
        if now == "viewer" and before in ("tree", "search", "today"):
            self.way_back = self.way_to(before)
        for name in PANES:
            for pane in self.query(f"#{name}"):
                pane.set_class(name == self.current, "-current")
        right = self.query_one("#right")
        right.set_class(self.current != "tree", "-current")
        right.set_class(self.current == "tree", "-below")

    def way_to(self, name: str) -> Callable[[], object] | None:
        """What leads to a pane again, to its hits where there are some; None for the viewer, where everything else leads."""

        def to_search() -> None:
            self.focus_pane("hits" if self.search.active else "tree")

        def to_today() -> None:
            self.add_class("-today")
            self.focus_pane("viewer")

        ways: dict[str, Callable[[], object]] = {"tree": lambda: self.focus_pane("tree"), "search": to_search, "today": to_today}
        return ways.get(name)

    def focus_pane(self, name: str) -> None:
        """Go to a pane, or to the `hits` of one. In the viewer's place is the editor while a file is edited, or what waits."""
        if name in ("viewer", "editor"):
            name = {"page": "viewer", "today-list": "today", "text": "editor"}[self.reader]
        self.current = "search" if name == "hits" else name
        if name == "tree":
            self.tree_pane.project_tree.focus()
        elif name in ("viewer", "today"):
            self.query_one(f"#{self.reader}").focus()
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
            if focused == "tree-view" or (focused in ("page", "today-list") and focused == self.reader):
                _show_keys(self, SCOPE_OF[focused])
            return
        if event.widget is not self.focused:
            return  # each widget tells in its own time: this one had the focus before another that has told already
        for pane in event.widget.ancestors_with_self:
            if pane.id in PANES:
                self.current = pane.id
        scope = SCOPE_OF.get(event.widget.id or "", "line")
        if scope == "line" and event.widget.has_class("line-input") and not event.widget.has_class("-shown"):
            # A widget that is hidden hands its focus to the next one, also to a hidden line: nobody would see what they type.
            self.focus_pane(self.current)
        _show_keys(self, scope)

    def store_of(self, key: str) -> OpenStore:
        """The open store with a key; without one, or where it has been closed, the one in use."""
        raise NotImplementedError

    def file_meant(self) -> MemRef | None:
        """The file that an action is about: the one under the tree's cursor, else the one on the screen."""
        if self.current == "tree" and self.tree_pane.project_tree.cursor_node is not None:
            return self.tree_pane.file_at_cursor()
        if self.current == "today":
            row = self.waiting_row
            return row.ref if row is not None else None
        hit = self.search.hit_at_cursor() if self.current == "search" else None
        if hit is not None:
            return hit.ref
        return self.viewer.file.ref if self.viewer.file else None

    @property
    def waiting_row(self) -> Row | None:
        """The row under the cursor of what waits."""
        found: Row | None = next((each.at_cursor() for each in self.query("#today-list").results(MarkList)), None)
        return found

    def nothing_meant(self) -> str:
        """Why there is no file that an action could be about."""
        at = self.tree_pane.at_cursor() if self.current == "tree" else None
        if at is not None and at.group and not at.folder:
            store = self.store_of(at.store)
            return f"{store.group_name(at.group)} is a {group_word(store.session.layout)}, not a file: l unfolds it."
        if at is not None:
            return "This is no file: l unfolds it."
        if all(store.empty for store in self.stores):
            return "There is no file yet: a in the tree (1) adds one."
        return "No file is selected: choose one in the tree (1)."

    def line_meant(self, ref: MemRef) -> int:
        """The line of a file that the person looks at: the one gone to last while it is in sight, else the first in sight."""
        row = self.search.row_at_cursor() if self.current == "search" else None
        if row is not None and self.search.found.hits[row.place].ref == ref:
            return self.search.found.line_of(row) or 0
        return self.viewer.view.line_meant if self.is_shown(ref) else 0

    def row_meant(self, ref: MemRef, line: int) -> int | None:
        """The row of the screen on which the viewer shows a line; None when it does not."""
        return self.viewer.view.screen_row(line) if self.is_shown(ref) else None

    def project_meant(self) -> str:
        """The project of the store meant that something is added to: the one under the tree's cursor, else the session's."""
        store = self.store_meant()
        at = self.tree_pane.at_cursor() if self.current != "today" else None
        own = at.group if at is not None and self.store_of(at.store) is store else ""
        return own or store.session.project

    def project_in_view(self) -> str:
        """The project that prompt, triage and facts are about: that of the file meant, of the tree's row, else the session's.

        One rule for them all, so that going from one to the next stays with the project.
        """
        ref = self.file_meant()
        if ref is not None and self.viewer.file is not None and ref is self.viewer.file.ref and not self.is_shown(ref):
            ref = None  # the text on the screen is of another store than the one in use
        at = self.tree_pane.at_cursor() if self.current != "today" else None
        return (ref.project if ref is not None else "") or (at.group if at else "") or self.session.project

    def store_meant(self) -> OpenStore:
        """The store that an action is about: of the row under the tree's cursor, of the hit, else of the file that is shown."""
        if self.current == "tree" and (at := self.tree_pane.at_cursor()) is not None:
            return self.store_of(at.store)
        row = self.search.row_at_cursor() if self.current == "search" else None
        if row is not None:
            return self.store_of(self.search.found.store_key(self.search.found.hits[row.place]))
        if self.current == "viewer" and self.viewer.file is not None:
            return self.store_of(self.viewer.store)
        if self.current == "today" and (waits := self.waiting_row) is not None:
            return self.store_of(f"{waits.session.layout.kind}:{waits.session.root}")
        return self.here

    def is_shown(self, ref: MemRef) -> bool:
        """Whether a file of the store in use is the one in the viewer."""
        file = self.viewer.file
        return file is not None and file.ref == ref and self.viewer.store in ("", self.here.key)

    def show_instead(self, old: MemRef, new: MemRef) -> None:
        """A file has another name or place now: when it is on the screen, show it there, at the same line."""
        if self.is_shown(old) and old != new:
            self.post_message(FileChosen(new, line=self.viewer.view.top_line, store=self.here.key))


def _show_keys(screen: PanesScreen, scope: str) -> None:
    """The keys of a scope; while text of the viewer is selected, what they do with that; without a file, those that need none.

    Of what waits, those that can do something with the row; beside what took its place, the one that brings it back.
    """
    actions, row = screen.host.actions, screen.waiting_row if scope == "today" else None
    is_today, named = screen.has_class("-today"), f" · {title_of(row.ref, row.session)}" if row and row.ref else ""
    screen.status.waiting = f"Today{named}" if is_today else ""
    if scope == "viewer" and (selecting := screen.viewer.view.selecting).is_on:
        own = while_selecting(actions, whole=selecting.is_whole)
    else:
        own = bar_actions(actions, scope, bare=scope == "viewer" and screen.viewer.file is None)
    for rows in screen.query("#today-list").results(MarkList) if scope == "today" else ():
        own = [each for each in own if rows.offers(each.id)]
    if scope in ("tree", "viewer") and screen.query("#today") and not is_today:
        own = [*(each._replace(keys=each.bound[0]) for each in actions if each.id == "ways.today" and each.bound), *own]
    screen.query_one(KeyBar).show(own)
