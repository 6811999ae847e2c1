"""Accepting and putting back single lines: all of them is the other text, none is no change, the order does not matter."""

from __future__ import annotations

from collections import Counter

from hypothesis import example, given
from hypothesis import strategies as st

from zsmem_tui.core.line_changes import LineChange, accepted, keys, line_changes, put_back, with_own_lines
from zsmem_tui.core.merge import split

LINES = ["- use port 80", "- use port 8080", "- use ports", "", "plain", "another", "d\r", "\t- deep", "# Head"]
TEXTS = st.lists(st.sampled_from(LINES), max_size=10).flatmap(
    lambda lines: st.sampled_from(["\n".join(lines).encode(), ("\n".join(lines) + "\n").encode()])
)


def some(data: st.DataObject, old: bytes, new: bytes) -> list[int]:
    count = len(line_changes(old, new))
    return data.draw(st.lists(st.sampled_from(range(count)), unique=True)) if count else []


@given(TEXTS, TEXTS)
def test_all_lines_accepted_are_the_new_text_and_all_put_back_the_old_one(old: bytes, new: bytes) -> None:
    every = range(len(line_changes(old, new)))
    if every:
        assert accepted(old, new, every) == new and put_back(old, new, every) == old
    assert accepted(old, new, ()) == old and put_back(old, new, ()) == new


@given(TEXTS, TEXTS, st.data())
def test_what_is_not_accepted_is_what_is_put_back(old: bytes, new: bytes, data: st.DataObject) -> None:
    wanted = some(data, old, new)
    rest = set(range(len(line_changes(old, new)))) - set(wanted)
    assert split(accepted(old, new, wanted)) == split(put_back(old, new, rest))


@given(TEXTS, TEXTS, st.data())
def test_exactly_the_lines_that_are_meant_come_and_go(old: bytes, new: bytes, data: st.DataObject) -> None:
    changes, wanted = line_changes(old, new), some(data, old, new)
    kept = [change for number, change in enumerate(changes) if number not in wanted]
    gone = {changes[number].removed for number in wanted}
    come = [place for number in wanted if (place := changes[number].added) is not None]
    before, after = split(old), split(new)
    unchanged = [line for place, line in enumerate(before) if place not in {change.removed for change in changes}]
    found = sorted(split(accepted(old, new, wanted)))
    assert found == sorted([line for place, line in enumerate(before) if place not in gone] + [after[place] for place in come])
    assert found == sorted(
        [*unchanged, *(before[each.removed] for each in kept if each.removed is not None), *(after[place] for place in come)]
    )


@given(TEXTS, TEXTS, st.data())
def test_single_acts_in_any_order_end_in_the_same_texts(old: bytes, new: bytes, data: st.DataObject) -> None:
    """One line after another, compared anew each time, until none is left: accepted lines end in the new text."""
    seen, now = old, new
    for _ in range(len(line_changes(old, new)) + 20):
        count = len(line_changes(seen, now))
        if not count:
            break
        seen = accepted(seen, now, [data.draw(st.integers(0, count - 1))])
    assert split(seen) == split(new)
    for _ in range(len(line_changes(old, new)) + 20):
        count = len(line_changes(old, now))
        if not count:
            break
        now = put_back(old, now, [data.draw(st.integers(0, count - 1))])
    assert split(now) == split(old)


@given(TEXTS, TEXTS)
def test_every_changed_line_of_both_texts_is_in_one_line_change_in_order(old: bytes, new: bytes) -> None:
    changes = line_changes(old, new)
    for each in ([change.removed for change in changes], [change.added for change in changes]):
        places = [place for place in each if place is not None]
        assert places == sorted(set(places))
    assert len(set(keys(old, new, changes))) == len(changes)


def test_a_line_that_was_changed_is_one_change_and_stays_at_its_place() -> None:
    old, new = b"- use port 80\n- two dogs\n", b"- use port 8080\n- two cats\n"
    assert line_changes(old, new) == [LineChange(0, 0, 0), LineChange(0, 1, 1)]
    assert put_back(old, new, [1]) == b"- use port 8080\n- two dogs\n"
    assert put_back(old, new, [0]) == b"- use port 80\n- two cats\n"
    assert accepted(old, new, [1]) == b"- use port 80\n- two cats\n"


def test_lines_that_have_half_of_their_words_in_common_are_one_change_and_others_are_two() -> None:
    for rows, more in ((1, b""), (60, b""), (1, b" more"), (60, b" more")):  # of many, those at the same place are compared
        old, new = (b"".join(b"%d %b\n" % (row, each) for row in range(rows)) for each in (b"alpha", b"beta" + more))
        assert len(line_changes(old, new)) == rows * (2 if more else 1)
    assert line_changes(b"alpha\n", b"something else\n") == [LineChange(0, 0, None), LineChange(0, None, 0)]
    assert put_back(b"alpha\n", b"something else\n", [0]) == b"alpha\nsomething else\n"


def test_a_text_without_a_last_line_end_keeps_it_so() -> None:
    assert accepted(b"a\nb", b"a\nb\nc\nd", [0]) == b"a\nb\nc"
    assert put_back(b"a\nb", b"a\nb\nc\nd", [1]) == b"a\nb\nc"
    assert put_back(b"a\n", b"a\nb", [0]) == b"a\n"
    assert put_back(b"d\r\n", b"b\nd\r\nb", [1]) == b"b\nd\r\n"
    assert accepted(b"x\na", b"a\n", [0]) == b"a\n"


def test_thousands_of_changed_lines_are_compared_at_their_places_only() -> None:
    old = b"".join(b"- fact %d of the old kind\n" % number for number in range(3_000))
    new = old.replace(b"old", b"new")
    assert len(line_changes(old, new)) == 3_000


def test_an_empty_last_line_is_not_lost_with_its_line_end() -> None:
    assert accepted(b"a\n\nb", b"", [2]) == b"a\n\n"


@given(TEXTS, TEXTS, TEXTS)
@example(
    b"",
    b"- use port 8080\n" * 3,
    b"- use port 8080\n- use port 80\n- use port 8080\n- use port 80\n- use port 80\n- use port 8080\n",
)
def test_own_lines_are_taken_and_those_of_others_are_left(seen: bytes, before: bytes, after: bytes) -> None:
    assert split(with_own_lines(seen, seen, after)) == split(after)
    assert with_own_lines(seen, before, before) == seen
    left = Counter(split(after)) - Counter(split(with_own_lines(seen, before, after)))
    assert set(left) <= set(split(before))
