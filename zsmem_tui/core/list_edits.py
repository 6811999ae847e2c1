"""Edit Markdown lists by line: parse the prefix of a line, continue a list, indent or unindent items, tick boxes.

An edit takes the lines of the text and the rows concerned, and returns new lines for those rows, as many as before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from zsmem_tui.core.markdown import TAB, columns

STEP: Final = 2
"""Columns to indent a line by if no line above it tells how far."""

_QUOTE: Final = re.compile(r"(?:[ \t]{0,3}> ?)+")
_INDENT: Final = re.compile(r"[ \t]*")
_BREAK: Final = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_BULLET: Final = re.compile(
    "(?P<bullet>[-*+\u2022]|[0-9]{1,9}[.)])(?P<gap>[ \t]+)(?P<box>(?:\\[[^\\]]?\\]|\uff3b[^\uff3d\\]]?[\uff3d\\]])(?:[ \t]+|$))?"
)


class LineStart(NamedTuple):
    """The prefix of a line, split into its parts in this order, each as written."""

    quote: str
    indent: str
    bullet: str
    gap: str
    box: str

    @property
    def length(self) -> int:
        """Characters before the text."""
        return len(self.quote) + len(self.indent) + len(self.bullet) + len(self.gap) + len(self.box)


def line_start(line: str) -> LineStart:
    """Parse the prefix of `line`, which has no line ending."""
    quoted = _QUOTE.match(line)
    quote = quoted.group() if quoted else ""
    indented = _INDENT.match(line, len(quote))
    indent = indented.group() if indented else ""
    at = len(quote) + len(indent)
    found = None if _BREAK.match(line, len(quote)) else _BULLET.match(line, at)
    if found is None:
        return LineStart(quote, indent, "", "", "")
    return LineStart(quote, indent, found["bullet"], found["gap"], found["box"] or "")


def continued(line: str, column: int) -> str:
    """The prefix of the next line when `line` is broken at `column`; empty if it is neither an item nor a quote.

    A number is incremented, a box is open.
    """
    start = line_start(line)
    if not (start.bullet or start.quote) or column < start.length:
        return ""
    if not start.bullet:
        return start.quote
    number = start.bullet[:-1]
    bullet = f"{int(number) + 1}{start.bullet[-1]}" if number.isdecimal() else start.bullet
    signs = start.box.rstrip(" \t")
    box = f"{signs[0]} {signs[-1]}{start.box[len(signs) :] or ' '}" if signs else ""
    return start.quote + start.indent + bullet + start.gap + box


def given_up(line: str) -> str | None:
    """The line without its innermost marker, if it has nothing but markers; None if it has text or no marker."""
    start = line_start(line)
    if not (start.bullet or start.quote) or line[start.length :].strip():
        return None
    return start.quote if start.bullet else start.quote.rstrip()[:-1]


class Rows(NamedTuple):
    """New lines for the rows from `first` on."""

    first: int
    lines: tuple[str, ...]


def shifted(lines: Sequence[str], first: int, last: int, step: int) -> Rows | None:
    """Indent (`step` > 0) or unindent the rows; an item takes along the lines below that belong to it.

    The first row decides how far: to the indentation of the items it will be among. None: nothing to change.
    """
    begin = line_start(lines[first])
    indent = columns(begin.indent)
    target = _inner(lines, first, begin) if step > 0 else _outer(lines, first, begin)
    if target is None or target == indent:
        return None
    last = max(_stop(lines, row) - 1 for row in range(first, last + 1))
    by_tabs = "\t" in begin.indent
    return Rows(first, tuple(moved_in(line, target - indent, by_tabs=by_tabs) for line in lines[first : last + 1]))


def is_item(line: str) -> bool:
    """Whether a line begins with a bullet or a number."""
    return bool(line_start(line).bullet)


def ticked(lines: Sequence[str], first: int, last: int) -> Rows | None:
    """Tick the boxes of the rows, or open all if all are ticked; an item without a box gets an open one.

    None: no row is an item.
    """
    starts = [line_start(line) for line in lines[first : last + 1]]
    boxes = [each.box for each in starts if each.bullet]
    if not boxes:
        return None
    boxed = [box for box in boxes if box]
    mark = "x" if any(not box.rstrip(" \t")[1:-1].strip() for box in boxed) else " "
    return Rows(first, tuple(_boxed(line, start, mark) for line, start in zip(lines[first : last + 1], starts, strict=True)))


def _boxed(line: str, start: LineStart, mark: str) -> str:
    if not start.bullet:
        return line
    text = line[start.length :]
    before = line[: start.length - len(start.box)]
    if not start.box:
        return f"{before}[ ] {text}"
    signs = start.box.rstrip(" \t")
    return f"{before}{signs[0]}{mark}{signs[-1]}{start.box[len(signs) :]}{text}"


def _inner(lines: Sequence[str], row: int, begin: LineStart) -> int | None:
    """The column for one level deeper: that of the children of the previous item on this level; None if there is none deeper."""
    indent = columns(begin.indent)
    if not begin.bullet:
        return indent + STEP
    deeper: int | None = None
    for line in reversed(lines[:row]):
        start = line_start(line)
        found = columns(start.indent)
        if not line.strip():
            continue
        if start.quote != begin.quote or (not start.bullet and not found):
            break
        if start.bullet and found > indent:
            deeper = found if deeper is None else min(found, deeper)
        elif start.bullet and found == indent:
            return deeper if deeper is not None else indent + len(start.bullet) + len(start.gap)
        elif start.bullet:
            return deeper  # it is the first item of its level already
    return indent + STEP


def _outer(lines: Sequence[str], row: int, begin: LineStart) -> int | None:
    """The column for one level up: that of the parent item."""
    indent = columns(begin.indent)
    if not begin.bullet:
        return max(0, indent - STEP)
    for line in reversed(lines[:row]):
        start = line_start(line)
        if not line.strip():
            continue
        if start.quote != begin.quote or (not start.bullet and not start.indent):
            break
        if start.bullet and columns(start.indent) < indent:
            return columns(start.indent)
    return 0


def _stop(lines: Sequence[str], row: int) -> int:
    """The row after the lines that belong to the item on this row; if it is not an item, the next row."""
    begin = line_start(lines[row])
    stop = row + 1
    if not begin.bullet:
        return stop
    for number in range(row + 1, len(lines)):
        start = line_start(lines[number])
        if not lines[number][len(start.quote) :].strip():
            continue
        if start.quote != begin.quote or columns(start.indent) <= columns(begin.indent):
            break
        stop = number + 1
    return stop


def moved_in(line: str, by: int, *, by_tabs: bool = False) -> str:
    """The line indented by so many columns more, or fewer; an empty line stays."""
    start = line_start(line)
    rest = line[len(start.quote) + len(start.indent) :]
    if not rest or not by:
        return line
    wanted = max(0, columns(start.indent) + by)
    by_tabs = by_tabs or "\t" in start.indent
    indent = "\t" * (wanted // TAB) + " " * (wanted % TAB) if by_tabs else " " * wanted
    return start.quote + indent + rest
