"""The block in parts: put together they are the block, none is over the limit, and what does not fit is said."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.memory_parts import Part, fitted, part_of, split


def body(text: str) -> str:
    return text.partition("\n")[2]


@given(some.text(alphabet="ab\né☃😀", max_size=600), some.integers(1, 6), some.booleans())
@example("😀" * 500, 4, False)
def test_the_parts_are_the_block_and_none_is_too_long(block: str, count: int, in_bytes: bool) -> None:
    """Characters are counted as agents written in JavaScript do: an emoji has two."""
    parts = [part_of(block, Part(number, count), 400, in_bytes=in_bytes) for number in range(1, count + 1)]
    assert all(len(part.encode() if in_bytes else part.encode("utf-16-le")) <= (400 if in_bytes else 800) for part in parts)
    _, left = split(block, count, 400 - 64, in_bytes=in_bytes)
    whole = "".join(body(part) for part in parts)
    assert whole == block if not left else "`zsmem context` prints all" in parts[-1]


def test_parts_end_at_line_ends_while_all_of_the_block_fits() -> None:
    for count in (2, 3):
        pieces, left = split("x" * 49 + "\n" + "y" * 99 + "\n", count, 100)
        assert pieces == ["x" * 49 + "\n", "y" * 99 + "\n"] and not left
    pieces, left = split(("z" * 50 + "\n") * 6, 3, 102)
    assert len(pieces) == 3 and not left
    assert split("x" * 49 + "\n" + "y" * 150, 2, 100) == (["x" * 49 + "\n" + "y" * 50, "y" * 100], 0)
    pieces, left = split("w" * 250, 3, 100)
    assert pieces == ["w" * 100, "w" * 100, "w" * 50] and not left
    pieces, left = split(("é" * 70 + "\n") * 9, 2, 200)
    assert pieces == [("é" * 70 + "\n") * 2, "é" * 70 + "\n"] and left == 6 * 71, "nor is one cut in vain"


def test_the_largest_block_of_long_lines_fits_into_four_parts() -> None:
    block = ("m" * 6_000 + "\n") * 5 + "m" * 2_700
    parts = [part_of(block, Part(number, 4), 9_500) for number in range(1, 5)]
    assert "".join(map(body, parts)) == block and parts[0].startswith("memory, part 1 of 4\n")


def test_parts_that_are_not_needed_are_empty_and_the_first_says_so() -> None:
    assert part_of("a\n", Part(1, 4), 9_500) == "memory, part 1 of 4 (only 1 is needed)\na\n"
    assert part_of("a\n", Part(2, 4), 9_500) == "" == part_of("", Part(1, 4), 9_500)
    assert part_of("a\n" * 9_000, Part(1, 2), 0).count("\n") == 9_001


def test_a_block_that_is_too_long_for_one_answer_ends_with_a_note() -> None:
    assert fitted("a" * 9_500, 9_500) == "a" * 9_500 and fitted("a\n" * 9_000, 0) == "a\n" * 9_000
    long = fitted("a\n" * 9_000, 9_500)
    assert len(long) <= 9_500 and "characters: `zsmem context` prints all of it" in long


@pytest.mark.parametrize("text", ["", "1", "0/4", "5/4", "a/b", "-1/4", "1/", "1/4/2", "²/4", "1/1000"])
def test_a_part_that_there_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(BadTarget):
        Part.parse(text)
