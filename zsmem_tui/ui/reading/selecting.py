"""Places in a page as it is drawn: going from one to another, and the text between two of them."""

from __future__ import annotations

from typing import NamedTuple

from zsmem_tui.ui.reading.page import Page


class Place(NamedTuple):
    """A row of a page, and a character of it."""

    row: int
    at: int


def between(page: Page, start: Place, stop: Place) -> str:
    """The text from `start` on, up to and without `stop`, as it is drawn; rows that a line was broken into are one line again."""
    out: list[str] = []
    for row in range(start.row, min(stop.row, page.row_count - 1) + 1):
        text, prefix = page.plain(row), _goes_on(page, row)
        low = start.at if row == start.row else 0
        high = stop.at if row == stop.row else len(text)
        if row > start.row and prefix is None:
            out.append("\n")
        elif row > start.row and prefix is not None:
            low = prefix
        out.append(text[low:high])
    return "".join(out)


def moved(page: Page, place: Place, sideways: int, down: int, column: int) -> Place:
    """The place so many characters or rows away; rows keep the `column`, as far as they are long enough.

    One character leads from row to row, more stay in theirs.
    """
    row, at = place
    if down:
        row = max(0, min(row + down, page.row_count - 1))
        return Place(row, min(column, _last(page, row)))
    at += sideways
    if at < 0 < row and sideways == -1:
        return Place(row - 1, _last(page, row - 1))
    if at > _last(page, row) and sideways == 1 and row + 1 < page.row_count:
        return Place(row + 1, 0)
    return Place(row, max(0, min(at, _last(page, row))))


def whole_lines(page: Page, one: Place, other: Place) -> tuple[Place, Place, range]:
    """From the start of what is drawn with the upper place to the end of that with the lower, and the numbers of these lines."""
    low, high = sorted((one, other))
    first, last = page.leader(page.line_of(low.row)), page.line_of(high.row)
    stop = last + 1
    while stop < len(page.lines) and page.leader(stop) < stop:
        stop += 1
    bottom = page.row_of(stop) - 1 if stop < page.laid_out else page.row_count - 1
    return Place(page.row_of(first), 0), Place(bottom, _last(page, bottom)), range(first, stop)


def _last(page: Page, row: int) -> int:
    return max(len(page.plain(row)) - 1, 0)


def _goes_on(page: Page, row: int) -> int | None:
    """With how many characters that are no text a row begins that goes on with the one above; None where it begins a line."""
    drawn, starts, top = page.drawn(page.line_of(row))
    inside = row - top
    if not 0 < inside < len(starts):
        return None
    start = starts[inside]
    is_new = start in drawn.breaks or (start - 1 in drawn.joints and bool(drawn.breaks))
    return None if is_new else len(drawn.rest)
