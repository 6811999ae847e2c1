"""Places in a page as it is drawn, and the text between them."""

from __future__ import annotations

from tests.ui.test_reading import laid_out
from zsmem_tui.ui.reading.page import Place, between, moved, whole_lines

TEXT = "# Head\n\n- an item of many words\n  that goes on\n- 日本 two\n\nlast\n"


def test_rows_that_a_line_was_broken_into_are_one_line_again() -> None:
    page = laid_out(TEXT, width=16)
    assert [page.plain(row).rstrip() for row in range(page.row_count)] == [
        "▌ Head",
        "",
        "• an item of",
        "  many words",
        "  that goes on",
        "• 日本 two",
        "",
        "last",
    ]
    assert between(page, Place(2, 2), Place(5, 4)) == "an item of many words that goes on\n• 日本"
    assert between(page, Place(4, 2), Place(4, 6)) == "that"
    assert between(page, Place(0, 0), Place(99, 0)) == between(page, Place(0, 0), Place(7, 4))


def test_places_stay_within_the_text_and_keep_their_column() -> None:
    page = laid_out(TEXT, width=16)
    assert moved(page, Place(0, 0), -1, 0, 0) == Place(0, 0)
    assert moved(page, Place(0, 5), 1, 0, 5) == Place(1, 0)
    assert moved(page, Place(1, 0), -1, 0, 0) == Place(0, 5)
    assert moved(page, Place(1, 0), 0, 1, 9) == Place(2, 9)
    assert moved(page, Place(2, 9), 0, 99, 9) == Place(7, 3)
    assert moved(page, Place(7, 3), 1, 0, 3) == Place(7, 3)


def test_whole_lines_are_those_of_the_file() -> None:
    page = laid_out(TEXT, width=16)
    start, stop, numbers = whole_lines(page, Place(5, 1), Place(3, 2))
    assert [page.lines[number] for number in numbers] == ["- an item of many words", "  that goes on", "- 日本 two"]
    assert (start, page.plain(stop.row)[stop.at]) == (Place(2, 0), "o")
    assert whole_lines(laid_out(TEXT, width=16, raw=True), Place(1, 0), Place(0, 0))[2] == range(2)
