"""What an action on the main screen is about: which file, which project, which line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zsmem_tui.core.layout import group_word
from zsmem_tui.core.refs import MemRef
from zsmem_tui.ui.messages import FileChosen

if TYPE_CHECKING:
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.open_store import OpenStore


def file_meant(main: MainScreen) -> MemRef | None:
    """The file that an action is about: the one under the tree's cursor, else the one on the screen."""
    if main.current == "tree" and main.tree_pane.project_tree.cursor_node is not None:
        return main.tree_pane.file_at_cursor()
    hit = main.search.hit_at_cursor() if main.current == "search" else None
    if hit is not None:
        return hit.ref
    return main.viewer.file.ref if main.viewer.file else None


def nothing_meant(main: MainScreen) -> str:
    """Why there is no file that an action could be about."""
    at = main.tree_pane.at_cursor() if main.current == "tree" else None
    if at is not None and at.group and not at.folder:
        store = main.store_of(at.store)
        return f"{store.group_name(at.group)} is a {group_word(store.session.layout)}, not a file: l unfolds it."
    if at is not None:
        return "This is no file: l unfolds it."
    return "No file is selected: choose one in the tree (1)."


def line_meant(main: MainScreen, ref: MemRef) -> int:
    """The line of a file that the person looks at: the one gone to last while it is in sight, else the first in sight."""
    row = main.search.row_at_cursor() if main.current == "search" else None
    if row is not None and main.search.found.hits[row.place].ref == ref:
        return main.search.found.line_of(row) or 0
    return main.viewer.view.line_meant if is_shown(main, ref) else 0


def row_meant(main: MainScreen, ref: MemRef, line: int) -> int | None:
    """The row of the screen on which the viewer shows a line; None when it does not."""
    return main.viewer.view.screen_row(line) if is_shown(main, ref) else None


def project_meant(main: MainScreen) -> str:
    """The project that something is added to: the one under the tree's cursor, else the session's."""
    at = main.tree_pane.at_cursor()
    return (at.group if at else "") or main.session.project


def project_in_view(main: MainScreen) -> str:
    """The project that prompt, triage and facts are about: that of the file meant, else as for what is added.

    One rule for them all, so that going from one to the next stays with the project.
    """
    ref = file_meant(main)
    if ref is not None and main.viewer.file is not None and ref is main.viewer.file.ref and not is_shown(main, ref):
        ref = None  # the text on the screen is of another store than the one in use
    return (ref.project if ref is not None else "") or project_meant(main)


def store_meant(main: MainScreen) -> OpenStore:
    """The store that an action is about: that of the row under the tree's cursor, of the hit, else of the file on the screen."""
    if main.current == "tree" and (at := main.tree_pane.at_cursor()) is not None:
        return main.store_of(at.store)
    row = main.search.row_at_cursor() if main.current == "search" else None
    if row is not None:
        return main.store_of(main.search.found.chosen(row, enter=False).store)
    if main.current == "viewer" and main.viewer.file is not None:
        return main.store_of(main.viewer.store)
    return main.here


def is_shown(main: MainScreen, ref: MemRef) -> bool:
    """Whether a file of the store in use is the one in the viewer."""
    file = main.viewer.file
    return file is not None and file.ref == ref and main.viewer.store in ("", main.here.key)


def show_instead(main: MainScreen, old: MemRef, new: MemRef) -> None:
    """A file has another name or place now: when it is on the screen, show it there, at the same line."""
    if is_shown(main, old) and old != new:
        main.post_message(FileChosen(new, line=main.viewer.view.top_line, store=main.here.key))
