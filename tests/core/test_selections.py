"""Several selections in one text: in order, apart, and replaced at once."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.core.selections import Span, apart, between, replaced, same, word_at

LINES = st.lists(st.text("ab 漢", max_size=6), min_size=1, max_size=5)


def places(lines: list[str]) -> st.SearchStrategy[tuple[int, int]]:
    return st.sampled_from([(row, column) for row, line in enumerate(lines) for column in range(len(line) + 1)])


@given(LINES, st.data())
def test_replacing_all_at_once_is_as_replacing_one_by_one_from_the_end(lines: list[str], data: st.DataObject) -> None:
    spans = apart(data.draw(st.lists(st.builds(Span, places(lines), places(lines)), min_size=1, max_size=5)))
    new = data.draw(st.lists(st.sampled_from(["", "x", "漢y", "\n- ", "1\n2"]), min_size=len(spans), max_size=len(spans)))
    text, end = "\n".join(lines), (len(lines) - 1, len(lines[-1]))
    wanted = text
    for span, put in reversed([*zip(spans, new, strict=True)]):
        start, stop = (len(between(lines, (0, 0), each)) for each in (span.start, span.end))
        wanted = wanted[:start] + put + wanted[stop:]
    change = replaced(lines, spans, new)
    whole = between(lines, (0, 0), change.start) + change.text + between(lines, change.end, end)
    assert whole == wanted
    now = whole.split("\n")
    for (row, column), put in zip(change.ends, new, strict=True):
        assert between(now, (0, 0), (row, column)).endswith(put)
    assert list(change.ends) == sorted(change.ends)


@given(LINES, st.data())
def test_spans_are_in_order_and_share_nothing_and_cover_what_they_did(lines: list[str], data: st.DataObject) -> None:
    drawn = data.draw(st.lists(st.builds(Span, places(lines), places(lines)), max_size=5))
    found = apart(drawn)
    assert all(one.end <= other.start and one.start != other.start for one, other in pairwise(found))
    assert all(any(span.start <= each.start and each.end <= span.end for span in found) for each in drawn)
    assert apart(found) == found


def test_a_word_is_found_as_a_word_and_other_text_wherever_it_stands() -> None:
    lines = ["port, reports", "a port: Port", "port"]
    word = word_at(lines, (0, 2))
    assert word == Span((0, 0), (0, 4))
    assert [*same(lines, word)] == [Span((1, 2), (1, 6)), Span((2, 0), (2, 4)), word]
    assert [each.start for each in same(lines, Span((0, 4), (0, 1)))] == [(0, 9), (1, 3), (1, 9), (2, 1), (0, 1)]
    assert word_at(lines, (0, 5)) is None
    assert [*same(lines, Span((0, 0), (0, 0)))] == [*same(lines, Span((0, 0), (1, 1)))] == []
