"""What an action on the main screen is about: which file, which project, which line."""

from __future__ import annotations

from zsmem_tui.core.catalog import Catalog
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.session import Session
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.screens.pane_focus import PanesScreen


class MeaningScreen(PanesScreen):
    """A screen with our panes over a store, as far as it knows what the person means."""

    session: Session
    catalog: Catalog | None

    def file_meant(self) -> MemRef | None:
        """The file that an action is about: the one under the tree's cursor, else the one on the screen."""
        if self.current == "tree" and self.tree_pane.project_tree.cursor_node is not None:
            return self.tree_pane.file_at_cursor()
        hit = self.search.hit_at_cursor() if self.current == "search" else None
        if hit is not None:
            return hit.ref
        return self.viewer.file.ref if self.viewer.file else None

    def nothing_meant(self) -> str:
        """Why there is no file that an action could be about."""
        project = self.tree_pane.project_at_cursor() if self.current == "tree" else ""
        if project:
            return f"{visible_line(printable_path(project))} is a project, not a file: l unfolds it."
        return "No file is selected: choose one in the tree (1)."

    def line_meant(self, ref: MemRef) -> int:
        """The line of a file that the person looks at: the one gone to last while it is in sight, else the first in sight."""
        hit = self.search.hit_at_cursor() if self.current == "search" else None
        if hit is not None and hit.ref == ref:
            return next(hit.hit_lines(), 0)
        return self.viewer.view.line_meant if self.viewer.file and self.viewer.file.ref == ref else 0

    def has(self, ref: MemRef) -> bool:
        """Whether there is such a file, as far as is known."""
        known = self.catalog
        if known is None:
            return False
        project = known.project(ref.project) if ref.project else None
        return any(entry.ref == ref for entry in (project.files if project else known.shared))

    def show_instead(self, old: MemRef, new: MemRef) -> None:
        """A file has another name or place now: when it is on the screen, show it there, at the same line."""
        if self.viewer.file and self.viewer.file.ref == old and old != new:
            self.post_message(FileChosen(new, line=self.viewer.view.top_line))

    def project_meant(self) -> str:
        """The project that something is added to: the one under the tree's cursor, else the session's."""
        return self.tree_pane.project_at_cursor() or self.session.project
