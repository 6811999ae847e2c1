"""What facts that are taken out, moved and put in make of a text, and that all other facts stay as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.core.test_facts import TEXTS
from zsmem_tui.core.block_edits import (
    Block,
    Edge,
    NoHeading,
    Place,
    added_below,
    blocks,
    ending_of,
    inserted,
    raised,
    replaced,
    reworded,
    shifted,
    split_words,
    without,
)
from zsmem_tui.core.facts import Fact, Kind, divide, facts
from zsmem_tui.core.markdown import BOM


def moved(text: str, found: list[Fact], place: Place) -> str:
    return inserted(without(text, found), blocks(found), place, ending=ending_of(text))


def as_blocks(text: str) -> list[Block]:
    """Facts that somebody typed."""
    return blocks(facts(text))


def lines(text: str) -> Counter[str]:
    """The lines that are not blank, without their ends."""
    return Counter(line.rstrip("\r") for line in text.split("\n") if line.strip())


def fact(text: str, says: str) -> Fact:
    return next(each for each in facts(text) if each.says == says)


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.sets(st.integers(0, 40)))
@example("\ufeff- bom\n", {0})
@example("\ufeff- bom\n- more\n", {0})
@example("\ufeff\ufeff- bom\n- more\n", {1})
@example("- one\n\ufeff- bom\n", {0})
def test_taking_facts_out_leaves_every_other_line(text: str, chosen: set[int]) -> None:
    gone = [each for number, each in enumerate(facts(text)) if number in chosen]
    left = without(text, gone)
    mark = text[: len(text) - len(text.lstrip(BOM))]  # no part of the first fact: it stays
    assert left.startswith(mark)
    assert lines(left[len(mark) :]) == lines(text[len(mark) :]) - sum((lines(each.text) for each in gone), Counter())


def test_a_byte_order_mark_stays_when_the_only_fact_goes_and_the_next_one_is_put_behind_it() -> None:
    text = "\ufeff- bom\r\n"
    assert without(text, facts(text)) == "\ufeff"
    for place in (Edge.TOP, Edge.END):
        assert inserted("\ufeff", as_blocks("- next"), place) == "\ufeff- next\n"


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.data())
def test_moving_loses_no_line(text: str, data: st.DataObject) -> None:
    found = facts(text)
    if not found:
        return
    one = found[data.draw(st.integers(0, len(found) - 1))]
    for made in (moved(text, [one], Edge.TOP), moved(text, [one], Edge.END), raised(text, [one], 0), raised(text, [one], 1)):
        assert not loose(text) - loose(made)
        more = loose(made) - loose(text) - loose(one.header)
        assert all(not line.strip("`~") for line in more)  # a fence that had no end was closed
    for step in (1, -1):
        assert loose(shifted(text, one, step)) == loose(text)


def test_a_fact_is_raised_in_its_own_section_and_stays_as_it_is_where_it_is_first() -> None:
    text = "# A\n- one\n## Notes\n- two\n## Notes\n- three\n- four\n# B\n"
    assert raised(text, [fact(text, "four")], 0) == text.replace("- three\n- four\n", "- four\n- three\n")
    for words, up, same in (("two", 0, True), ("three", 0, True), ("one", 0, True), ("one", 1, True), ("two", 1, False)):
        assert (raised(text, [fact(text, words)], up) == text) is same, words


def loose(text: str) -> Counter[str]:
    """The lines whatever their white space; a byte order mark in front of the first may now be in front of another."""
    return Counter(line.strip("\ufeff \t\r") for line in text.split("\n") if line.strip())


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS)
def test_putting_in_changes_no_line_of_the_target(text: str, source: str) -> None:
    new = blocks(facts(source))
    for place in (Edge.TOP, Edge.END):
        made = inserted(text, new, place)
        assert not loose(text) - loose(made)
        assert not loose("".join(block.text for block in new)) - loose(made)


def test_the_blank_lines_of_one_side_go_with_a_fact() -> None:
    assert without("a\n\nb\n\nc\n", [fact("a\n\nb\n\nc\n", "b")]) == "a\n\nc\n"
    assert without("a\n\nb\n", [fact("a\n\nb\n", "b")]) == "a\n"
    assert without("a\n\nb\n", [fact("a\n\nb\n", "a")]) == "b\n"
    assert without("- a\n- b\n- c", [fact("- a\n- b\n- c", "b")]) == "- a\n- c"
    assert without("# T\n\n- a\n\n# U\n", facts("# T\n\n- a\n\n# U\n")) == "# T\n\n# U\n"
    assert without("a\r\n\r\n\r\nb\r\n\r\nc\r\n", [fact("a\r\n\r\n\r\nb\r\n\r\nc\r\n", "b")]) == "a\r\n\r\n\r\nc\r\n"


def test_what_meets_where_a_fact_was_does_not_become_one() -> None:
    text = "one\n- b\n---\ntwo\n"
    assert without(text, [fact(text, "b")]) == "one\n\n---\ntwo\n"
    text = "- x\n---\na\n---\n"
    assert Kind.FRONT_MATTER not in {piece.kind for piece in divide(without(text, [fact(text, "x")]))}


def test_a_fact_changes_places_below_its_heading_alone() -> None:
    text = "# A\n- a\n  more\n- b\n\ntext\n# B\n- c"
    assert shifted(text, fact(text, "b"), -1) == "# A\n- b\n- a\n  more\n\ntext\n# B\n- c"
    assert shifted(text, fact(text, "b"), 1) == "# A\n- a\n  more\n\ntext\n\n- b\n\n# B\n- c"
    assert shifted(text, fact(text, "c"), -1) == text == shifted(text, fact(text, "a more"), -1)
    assert shifted("- a\n- b", fact("- a\n- b", "a"), 1) == "- b\n- a"
    row = "| no head |\n\n"
    assert shifted(f"{row}- a\n- b\n", fact(f"{row}- a\n- b\n", "a"), 1) == f"{row}- b\n- a\n"


TABLE = "| a |\n|---|\n| 1 |\n| 2 |\n"


def test_a_carriage_return_that_ends_a_text_is_no_part_of_a_line_end() -> None:
    assert shifted("- a\n- b\r", fact("- a\n- b\r", "b"), -1) == "- b\r\n- a"
    assert shifted("- a\n- b\n- c\r", fact("- a\n- b\n- c\r", "a"), 1) == "- b\n- a\n- c\r"
    assert added_below("- a\n- b\r", facts("- a\n- b\r")[0], "new") == "- a\n- new\n- b\r"


def test_a_row_moves_in_its_table_and_others_pass_the_table_as_a_whole() -> None:
    for number, step in enumerate((1, -1)):
        assert shifted(TABLE, facts(TABLE)[number], step) == "| a |\n|---|\n| 2 |\n| 1 |\n"
    text = f"{TABLE}\nend\n"
    assert shifted(text, fact(text, "end"), -1) == f"end\n\n{TABLE}"


def test_the_top_is_below_front_matter_and_title() -> None:
    text = "---\na: b\n---\n\n# Memory\n\n## One\n- a\n\n## Two\n- b\n"
    assert moved(text, [fact(text, "b")], Edge.TOP) == "---\na: b\n---\n\n# Memory\n\n- b\n\n## One\n- a\n\n## Two\n"
    two = "# Memory\n\n\n## One\n\n- a\n- b\n"  # as many lines as before: each more pushes one out of the prompt
    assert moved(two, [fact(two, "b")], Edge.TOP) == "# Memory\n\n- b\n\n## One\n\n- a\n"
    assert moved("- a\n- b\n- c\n", facts("- a\n- b\n- c\n")[1:], Edge.TOP) == "- b\n- c\n- a\n"
    assert moved("## One\n- a\n", facts("## One\n- a\n"), Edge.TOP) == "- a\n\n## One\n"


def test_facts_go_below_a_heading_after_what_is_there() -> None:
    text = "# A\n- a\n\n## In\n- in\n\n# B\ntext"
    new = as_blocks("- new\n")
    assert inserted(text, new, ("A",)) == "# A\n- a\n- new\n\n## In\n- in\n\n# B\ntext"
    assert inserted(text, new, ("A", "In")) == "# A\n- a\n\n## In\n- in\n- new\n\n# B\ntext"
    assert inserted(text, new, Edge.END) == "# A\n- a\n\n## In\n- in\n\n# B\ntext\n\n- new\n"
    assert inserted("# A\r\n- a\r\n", new, ("A",)) == "# A\r\n- a\r\n- new\r\n"
    assert inserted("", new, Edge.END) == "- new\n"
    with pytest.raises(NoHeading):
        inserted(text, new, ("In",))


def test_a_row_brings_its_head_unless_the_target_has_it() -> None:
    row = blocks(facts(TABLE)[:1])
    assert inserted("text\n", row, Edge.END) == "text\n\n| a |\n|---|\n| 1 |\n"
    assert inserted("|a|\n|-|\n| 9 |\n\ntext\n", row, Edge.END) == "|a|\n|-|\n| 9 |\n| 1 |\n\ntext\n"
    assert inserted("|a|\n|-|\n| 9 |\n", row, Edge.TOP) == "|a|\n|-|\n| 1 |\n| 9 |\n"


def test_other_words_keep_bullet_box_and_line_end() -> None:
    text = "  - [ ] old words \r\n    more\r\n"
    one = facts(text)[0]
    assert split_words(one) == ("  - [ ] ", "old words", " ")
    assert reworded(text, one, "new") == "  - [ ] new \r\n    more\r\n"
    assert replaced("a\n- b", facts("a\n- b")[1], "- c\n- d\n") == "a\n- c\n- d"
    with pytest.raises(ValueError, match="words"):
        replaced("a\n", facts("a\n")[0], " \n")


def test_what_is_added_below_is_shaped_like_the_fact_above() -> None:
    assert added_below("- [x] a\n- b\n", facts("- [x] a\n- b\n")[0], "new") == "- [x] a\n- [ ] new\n- b\n"
    assert added_below("1. a", facts("1. a")[0], "b\nc") == "1. a\n2. b\n   c"
    assert added_below("a\n\nb\n", facts("a\n\nb\n")[0], "new") == "a\n\nnew\n\nb\n"
    assert added_below(TABLE, facts(TABLE)[0], "new") == "| a |\n|---|\n| 1 |\n| new |\n| 2 |\n"


def test_a_fence_without_an_end_swallows_nothing_that_meets_it() -> None:
    fence = as_blocks("```sh\nmake\n")
    assert inserted("text\n", fence, Edge.TOP) == "```sh\nmake\n```\n\ntext\n"
    assert inserted("text\n", fence, Edge.END) == "text\n\n```sh\nmake\n"
    assert inserted("text\n\n~~~\nopen\n", as_blocks("- new\n"), Edge.END) == "text\n\n- new\n\n~~~\nopen\n"


@pytest.mark.parametrize("text", ["- one\n- two\n", "one\n\ntwo\n", "| one |\n| two |\n"])
def test_a_byte_order_mark_stays_before_everything_whatever_is_done_to_the_first_fact(text: str) -> None:
    marked = f"\ufeff{text}"
    first, second = facts(marked)
    edits: tuple[Callable[[str], str], ...] = (
        lambda text: without(text, [first]),
        lambda text: shifted(text, first, 1),
        lambda text: moved(text, [second], Edge.TOP),
        lambda text: replaced(text, first, "new\n"),
        lambda text: reworded(text, first, "new"),
        lambda text: added_below(text, first, "new"),
        lambda text: inserted(text, as_blocks(marked), Edge.END),
    )
    for edit in edits:
        assert edit(marked) == f"\ufeff{edit(text)}"
    assert "\ufeff" not in "".join(block.text for block in (*as_blocks(marked), *blocks([first])))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_words_that_a_first_fact_is_given_become_no_front_matter(mark: str) -> None:
    text = f"{mark}one\n\ntwo\n"
    made = replaced(text, facts(text)[0], "---\nname: x\n---\nnew")
    assert made == f"{mark}\n---\nname: x\n---\nnew\n\ntwo\n"
    assert all(piece.kind is not Kind.FRONT_MATTER for piece in divide(made))


@pytest.mark.parametrize(
    ("text", "alone"),
    [("  - a\n    b\n", "- a\n  b\n"), ("  - a\nlazy\n", "  - a\nlazy\n"), ("- a\nlazy\n", "- a\nlazy\n")],
)
def test_a_fact_loses_its_indent_where_every_line_has_it(text: str, alone: str) -> None:
    [block] = blocks(facts(text))
    assert block.text == alone
