"""Which bracket belongs to another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zsmem_tui.core.selections import Place

_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}
_BACK: Final = {closing: opening for opening, closing in _PAIRS.items()}

MOST_LOOKED_AT: Final = 4_000
"""Characters: a bracket that is never closed would be looked for in the whole text at each key, 100 ms in 1 MB."""


def matching_bracket(lines: Sequence[str], place: Place) -> Place | None:
    """The place of the bracket that belongs to the one at `place`; None where there is none, or none near."""
    row, column = place
    sign = lines[row][column : column + 1]
    if sign not in _PAIRS and sign not in _BACK:
        return None
    forward = sign in _PAIRS
    opens, closes = (_PAIRS, _BACK) if forward else (_BACK, _PAIRS)
    waiting: list[str] = []
    for found, at in _signs(lines, place, forward=forward):
        if found in opens:
            waiting.append(opens[found])
        elif found in closes and waiting[-1] != found:
            return None
        elif found in closes:
            waiting.pop()
            if not waiting:
                return at
    return None


def _signs(lines: Sequence[str], place: Place, *, forward: bool) -> Iterator[tuple[str, Place]]:
    """Characters from a place on, that one included, and where each is."""
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
