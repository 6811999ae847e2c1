"""What keys do to the lines of lists while a text is written: further in, further out, ticked.

Each takes the lines of the text and the rows that it is about, and gives back other lines for some rows: as many as were there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from zsmem_tui.core.line_start import LineStart, line_start

TAB: Final = 4
"""Columns that a tab indents to."""

STEP: Final = 2
"""Columns that a line goes in by when no line above it says how far."""


class Rows(NamedTuple):
    """Other lines for the rows from `first` on."""

    first: int
    lines: tuple[str, ...]


def shifted(lines: Sequence[str], first: int, last: int, step: int) -> Rows | None:
    """The rows one step further in, or out where `step` is negative; an item takes the lines below it along that belong to it.

    How far is decided by the first row: to where the items stand that it comes to be among. None: there is nothing to shift.
    """
    begin = line_start(lines[first])
    indent = _columns(begin.indent)
    target = _inner(lines, first, begin) if step > 0 else _outer(lines, first, begin)
    if target is None or target == indent:
        return None
    last = max(_stop(lines, row) - 1 for row in range(first, last + 1))
    by_tabs = "\t" in begin.indent
    return Rows(first, tuple(_moved(line, target - indent, by_tabs=by_tabs) for line in lines[first : last + 1]))


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
    indent = _columns(begin.indent)
    if not begin.bullet:
        return indent + STEP
    deeper: int | None = None
    for line in reversed(lines[:row]):
        start = line_start(line)
        found = _columns(start.indent)
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
    indent = _columns(begin.indent)
    if not begin.bullet:
        return max(0, indent - STEP)
    for line in reversed(lines[:row]):
        start = line_start(line)
        if not line.strip():
            continue
        if start.quote != begin.quote or (not start.bullet and not start.indent):
            break
        if start.bullet and _columns(start.indent) < indent:
            return _columns(start.indent)
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
        if start.quote != begin.quote or _columns(start.indent) <= _columns(begin.indent):
            break
        stop = number + 1
    return stop


def _moved(line: str, by: int, *, by_tabs: bool) -> str:
    """A line indented by so many columns more, or fewer; an empty one stays."""
    start = line_start(line)
    rest = line[len(start.quote) + len(start.indent) :]
    if not rest:
        return line
    columns = max(0, _columns(start.indent) + by)
    by_tabs = by_tabs or "\t" in start.indent
    indent = "\t" * (columns // TAB) + " " * (columns % TAB) if by_tabs else " " * columns
    return start.quote + indent + rest


def _columns(indent: str) -> int:
    return len(indent.expandtabs(TAB))
