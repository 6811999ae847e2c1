"""How Markdown is drawn: marks within a line, what stands in a quote, code."""

from __future__ import annotations

import pytest

from zsmem_tui.core.text import lines
from zsmem_tui.ui.reading.inline import inline
from zsmem_tui.ui.reading.page import Page


def drawn(text: str, width: int = 60) -> list[list[tuple[str, str]]]:
    page = Page(text)
    page.start(width, raw=False)
    for _ in page.lay_out():
        pass
    return [page.spans(row)[0] for row in range(page.row_count)]


def plain(text: str, width: int = 60) -> list[str]:
    return ["".join(words for words, _ in row) for row in drawn(text, width)]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("***x***", [("x", "bold-italic")]),
        ("a ***b c*** d", [("a ", "text"), ("b c", "bold-italic"), (" d", "text")]),
        ("___x___", [("x", "bold-italic")]),
        ("**x**", [("x", "bold")]),
        ("*x*", [("x", "italic")]),
        ("***", [("***", "text")]),
        ("2 *** 3 *** 4", [("2 *** 3 *** 4", "text")]),
        ("snake___case___name", [("snake___case___name", "text")]),
    ],
)
def test_marks_within_a_line(text: str, spans: list[tuple[str, str]]) -> None:
    assert inline(text) == spans


def test_a_list_in_a_quote_has_an_item_on_each_row() -> None:
    assert plain("> - one\n> - two\n>   goes on\n> 1. three\n") == ["▎ • one", "▎ • two goes on", "▎ 1. three"]


def test_a_checklist_and_a_heading_in_a_quote() -> None:
    assert plain("> # Title\n> text\n> goes on\n>\n> - [ ] open\n> - [x] done\n") == [
        "▎ ▌ Title",
        "▎ text goes on",
        "▎ ",
        "▎ ☐ open",
        "▎ ☑ done",
    ]


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_a_fence_in_a_quote_keeps_its_lines_and_their_indent(fence: str) -> None:
    text = f"> before\n> {fence}python\n> def f():\n>     return 1\n>\n> # no heading\n> {fence}\n> after\n"
    assert plain(text) == ["▎ before", "▎  python", "▎  def f():", "▎      return 1", "▎  ", "▎  # no heading", "▎ ", "▎ after"]
    styles = [{style for words, style in row if words.strip("▎ ")} for row in drawn(text)]
    assert styles[3] == {"code-block"} and styles[5] == {"code-block"}


def test_quotes_in_quotes_and_paragraphs_in_them() -> None:
    assert plain("> one\n> two\n>> inner\n>> - item\n> back\n") == ["▎ one two", "▎ ▎ inner", "▎ ▎ • item", "▎ back"]


def test_an_underlined_heading_in_a_quote_loses_nothing() -> None:
    found = plain("> Title\n> =====\n> text\n", 20)
    assert found[0] == "▎ Title" and found[-1] == "▎ text"


def test_the_first_cell_of_a_code_line_is_shaded_as_the_rest() -> None:
    for row in drawn("```\ncode\n```\n")[1:2]:
        assert {style for _, style in row} == {"code-block"}


@pytest.mark.parametrize(
    "text",
    [
        "> ",
        ">",
        ">>>",
        "> ```",
        "> ```\nnot quoted\n> ```\n",
        "> ---\n> ***\n",
        "> | a | b |\n> |---|---|\n> | 1 | 2 |\n",
        ">\t- x\n> \x1b[2J\n",
        "- item\n> quote\n- item\n",
    ],
)
def test_every_quote_can_be_laid_out_and_no_line_is_lost(text: str) -> None:
    for width in (1, 3, 20, 80):
        page = Page(text)
        page.start(width, raw=False)
        for _ in page.lay_out():
            pass
        assert page.complete and page.row_count >= 1
        assert [page.row_of(line) for line in range(len(lines(text)))] == sorted(
            page.row_of(line) for line in range(len(lines(text)))
        )
