"""What of a prompt is listed at the left and shown at the right, and which line the person means."""

from __future__ import annotations

from typing import Any

from textual.content import Content
from textual.screen import Screen

from zsmem_tui.core.preview import Preview
from zsmem_tui.ui.prompt import wording as format_prompt
from zsmem_tui.ui.prompt.wording import Key, Show
from zsmem_tui.ui.widgets.block_pane import BlockPane
from zsmem_tui.ui.widgets.row_list import ListRow, RowList


class UseList(RowList, keys="uses"):
    """Sections, then lost lines."""


class PromptRows:
    """The list and the block of a screen, which show the same part of one prompt."""

    def __init__(self, screen: Screen[Any]) -> None:
        self._screen = screen
        self.seen: Preview | None = None
        self._show: Show = "all"
        self._listed: Any = None
        self._held_row, self._held_key = format_prompt.Held(), format_prompt.Held()

    @property
    def _list(self) -> UseList:
        return self._screen.query_one(UseList)

    @property
    def _block(self) -> BlockPane:
        return self._screen.query_one(BlockPane)

    def draw(self, key: Key) -> ListRow:
        """One row of the list."""
        return format_prompt.row(key, self.seen)

    def show(self, seen: Preview) -> None:
        """Show another preview; the cursors stay on their lines, or where one is gone, on the next of those that were below it."""
        old, self.seen = self.seen, seen
        known = {"all", "lost", *(use.path for use in seen.uses)}
        before = None if old is None else (self._list.keys, self._list.cursor, self._block.rows, self._block.cursor)
        if self._show not in known or (old is None and not seen.lost):
            self._show = "all"
        if old is None or before is None or self._block.compares:
            self._arrange(None)
            return
        keys, cursor, rows, at = before
        place = self._held_row.row(rows, at, format_prompt.shown_rows(seen, self._show))
        listed = format_prompt.listed(seen, self._show)
        self._arrange(place, self._held_key.key(keys, cursor, old, listed, seen))

    def forget(self) -> None:
        """Show nothing until the next preview comes: what is shown is of another agent, and no key is about it any more."""
        self.seen, self._listed = None, None
        self._list.nothing = ""
        self._list.show([])
        self._block.show([], 0)

    def compare(self, title: str, here: str | None, there: str | None) -> None:
        """Two blocks side by side, instead of the block."""
        self._block.compare(title, here, there)

    def go_to_line(self, path: str, line: int) -> None:
        """Put the cursor of the side that has the focus on a line of a file, where it is shown."""
        seen = self.seen
        if seen is None or self._block.compares:
            return
        if self._list.has_focus:
            key = next((key for key in self._list.keys if key[0] == "lost" and seen.lost[key[1]][:2] == (path, line)), None)
            if key is not None:
                self._list.show(self._list.keys, cursor=key)
                self._listed = key
                self._point(key)
        elif (place := next((at for at, row in enumerate(self._block.rows) if (row.path, row.line) == (path, line)), -1)) >= 0:
            self._block.view.select(place)

    def next_filter(self) -> None:
        """Everything, then what is lost, then the one section of the cursor."""
        if self.seen is None:
            self._show = "lost"  # typed ahead: shown as soon as it is known
            return
        if self._block.compares:
            return
        if self._show == "all" and self.seen.lost:
            self._show = "lost"
        elif self._show in ("all", "lost") and (path := self._section()):
            self._show = path
        else:
            self._show = "all"
        self._arrange(0)

    def moved(self, key: Key) -> None:
        """The cursor of the list came to a row: the block shows what it is about."""
        if key != self._listed:  # else the list is new, the cursor is where it was
            self._listed = key
            self._point(key)

    def place_meant(self) -> tuple[str, int]:
        """Path and line of what the cursor is on; no path where the row is of no file."""
        if self._list.has_focus and self.seen is not None:
            key = self._list.key
            if key is not None and key[0] == "told":
                return self.seen.beside[key[1]][0], 0
            lost = self.seen.lost[key[1]] if key is not None and key[0] == "lost" else None
            return (lost.path, lost.line) if lost else ("", -1)
        page = self._block.view.block
        row = page.row if page and not self._block.compares else None
        return (row.path, row.line) if row else ("", -1)

    @property
    def lost_line(self) -> str:
        """The lost line that the cursor is on; empty where it is on none."""
        seen = self.seen
        path, line = self.place_meant() if seen is not None else ("", -1)
        return next((each.text for each in (seen.lost if seen else ()) if path and (each.path, each.line) == (path, line)), "")

    def screen_row(self) -> int | None:
        """The row of the screen that the cursor is on."""
        if self._list.has_focus:
            return self._list.screen_row
        view = self._block.view
        return view.screen_row(view.block.current) if view.block else None

    def _arrange(self, row: int | None, cursor: Key | None = None) -> None:
        seen = self.seen
        if seen is None:
            return
        rows = self._list
        rows.nothing = format_prompt.nothing(seen, self._show)
        rows.show(format_prompt.listed(seen, self._show), cursor=cursor)
        self._listed = rows.key
        self._screen.query_one(".tool-list").border_subtitle = Content(format_prompt.shown(seen, self._show))
        self._block.show(format_prompt.shown_rows(seen, self._show), self._block.cursor if row is None else row)
        if rows.has_focus and rows.key and rows.key[0] == "lost":
            self._point(rows.key)

    def _point(self, key: Key) -> None:
        """Put the cursor of the block on what a row of the list is about."""
        kind, number = key
        view = self._block.view
        if view.block is None or self.seen is None or self._block.compares:
            return
        if kind == "use":
            view.select(view.block.start_of(number))
        elif kind == "lost":
            lost = self.seen.lost[number]
            view.select(view.block.place_of(lost.path, lost.line))
        elif kind == "told":
            view.select(view.block.place_of(self.seen.beside[number][0], 0))

    def _section(self) -> str:
        """The path of the section that the cursor is in; the first one where it is in none."""
        uses = self.seen.uses if self.seen else ()
        rows = self._list
        if rows.has_focus and rows.key and rows.key[0] == "use":
            return str(uses[rows.key[1]].path)
        path, _ = self.place_meant()
        return path or (uses[0].path if uses else "")
