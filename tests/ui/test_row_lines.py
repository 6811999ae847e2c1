"""Rows of lists as lines of cells."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from zsmem_tui.ui.widgets.row_lines import Piece, row_lines, wrapped


def lines_of(pieces: list[Piece], facts: str, width: int, most: int = 3) -> list[str]:
    rows = row_lines(pieces, facts, width, most)
    assert all(sum(cell_len(text) for text, _ in row) == width for row in rows)
    return ["".join(text for text, _ in row).rstrip() for row in rows]


WORDS = "the quick brown fox jumps over the lazy dog and runs"


def test_a_short_row_is_one_line_with_its_facts_at_the_right() -> None:
    assert lines_of([(" ", "text"), ("fox", "text")], "3d", 12) == [" fox      3d"]


def test_a_long_row_goes_on_below_its_first_word_and_beside_its_facts() -> None:
    assert lines_of([(" ", "text"), ("☐ ", "mark"), (WORDS, "text")], "3d", 30) == [
        " ☐ the quick brown fox      3d",
        "   jumps over the lazy dog",
        "   and runs",
    ]


def test_more_than_the_most_lines_end_in_a_sign() -> None:
    assert lines_of([(" ", "text"), (WORDS, "text")], "", 20, 2) == [" the quick brown fox", " jumps over the laz…"]
    assert lines_of([(" ", "text"), (WORDS, "text")], "", 20, 1) == [" the quick brown fo…"]


def test_a_word_that_is_longer_than_a_line_is_broken_anywhere() -> None:
    assert lines_of([(" ", "text"), ("x" * 20, "text")], "", 12, 9) == [" " + "x" * 11, " " + "x" * 9]


def test_wide_characters_are_never_halved() -> None:
    assert lines_of([(" ", "text"), ("日本語" * 4, "text")], "", 12, 9) == [" 日本語日本", " 語日本語日", " 本語"]


def test_scripts_without_blanks_are_broken_between_their_signs_and_not_only_at_blanks() -> None:
    assert lines_of([(" ", "text"), ("☐ ", "mark"), ("用語集の重複を調べる", "text")], "", 15) == [" ☐ 用語集の重複", "   を調べる"]
    assert lines_of([(" ", "text"), ("CR+LF が書き出される", "text")], "", 12) == [" CR+LF が書", " き出される"]


def test_no_line_begins_with_what_closes_nor_ends_with_what_opens() -> None:
    assert lines_of([(" ", "text"), ("今日は雨です。晴れる", "text")], "", 13, 9) == [" 今日は雨で", " す。晴れる"]
    assert lines_of([(" ", "text"), ("今日は「雨」です", "text")], "", 9, 9) == [" 今日は", " 「雨」で", " す"]


def test_styles_stay_with_their_words() -> None:
    rows = row_lines([(" ", "text"), ("one two ", "head"), ("three", "warn")], "", 9, 3)
    assert rows == [[(" ", "text"), ("one two", "head"), (" ", "text")], [(" ", "text"), ("three", "warn"), ("   ", "text")]]


def test_facts_that_need_most_of_a_line_stand_below() -> None:
    reason = "never: the agent reads only its first lines"
    assert lines_of([(" ", "text"), (WORDS, "text")], reason, 60) == [f" {WORDS}", f"{reason:>60}"]
    assert lines_of([(" ", "text"), ("fox", "text")], reason, 60) == [f" fox{reason:>56}"]


def test_facts_that_have_no_room_in_a_narrow_list_give_way() -> None:
    assert lines_of([(" ", "text"), ("the quick fox", "text")], "line 1234567", 18) == [" the quick fox"]


def test_no_width_is_too_small() -> None:
    for width in range(1, 12):
        lines_of([("✓", "mark"), ("☐ ", "text"), (WORDS + " 日本", "text")], "line 12", width, 4)


def test_what_goes_on_below_numbers_begins_beside_them() -> None:
    pieces: list[Piece] = [(" ", "text"), (" 32K  8219  ", "text"), (WORDS, "head")]
    rows = ["".join(text for text, _ in row).rstrip() for row in row_lines(pieces, "", 36, 3, 13)]
    assert rows == ["  32K  8219  the quick brown fox", "             jumps over the lazy dog", "             and runs"]
    assert "".join(text for text, _ in row_lines(pieces, "", 16, 3, 13)[1]).startswith(" " * 9), "there is room left for words"


@pytest.mark.parametrize("width", [20, 40, 78])
def test_a_sign_never_stands_alone_before_a_long_path(width: int) -> None:
    text = "! /home/ann/.claude/projects/-home-ann-code-a-folder-with-a-long-name-indeed/memory/MEMORY.md: it is no file"
    rows = wrapped(text, width)
    assert rows[0].startswith("! /home/ann") and all(cell_len(row) <= width for row in rows)
    drawn = ["".join(piece for piece, _ in line).strip() for line in row_lines([(text, "warn")], "", width, 9)]
    assert drawn[0].startswith("! /home/ann")
