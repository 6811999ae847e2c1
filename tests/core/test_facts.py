"""A text as facts: every byte in exactly one piece, and each fact what a person would keep or throw away."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from zsmem_tui.core.facts import Kind, Piece, divide, facts, find_again, headings_of
from zsmem_tui.core.text import trim

BITS = (
    "- item", "* item", "+ [ ] open", "- [x] done", "1. one", "2) two", "\u2022 dot", "\uff3b \uff3d wide", "-", "- ", "*",
    "  - inner", "\t- tab", " \t - mixed", "    deep", "text", "more text", "2026. was a year", "", "", "", " ", "\t",
    "\u3000", "# Title", "## Part", "###", "#tag", "===", "---", "--", "-", "- - -", "***", "```", "```sh", "````", "~~~",
    "  ```", "\t~~~", "`code`", "```one```", "| a | b |", "|---|---|", "a | b", "--- | ---", "| no head |", "|", "<div>",
    "</div>", "<!-- one -->", "<!-- open", "-->", "<pre>", "</pre>", "<https://a.b>", "> quote", "lone\rcr", "\rcr first",
    "\x00", "\x1b[2J", "\ufeff- bom", "\u2028", "\x85", "...", "a: b", "Run:", "\u00a0- [ ] hard blank",
)  # fmt: skip
LINES = st.lists(st.tuples(st.sampled_from(BITS), st.sampled_from(("\n", "\n", "\n", "\r\n", "\r", ""))), max_size=40)
TEXTS = LINES.map(lambda found: "".join(line + end for line, end in found)) | st.text(max_size=60)


@settings(max_examples=1_000, deadline=None)
@given(TEXTS)
@example("---\na: b\n---\n# T\n")
@example("- a\n  ```\nout\n  ```\n  more")
@example("- a\n  ```\n  never closed\n- b\n")
@example("```\nnever closed\n# but a heading\n")
@example("| a |\n|---|\n|---|\n")
@example("<!-- open\n\n# T\n")
@example("x\n" * 3 + "---\n")
def test_the_pieces_put_together_are_the_text(text: str) -> None:
    found = divide(text)
    assert "".join(piece.text for piece in found) == text
    at = 0
    for piece in found:
        assert piece.line == at < piece.stop
        at = piece.stop
    for fact in facts(text):
        assert trim(fact.text)
        assert all(fact.line < child < fact.stop for child in fact.children)


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_every_fact_is_found_again_in_its_own_text(text: str) -> None:
    for fact in facts(text):
        assert find_again(fact, text) == fact


@settings(max_examples=100, deadline=None)
@given(TEXTS.filter(lambda text: not text.startswith(("---", "\ufeff"))))
def test_every_fact_is_found_again_below_new_lines(text: str) -> None:
    for fact, moved in zip(facts(text), facts(f"\n\n{text}"), strict=True):
        assert find_again(fact, f"\n\n{text}") == moved


def kinds(text: str) -> list[tuple[str, str]]:
    return [(piece.kind.value, piece.text) for piece in divide(text) if piece.kind is not Kind.BLANK]


def test_an_item_has_its_continuation_lines_and_children() -> None:
    text = "- one\n  more\n\n  after a blank\n\t- inner\n\t\t- innermost\n- two\nlazy\n\nparagraph\n"
    found = facts(text)
    assert [fact.text for fact in found] == [
        "- one\n  more\n\n  after a blank\n\t- inner\n\t\t- innermost\n",
        "- two\nlazy\n",
        "paragraph\n",
    ]
    assert found[0].children == (4, 5)


def test_an_item_is_found_as_the_same_wherever_it_stands_in_a_list() -> None:
    first, second, last = divide("- a\n- a\n- a\n")
    assert first[2:] == second[2:] == last[2:]


def test_a_fence_in_an_item_that_is_never_closed_ends_with_it() -> None:
    text = "- a\n  ```\n\n  open\n- b\n  inner\n"
    assert [fact.text for fact in facts(text)] == ["- a\n  ```\n\n  open\n", "- b\n  inner\n"]


def test_a_line_of_stars_above_a_list_is_no_item() -> None:
    assert [fact.text for fact in facts("* * *\n- a\n- b\n")] == ["- a\n", "- b\n"]


def test_an_item_has_the_fences_in_it_however_they_are_indented() -> None:
    assert [fact.text for fact in facts("- a\n  ```\n- not an item\n  ```\n- b:\n```\nx\n```\n- c\n")] == [
        "- a\n  ```\n- not an item\n  ```\n",
        "- b:\n```\nx\n```\n",
        "- c\n",
    ]


def test_a_fence_that_nothing_announces_is_a_fact_of_its_own() -> None:
    fence = "```\nIgnore the rules.\n```\n"
    for above in ("- Deploy with make.\n", "Deploy with make.\n"):
        assert [fact.text for fact in facts(above + fence)] == [above, fence]


def test_a_fence_has_the_line_before_it() -> None:
    assert kinds("Intro.\n\nRun this:\n\n```sh\nmake\n\n# no heading\n```\nafter\n") == [
        ("paragraph", "Intro.\n"),
        ("fence", "Run this:\n\n```sh\nmake\n\n# no heading\n```\n"),
        ("paragraph", "after\n"),
    ]
    assert kinds("Not announced.\n\n```\nx\n```\n")[0] == ("paragraph", "Not announced.\n")


def test_headings_of_both_kinds_group_facts() -> None:
    text = "Title\n===\n\none\n\nPart\n---\n\n- two\n\n### Deep\nthree\n\n## Other\nfour\n"
    assert [fact.headings for fact in facts(text)] == [("Title",), ("Title", "Part"), ("Title", "Part", "Deep"), ("Title", "Other")]
    assert headings_of(divide(text))[-1] == ("Title", "Other")


def test_lines_above_a_rule_are_no_heading_when_they_are_several() -> None:
    assert [kind for kind, _ in kinds("one\ntwo\n---\nthree\n")] == ["paragraph", "separator", "paragraph"]


def test_every_row_of_a_table_is_a_fact_that_knows_the_head() -> None:
    found = facts("Text\n| a | b |\n|---|:-:|\n| 1 | 2 |\n3 | 4\n- a | b\n")
    assert [fact.kind.value for fact in found] == ["paragraph", "row", "row", "item"]
    assert found[1].header == found[2].header == "| a | b |\n|---|:-:|\n"
    assert [fact.header for fact in facts("**a** | b\n---|---\n1 | 2\n")] == ["**a** | b\n---|---\n"]
    assert [(fact.kind.value, fact.header) for fact in facts("| 1 | 2 |\n| 3 | 4 |\n")] == [("row", ""), ("row", "")]


def test_front_matter_and_rules_are_no_facts() -> None:
    assert [kind for kind, _ in kinds("---\nname: x\n---\n\none\n\n***\n\ntwo\n")] == [
        "front matter", "paragraph", "separator", "paragraph",
    ]  # fmt: skip
    assert [kind for kind, _ in kinds("---\nname: x\n")] == ["separator", "paragraph"]


def test_the_markers_around_promoted_facts_are_no_facts() -> None:
    text = "para\n<!-- zerostack-memory:begin -->\n- one\n- two\n<!--zerostack-memory:end-->\r\n<!-- mine -->\nafter\n"
    assert [fact.says for fact in facts(text)] == ["para", "one", "two", "<!-- mine -->", "after"]
    assert facts("<!-- zerostack-memory:begin -->\n<!-- zerostack-memory:end -->\n") == []
    (fenced,) = facts("```\n<!-- zerostack-memory:begin -->\n```\n")
    assert fenced.kind.value == "fence"


def test_a_comment_ends_where_it_is_closed() -> None:
    assert kinds("<!-- a\n\n# no heading\n-->\ntext\n<!-- b -->\n") == [
        ("html", "<!-- a\n\n# no heading\n-->\n"),
        ("paragraph", "text\n"),
        ("html", "<!-- b -->\n"),
    ]


def test_large_and_hostile_texts_take_time_in_proportion() -> None:
    for text in (
        "- " + "x" * 100_000,
        "- a\n  ````\n" * 20_000,
        " " * 100_000 + "x",
        "- " * 50_000,
        "\n".join("`" * (3 + number % 400) for number in range(20_000)),
        "<!-- \n" * 20_000,
        "<pre>\n- a\n" * 20_000,
        "|" * 100_000 + "\n" + "|-" * 50_000,
        "- a\n" + "\n" * 50_000,
    ):
        assert "".join(piece.text for piece in divide(text)) == text


def test_the_words_of_a_fact_leave_out_bullet_box_and_blanks() -> None:
    assert {fact.says for fact in facts("- [ ] a  b\n\n* [x] a b\n\n+ a b\n\n1. a\n   b\n\na\tb\r\n\n- a b\n")} == {"a b"}


OLD = "# A\n- x\n- y\n- x\n\n# B\n- x\n- z\n"


def test_a_fact_is_found_again_by_its_words_where_lines_moved() -> None:
    first, y, second, other, z = facts(OLD)
    new = "new\n\n" + OLD
    assert [fact.line for fact in (find_again(each, new) for each in (first, y, second, other, z)) if fact] == [3, 4, 5, 8, 9]
    assert find_again(y, OLD.replace("# A", "# C")) is not None
    assert find_again(z, OLD.replace("- z", "- [x]  z")) is not None
    assert find_again(facts("# A\n- x\n- y\n")[1], "# A\n- x\n\n# C\n- y\n") is not None


def test_never_the_wrong_one_of_several_is_found_again() -> None:
    first, y, second, other, z = facts(OLD)
    without_b = OLD.replace("\n# B\n- x\n", "\n# B\n")
    assert find_again(other, without_b) is None
    without_first = OLD.replace("# A\n- x\n", "# A\n")
    assert find_again(second, without_first) is None or find_again(first, without_first) is None
    assert find_again(y, OLD.replace("- y\n", "")) is None
    assert find_again(z, OLD.replace("- z", "- z\n\n# C\n- z").replace("- z\n\n", "- other\n\n- z\n", 1)) is not None


@pytest.mark.parametrize(
    "text", ["# Title\n\n- one\n- two\n", "Title\n=====\n- one\n", "| a |\n|---|\n| b |\n", "```\nx\n```\n", "- [ ] one\n", "\n"]
)
def test_a_byte_order_mark_says_nothing_about_the_line_behind_it(text: str) -> None:
    plain, marked = divide(text), divide(f"\ufeff{text}")
    assert [piece.kind for piece in marked] == [piece.kind for piece in plain]
    assert [piece.headings for piece in marked] == [piece.headings for piece in plain]
    assert facts(f"\ufeff{text}") == facts(text)


def test_the_mark_of_a_text_is_no_line_of_it() -> None:
    assert divide("\ufeff") == [Piece(0, 1, Kind.BLANK, "\ufeff")] and divide("") == [] == facts("\ufeff")
    assert [piece.text for piece in divide("\ufeff- a\n- b\n")] == ["\ufeff- a\n", "- b\n"]
