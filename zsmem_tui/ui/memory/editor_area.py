"""The editor's text area, with its keys."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.events import Key, Paste
from textual.widgets.text_area import Location, Selection

from zsmem_tui.core.limits import MAX_EDIT_BYTES
from zsmem_tui.core.list_edits import Rows, continued, given_up, is_item, line_start, shifted, ticked
from zsmem_tui.core.markdown import in_code
from zsmem_tui.ui import wording
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.messages import Said
from zsmem_tui.ui.widgets.carets import Carets
from zsmem_tui.ui.widgets.markdown_area import MarkdownArea


def break_line(area: MarkdownArea) -> bool:
    """Go on with the next marker; where there is but a marker, end the list, or go one step out of it. False: a line as any."""
    start, end = sorted(area.selection)
    row, column = start
    lines = area.document.lines
    line = lines[row]
    begun = continued(line, column)
    if not begun or in_code(lines, [row])[0]:
        return False
    left = given_up(line) if start == end else None
    area.history.checkpoint()
    if left is None:
        area.replace("\n" + begun, start, end, maintain_selection_offset=False)
    elif line_start(line).indent and is_item(line) and (outer := shifted(lines, row, row, -1)) is not None:
        put_rows(area, outer)
    else:
        area.replace(left, (row, 0), (row, len(line)), maintain_selection_offset=False)
    area.history.checkpoint()
    return True


def tab(area: MarkdownArea) -> bool:
    """The item of the cursor, or the lines selected, one step in. False: a tab means spaces there."""
    first, last = selected_rows(area)
    if first == last and not is_item(area.document.get_line(first)):
        return False
    shift(area, 1)
    return True


def shift(area: MarkdownArea, step: int) -> None:
    """The line of the cursor, or those selected, one step in or out, an item with what belongs to it."""
    rows = shifted(area.document.lines, *selected_rows(area), step)
    if rows is not None:
        put_rows(area, rows)


def tick(area: MarkdownArea) -> bool:
    """Tick the boxes of the cursor's line, or of those selected, or open them again. False: there is no item."""
    rows = ticked(area.document.lines, *selected_rows(area))
    if rows is not None:
        put_rows(area, rows)
    return rows is not None


def put_rows(area: MarkdownArea, rows: Rows) -> None:
    """Put other lines in place of some; the cursor and what is selected stay on their characters."""
    old = area.document.lines[rows.first : rows.first + len(rows.lines)]
    selection = Selection(*(_kept(place, rows, old) for place in area.selection))
    last = rows.first + len(rows.lines) - 1
    area.history.checkpoint()
    area.replace("\n".join(rows.lines), (rows.first, 0), (last, len(old[-1])))
    area.history.checkpoint()
    area.selection = selection
    area.record_cursor_width()


def selected_rows(area: MarkdownArea) -> tuple[int, int]:
    """The first and last row that the cursor or the selection is in."""
    start, end = sorted(area.selection)
    return start[0], end[0] if end[1] or end[0] == start[0] else end[0] - 1


def _kept(place: Location, rows: Rows, old: list[str]) -> Location:
    """Where the character is now that was at a place: what changes in a line is before its text."""
    row, column = place
    if not rows.first <= row < rows.first + len(old):
        return place
    before, now = old[row - rows.first], rows.lines[row - rows.first]
    behind = len(before) - column
    same = before[column:] == now[len(now) - behind :] if behind <= len(now) else False
    return row, len(now) - behind if same else min(column, len(now))


class EditorArea(MarkdownArea):
    """The text area with the editor's keys."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("editor"), ("tab", "tab"), ("shift+tab", "shift(-1)")]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.tab_behavior = "focus"  # it is bound here, and esc is the screen's
        self.carets = Carets(self)
        """The cursors beside its own."""

    def on_key(self, event: Key) -> None:
        """Keys that act at several cursors, and line breaks in lists."""
        self._beginning = None
        if self.carets.take(event.key, event.character if event.is_printable else None) or (
            event.key == "enter" and break_line(self)
        ):
            event.prevent_default()
            event.stop()

    def get_line(self, line_index: int) -> Text:
        """A line with its marks, and with the cursors beside the area's own."""
        text = super().get_line(line_index)
        self.carets.paint(text, line_index)
        return text

    def paint_row(self, text: Text, line_index: int, start: int) -> None:
        """The cursors beside the area's own, upon a part of a line that begins at column `start`."""
        self.carets.paint(text, line_index, start)

    def on_paste(self, event: Paste) -> None:
        """What is too much to edit here is not pasted, and that is said."""
        size = len(event.text.encode("utf-8", "replace"))
        if size > MAX_EDIT_BYTES:
            event.prevent_default()
            event.stop()
            text = f"{wording.size(size)} is too much to paste here: nothing was pasted. Save, and use your own editor (o)."
            self.post_message(Said(text, warning=True))
        elif self.carets.more:
            event.prevent_default()
            event.stop()
            if text := self.clipping.pasted(event.text):
                self.carets.put(text)

    def action_edge(self, step: int) -> None:
        """To the start of the text, or to its end."""
        self.move_cursor(self.document.start if step < 0 else self.document.end)

    def action_duplicate_lines(self) -> None:
        """The lines of the cursor, or of what is selected, once more below."""
        first, last = selected_rows(self)
        end = (last, len(self.document.get_line(last)))
        column = self.cursor_location[1]
        self.insert("\n" + "\n".join(self.document.lines[first : last + 1]), end)
        self.move_cursor((last + 1, column))
        self.history.checkpoint()

    def action_move_lines(self, step: int) -> None:
        """The lines of the cursor, or of what is selected, one line up or down, the cursor with them."""
        first, last = selected_rows(self)
        other = first - 1 if step < 0 else last + 1
        bottom = self.document.line_count - 1
        is_last_break = other == bottom and not self.document.get_line(bottom)
        if other < 0 or other > bottom or is_last_break or (last == bottom and not self.document.get_line(last)):
            return
        block, neighbour = self.document.lines[first : last + 1], self.document.get_line(other)
        top, end = min(first, other), max(last, other)
        selection = self.selection
        lines = [*block, neighbour] if step < 0 else [neighbour, *block]
        self.history.checkpoint()
        self.replace("\n".join(lines), (top, 0), (end, len(self.document.get_line(end))))
        self.history.checkpoint()
        (row, column), (end_row, end_column) = selection.start, selection.end
        self.move_cursor((row + step, column))
        self.move_cursor((end_row + step, end_column), select=True)

    def action_tab(self) -> None:
        """An item, or the lines selected, one step in; elsewhere spaces up to the next stop."""
        if not tab(self):
            self.replace(" " * self._to_tab_stop(), *self.selection, maintain_selection_offset=False)

    def _to_tab_stop(self) -> int:
        """Cells from the cursor to the next place where a tab would lead."""
        row, column = self.cursor_location
        return self.indent_width - self.get_column_width(row, column) % self.indent_width

    def action_shift(self, step: int) -> None:
        """The line, or those selected, one step in or out."""
        shift(self, step)

    def action_tick(self) -> None:
        """Tick the boxes of the cursor's line, or of those selected; or open them again."""
        if not tick(self):
            self.post_message(Said("There is no item here: a line that begins with - or a number.", warning=True))

    def action_cursors(self, where: str) -> None:
        """More cursors: at the `next` place of what is selected, at `all`, in the line `below` or `above`."""
        if where in ("below", "above"):
            if not self.carets.add_below(1 if where == "below" else -1):
                self.post_message(Said(f"There is no line {where}.", warning=True))
            return
        before = len(self.carets.more) + 1 if self.selected_text else 0
        count = self.carets.add_next() if where == "next" else self.carets.add_all()
        if not count:
            self.post_message(Said("There is no word here.", warning=True))
        elif count == before:
            self.post_message(Said("It stands nowhere else.", warning=True))
        elif count == 1:
            self.post_message(Said("Selected; again: where it stands next, too."))
        else:
            self.post_message(Said(f"{count} selected: keys act on all of them, esc leaves one."))
