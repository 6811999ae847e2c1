"""A conflict as two pages: what each side has, and what the text will be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from zsmem_tui.core.conflict import Conflicts, Decision, Edited, Region, Take, lines_of
from zsmem_tui.core.diff import DiffRow, Side, word_marks
from zsmem_tui.core.merge import split
from zsmem_tui.ui import signs
from zsmem_tui.ui.reading.diff_page import DiffPage

_NAMES = {Take.THEIRS: "theirs", Take.MINE: "mine", Take.BOTH: "both, theirs first"}


def both_sides(found: Conflicts, decisions: Sequence[Decision | None], names: tuple[str, str]) -> DiffPage:
    """The whole text, with both versions of the lines in conflict: what was decided against is struck out.

    `names` says where theirs and mine come from.
    """
    rows = _same(found.between[0])
    for number, region in enumerate(found.regions):
        rows += _versions(region, number, decisions[number], names)
        rows += _same(found.between[number + 1])
    return DiffPage(rows)


def result(found: Conflicts, decisions: Sequence[Decision | None]) -> DiffPage:
    """The text as it will be; where nothing is decided yet, a row says so."""
    rows = _same(found.between[0])
    for number, (region, decision) in enumerate(zip(found.regions, decisions, strict=True)):
        if decision is None:
            rows.append(DiffRow(Side.GAP, f"{number + 1}: not decided yet", 0, number))
        else:
            rows.append(DiffRow(Side.GAP, f"{number + 1}: {_name(decision)}", 0, number))
            kept = [DiffRow(Side.ADDED, _text(line), 0, number) for line in split(lines_of(region, decision))]
            rows += kept or [DiffRow(Side.GAP, "no line stands here then", 0, number)]
        rows += _same(found.between[number + 1])
    return DiffPage(rows)


def _versions(region: Region, number: int, decision: Decision | None, names: tuple[str, str]) -> Iterator[DiffRow]:
    left, right = [[_text(line) for line in lines] for lines in (region.theirs, region.mine)]
    pairs = [word_marks(*both) if None not in both else ((), ()) for both in zip_longest(left, right)]
    for side, (take, text) in enumerate(((Take.THEIRS, left), (Take.MINE, right))):
        taken = decision in (take, Take.BOTH)
        how = f" {signs.MARKED} taken" if taken else "" if decision is None else " · not taken"
        none = "" if text else ": deleted here"
        yield DiffRow(Side.GAP, f"{number + 1} {names[side]}{none}{how}", 0, number)
        style = Side.ADDED if taken or decision is None else Side.REMOVED
        for line, marks in zip(text, pairs, strict=False):
            yield DiffRow(style, line, 0, number, marks[side])


def _name(decision: Decision) -> str:
    return "edited" if isinstance(decision, Edited) else _NAMES[decision]


def _same(lines: Sequence[bytes]) -> list[DiffRow]:
    return [DiffRow(Side.SAME, _text(line), 0) for line in lines]


def _text(line: bytes) -> str:
    return line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", "replace")
