from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.core.fold import fold
from zsmem_tui.core.whole_words import marks, occurrences


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        ("Redis port, redis", "redis", [(0, 5), (12, 17)]),
        ("aaaa", "aa", [(0, 2), (2, 4)]),
        ("a.b", ".", [(1, 2)]),
        ("ÄRGER ärger", "Ärger", [(0, 5), (6, 11)]),
        ("İx istanbul x", "x", [(1, 2), (12, 13)]),
        ("x", "", []),
    ],
)
def test_words_are_found_in_either_case_letter_for_letter(text: str, wanted: str, found: list[tuple[int, int]]) -> None:
    assert occurrences(text, wanted) == found


@given(st.text(alphabet="aAbİißSs \n", max_size=30), st.text(alphabet="aAbİißSs", min_size=1, max_size=3))
def test_every_place_holds_the_words_and_none_overlap(text: str, wanted: str) -> None:
    last = 0
    for start, stop in occurrences(text, wanted):
        assert last <= start < stop
        assert fold(text[start:stop].encode()) == fold(wanted.encode())
        last = stop


@pytest.mark.parametrize(
    ("text", "terms", "found"),
    [
        ("a report, a port", ["port", "report"], [(2, 8), (12, 16)]),
        ("xx abcabc", ["abc"], [(3, 9)]),
        ("xx abcd", ["bcd", "ab", "b"], [(3, 7)]),
        ("xx abcd", ["abcd", "b"], [(3, 7)]),
        ("x", [], []),
    ],
)
def test_marks_that_overlap_or_touch_are_one(text: str, terms: list[str], found: list[tuple[int, int]]) -> None:
    assert marks(text, terms) == found
