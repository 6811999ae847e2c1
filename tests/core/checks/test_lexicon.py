"""What a text can hold is told from its own words, and nothing that it does hold is left out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.core.checks import lexicon
from zsmem_tui.core.checks.lexicon import LONGEST, Lexicon
from zsmem_tui.core.checks.scan import found, words

SOUGHT = ("ab", "abc", " ab ", "b a", "not see", "the ab", " ", "鍵", "気づか", "](", "b\u00a0")
PIECES = st.sampled_from(["a", "b", "c", " ", "\n", "not", "see", "the", "鍵", "気づか", "](", "\u00a0", "x" * (LONGEST + 1)])


@given(st.lists(PIECES, max_size=40).map("".join))
def test_all_that_a_text_holds_is_among_what_it_may_hold(text: str) -> None:
    known = Lexicon()
    known.add(SOUGHT)
    there = {word for word in SOUGHT if word in text}
    assert there <= known.held(text) and there <= known.held(text)


def test_what_stands_where_a_large_text_is_cut_is_found() -> None:
    known = Lexicon()
    known.add(["needle"])
    text = "x" * (lexicon.SLICE - 3) + "needle" + " y" * 10
    assert known.held(text) == {"needle"} and not known.held(text.replace("needle", "noodle"))


def test_words_are_found_where_they_stand_whatever_else_is_looked_for() -> None:
    group = words(("lamp", "lamplight", "灯"))
    assert found("a lamplight 灯 lamp", group) == [(2, "lamp"), (2, "lamplight"), (12, "灯"), (14, "lamp")]
