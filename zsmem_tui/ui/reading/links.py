"""From link to link of a page, and the way back to where one was followed."""

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
