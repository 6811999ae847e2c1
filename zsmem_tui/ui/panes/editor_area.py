"""The editor's text area, with its keys."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.events import Paste

from zsmem_tui.core.occurrences import occurrences
from zsmem_tui.service.editing import MAX_EDIT_BYTES
from zsmem_tui.ui.format import common as format
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.messages import Said
from zsmem_tui.ui.widgets.markdown_area import MarkdownArea


class EditorArea(MarkdownArea):
    """The text area with the editor's keys."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("editor")]

    async def _on_paste(self, event: Paste) -> None:
        """What is too much to edit here is not pasted, and that is said."""
        size = len(event.text.encode("utf-8", "replace"))
        if size > MAX_EDIT_BYTES:
            event.prevent_default()
            event.stop()
            text = f"{format.size(size)} is too much to paste here: nothing was pasted. Save, and use your own editor (o)."
            self.post_message(Said(text, warning=True))

    def action_edge(self, step: int) -> None:
        """To the start of the text, or to its end."""
        self.move_cursor(self.document.start if step < 0 else self.document.end)

    def action_duplicate_lines(self) -> None:
        """The lines of the cursor, or of what is selected, once more below."""
        first, last = self._rows()
        end = (last, len(self.document.get_line(last)))
        column = self.cursor_location[1]
        self.insert("\n" + "\n".join(self._lines(first, last)), end)
        self.move_cursor((last + 1, column))
        self.history.checkpoint()

    def action_move_lines(self, step: int) -> None:
        """The lines of the cursor, or of what is selected, one line up or down, the cursor with them."""
        first, last = self._rows()
        other = first - 1 if step < 0 else last + 1
        bottom = self.document.line_count - 1
        is_last_break = other == bottom and not self.document.get_line(bottom)
        if other < 0 or other > bottom or is_last_break or (last == bottom and not self.document.get_line(last)):
            return
        block, neighbour = self._lines(first, last), self.document.get_line(other)
        top, end = min(first, other), max(last, other)
        selection = self.selection
        lines = [*block, neighbour] if step < 0 else [neighbour, *block]
        self.history.checkpoint()
        self.replace("\n".join(lines), (top, 0), (end, len(self.document.get_line(end))))
        self.history.checkpoint()
        (row, column), (end_row, end_column) = selection.start, selection.end
        self.move_cursor((row + step, column))
        self.move_cursor((end_row + step, end_column), select=True)

    def find_next(self, wanted: str, step: int) -> tuple[int, int]:
        """Select the next place that holds `wanted`, or the one before, round the ends: its number, from 1, and how many."""
        found = self._found(wanted)
        if not found:
            return 0, 0
        start, stop = sorted((self.selection.start, self.selection.end))
        if step > 0:
            place = next((place for place, (at, _) in enumerate(found) if at > start or at == start == stop), 0)
        else:
            place = next((place for place in range(len(found) - 1, -1, -1) if found[place][0] < start), len(found) - 1)
        self._select(found[place])
        return place + 1, len(found)

    def replace_one(self, wanted: str, new: str) -> bool:
        """Put `new` where `wanted` is selected, and go to the next place; False when another text is selected."""
        span = min(self.selection.start, self.selection.end), max(self.selection.start, self.selection.end)
        if span not in self._found(wanted):
            return False
        self.history.checkpoint()
        self.replace(self.held(new), *span)
        self.history.checkpoint()
        self.move_cursor((span[0][0], span[0][1] + len(self.held(new))))
        return True

    def replace_all(self, wanted: str, new: str) -> int:
        """Put `new` wherever `wanted` stands, as one step to undo; how often."""
        text, out, at = self.text, [], 0
        found = occurrences(text, wanted)
        for start, stop in found:
            out += [text[at:start], self.held(new)]
            at = stop
        if found:
            row, column = self.cursor_location
            self.history.checkpoint()
            self.replace("".join(out) + text[at:], self.document.start, self.document.end)
            self.history.checkpoint()
            self.move_cursor((row, min(column, len(self.document.get_line(row)))), center=True)
        return len(found)

    def _found(self, wanted: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """Where `wanted` stands, as the rows and columns of its start and end."""
        return [
            ((row, start), (row, stop)) for row, line in enumerate(self.document.lines) for start, stop in occurrences(line, wanted)
        ]

    def _select(self, span: tuple[tuple[int, int], tuple[int, int]]) -> None:
        self.move_cursor(span[0], center=True)
        self.move_cursor(span[1], select=True)

    def _rows(self) -> tuple[int, int]:
        """The first and last row that the cursor or the selection is in."""
        start, end = sorted((self.selection.start, self.selection.end))
        return start[0], end[0] if end[1] or end[0] == start[0] else end[0] - 1

    def _lines(self, first: int, last: int) -> list[str]:
        return [self.document.get_line(row) for row in range(first, last + 1)]
