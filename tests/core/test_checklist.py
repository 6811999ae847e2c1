"""Items of a scratchpad, and changes to them that leave every other byte alone."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.core import task_edits
from zsmem_tui.core.checklist import Box, count_open, is_open, items, locate
from zsmem_tui.core.text import lines, trim

PAD = """# Now

- [ ] first
  more of it

  - [ ] nested
\t* [x] under a tab
- [X] second
+ [ ] plus

# Later
1. [ ] numbered
- [ ] first
```
- [ ] in code
```
- [link](x) no item
"""

PIECES = st.sampled_from(
    """- [ ] a|- [x] a|* [ ] b|  - [ ] c|\t- [X] d|- [-] e|- [ ]f|+ [ ] g|1. [ ] h|［ ］ i|- []|text||# H|```|
\u00a0- [ ] j|\x0b* [ ]|- [ ] 😀|  more|- [ ] a\r|x\ry|- [l](u)""".replace("\n", "").split("|")
)
TEXTS = st.tuples(st.lists(PIECES, max_size=14), st.sampled_from(["\n", "\r\n"]), st.booleans()).map(
    lambda found: found[1].join(found[0]) + (found[1] if found[2] and found[0] else "")
)


def shown(text: str) -> list[tuple[str, Box, int, str]]:
    return [(item.text, item.box, item.depth, item.heading) for item in items(text)]


def test_items_have_their_heading_nesting_and_state() -> None:
    assert shown(PAD) == [
        ("first", Box.OPEN, 0, "Now"),
        ("nested", Box.OPEN, 1, "Now"),
        ("under a tab", Box.DONE, 2, "Now"),
        ("second", Box.DONE, 0, "Now"),
        ("plus", Box.OPEN, 0, "Now"),
        ("numbered", Box.OPEN, 0, "Later"),
        ("first", Box.OPEN, 0, "Later"),
        ("in code", Box.OPEN, 0, "Later"),
    ]
    assert [item.nth for item in items(PAD) if item.text == "first"] == [0, 1]


@given(TEXTS)
def test_the_items_the_agent_sees_are_just_its_open_lines(text: str) -> None:
    seen = {item.line for item in items(text) if not item.hidden_reason}
    assert seen == {number for number, line in enumerate(lines(text)) if is_open(line)}


@pytest.mark.parametrize(
    ("line", "box", "reason"),
    [
        ("- [X] x", Box.DONE, "done"),
        ("- [-] x", Box.OTHER, "marked [-]"),
        ("- [ ]x", Box.OPEN, ""),
        ("+ [ ] x", Box.OPEN, "its bullet is +, not - or *"),
        ("1. [ ] x", Box.OPEN, "its bullet is 1., not - or *"),
        ("- []", Box.OPEN, "no blank between the brackets"),
        ("-  [ ] x", Box.OPEN, "more than one blank before the box"),
        ("［ ］ x", Box.OPEN, "full-width brackets"),
        ("\ufeff- [ ] x", Box.OPEN, "something stands before its bullet"),
    ],
)
def test_why_the_agent_does_not_see_an_item(line: str, box: Box, reason: str) -> None:
    [item] = items(f"{line}\n")
    assert (item.box, item.hidden_reason) == (box, reason)


@given(TEXTS, st.data())
def test_ticking_changes_one_character_an_item_and_back_again_none(text: str, data: st.DataObject) -> None:
    found = items(text)
    if not found:
        return
    chosen = data.draw(st.lists(st.sampled_from(found), unique=True))
    done = task_edits.ticked(text, chosen, done=True)
    changed = [place for place, (old, new) in enumerate(zip(text, done, strict=True)) if old != new]
    expected = [item for item in chosen if item.box is not Box.DONE and task_edits.can_tick(text, item)]
    assert len(changed) == len(expected)
    opened = task_edits.ticked(done, [item for item in items(done) if item in items(done)], done=False)
    assert len(opened) == len(text) and len(items(opened)) == len(found)


@given(TEXTS, st.data())
def test_without_an_item_everything_else_is_as_it_was(text: str, data: st.DataObject) -> None:
    found = items(text)
    if not found:
        return
    item = data.draw(st.sampled_from(found))
    pieces = text.split("\n")
    kept = pieces[: item.line] + pieces[item.stop :]
    left = task_edits.without(text, [item]).split("\n")
    assert [line for line in left if trim(line)] == [line for line in kept if trim(line)]
    assert longest_gap(left) <= longest_gap(pieces)


def longest_gap(rows: list[str]) -> int:
    """The most blank lines in a row, but for what is behind the last line feed."""
    ends = [-1, *(at for at, row in enumerate(rows[:-1]) if trim(row)), len(rows) - 1]
    return max(stop - start - 1 for start, stop in pairwise(ends))


def test_the_blank_lines_of_one_side_go_with_an_item() -> None:
    text = "- [ ] a\n\n- [ ] b\n\n\n- [ ] c\n"
    first, second, third = items(text)
    assert task_edits.without(text, [first]) == "- [ ] b\n\n\n- [ ] c\n"
    assert task_edits.without(text, [second]) == "- [ ] a\n\n\n- [ ] c\n"
    assert task_edits.without(text, [third]) == "- [ ] a\n\n- [ ] b\n"


def test_items_go_in_to_where_the_items_beside_them_stand_and_blocks_keep_their_nesting() -> None:
    text = "1. [ ] a\r\n2. [ ] b\r\n\t- [ ] c\r\n\r\n\t  d\r\n"
    _, b, c = items(text)
    assert task_edits.indented(text, [b], 1) == "1. [ ] a\r\n   2. [ ] b\r\n\t   - [ ] c\r\n\r\n\t\t d\r\n"
    assert task_edits.blocks("  - [ ] a\n\t- [ ] b\n", items("  - [ ] a\n\t- [ ] b\n")[:1]) == ["- [ ] a\n  - [ ] b\n"]
    assert task_edits.indented(text, [c], -1) == "1. [ ] a\r\n2. [ ] b\r\n- [ ] c\r\n\r\n  d\r\n"


@given(TEXTS, st.data())
def test_moving_down_and_up_again_gives_the_same_bytes(text: str, data: st.DataObject) -> None:
    found = items(text)
    if not found:
        return
    item = data.draw(st.sampled_from(found))
    moved = task_edits.shifted(text, item, 1)
    assert sorted(moved.replace("\r", "").split("\n")) == sorted(text.replace("\r", "").split("\n"))


def test_moving_a_block_takes_its_lines_along() -> None:
    first = items(PAD)[0]
    moved = task_edits.shifted(PAD, first, 1)
    assert [item.text for item in items(moved)][:4] == ["second", "first", "nested", "under a tab"]
    assert task_edits.shifted(moved, items(moved)[1], -1) == PAD


def test_words_are_replaced_and_the_line_end_stays() -> None:
    text = "  * [ ] old words  \r\n- [ ] next\r\n"
    assert task_edits.reworded(text, items(text)[0], "new\nwords") == "  * [ ] new words  \r\n- [ ] next\r\n"
    assert task_edits.reworded("- [ ]", items("- [ ]")[0], "x") == "- [ ] x"


def test_items_are_added_at_the_end_of_a_heading_in_the_line_ends_of_the_file() -> None:
    assert task_edits.added("# A\r\n- [ ] a\r\n# B\r\n", "- [ ] new\n", "A") == "# A\r\n- [ ] a\r\n- [ ] new\r\n# B\r\n"
    assert task_edits.added("# A\n# B", "- [ ] new\n", "B") == "# A\n# B\n- [ ] new\n"
    assert task_edits.added("", "- [ ] new\n") == "- [ ] new\n"
    with pytest.raises(ValueError):
        task_edits.added("", "- [ ] new\n", "gone")


def test_an_item_is_found_by_line_and_words_then_by_words() -> None:
    first, second = (item for item in items(PAD) if item.text == "first")
    moved = items("x\n" + PAD)
    assert locate(moved, first) == moved[0] and locate(moved, second) == moved[6]
    assert locate(items(""), first) is None


def test_typed_lines_become_items_and_blocks_become_facts() -> None:
    assert task_edits.as_items("one\n\n- two\n* [x] three") == "- [ ] one\n- [ ] two\n* [x] three\n"
    assert task_edits.blocks(PAD, items(PAD)[:2]) == ["- [ ] first\n  more of it\n\n  - [ ] nested\n\t* [x] under a tab\n"]
    assert task_edits.one_fact("- [ ] first\n  more of it\n") == "- first more of it"
    assert task_edits.indented("- [ ] a\n  b\n", items("- [ ] a\n  b\n"), 1) == "  - [ ] a\n    b\n"
    assert task_edits.indented("  - [ ] a\n\tb\n", items("  - [ ] a\n\tb\n"), -1) == "- [ ] a\n  b\n"


def test_an_item_in_a_fence_is_one_line() -> None:
    assert [(item.line, item.stop) for item in items("```\n- [ ] a\n  more\n```\n- [ ] b\n  more\n")] == [(1, 2), (4, 6)]


def test_items_nested_as_deep_as_can_be_take_no_time() -> None:
    start, deep = process_time(), "".join(f"{'  ' * at}- [ ] a\n" for at in range(800))
    assert [(item.stop, item.depth) for item in items(deep)] == [(800, at) for at in range(800)]
    assert process_time() - start < 2


def test_an_item_without_words_does_not_count() -> None:
    assert count_open("- [ ]\n* [ ]  \n- [ ] one\n- [x] two\n") == 1


def test_an_item_of_thousands_is_moved_in_little_time() -> None:
    text = "".join(f"- [ ] {number}\n" for number in range(12_000))
    found = items(text)
    start = process_time()
    assert task_edits.shifted(text, found[6_000], 1).split("\n")[6_000:6_002] == ["- [ ] 6001", "- [ ] 6000"]
    assert process_time() - start < 4, "seconds of processor time"
