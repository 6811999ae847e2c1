"""Diffs, and what counts as a wipe."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.core.diff import Side, diff, keep_both, word_marks
from zsmem_tui.core.line_changes import line_changes
from zsmem_tui.core.merge import bare_lines, is_within, split
from zsmem_tui.core.version import is_wiped

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "", "d\r"]), max_size=12).flatmap(
    lambda lines: st.sampled_from(["\n".join(lines).encode(), ("\n".join(lines) + "\n").encode()])
)


@given(TEXTS, TEXTS)
def test_a_whole_diff_shows_every_line_of_both_sides_once(old: bytes, new: bytes) -> None:
    rows = diff(old, new, context=None)
    shown = {side: [row.text for row in rows if row.side in (Side.SAME, side)] for side in (Side.ADDED, Side.REMOVED)}
    assert shown[Side.REMOVED] == [line.rstrip(b"\n").removesuffix(b"\r").decode() for line in split(old)]
    assert shown[Side.ADDED] == [line.rstrip(b"\n").removesuffix(b"\r").decode() for line in split(new)]
    lines = split(new)
    assert all(lines[row.line].startswith(row.text.encode()) for row in rows if row.side is not Side.REMOVED)


@given(TEXTS, TEXTS)
def test_what_a_text_lost_comes_back_and_no_line_stands_more_often_than_in_either(old: bytes, new: bytes) -> None:
    both = keep_both(old, new)
    assert Counter(bare_lines(both)) == Counter(bare_lines(old)) | Counter(bare_lines(new))
    assert is_within(new, both) or is_within(new + b"\r\n", both)


@pytest.mark.parametrize(
    ("old", "new", "both"),
    [
        (b"1\r\n2\r\n3\r\n", b"1\n3\nx\n", b"1\n2\n3\nx\n"),
        (b"1\n2\n3\n", b"1\r\n2\r\n", b"1\r\n2\r\n3\r\n"),
        (b"1\r\n2", b"1\nx", b"1\n2\nx\n"),
        (b"1\r\n2\r\n", b"x", b"1\r\n2\r\nx\r\n"),
        (b"1  \n2 \n", b"1\n", b"1\n2 \n"),
        (b"\xef\xbb\xbf1\n2\n", b"1\nx\n", b"1\n2\nx\n"),
        (b"1\n2\n", b"\xef\xbb\xbf2\n", b"\xef\xbb\xbf1\n2\n"),
        (b"1\r\n2\r\n", b"1\n2\n", b"1\n2\n"),
    ],
)
def test_no_line_is_lost_that_differs_at_its_end_only(old: bytes, new: bytes, both: bytes) -> None:
    """What wiped lines may have changed the ends of all others, or left out the mark before the first."""
    assert keep_both(old, new) == both


def test_far_lines_are_left_out_and_counted() -> None:
    old = "".join(f"{number}\n" for number in range(30)).encode()
    rows = diff(old, old.replace(b"\n15\n", b"\nx\n"))
    assert [row.text for row in rows if row.side is Side.GAP] == ["12 unchanged lines", "11 unchanged lines"]


def test_words_that_differ_are_marked() -> None:
    assert word_marks("the red port 80", "the red port 8080") == (((13, 15),), ((13, 17),))
    assert word_marks("nothing alike", "é") == ((), ())


def test_a_wipe_is_half_of_at_least_five_lines_or_a_whole_file() -> None:
    five = b"1\n2\n3\n4\n5\n"
    assert is_wiped(five, b"") and is_wiped(five, None) and is_wiped(five, b"1\n2\n")
    assert not is_wiped(five, b"1\n2\n3\n") and not is_wiped(b"1\n2\n3\n4\n", b"") and not is_wiped(None, b"")
    assert not is_wiped(b"\n\n\n\n\n1\n", b"") and is_wiped(b"\n\n1\n", None) and not is_wiped(b"\n", None)
    assert not is_wiped(five, five.replace(b"\n", b"\r\n")) and not is_wiped(five.replace(b"\n", b"  \n"), five)
    assert is_wiped(five, b"1\r\n2\r\n") and not is_wiped(five, b"1\r\n2\r\n3\r\n")


@given(TEXTS, TEXTS)
def test_every_row_of_a_change_says_which_line_change_it_is(old: bytes, new: bytes) -> None:
    rows = diff(old, new, context=None)
    before, after = split(old), split(new)
    for number, change in enumerate(line_changes(old, new)):
        own = [(row.side, row.text) for row in rows if row.change == number]
        lines = [(Side.REMOVED, before, change.removed), (Side.ADDED, after, change.added)]
        wanted = [(side, text[at].rstrip(b"\n").removesuffix(b"\r").decode()) for side, text, at in lines if at is not None]
        assert own == wanted and all(row.hunk == change.hunk for row in rows if row.change == number)
