"""What each line of a Markdown text is: as the library that Textual reads Markdown with has it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench.markdown import HERE, differences, library_kinds, own_kinds, texts
from zsmem_tui.core.markdown import (
    cells,
    front_matter,
    heading_level,
    heading_words,
    is_broken_front_matter,
    outside_code,
    scan,
    top_items,
)

BITS = (
    "- item", "* item", "+ item", "1. one", "2) two", "12. twelve", "-", "  - inner", "    deep", "text", "more text",
    "2026. was a year", "", "", "", " ", "# Title", "## Part", "###", "#tag", "===", "---", "- - -", "***", "```", "```sh",
    "````", "~~~", "  ```", "`code`", "```one```", "* ```", "- # heading", "- > quote", "> quote", "> # Title",
    "> ```", ">> inner", "> - item", ">", "| a | b |", "|---|---|", "<div>", "</div>", "<!-- one -->", "<!-- open", "-->",
    "<pre>", "</pre>", "<a b='c'>",
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(BITS), max_size=12).filter(lambda rows: not front_matter(rows)))
def test_lines_are_what_the_library_says_they_are(rows: list[str]) -> None:
    own, other = own_kinds(rows), library_kinds(rows)
    while rows and not rows[-1].strip(" >"):  # a fence without an end ends before the last empty line, or in it
        rows, own, other = rows[:-1], own[:-1], other[:-1]
    assert own == other


def test_no_line_of_this_repository_is_another_one_to_the_library() -> None:
    count, wrong = 0, []
    for path, text in texts([HERE / "zsmem_tui", HERE / "tests", HERE / ".github"]):
        size, found = differences(text)
        count += size
        wrong += [(path.name, *each) for each in found]
    assert count > 4_000 and not wrong


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("- a\n  ```\n  code\n- b\n# T", ["", "code", "code", "", "h1"]),
        ("* ```\n  code\n  ```\ntext", ["code", "code", "code", ""]),
        ("- # heading\n- b", ["h1", ""]),
        ("1. a\n2. ## b", ["", "h2"]),
        ("<pre>\n---\n# no\n</pre>\n---", ["", "", "", "", "rule"]),
        ("<!-- a\n> b?>]]>\n# no\n-->\n# T", ["", "", "", "", "h1"]),
        ("<? a\n> b-->]]>\n# no\n?>\n# T", ["", "", "", "", "h1"]),
        ("<![CDATA[ a\n> b-->?>\n# no\n]]>\n# T", ["", "", "", "", "h1"]),
        ("<!A\n# no\n>\n# T", ["", "", "", "h1"]),
        ("one\ntwo\n===", ["h1", "h1", ""]),
        ("> one\n> ---\n> two", ["h2", "", ""]),
        ("    # code\n\n# no code", ["indented", "", "h1"]),
        ("> ```\nout\n> ```", ["code", "", "code"]),
        ("> foo\n    - bar\n# T", ["", "", "h1"]),
        ("- a | b\n  --- | ---\n  1 | 2", ["table", "table", "table"]),
        ("-\n\n    code", ["", "", "indented"]),
        (">    # T\n>\t # T\n>\t  code\n>     code", ["h1", "h1", "indented", "indented"]),
        ("a | b\n--- | ---\n1 | 2\n\nc", ["table", "table", "table", "", ""]),
    ],
)
def test_what_stands_in_lists_quotes_and_html(text: str, kinds: list[str]) -> None:
    assert own_kinds(text.split("\n")) == kinds


def test_front_matter_ends_with_its_second_line_of_dashes() -> None:
    assert front_matter(["---", "a: b", "---", "text"]) == 3
    assert front_matter(["\ufeff---", "a: b", "...", "text"]) == 3
    for fields in ("tags:\n- a\n- b", "description: >-\n  one\n  two", "# a comment\n\nname: x", "globs: [\n]", "name: 'x\n  y'"):
        assert not is_broken_front_matter(["---", "name: a", *fields.split("\n"), "---", "text"]), fields
    for text in ("\nSome words.", "\n- an item: of a list", "\n# Head\n\nWords.\n"):
        assert is_broken_front_matter(["---", "name: a", *text.split("\n"), "---", "text"]), text
    assert front_matter(["---", "a: b"]) == front_matter(["text", "---"]) == front_matter([]) == 0


def test_dashes_below_the_first_line_open_no_front_matter() -> None:
    fields = ["---", "name: a", "description: what it is", "---", "text"]
    for above in (["## Notes", ""], ["## Notes"], [""], ["text"], ["text", "", ""]):
        assert not is_broken_front_matter([*above, *fields]), above
    assert not is_broken_front_matter(["## Notes", *fields[1:]]) and not is_broken_front_matter(["text", *fields[1:]])
    for first in ("X---", "--", "--- -", "\ufeff --- "):
        assert is_broken_front_matter([first, *fields[1:]]), first
    assert is_broken_front_matter(fields[1:])


def test_headings_have_a_level_and_words() -> None:
    assert [heading_level(line) for line in ("# a", "###### a", "####### a", "#a", "   ## a", "    ## a", "#", "a")] == [
        1, 6, 0, 0, 2, 0, 1, 0,
    ]  # fmt: skip
    assert [heading_words(line) for line in ("# a b", "## a ##", "# a#", "#", "## ##\r\n")] == ["a b", "a", "a#", "", ""]


def test_cells_are_what_stands_between_bars() -> None:
    for row in ("| a | b c |", "a | b c", "|a|b c", "a|b c|  \r"):
        assert cells(row) == ["a", "b c"]
    assert cells(r"a \| b | c \|") == ["a | b", "c |"]


def test_items_at_the_top_of_lists_have_what_stands_in_them_and_the_heading_above() -> None:
    text = "---\na: b\n---\n# One\n- a\n  - b\n\n  c\nlazy\n> - no\n\n1. d\n```\n- no\n```\nTwo\nwords\n===\n* e\r* f"
    assert list(top_items(text.split("\n"))) == [(4, 9, "One"), (11, 12, "One"), (18, 19, "Two words")]
    for end in ("", "\r"):
        assert list(top_items([f"{row}{end}" for row in ("words", "*", "2. b", "1. c")])) == [(3, 4, "")]


def test_lines_between_fences_are_inside_code_and_so_are_the_fences() -> None:
    rows = ["a", "````", "```", "````", "- b", "  ~~~", "c"]
    assert [outside for _, _, outside in outside_code(rows)] == [True, False, False, False, True, False, True]


@pytest.mark.parametrize(
    "text",
    [
        ">" * 100_000, "- " * 100_000, "1. " * 100_000, "\n".join("`" * (3 + at % 400) for at in range(20_000)),
        "<a" + ' b="' * 50_000, "<!-- \n" * 20_000, "a|b\n|" + ":-:  " * 30_000 + "x", "#" + " " * 100_000 + "x",
        "# x" + " #" * 50_000 + "x",
        ("> " * 30 + "a\n") * 3_000, "\n".join(" " * at + "- a" for at in range(500)),
    ],
)  # fmt: skip
def test_hostile_texts_take_time_in_proportion(text: str) -> None:
    start = time.process_time()
    for line, _ in zip(text.split("\n"), scan(text.split("\n")), strict=True):
        heading_words(line)
    assert time.process_time() - start < 2
