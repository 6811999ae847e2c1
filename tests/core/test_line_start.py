"""What stands before the text of a line, and what goes on below it."""

from __future__ import annotations

import pytest

from zsmem_tui.core.list_edits import continued, given_up, line_start


@pytest.mark.parametrize(
    ("line", "start"),
    [
        ("words", ""),
        ("- words", "- "),
        ("  * words", "  * "),
        ("12) words", "12) "),
        ("- [ ] words", "- [ ] "),
        ("- [x]", "- [x]"),
        ("- [link](to)", "- "),
        ("> words", "> "),
        (">> > words", ">> > "),
        ("> - [x] words", "> - [x] "),
        ("  a line of an item", "  "),
        ("\t- words", "\t- "),
        ("---", ""),
        ("* * *", ""),
        ("- - words", "- "),
        ("-words", ""),
        ("2026. was", "2026. "),
        ("# heading", ""),
    ],
)
def test_marker_box_quote_and_indentation_are_before_the_text(line: str, start: str) -> None:
    found = line_start(line)
    assert "".join(found) == start and found.length == len(start)


@pytest.mark.parametrize(
    ("line", "begun"),
    [
        ("- one", "- "),
        ("  + one", "  + "),
        ("9. one", "10. "),
        ("3)  one", "4)  "),
        ("- [x] one", "- [ ] "),
        ("> said", "> "),
        ("> 1. [ ] one", "> 2. [ ] "),
        ("words", ""),
        ("  of an item", ""),
        ("---", ""),
    ],
)
def test_a_list_and_a_quote_go_on_with_the_next_marker(line: str, begun: str) -> None:
    assert continued(line, len(line)) == begun


def test_before_its_text_a_line_is_broken_as_any_other() -> None:
    assert [continued("- one", column) for column in range(4)] == ["", "", "- ", "- "]


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("- ", ""),
        ("  - [ ] ", ""),
        ("7. ", ""),
        ("> ", ""),
        ("> > ", "> "),
        ("> - ", "> "),
        ("- one", None),
        ("", None),
        ("---", None),
    ],
)
def test_a_marker_without_text_ends_its_list_or_its_quote(line: str, left: str | None) -> None:
    assert given_up(line) == left
