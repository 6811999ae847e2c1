"""One side of a conflict as a page: the whole text, its part in each conflict marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zsmem_tui.core.diff import DiffRow, Side, word_marks
from zsmem_tui.core.merge import Clash, clashes, line_hunks, split
from zsmem_tui.ui.reading.diff_page import DiffPage


class Sides(NamedTuple):
    """Both sides of a conflict, and the line of the proposal on which each conflict begins."""

    theirs: DiffPage
    mine: DiffPage
    starts: list[int]


def sides(base: str, mine: str, theirs: str) -> Sides:
    """What both sides made of `base`, with what clashes."""
    raw = [text.encode("utf-8", "replace") for text in (base, mine, theirs)]
    found = clashes(*raw) or _differences(raw[1], raw[2])
    left, right = (
        [line.decode("utf-8", "replace").removesuffix("\n").removesuffix("\r") for line in split(text)] for text in raw[:0:-1]
    )
    marks = [_marks(left[each.theirs.start : each.theirs.stop], right[each.mine.start : each.mine.stop]) for each in found]
    return Sides(
        DiffPage(_rows(left, [each.theirs for each in found], [pair[0] for pair in marks], Side.REMOVED)),
        DiffPage(_rows(right, [each.mine for each in found], [pair[1] for pair in marks], Side.ADDED)),
        [each.proposal.start for each in found],
    )


def _differences(mine: bytes, theirs: bytes) -> list[Clash]:
    """Wherever two texts differ, for when nothing is known of what they were made from."""
    found: list[Clash] = []
    shift = 0
    for hunk in line_hunks(split(theirs), split(mine)):
        start = hunk.start + shift
        found.append(Clash(range(hunk.start, hunk.stop), range(start, start + len(hunk.lines)), range(start, start)))
        shift += len(hunk.lines) - (hunk.stop - hunk.start)
    return found


Marks = list[tuple[tuple[int, int], ...]]


def _marks(left: list[str], right: list[str]) -> tuple[Marks, Marks]:
    """The words that differ, line by line."""
    pairs = [word_marks(*both) for both in zip(left, right, strict=False)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _rows(text: list[str], parts: Sequence[range], marks: Sequence[Marks], side: Side) -> list[DiffRow]:
    rows: list[DiffRow] = []
    at = 0
    for number, (part, words) in enumerate(zip(parts, marks, strict=True)):
        rows += [DiffRow(Side.SAME, text[line], line) for line in range(at, part.start)]
        for place, line in enumerate(part):
            rows.append(DiffRow(side, text[line], line, number, words[place] if place < len(words) else ()))
        if not part:
            rows.append(DiffRow(Side.GAP, "deleted here", part.start, number))
        at = part.stop
    return rows + [DiffRow(Side.SAME, text[line], line) for line in range(at, len(text))]
