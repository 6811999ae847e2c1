"""Line wrapping with a hanging indent: continuation rows of list items and quotes are indented to their text.

Maps screen rows and cells to lines and columns and back; the text itself is unchanged.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from rich.cells import cell_len, get_character_cell_size
from textual.expand_tabs import get_tab_widths
from textual.geometry import Offset, clamp
from textual.widgets.text_area import DocumentBase, DocumentNavigator, Location, WrappedDocument

from zsmem_tui.core.list_edits import line_start
from zsmem_tui.ui.textual_private import set_rows
from zsmem_tui.ui.widgets.row_lines import BETWEEN_SIGNS

_BETWEEN_WORDS: Final = re.compile(r"(?<=\s)(?=\S)")
_JOINED: Final = re.compile("[^\u200d\ufe0f]\ufe0f?(?:\u200d[^\u200d\ufe0f]?\ufe0f?)*|[\u200d\ufe0f]+", re.DOTALL)
"""Characters that a terminal may draw as one; measured together, so that no row ends within them."""

_LEAST_WIDTH: Final = 8
"""In cells. If the width is smaller, nothing is indented."""

_WIDEST_SIGN: Final = 2
"""The most cells that one character takes."""

_ROWS_ABOVE: Final = 3
"""Rows above a change whose breaks may change with it."""

_RULE_SIGNS: Final = " \t>-*_"
"""A line of only these characters may become a rule or a list item by what follows."""


def widths(text: str, tab_width: int, at: int = 0) -> list[int]:
    """The width in cells of each character; `at` is the cell at which the text starts within its line, for tabs."""
    if text.isascii() and text.isprintable():
        return [1] * len(text)
    if "\t" not in text and "\u200d" not in text and "\ufe0f" not in text:
        return [1 if " " <= char <= "~" else get_character_cell_size(char) for char in text]
    found: list[int] = []
    for char in _signs(text):
        if char == "\t":
            size = tab_width - at % tab_width
        else:
            size = get_character_cell_size(char) if len(char) == 1 else cell_len(char)
        at += size
        found += [size, *[0] * (len(char) - 1)]
    return found


def _signs(text: str) -> Iterator[str] | str:
    joined = "\u200d" in text or "\ufe0f" in text
    return (each.group() for each in _JOINED.finditer(text)) if joined else text


def hang(line: str, width: int, tab_width: int) -> int:
    """The indent, in cells, of a line's continuation rows; at most half of the width."""
    if width < _LEAST_WIDTH:
        return 0
    start = line_start(line).length
    return min(sum(widths(line[:start], tab_width)), width // 2) if start else 0


def breaks(line: str, width: int, tab_width: int, kept: Sequence[int] = (), later: Sequence[int] = ()) -> list[int]:
    """The columns at which a line's rows begin, except the first: between words or signs, or within an overlong word.

    `kept` are known first breaks. Once a break equals one of `later`, the rest of `later` is taken over.
    """
    most = len(line) if line.isascii() else len(line) * _WIDEST_SIGN
    if not width or (most <= width and "\t" not in line):
        return []
    found = [*kept]
    start = found[-1] if found else 0
    at = sum(widths(line[:start], tab_width)) if "\t" in line else 0
    indent = hang(line, width, tab_width)
    while (row := _row_end(line, start, at, width - (indent if found else 0), tab_width, 0 if found else indent)) is not None:
        start, cells = row
        at += cells
        found.append(start)
        known = bisect_left(later, start)
        if known < len(later) and later[known] == start:
            return [*found, *later[known + 1 :]]
    return found


def _row_end(line: str, start: int, at: int, room: int, tab_width: int, marker: int) -> tuple[int, int] | None:
    """The end column and the number of cells of the row that begins at column `start` (cell `at`); None if the rest fits.

    The row does not end within its first `marker` cells, right after a list marker.
    """
    size = room + 1
    if room > 0 and (part := line[start : start + size]).isascii() and part.isprintable():
        if len(part) < size:
            return None
        between = _last_word_start(part)
        return (start + between, between) if between > marker else (start + room, room)
    while True:  # measure only as much as is needed: a line may have megabytes
        stop = min(start + size, len(line))
        ends = list(accumulate(widths(line[start:stop], tab_width, at), initial=0))
        if ends[-1] > room:
            break
        if stop == len(line):
            return None
        size *= 2
    most = bisect_right(ends, max(room, ends[1])) - 1  # at least one sign, with all characters that combine with it
    between = max((found.start() for found in _BETWEEN_WORDS.finditer(line, start + 1, start + most + 1)), default=0)
    if not line.isascii():
        signs = (found.start() for found in BETWEEN_SIGNS.finditer(line, start + 1, start + most + 1))
        between = max(between, max(signs, default=0))
    if between and ends[between - start] > marker:
        most = between - start
    return (start + most, ends[most]) if start + most < len(line) else None


def _last_word_start(part: str) -> int:
    """The start of the last word after a blank; 0 if there is none."""
    at = len(part) - 1
    while (at := part.rfind(" ", 0, at)) >= 0:
        if part[at + 1] != " ":
            return at + 1
    return 0


def _row_numbers(found: list[list[int]], line: int, row: int) -> tuple[list[tuple[int, int]], list[int]]:
    """The (line, section) of each row and the first row of each line, numbered from `line` and `row` on."""
    rows = [(number, part) for number, each in enumerate(found, line) for part in range(len(each) + 1)]
    return rows, [*accumulate([len(each) + 1 for each in found[:-1]], initial=row)]


class HangingDocument(WrappedDocument):
    """A document wrapped to a width. Replaces the tables of its superclass by smaller ones."""

    def __init__(self, document: DocumentBase, width: int = 0, tab_width: int = 4) -> None:
        self._tabs = tab_width
        self._breaks: list[list[int]] = []
        self._first_rows: list[int] = []
        self.rows: list[tuple[int, int]] = []
        """The (line, section within the line) of each row; read by the text area."""
        super().__init__(document, width, tab_width)

    def wrap(self, width: int, tab_width: int | None = None) -> None:
        """Wrap all lines."""
        self._cells = width
        self._tabs = tab_width or self._tabs
        self._breaks = [breaks(line, width, self._tabs) for line in self.document.lines]
        self.rows, self._first_rows = _row_numbers(self._breaks, 0, 0)
        set_rows(self, self.rows)

    def wrap_range(self, start: Location, old_end: Location, new_end: Location) -> None:
        """Rewrap the lines `start` to `new_end`, which replaced those from `start` to `old_end`."""
        last = len(self._breaks) - 1
        top, old_bottom = sorted((clamp(start[0], 0, last), clamp(old_end[0], 0, last)))
        bottom = max(top, clamp(new_end[0], 0, self.document.line_count - 1))
        stop = self._first_rows[old_bottom + 1] if old_bottom < last else self.height
        first = self._first_rows[top]
        if start[0] == old_end[0] == new_end[0] == top == old_bottom:
            new = [self._rewrapped_line(top, min(start[1], old_end[1]), max(start[1], old_end[1]), new_end[1])]
        else:
            new = [breaks(line, self._cells, self._tabs) for line in self.document.lines[top : bottom + 1]]
        rows, firsts = _row_numbers(new, top, first)
        if moved := bottom - old_bottom:
            self.rows[stop:] = [(line + moved, row) for line, row in self.rows[stop:]]
        if more := len(rows) - (stop - first):
            self._first_rows[old_bottom + 1 :] = [row + more for row in self._first_rows[old_bottom + 1 :]]
        self._breaks[top : old_bottom + 1] = new
        self.rows[first:stop] = rows
        self._first_rows[top : old_bottom + 1] = firsts

    def _rewrapped_line(self, row: int, start: int, old_end: int, new_end: int) -> list[int]:
        """The breaks of a line in which columns `start` to `old_end` became `start` to `new_end`.

        Breaks well before the change are kept, and those after it from the first that stayed the same.
        """
        line, old = self.document[row], self._breaks[row]
        kept = old[: max(bisect_left(old, start) - _ROWS_ABOVE, 0)]
        if not kept or not line[: kept[0]].strip(_RULE_SIGNS):  # the change may affect the indent of the rows
            return breaks(line, self._cells, self._tabs)
        moved = [] if "\t" in line else [column + new_end - old_end for column in old[bisect_right(old, old_end) :]]
        return breaks(line, self._cells, self._tabs, kept, moved)

    def extent(self, line_index: int, section: int) -> tuple[int, int, list[int]]:
        """The start and end columns of a row, and the widths of its characters."""
        line, starts = self.document[line_index], self._breaks[line_index]
        start = starts[section - 1] if section else 0
        end = starts[section] if section < len(starts) else len(line)
        text = line[start:end]
        at = sum(widths(line[:start], self._tabs)) if start and "\t" in text else 0
        return start, end, widths(text, self._tabs, at)

    @property
    def wrapped(self) -> bool:
        """Whether any line takes more than one row."""
        return len(self._first_rows) != len(self.rows)

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def get_offsets(self, line_index: int) -> list[int]:
        """The columns at which a line's continuation rows begin."""
        return self._breaks[line_index]

    def get_sections(self, line_index: int) -> list[str]:
        """The text of each row of a line."""
        line = self.document[line_index]
        starts = self._breaks[line_index]
        return [line[start:end] for start, end in zip([0, *starts], [*starts, len(line)], strict=True)]

    def get_tab_widths(self, line_index: int) -> list[int]:
        """The width in cells of each tab of a line."""
        line = self.document[line_index]
        return [width for _, width in get_tab_widths(line, self._tabs)] if "\t" in line else []

    def hanging(self, row: int) -> tuple[int, int]:
        """The line of a row (-1 if there is none) and the row's indent in cells."""
        if not 0 <= row < self.height:
            return -1, 0
        line, section = self.rows[row]
        return line, self._indent(line, section)

    def _indent(self, line_index: int, section: int) -> int:
        return hang(self.document[line_index], self._cells, self._tabs) if section else 0

    def location_to_offset(self, location: Location) -> Offset:
        """Map a document location to its cell and row."""
        line_index = clamp(location[0], 0, len(self._breaks) - 1)
        section = bisect_right(self._breaks[line_index], location[1])
        start, _, sizes = self.extent(line_index, section)
        x = self._indent(line_index, section) + sum(sizes[: max(0, location[1] - start)])
        return Offset(x, self._first_rows[line_index] + section)

    def offset_to_location(self, offset: Offset) -> Location:
        """Map a cell and row to the nearest document location."""
        line_index, section = self.rows[clamp(offset.y, 0, self.height - 1)]
        return line_index, self.get_target_document_column(line_index, offset.x, section)

    def get_target_document_column(self, line_index: int, x_offset: int, y_offset: int) -> int:
        """The column at a cell of a line's row number `y_offset`, which counts from the last row if negative."""
        count = len(self._breaks[line_index]) + 1
        section = y_offset % count
        start, end, sizes = self.extent(line_index, section)
        column = start + bisect_right(list(accumulate(sizes)), max(0, x_offset - self._indent(line_index, section)))
        is_last = section == count - 1
        return column if is_last else min(column, end - 1)  # after the last character the next row begins


class HangingNavigator(DocumentNavigator):
    """Cursor movement by rows that keeps the horizontal screen cell, whatever the indents."""

    def __init__(self, wrapped: WrappedDocument) -> None:
        super().__init__(wrapped)
        self._rows = wrapped

    def get_location_above(self, location: Location) -> Location:
        """The location one row up; from the first row, the start of the text."""
        x, y = self._rows.location_to_offset(location)
        if not y:
            return 0, 0
        return self._rows.offset_to_location(Offset(max(x, self.last_x_offset), y - 1))

    def get_location_below(self, location: Location) -> Location:
        """The location one row down; from the last row, the end of the text."""
        x, y = self._rows.location_to_offset(location)
        if y == self._rows.height - 1:
            return location[0], len(self._rows.document[location[0]])
        return self._rows.offset_to_location(Offset(max(x, self.last_x_offset), y + 1))

    def get_location_end(self, location: Location) -> Location:
        """The end of the line, however many rows it has."""
        return location[0], len(self._rows.document[location[0]])

    def get_location_home(self, location: Location, smart_home: bool = False) -> Location:
        """The start of the line, however many rows it has; with `smart_home`, first that of its words."""
        line = self._rows.document[location[0]]
        indent = len(line) - len(line.lstrip()) if smart_home else 0
        return location[0], 0 if 0 < location[1] <= indent else indent
