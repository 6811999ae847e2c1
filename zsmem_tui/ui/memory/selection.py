"""What an action on the main screen is about: which file, which project, which line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zsmem_tui.core.layout import group_word
from zsmem_tui.core.refs import MemRef
from zsmem_tui.ui.memory.pane_focus import PanesScreen
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.widgets.row_list import MarkList

if TYPE_CHECKING:
    from zsmem_tui.service.session import Session
    from zsmem_tui.service.today import Row
    from zsmem_tui.ui.open_store import OpenStore


class SelectionScreen(PanesScreen):
    """A screen with our panes, as far as it knows what the person means by it."""

    here: OpenStore
    """The store in use."""
    session: Session
    """Of the store in use."""

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
        """The project that something is added to: the one under the tree's cursor, else the session's."""
        at = self.tree_pane.at_cursor() if self.current != "today" else None
        return (at.group if at else "") or self.session.project

    def project_in_view(self) -> str:
        """The project that prompt, triage and facts are about: that of the file meant, else as for what is added.

        One rule for them all, so that going from one to the next stays with the project.
        """
        ref = self.file_meant()
        if ref is not None and self.viewer.file is not None and ref is self.viewer.file.ref and not self.is_shown(ref):
            ref = None  # the text on the screen is of another store than the one in use
        return (ref.project if ref is not None else "") or self.project_meant()

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
