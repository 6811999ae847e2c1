"""Texts of one search answer as those that are folded for many do."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zsmem_tui.core.fold import fold
from zsmem_tui.core.passed import Allowance, PassedTexts
from zsmem_tui.core.slab import SlabTexts, by_text, pack

RAWS = st.lists(
    st.one_of(
        st.text(st.sampled_from("aAkKsS\u212a\u017fßẞéÉσΣςпПⱥȺ記 \n\r")).map(str.encode),
        st.sampled_from([b"\xff", b"k\xc3\n", b"\xe2\x84 s", b"\xed\xa0\x80 a"]),
    ),
    max_size=6,
)
NEEDLES = st.lists(
    st.text(st.sampled_from("akKs\u212a\u017fßẞéσςпПȺ記"), min_size=1, max_size=3).map(str.encode).map(fold), max_size=3
)


def passed(raws: list[bytes], keep: int = 0) -> PassedTexts:
    starts = [*accumulate((len(raw) + 1 for raw in raws), initial=0)]
    return PassedTexts(memoryview(b"".join(raw + b"\n" for raw in raws)), starts, raws.__getitem__, Allowance(keep))


def counts_of(texts: SlabTexts, needles: list[bytes]) -> list[list[tuple[int, int]]]:
    """For each needle, the texts that hold it, and in how many lines."""
    return [[(place, len(lines)) for place, lines in found] for found in lines_of(texts, needles)]


def lines_of(texts: SlabTexts, needles: list[bytes]) -> list[list[tuple[int, list[bytes]]]]:
    """For each needle, the texts that hold it, and in which lines."""
    ends = texts.line_ends(needles)
    return [[(at, [*map(texts.line, of_one[start:stop])]) for at, start, stop in by_text(of_one, texts.starts)] for of_one in ends]


@settings(max_examples=400, deadline=None)
@given(RAWS, NEEDLES, st.sampled_from([0, 5, 10_000]), st.booleans())
def test_lines_and_texts_are_those_of_folded_texts(raws: list[bytes], needles: list[bytes], keep: int, late: bool) -> None:
    ours, theirs = passed(raws, keep), pack(raws)
    if late:
        ours.let_go()
    assert lines_of(ours, needles) == lines_of(theirs, needles)
    ours.let_go()
    for place in range(len(raws)):
        assert ours.raw(place) == theirs.raw(place)
        assert (ours.text(place).raw, ours.text(place).folded) == (theirs.text(place).raw, theirs.text(place).folded)


@pytest.mark.parametrize(("needle", "text"), [("task", "TAS\u212a"), ("straße", "STRAẞE"), ("стол", "СТОЛ"), ("k\xe9", "\u212aÉ")])
def test_a_capital_outside_ascii_is_found(needle: str, text: str) -> None:
    assert counts_of(passed([b"x", f"a\n{text} b".encode()]), [needle.encode()]) == [[(1, 1)]]


def test_what_was_found_stays_as_it_was_searched_as_far_as_there_is_room() -> None:
    raws = [b"tea 1", b"none", b"tea 2", b"tea 3 in a long text"]
    texts = passed(raws, keep=15)
    texts.line_ends([b"tea"])
    texts.let_go()
    raws[:] = [b"later"] * 4
    assert [texts.raw(place) for place in range(4)] == [b"tea 1", b"later", b"tea 2", b"later"]


def test_a_text_that_is_none_hides_no_other() -> None:
    raws = [b"tea \xff", b"tea", *(f"é {number}".encode() for number in range(40))]
    assert counts_of(passed(raws), [b"tea"]) == counts_of(passed(raws[:3]), [b"tea"]) == [[(1, 1)]]
