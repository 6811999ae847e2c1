"""Pair the old and new lines of a hunk by likeness, and find what is in order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

_WORD: Final = re.compile(rb"[^\W_]+|[^\s\w]", re.ASCII)

_ALIKE: Final = 0.5
"""The share of common words from which on a line counts as the new form of another."""

_MOST_COMPARED: Final = 2_500
"""The most pairs of lines in a hunk that are all compared (6 ms); in a larger hunk only lines at the same index are."""


def alike(old: Sequence[bytes], new: Sequence[bytes]) -> list[tuple[int, int]]:
    """Pair old with new forms of lines, (old index, new index): in order, with the greatest total likeness."""
    left, right = [_words(line) for line in old], [_words(line) for line in new]
    if len(old) * len(new) > _MOST_COMPARED:
        pairs = enumerate(zip_longest(left[: len(right)], right[: len(left)], fillvalue=Counter[bytes]()))
        return [(place, place) for place, (one, other) in pairs if _likeness(one, other)]
    best = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    worth = [[_likeness(one, other) for other in right] for one in left]
    for one in range(len(left) - 1, -1, -1):
        for other in range(len(right) - 1, -1, -1):
            paired = worth[one][other] + best[one + 1][other + 1]
            best[one][other] = max(best[one + 1][other], best[one][other + 1], paired)
    found = []
    one = other = 0
    while one < len(left) and other < len(right):
        if worth[one][other] and best[one][other] == worth[one][other] + best[one + 1][other + 1]:
            found.append((one, other))
            one, other = one + 1, other + 1
        elif best[one][other] == best[one + 1][other]:
            one += 1
        else:
            other += 1
    return found


def _words(line: bytes) -> Counter[bytes]:
    return Counter(_WORD.findall(line.lower()))


def _likeness(one: Counter[bytes], other: Counter[bytes]) -> float:
    """The share of common words; 0 where they are too few."""
    total = one.total() + other.total()
    share = 2 * (one & other).total() / total if total else 0.0
    return share if share >= _ALIKE else 0.0


def most_in_order(values: Sequence[int]) -> list[int]:
    """The indexes of the longest non-decreasing subsequence, rising."""
    ends: list[int] = []  # by length: the smallest last value of a subsequence
    last: list[int] = []
    before: list[int] = []
    for place, value in enumerate(values):
        at = bisect_right(ends, value)
        before.append(last[at - 1] if at else -1)
        ends[at : at + 1] = [value]
        last[at : at + 1] = [place]
    found: list[int] = []
    place = last[-1] if last else -1
    while place >= 0:
        found.append(place)
        place = before[place]
    return found[::-1]
