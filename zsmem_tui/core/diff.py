"""Compare two texts: diff rows with context lines, and the words that differ within a line."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from itertools import accumulate
from typing import Final, NamedTuple

from zsmem_tui.core.line_changes import in_order
from zsmem_tui.core.merge import Hunk, bare_lines, line_end, line_hunks, placed, split
from zsmem_tui.core.text import counted

CONTEXT_LINES: Final = 3
"""Unchanged lines shown before and after a change."""

_WORD: Final = re.compile(r"\w+|\s+|[^\w\s]")
_MOST_WORDS: Final = 400
"""Lines with more words than this, both together, are not compared word by word: it would block the screen."""


class Side(StrEnum):
    """The type of a diff row: context, added, removed, or a gap."""

    SAME = " "
    ADDED = "+"
    REMOVED = "-"
    GAP = "~"


class DiffRow(NamedTuple):
    """One row of a diff: a line of the old or new text, or a gap between hunks.

    `line` is the 0-based line in the new text (for a removed line: where it would be). `hunk` is the index of its hunk, -1 for
    unchanged lines. `marks` are (start, end) offsets of differing words. `change` is the index of the line change
    (`core.line_changes`), shared by the old and the new form of a line.
    """

    side: Side
    text: str
    line: int
    hunk: int = -1
    marks: tuple[tuple[int, int], ...] = ()
    change: int = -1


def diff(old: bytes, new: bytes, *, context: int | None = CONTEXT_LINES) -> list[DiffRow]:
    """The diff rows for two texts, with `context` unchanged lines around each change (None: all lines)."""
    before, after = split(old), split(new)
    found = line_hunks(before, after)
    rows: list[DiffRow] = []
    at = changes = 0
    for number, (start, hunk) in enumerate(placed(found)):
        rows += _context_rows(before, at, hunk.start, start - hunk.start, context, first=number == 0, last=False)
        rows += _hunk_rows(before, hunk, number, start, changes)
        changes = rows[-1].change + 1
        at = hunk.stop
    if found or context is None:
        rows += _context_rows(before, at, len(before), len(after) - len(before), context, first=not found, last=True)
    return rows


def keep_both(old: bytes, new: bytes) -> bytes:
    """`new` with every line that it lost from `old` put back at its old place, before the lines that replaced it.

    A line that was only moved is not lost: it is not repeated more often than in the text that has it more often. Neither is one
    that differs in the white space at its end; a line put back ends like those of `new`. If `new` has nothing of its own, this is
    `old`, also without a last line feed.
    """
    if not new:
        return old
    mark, end = BOM_UTF8 if new.startswith(BOM_UTF8) else b"", line_end(new) or line_end(old)
    texts = [each.removeprefix(BOM_UTF8) for each in (old, new)]
    (before, after), (ours, theirs) = map(split, texts), map(bare_lines, texts)
    if end and after and not new.endswith(b"\n"):
        after[-1] = after[-1][:-1] + end
    lost = Counter(ours) - Counter(theirs)
    out: list[bytes] = []
    at = to = 0
    for hunk in (*line_hunks(ours, theirs), Hunk(len(ours), len(ours), ())):
        middle = to + hunk.start - at
        out += after[to:middle]
        for line, bare in zip(before[hunk.start : hunk.stop], ours[hunk.start : hunk.stop], strict=True):
            if lost[bare] > 0:
                lost[bare] -= 1
                out.append(line[:-1].removesuffix(b"\r") + end if end else line)
        at, to = hunk.stop, middle + len(hunk.lines)
        out += after[middle:to]
    return old if out == before and old.startswith(mark) else mark + b"".join(out)


def word_marks(old: str, new: str) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """The (start, end) offsets of differing words in the old and in the new line; empty if the lines have little in common."""
    from difflib import SequenceMatcher  # deferred: 6 ms, needed only when two texts differ

    left, right = _WORD.findall(old), _WORD.findall(new)
    if len(left) + len(right) > _MOST_WORDS:
        return (), ()
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    if matcher.ratio() < 0.4:
        return (), ()
    starts = [[*accumulate(map(len, each), initial=0)] for each in (left, right)]
    marks: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            if i1 < i2:
                marks[0].append((starts[0][i1], starts[0][i2]))
            if j1 < j2:
                marks[1].append((starts[1][j1], starts[1][j2]))
    return tuple(marks[0]), tuple(marks[1])


def _context_rows(
    before: list[bytes], start: int, stop: int, shift: int, context: int | None, *, first: bool, last: bool
) -> Iterator[DiffRow]:
    """Rows for the unchanged lines between two changes: all of them, or the nearest with a gap row in the middle."""
    hidden = range(0) if context is None else range(start + context * (not first), stop - context * (not last))
    for at in range(start, stop):
        if len(hidden) < 2 or at not in hidden:
            yield DiffRow(Side.SAME, line_text(before[at]), at + shift)
        elif at == hidden.start:
            yield DiffRow(Side.GAP, counted(len(hidden), "unchanged line"), at + shift)


def _hunk_rows(before: list[bytes], hunk: Hunk, number: int, line: int, change: int) -> Iterator[DiffRow]:
    """The rows of a hunk, each new line below the old line it replaces. `change` is the index of the first change."""
    old = [line_text(each) for each in before[hunk.start : hunk.stop]]
    new = [line_text(each) for each in hunk.lines]
    for here, (removed, added) in enumerate(in_order(before[hunk.start : hunk.stop], hunk.lines), change):
        both = removed is not None and added is not None
        marks = word_marks(old[removed or 0], new[added or 0]) if both else ((), ())
        if removed is not None:
            yield DiffRow(Side.REMOVED, old[removed], line, number, marks[0], here)
        if added is not None:
            yield DiffRow(Side.ADDED, new[added], line, number, marks[1], here)
            line += 1


def line_text(line: bytes) -> str:
    """A line for display, without its line end."""
    return line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", "replace")
