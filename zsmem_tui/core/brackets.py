"""Find the bracket that matches another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zsmem_tui.core.selections import Place

_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}
_BACK: Final = {closing: opening for opening, closing in _PAIRS.items()}

MOST_LOOKED_AT: Final = 4_000
"""How many characters are searched: looking for a missing bracket in a whole 1 MB text would take 100 ms at each key."""


def matching_bracket(lines: Sequence[str], place: Place) -> Place | None:
    """The (row, column) of the bracket that matches the one at `place`; None if there is none within reach."""
    row, column = place
    bracket = lines[row][column : column + 1]
    if bracket not in _PAIRS and bracket not in _BACK:
        return None
    forward = bracket in _PAIRS
    opens, closes = (_PAIRS, _BACK) if forward else (_BACK, _PAIRS)
    waiting: list[str] = []
    for found, at in _characters(lines, place, forward=forward):
        if found in opens:
            waiting.append(opens[found])
        elif found in closes and waiting[-1] != found:
            return None
        elif found in closes:
            waiting.pop()
            if not waiting:
                return at
    return None


def _characters(lines: Sequence[str], place: Place, *, forward: bool) -> Iterator[tuple[str, Place]]:
    """Yield characters and their places, starting with the one at `place`, forward or backward."""
    row, start = place
    left = MOST_LOOKED_AT
    while left > 0 and 0 <= row < len(lines):
        line = lines[row]
        columns = range(start, len(line)) if forward else range(start, -1, -1)
        for column in columns[:left]:
            yield line[column], (row, column)
        left -= len(columns) + 1
        row += 1 if forward else -1
        start = 0 if forward else (len(lines[row]) - 1 if row >= 0 else 0)
