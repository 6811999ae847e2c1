"""Find the longest part of a sequence that is in order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


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
