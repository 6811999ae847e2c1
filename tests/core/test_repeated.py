"""Text that is paid for in several places."""

from __future__ import annotations

from zsmem_tui.core.repeated import Repeated, repeated


def numbered(*lines: str) -> list[tuple[int, str]]:
    return list(enumerate(lines))


def test_lines_of_the_same_texts_are_told_together_the_dearest_first() -> None:
    first = numbered("- run the tests", "only in the first", "- push the tag by hand", "shared by all three")
    second = numbered("* run the  tests", "shared by all three", "push the tag by hand")
    third = numbered("shared by all three")
    assert repeated([("a", first), ("b", second), ("c", third)]) == [
        Repeated(("a", "b", "c"), (3, 1, 0), "shared by all three", 1, 40),
        Repeated(("a", "b"), (0, 0), "- run the tests", 2, 38),
    ]


def test_short_lines_and_copies_in_one_text_alone_are_none() -> None:
    assert repeated([(0, numbered("- short", "twice in the one", "twice in the one")), (1, numbered("short", ""))]) == []


def test_a_line_of_many_copies_in_one_text_counts_once_in_it() -> None:
    assert repeated([(0, numbered("said in both places")), (1, numbered(*["said in both places"] * 9))])[0].size == 20


def test_many_texts_of_the_same_lines_take_linear_time() -> None:
    lines = [f"line number {number} of all" for number in range(2_000)]
    assert [each.lines for each in repeated([(0, numbered(*lines))] * 20)] == [2_000]
