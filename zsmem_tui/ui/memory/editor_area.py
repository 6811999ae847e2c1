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
from zsmem_tui.core.occurrences import occurrences
from zsmem_tui.ui import wording
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.messages import Said
from zsmem_tui.ui.widgets.carets import Carets
from zsmem_tui.ui.widgets.markdown_area import MarkdownArea, held


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
            event.key == "enter" and self.break_line()
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
        first, last = self._selected_rows()
        end = (last, len(self.document.get_line(last)))
        column = self.cursor_location[1]
        self.insert("\n" + "\n".join(self.document.lines[first : last + 1]), end)
        self.move_cursor((last + 1, column))
        self.history.checkpoint()

    def action_move_lines(self, step: int) -> None:
        """The lines of the cursor, or of what is selected, one line up or down, the cursor with them."""
        first, last = self._selected_rows()
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
        first, last = self._selected_rows()
        if first != last or is_item(self.document.get_line(first)):
            self.action_shift(1)
        else:
            self.replace(" " * self._to_tab_stop(), *self.selection, maintain_selection_offset=False)

    def _to_tab_stop(self) -> int:
        """Cells from the cursor to the next place where a tab would lead."""
        row, column = self.cursor_location
        return self.indent_width - self.get_column_width(row, column) % self.indent_width

    def action_shift(self, step: int) -> None:
        """The line of the cursor, or those selected, one step in or out, an item with what belongs to it."""
        rows = shifted(self.document.lines, *self._selected_rows(), step)
        if rows is not None:
            self._put_rows(rows)

    def action_tick(self) -> None:
        """Tick the boxes of the cursor's line, or of those selected; or open them again."""
        rows = ticked(self.document.lines, *self._selected_rows())
        if rows is not None:
            self._put_rows(rows)
        else:
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

    def break_line(self) -> bool:
        """Go on with the next marker; where there is but a marker, end the list, or go one step out. False: a line as any."""
        start, end = sorted(self.selection)
        row, column = start
        lines = self.document.lines
        line = lines[row]
        begun = continued(line, column)
        if not begun or in_code(lines, [row])[0]:
            return False
        left = given_up(line) if start == end else None
        self.history.checkpoint()
        if left is None:
            self.replace("\n" + begun, start, end, maintain_selection_offset=False)
        elif line_start(line).indent and is_item(line) and (outer := shifted(lines, row, row, -1)) is not None:
            self._put_rows(outer)
        else:
            self.replace(left, (row, 0), (row, len(line)), maintain_selection_offset=False)
        self.history.checkpoint()
        return True

    def _put_rows(self, rows: Rows) -> None:
        """Put other lines in place of some; the cursor and what is selected stay on their characters."""
        old = self.document.lines[rows.first : rows.first + len(rows.lines)]
        selection = Selection(*(_kept(place, rows, old) for place in self.selection))
        last = rows.first + len(rows.lines) - 1
        self.history.checkpoint()
        self.replace("\n".join(rows.lines), (rows.first, 0), (last, len(old[-1])))
        self.history.checkpoint()
        self.selection = selection
        self.record_cursor_width()

    def _selected_rows(self) -> tuple[int, int]:
        """The first and last row that the cursor or the selection is in."""
        start, end = sorted(self.selection)
        return start[0], end[0] if end[1] or end[0] == start[0] else end[0] - 1

    def find_next(self, wanted: str, step: int) -> tuple[int, int]:
        """Select the next place that holds `wanted`, or the one before, round the ends: its number, from 1, and how many."""
        found = self._find(wanted)
        if not found:
            return 0, 0
        start, stop = sorted(self.selection)
        if step > 0:
            place = next((place for place, (at, _) in enumerate(found) if at > start or at == start == stop), 0)
        else:
            place = next((place for place in range(len(found) - 1, -1, -1) if found[place][0] < start), len(found) - 1)
        self.move_cursor(found[place][0], center=True)
        self.move_cursor(found[place][1], select=True)
        return place + 1, len(found)

    def replace_selected(self, wanted: str, new: str) -> None:
        """Put `new` where `wanted` is selected; nothing where another text is."""
        start, stop = sorted(self.selection)
        if (start, stop) in self._find(wanted):
            self.history.checkpoint()
            self.replace(held(new), start, stop)
            self.history.checkpoint()
            self.move_cursor((start[0], start[1] + len(held(new))))

    def replace_all(self, wanted: str, new: str) -> int:
        """Put `new` wherever `wanted` stands, as one step to undo; how often."""
        text, out, at = self.text, [], 0
        found = occurrences(text, held(wanted))
        for start, stop in found:
            out += [text[at:start], held(new)]
            at = stop
        if found:
            row, column = self.cursor_location
            self.history.checkpoint()
            self.replace("".join(out) + text[at:], self.document.start, self.document.end)
            self.history.checkpoint()
            self.move_cursor((row, min(column, len(self.document.get_line(row)))), center=True)
        return len(found)

    def _find(self, wanted: str) -> list[tuple[Location, Location]]:
        """Where `wanted` stands: starts and ends."""
        sought = held(wanted)
        rows = enumerate(self.document.lines)
        return [((row, start), (row, stop)) for row, line in rows for start, stop in occurrences(line, sought)]
