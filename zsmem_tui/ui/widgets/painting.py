"""Cells that are painted already, in another style."""

from __future__ import annotations

from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

CUT: Final = "›"
"""Stands at the edge where a row goes on that is never broken."""


def cut(strip: Strip, width: int, style: Style) -> Strip:
    """`strip` in at most `width` cells, with a mark where it had more."""
    if strip.cell_length <= width:
        return strip
    return Strip.join([strip.crop(0, width - 1).adjust_cell_length(width - 1), Strip([Segment(CUT, style)])])


def restyled(strip: Strip, start: int, stop: int, style: Style) -> Strip:
    """`strip` with `style` laid over the cells from `start` to `stop`."""
    length = strip.cell_length
    start, stop = max(0, min(start, length)), max(0, min(stop, length))
    if start >= stop:
        return strip
    before, middle, after = strip.crop(0, start), strip.crop(start, stop), strip.crop(stop, length)
    return Strip.join([before, Strip([Segment(text, (old or Style()) + style) for text, old, _ in middle]), after])
