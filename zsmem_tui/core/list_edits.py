"""Lists, line by line: what a line begins with before its text, and what goes on below it; items further in, further out, ticked.

An edit takes the lines of the text and the rows that it is about, and gives back other lines for some rows: as many as were there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from zsmem_tui.core.markdown import TAB, columns

STEP: Final = 2
"""Columns that a line goes in by when no line above it says how far."""

_QUOTE: Final = re.compile(r"(?:[ \t]{0,3}> ?)+")
_INDENT: Final = re.compile(r"[ \t]*")
_BREAK: Final = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_BULLET: Final = re.compile(
    "(?P<bullet>[-*+\u2022]|[0-9]{1,9}[.)])(?P<gap>[ \t]+)(?P<box>(?:\\[[^\\]]?\\]|\uff3b[^\uff3d\\]]?[\uff3d\\]])(?:[ \t]+|$))?"
)


class LineStart(NamedTuple):
    """The parts of a line before its text, each as it stands there, in this order."""

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
    """What stands before the text of `line`, a line without its line end."""
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
    """What the next line begins with when `line` is broken at `column`; empty where it is neither an item's nor a quote's text.

    A number is counted up, a box is an open one.
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
    """What is left of a line that holds nothing but a marker, once its list or its quote ends; None: it holds more."""
    start = line_start(line)
    if not (start.bullet or start.quote) or line[start.length :].strip():
        return None
    return start.quote if start.bullet else start.quote.rstrip()[:-1]


class Rows(NamedTuple):
    """Other lines for the rows from `first` on."""

    first: int
    lines: tuple[str, ...]


def shifted(lines: Sequence[str], first: int, last: int, step: int) -> Rows | None:
    """The rows one step further in, or out where `step` is negative; an item takes the lines below it along that belong to it.

    How far is decided by the first row: to where the items stand that it comes to be among. None: there is nothing to shift.
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
    """The boxes of the rows ticked, or all opened again when all are ticked; an item without a box gets an open one.

    None: no row is an item.
    """
    starts = [line_start(line) for line in lines[first : last + 1]]
    boxes = [each.box for each in starts if each.bullet]
    if not boxes:
        return None
    boxed = [box for box in boxes if box]
    mark = "x" if any(_is_open(box) for box in boxed) else " "
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


def _is_open(box: str) -> bool:
    return not box.rstrip(" \t")[1:-1].strip()


def _inner(lines: Sequence[str], row: int, begin: LineStart) -> int | None:
    """Where the items stand below the item that is above this one and beside it."""
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
            return deeper  # it is the first among its own already
    return indent + STEP


def _outer(lines: Sequence[str], row: int, begin: LineStart) -> int | None:
    """Where the item stands that this one is below."""
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
    """The row after the lines that belong to the item of a row; of another row, the next one."""
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
    """A line indented by so many columns more, or fewer; an empty one stays."""
    start = line_start(line)
    rest = line[len(start.quote) + len(start.indent) :]
    if not rest or not by:
        return line
    wanted = max(0, columns(start.indent) + by)
    by_tabs = by_tabs or "\t" in start.indent
    indent = "\t" * (wanted // TAB) + " " * (wanted % TAB) if by_tabs else " " * wanted
    return start.quote + indent + rest
