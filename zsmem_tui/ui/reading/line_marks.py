"""The gutter of a page: a mark beside each line, and the numbers of raw ones.

It is drawn beside the text and is no part of it: never selected, never copied.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from zsmem_tui.ui import signs
from zsmem_tui.ui.reading.page import Page

CELLS: Final = 2
"""A mark and a blank."""

BY_WEIGHT: Final = f"{signs.LOST}{signs.CUT}{signs.LOOK}{signs.NOT_LOADED}"
"""Of lines that share a row, the first of these is shown."""

WARNINGS: Final = f"{signs.LOST}{signs.CUT}"


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


class Gutter(NamedTuple):
    """What stands left of the text of a page: `digits` cells of a line's number (0: none), then its mark."""

    page: Page
    digits: int
    marks: LineMarks | None

    @property
    def width(self) -> int:
        """Cells at the left that text cannot have."""
        return (self.digits + 1 if self.digits else 0) + (self.marks.width if self.marks else 0)

    def cells(self, row: int) -> list[tuple[str, str]]:
        """What stands there beside a row that is laid out, with its styles."""
        found = []
        if self.digits:
            line = self.page.line_of(row)
            number = str(line + self.page.first_number) if self.page.row_of(line) == row else ""
            found.append((f"{number:>{self.digits}} ", "number"))
        if self.marks is not None and self.marks.width:
            mark = self.marks.at(self.page, row)
            found.append((f"{mark} ", "lost" if mark in f"{WARNINGS}{signs.LOOK}" else "mark"))
        return found


def gutter_of(page: Page, marks: LineMarks | None, *, raw: bool | None = None) -> Gutter:
    """The gutter of a page: of one that is `raw` (None: as it is laid out) with the numbers of its lines."""
    is_raw = page.raw if raw is None else raw
    return Gutter(page, len(str(page.first_number + len(page.lines) - 1)) if is_raw else 0, marks)
