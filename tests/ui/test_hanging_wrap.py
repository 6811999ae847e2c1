"""Rows of an editor: what goes on below a marker stands below its text, and each cell leads to its place and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual._wrap import compute_wrap_offsets
from textual.document._document import Document
from textual.expand_tabs import expand_tabs_inline
from textual.geometry import Offset

from zsmem_tui.ui.widgets import hanging_wrap
from zsmem_tui.ui.widgets.hanging_wrap import HangingDocument, HangingNavigator, breaks, widths

TAB = 4
LETTERS = ["a", "b", " ", "word ", "long", "漢", "é", "e\u0301", "\t", "👩\u200d🚀", "❤\ufe0f", "**", "`x`", "."]
STARTS = st.sampled_from(["", "- ", "  - ", "10. ", "- [ ] ", "> ", "> - [x] ", "    ", "\t- ", "# ", "---", " " * 30])
LINES = st.builds(str.__add__, STARTS, st.lists(st.sampled_from(LETTERS), max_size=40).map("".join))
WORDS = st.lists(st.sampled_from(["a", "long", " ", "word ", "🌱", "é", ".", "**"]), max_size=40).map(
    lambda each: "x" + "".join(each)
)
TEXTS = st.lists(LINES, min_size=1, max_size=5)


def rows_of(text: str, width: int) -> list[str]:
    """The rows as they are drawn."""
    rows = HangingDocument(Document(text), width)
    found = [(line, part) for line in range(rows.document.line_count) for part in rows.get_sections(line)]
    return [" " * rows.hanging(row)[1] + part for row, (_, part) in enumerate(found)]


def places(document: Document) -> list[tuple[int, int]]:
    return [(row, column) for row, line in enumerate(document.lines) for column in range(len(line) + 1)]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("- one two three four", ["- one two ", "  three ", "  four"]),
        ("1. [ ] one two", ["1. [ ] ", "     one ", "     two"]),
        ("> one two three", ["> one two ", "  three"]),
        ("  one two three", ["  one two ", "  three"]),
        ("one two three", ["one two ", "three"]),
        ("- abcdefghijklm", ["- abcdefgh", "  ijklm"]),
        ("- a bcdefghijklm", ["- a ", "  bcdefghi", "  jklm"]),
        ("- 漢漢漢漢漢漢", ["- 漢漢漢漢", "  漢漢"]),
        ("- one 漢漢漢漢", ["- one 漢漢", "  漢漢"]),
        ("one 漢漢漢。漢", ["one 漢漢", "漢。漢"]),
        ("          - one two", ["          ", "     - ", "     one ", "     two"]),
    ],
)
def test_rows_hang_below_the_text_of_their_line_and_keep_half_of_the_width(text: str, rows: list[str]) -> None:
    assert rows_of(text, 10) == rows


def test_too_narrow_for_an_indentation_is_wrapped_without() -> None:
    assert rows_of("- one two", 5) == ["- ", "one ", "two"]
    assert rows_of("- [ ] one two", 12) == ["- [ ] one ", "      two"]


@given(TEXTS, st.integers(1, 60))
def test_every_place_has_a_cell_inside_the_width_and_every_cell_leads_back(lines: list[str], width: int) -> None:
    document = Document("\n".join(lines))
    rows = HangingDocument(document, width)
    seen: dict[Offset, list[tuple[int, int]]] = {}
    for place in places(document):
        cell = rows.location_to_offset(place)
        assert 0 <= cell.y < rows.height and 0 <= cell.x <= max(width, TAB)
        seen.setdefault(cell, []).append(place)
        assert rows.location_to_offset(rows.offset_to_location(cell)) == cell
    for cell, found in seen.items():
        assert rows.offset_to_location(cell) in found
        if len(found) > 1:
            line = document.lines[found[0][0]]
            sizes = widths(line, TAB)
            assert all(sizes[column] == 0 for _, column in found[1:-1]), "only parts of one sign share a cell"
    assert list(dict.fromkeys(cell.y for cell in seen)) == list(range(rows.height))


@given(TEXTS, st.integers(1, 60))
def test_rows_hold_the_whole_text_and_none_is_wider_than_the_screen(lines: list[str], width: int) -> None:
    document = Document("\n".join(lines))
    rows = HangingDocument(document, width)
    for number, line in enumerate(document.lines):
        parts = rows.get_sections(number)
        assert "".join(parts) == line and (not line or all(parts))
        sizes, at = widths(line, TAB), 0
        assert sum(sizes) == cell_len(expand_tabs_inline(line, TAB))
        for section, part in enumerate(parts):
            size, is_one_sign = sum(sizes[at : at + len(part)]), not any(sizes[at + 1 : at + len(part)])
            at += len(part)
            room = width - (rows.hanging(rows._first_rows[number] + section)[1])
            assert size <= room or is_one_sign


@given(WORDS, st.integers(4, 60))
def test_a_paragraph_is_wrapped_as_before(line: str, width: int) -> None:
    assert breaks(line, width, TAB) == compute_wrap_offsets(line, width, TAB)


@given(TEXTS, TEXTS, st.integers(1, 40), st.data())
def test_wrapping_what_changed_is_as_wrapping_all(lines: list[str], new: list[str], width: int, data: st.DataObject) -> None:
    document = Document("\n".join(lines))
    rows = HangingDocument(document, width)
    start, end = sorted(data.draw(st.lists(st.sampled_from(places(document)), min_size=2, max_size=2)))
    result = document.replace_range(start, end, "\n".join(new))
    rows.wrap_range(start, end, result.end_location)
    again = HangingDocument(document, width)
    assert (rows._wrap_offsets, rows._offset_to_line_info, rows._first_rows) == (
        again._wrap_offsets,
        again._offset_to_line_info,
        again._first_rows,
    )


@given(TEXTS, st.integers(9, 40))
def test_going_down_row_by_row_and_up_again_passes_the_same_rows(lines: list[str], width: int) -> None:
    document = Document("\n".join(lines))
    rows = HangingDocument(document, width)
    navigator = HangingNavigator(rows)
    place, down = (0, 0), [0]
    while (below := navigator.get_location_below(place)) != place and rows.location_to_offset(below).y > down[-1]:
        place = below
        down.append(rows.location_to_offset(place).y)
    up = [down[-1]]
    while up[-1]:
        place = navigator.get_location_above(place)
        up.append(rows.location_to_offset(place).y)
    assert down == list(range(rows.height)) and up == down[::-1]


@given(LINES, st.lists(LINES, min_size=3, max_size=8), st.integers(2, 12), st.data())
def test_a_line_of_many_rows_is_wrapped_again_from_the_change_on_as_if_all_of_it_was(
    new: str, parts: list[str], width: int, data: st.DataObject
) -> None:
    line = "".join(parts)
    document = Document(f"above\n{line}\nbelow")
    rows = HangingDocument(document, width)
    start, end = sorted(data.draw(st.lists(st.integers(0, len(line)), min_size=2, max_size=2)))
    result = document.replace_range((1, start), (1, end), new)
    rows.wrap_range((1, start), (1, end), result.end_location)
    again = HangingDocument(document, width)
    assert (rows._wrap_offsets, rows._offset_to_line_info) == (again._wrap_offsets, again._offset_to_line_info)


def test_a_change_in_a_line_of_megabytes_looks_at_few_of_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document("lorem ipsum dolor sit " * 90_000)
    rows = HangingDocument(document, 80)
    looked: list[int] = []
    row_end = hanging_wrap._row_end

    def watched(line: str, start: int, at: int, room: int, tab_width: int, marker: int) -> tuple[int, int] | None:
        looked.append(start)
        return row_end(line, start, at, room, tab_width, marker)

    monkeypatch.setattr(hanging_wrap, "_row_end", watched)
    result = document.replace_range((0, 1_000_000), (0, 1_000_000), "x")
    rows.wrap_range((0, 1_000_000), (0, 1_000_000), result.end_location)
    assert 0 < len(looked) < 100
    monkeypatch.undo()
    assert rows._wrap_offsets == HangingDocument(document, 80)._wrap_offsets
