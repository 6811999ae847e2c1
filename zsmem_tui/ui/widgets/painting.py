"""Cells that are painted already, in another style."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip


def restyled(strip: Strip, start: int, stop: int, style: Style) -> Strip:
    """`strip` with `style` laid over the cells from `start` to `stop`."""
    length = strip.cell_length
    start, stop = max(0, min(start, length)), max(0, min(stop, length))
    if start >= stop:
        return strip
    before, middle, after = strip.crop(0, start), strip.crop(start, stop), strip.crop(stop, length)
    return Strip.join([before, Strip([Segment(text, (old or Style()) + style) for text, old, _ in middle]), after])
