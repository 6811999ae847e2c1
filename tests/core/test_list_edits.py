"""Lists while they are written: items go in and out with what belongs to them, boxes are ticked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.core.list_edits import Rows, shifted, ticked


def after(text: str, done: Rows | None) -> str:
    lines = text.split("\n")
    if done is not None:
        lines[done.first : done.first + len(done.lines)] = done.lines
    return "\n".join(lines)


def moved(text: str, first: int, last: int, step: int) -> str:
    return after(text, shifted(text.split("\n"), first, last, step))


@pytest.mark.parametrize(
    ("text", "row", "inner"),
    [
        ("- a\n- b", 1, "- a\n  - b"),
        ("1. a\n2. b", 1, "1. a\n   2. b"),
        ("- a\n    - b\n- c", 2, "- a\n    - b\n    - c"),
        ("- a\n  - b\n- c\n  d\n\n  e\n- f", 2, "- a\n  - b\n  - c\n    d\n\n    e\n- f"),
        ("- a\n- b\n  - c\n- d", 1, "- a\n  - b\n    - c\n- d"),
        ("- a\n  - b", 1, "- a\n  - b"),
        ("words\n- a", 1, "words\n  - a"),
        ("> - a\n> - b", 1, "> - a\n>   - b"),
        ("- a\n\t- b\n- c", 2, "- a\n\t- b\n    - c"),
        ("\t- a\n\t- b", 1, "\t- a\n\t  - b"),
        ("words", 0, "  words"),
        ("- a\n- b\n\n- c\n  - d", 1, "- a\n  - b\n\n- c\n  - d"),
        ("- a\n- b\n> - c\n  - d", 1, "- a\n  - b\n> - c\n  - d"),
    ],
)
def test_an_item_goes_in_to_where_the_items_above_it_stand_with_what_belongs_to_it(text: str, row: int, inner: str) -> None:
    assert moved(text, row, row, 1) == inner


@pytest.mark.parametrize(
    ("text", "row", "outer"),
    [
        ("- a\n  - b", 1, "- a\n- b"),
        ("- a\n    - b\n      c", 1, "- a\n- b\n  c"),
        ("- a\n  - b\n    - c", 2, "- a\n  - b\n  - c"),
        ("- a\n  - b\n    - c", 1, "- a\n- b\n  - c"),
        ("- a", 0, "- a"),
        ("  - a", 0, "- a"),
        ("- a\n\t- b", 1, "- a\n- b"),
        ("> - a\n>   - b", 1, "> - a\n> - b"),
        ("  words", 0, "words"),
        ("words", 0, "words"),
        ("  - a\n\n    - b", 2, "  - a\n\n  - b"),
        ("  - a\n\nwords\n    - b", 3, "  - a\n\nwords\n- b"),
    ],
)
def test_an_item_goes_out_to_where_the_item_above_it_stands(text: str, row: int, outer: str) -> None:
    assert moved(text, row, row, -1) == outer


def test_several_rows_go_together_by_the_step_of_the_first() -> None:
    assert moved("- a\n- b\n- c\n  - d\n- e", 1, 2, 1) == "- a\n  - b\n  - c\n    - d\n- e"
    assert moved("- a\n  - b\n  - c\n    - d\n- e", 1, 2, -1) == "- a\n- b\n- c\n  - d\n- e"
    assert moved("one\n\ntwo", 0, 2, 1) == "  one\n\n  two"


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("- [ ] a", "- [x] a"),
        ("- [x] a", "- [ ] a"),
        ("- [-] a", "- [ ] a"),
        ("  2. [X] a", "  2. [ ] a"),
        ("> - [ ] a", "> - [x] a"),
        ("- [ ]", "- [x]"),
        ("- []", "- [x]"),
        ("- a", "- [ ] a"),
        ("words", "words"),
        ("- [ ] a\n- [x] b\nwords\n- c", "- [x] a\n- [x] b\nwords\n- [ ] c"),
        ("- [x] a\n- [X] b", "- [ ] a\n- [ ] b"),
    ],
)
def test_boxes_are_ticked_and_opened_and_an_item_without_one_gets_one(text: str, done: str) -> None:
    lines = text.split("\n")
    assert after(text, ticked(lines, 0, len(lines) - 1)) == done
    assert after(f"- above\n{text}\n- below", ticked(["- above", *lines, "- below"], 1, len(lines))) == f"- above\n{done}\n- below"


LINES = st.lists(
    st.sampled_from(["- a", "  - b", "\t- c", "1. d", "    e", "", "f", "> - g", "> ", "  ", "- [x] h"]), min_size=1, max_size=9
)


@given(LINES, st.integers(0, 8), st.integers(0, 8), st.sampled_from([1, -1]))
def test_only_white_space_before_a_line_changes(lines: list[str], first: int, length: int, step: int) -> None:
    first = min(first, len(lines) - 1)
    done = shifted(lines, first, min(first + length, len(lines) - 1), step)
    assert done is None or 0 <= done.first <= done.first + len(done.lines) <= len(lines)
    for before, now in zip("\n".join(lines).split("\n"), after("\n".join(lines), done).split("\n"), strict=True):
        assert before.replace(" ", "").replace("\t", "") == now.replace(" ", "").replace("\t", "")
