"""Places in a page: from link to link and back, and the text between two places as it is drawn."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final, Generic, NamedTuple, TypeVar

from zsmem_tui.core.refs import MemRef
from zsmem_tui.ui.reading.inline import LinkStyle
from zsmem_tui.ui.reading.page import Page

_MOST: Final = 100
"""Places that are remembered."""


class Spot(NamedTuple):
    """A line of a file of an open store."""

    store: str
    ref: MemRef
    line: int


Left = TypeVar("Left")


class Trail(Generic[Left]):
    """The places that links led away from, and those that one came back from."""

    def __init__(self) -> None:
        self._behind: list[Left] = []
        self._ahead: list[Left] = []

    def leave(self, here: Left) -> None:
        """A link is followed from here: what lay ahead is forgotten."""
        self._behind = [*self._behind[1 - _MOST :], here]
        self._ahead.clear()

    def go(self, step: int, here: Left) -> Left | None:
        """The place before, or the one after it again; None when there is none. Here is remembered on the other side."""
        taken, kept = (self._behind, self._ahead) if step < 0 else (self._ahead, self._behind)
        if not taken:
            return None
        kept.append(here)
        return taken.pop()


def links_of(page: Page, line: int) -> list[tuple[int, LinkStyle]]:
    """The links that are drawn with a line, each with the row on which it begins. The line must be laid out."""
    drawn, starts, top = page.drawn(line)
    found: list[tuple[int, LinkStyle]] = []
    at = 0
    for words, style in drawn.spans:
        if isinstance(style, LinkStyle) and not any(known is style for _, known in found):
            found.append((top + bisect_right(starts, at) - 1, style))
        at += len(words)
    return found


def link_at(page: Page, link: tuple[int, int] | None) -> tuple[int, LinkStyle] | None:
    """A link by its line, and which of the links of that line it is: its row, and its style; None where there is none."""
    if link is None or link[0] >= page.laid_out:
        return None
    found = links_of(page, link[0])
    return found[link[1]] if link[1] < len(found) else None


def next_link(page: Page, chosen: tuple[int, int] | None, top: int, step: int) -> tuple[int, int] | None:
    """The link after the `chosen` one, or before it; without one, the first from the line `top` on. After the last comes the first.

    A link is its line, and which of the links of that line it is.
    """
    start = chosen[0] if chosen else page.leader(top)
    if chosen:
        number = chosen[1] + step
        if 0 <= number < len(links_of(page, start)):
            return start, number
    count = page.laid_out
    for away in range(1 if chosen else 0, count + 1):
        line = (start + away * step) % count
        if page.leader(line) == line and _may_link(page, line) and (found := links_of(page, line)):
            return line, 0 if step > 0 else len(found) - 1
    return None


def _may_link(page: Page, line: int) -> bool:
    """Whether there can be a link in what is drawn with a line: a quick look, for files of any size."""
    signs = ("[", "<", "http") if page.references else ("](", "[[", "<", "http")
    return any(sign in each for each in page.paragraph(line) for sign in signs)


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
