"""The gutter of a page: a mark beside each line. It is drawn beside the text and is no part of it: never selected, never copied."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.reading.page import Page

CELLS: Final = 2
"""A mark and a blank."""

BY_WEIGHT: Final = "✗✂!✓◌"
"""Of lines that share a row, the first of these is shown."""

WARNINGS: Final = "✗✂"


class LineMarks:
    """A mark for each line of a page, a character each; blank, until they are known, where there is none."""

    def __init__(self) -> None:
        self.marks = ""
        self.shown = True
        self.needed = True
        """Whether a line of the page can be in a prompt at all: where none can, the text has the room."""

    @property
    def width(self) -> int:
        """Cells at the left that text cannot have. They are kept free before the marks are known: text never jumps."""
        return CELLS if self.shown and self.needed else 0

    def at(self, page: Page, row: int) -> str:
        """The mark of a row that is laid out: of the lines that begin in it, the one that matters most."""
        if not self.marks:
            return " "
        first = page.line_of(row)
        last = page.line_of(row + 1) if row + 1 < page.row_count else len(page.lines) - 1
        found = {self.marks[line] for line in range(first, min(last + 1, len(self.marks))) if page.row_of(line) == row}
        return next((mark for mark in BY_WEIGHT if mark in found), " ")
