"""What is wrong with a text whatever it says."""

from __future__ import annotations

import pytest

from zsmem_tui.core.checklist import hidden_items
from zsmem_tui.core.checks.document import read_document
from zsmem_tui.core.checks.finding import LineEdit
from zsmem_tui.core.checks.structure import broken, long_lines

BROKEN = {
    "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\nd\n": [(2, 6)],
    "<<<<<<< ours\nb\n||||||| base\nx\n=======\nc\n>>>>>>> theirs\n<<<<<<< a\n=======\n>>>>>>> b\n": [(1, 7), (8, 10)],
    "<<<<<<< HEAD\nb\n=======\nc\n": [(1, 3)],
    "```sh\nls\n\ntext\n": [(1, 1)],
    "~~~\nls\n": [(1, 1)],
    "- a\n  ```\n  x\n": [(2, 2)],
    "````\n```\nx\n": [(1, 1)],
    "one </memory> two\n": [(1, 1)],
    "| a | </memory> |\n": [(1, 1)],
}

WHOLE = [
    "```\n<<<<<<< HEAD\n=======\n>>>>>>> x\n```\n",
    "Title\n=======\n\ntext\n",
    "a ======= b\n",
    ">>>>>>> deep quote\n",
    "<<<<<<< alone\n",
    "````\n```\n````\n",
    "~~~\n```\n~~~\n",
    "`</memory>` and ``</memory>``\n",
    "```\n</memory>\n```\n",
    "&lt;/memory&gt; and <memory>\n",
    "```inline``` code\n",
    "- ```sh\n  ls\n  ```\n",
    "> ```\n> x\n> ```\n",
]


@pytest.mark.parametrize(("text", "places"), BROKEN.items())
def test_what_is_broken_is_found_where_it_begins(text: str, places: list[tuple[int, int]]) -> None:
    assert [(each.line, each.last_line) for each in broken(read_document(text), "a.md", "</memory>")] == places


@pytest.mark.parametrize("text", WHOLE)
def test_what_is_quoted_is_not_broken(text: str) -> None:
    assert not list(broken(read_document(text), "a.md", "</memory>"))


HIDDEN = [
    "+ [ ] a",
    "1. [ ] a",
    "3) [ ] a",
    "-[ ] a",
    "-  [ ] a",
    "- [] a",
    "- [  ] a",
    "-\t[ ] a",
    "  + [ ] a",
    "* [] a",
    "\u2022 [ ] a",
    "\u2013 [ ] a",
    "[ ] a",
    "- [\t] a",
    "- \uff3b\u3000\uff3d a",
    "+ [ ]a",
    "- [\u00a0] a",
    "*[ ] a",
    "- [ ]\n```\n+ [ ] x\n",
    "```\n+ [ ] x\n",
]
SEEN = [
    "- [ ] a",
    "* [ ] a",
    "  - [ ] a",
    "\t- [ ] a",
    "- [x] a",
    "+ [x] a",
    "- [-] a",
    "1. a",
    "- a [ ] b",
    "[](x)",
    "- [](x)",
    "```\n+ [ ] a\n```",
    "a[ ] = b",
    "- [link](x)",
    "> + quoted",
    "- [ ]a",
]


@pytest.mark.parametrize("line", HIDDEN)
def test_an_open_item_that_the_filter_drops_is_hidden(line: str) -> None:
    assert len(hidden_items(f"{line}\n")) == 1


@pytest.mark.parametrize("line", SEEN)
def test_an_item_that_it_passes_or_that_is_done_is_not(line: str) -> None:
    assert not hidden_items(f"{line}\n")


def test_a_long_line_is_counted_in_characters_and_split_at_sentences() -> None:
    assert not list(long_lines(read_document("漢" * 1000), "a.md"))
    (found,) = long_lines(read_document("- " + "One sentence of some words. " * 60), "a.md")
    assert found.size > 1000 and found.fix
    rows = found.fix.edits[0].after
    assert len(rows) == 2 and all(len(row) <= 1000 for row in rows) and rows[0].endswith(".") and rows[1].startswith("  One")


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("# A\n\nNever do:\n\n- one\n- two\n", {"one": "A › Never do:", "two": "A › Never do:"}),
        ("# A\n\nNever do\n\n- one\n", {"one": "A"}),
        ("- Never do:\n  - one\n  - two\n- three\n", {"one": " › Never do:", "two": " › Never do:", "three": ""}),
        ("- Never do\n  - one\n", {"one": ""}),
        ("- Never do:\n- one\n", {"one": ""}),
    ],
)
def test_what_stands_below_words_with_a_colon_is_said_of_them(text: str, places: dict[str, str]) -> None:
    assert {each.text: each.heading for each in read_document(text).facts if each.text in places} == places


@pytest.mark.parametrize("text", ["a\nb\n", "a\nb", "\ufeffa\nb\nc"])
@pytest.mark.parametrize(("line", "size"), [(1, 0), (1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("after", [(), ("x",), ("x", "y")])
def test_lines_that_a_fix_writes_end_as_the_file_has_it(text: str, line: int, size: int, after: tuple[str, ...]) -> None:
    edit = LineEdit("n.md", line, ("a", "b")[line - 1 :][:size], after)
    here, there = edit.applied(text.encode()), edit.applied(text.replace("\n", "\r\n").encode())
    assert here is not None and there == here.replace(b"\n", b"\r\n") and here.startswith(b"\xef\xbb\xbf") == (text[0] == "\ufeff")
