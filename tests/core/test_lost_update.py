"""Whether a change is still in a text, and how it is put back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.core.lost_update import Loss, edits, lines_of, loss, put_back, without

NONE = Loss((), ())


def lost(before: bytes, after: bytes, now: bytes) -> Loss:
    return loss(edits(before, after), lines_of(now))


def test_an_appended_line_that_a_stale_copy_takes_away_is_missing() -> None:
    assert lost(b"a\n", b"a\nmine\n", b"a\ntheirs\n") == Loss((b"mine\n",), ())


def test_a_change_that_is_there_is_not_lost_wherever_others_added() -> None:
    assert lost(b"a\n", b"a\nmine\n", b"x\na\ny\nmine\nz\n") == NONE


def test_a_deleted_line_that_is_back_has_returned() -> None:
    assert lost(b"a\nb\n", b"a\n", b"a\nb\ntheirs\n") == Loss((), (b"b\n",))


def test_a_replaced_line_is_lost_when_the_old_one_stands_there_again() -> None:
    assert lost(b"- [ ] x\n", b"- [x] x\n", b"- [ ] x\nmore\n") == Loss((b"- [x] x\n",), (b"- [ ] x\n",))


def test_an_item_that_somebody_ticked_is_not_lost() -> None:
    assert lost(b"", b"- [ ] buy milk\n", b"- [x] buy milk\n") == NONE


def test_a_line_that_somebody_replaced_by_another_is_no_loss() -> None:
    assert lost(b"one\n", b"ONE\n", b"uno\n") == NONE


def test_most_of_a_change_being_there_is_an_edit_and_no_loss() -> None:
    assert lost(b"", b"a\nb\nc\n", b"a\nb\n") == NONE


def test_other_line_ends_are_no_loss() -> None:
    assert lost(b"a\r\n", b"a\r\nmine\r\n", b"a\nmine\n") == NONE


def test_blank_lines_say_nothing() -> None:
    assert lost(b"a\n", b"a\n\n", b"a\n") == NONE


def test_what_is_put_back_stands_behind_the_line_that_it_followed() -> None:
    change = edits(b"# A\n- one\n# B\n", b"# A\n- one\n- mine\n# B\n")
    assert put_back(change, b"# A\n- one\n# B\n- theirs\n") == b"# A\n- one\n- mine\n# B\n- theirs\n"


def test_only_what_is_missing_is_put_back() -> None:
    change = edits(b"", b"a\nb\nc\n")
    assert put_back(change, b"b\n", always=True) == b"a\nb\nc\n"


def test_a_text_without_a_last_line_feed_keeps_it_so() -> None:
    assert put_back(edits(b"a", b"a\nmine"), b"a\ntheirs") in (b"a\nmine\ntheirs", b"a\ntheirs\nmine")


def test_what_we_take_out_ourselves_is_not_watched_any_more() -> None:
    change = edits(b"a\n", b"a\nmine\n")
    assert without(change, lines_of(b"a\n")) == ()


def test_a_line_that_was_moved_is_not_removed() -> None:
    before, after = b"one\ntwo\nthree\n", b"two\nthree\none\n"
    assert loss(without(edits(before, after), lines_of(after)), lines_of(after)) == NONE


LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n", b"- [ ] d\n", b"- [x] d\n", b"e"]), max_size=7)


@given(LINES, LINES)
def test_what_we_wrote_ourselves_lacks_nothing(one: list[bytes], other: list[bytes]) -> None:
    before, after = b"".join(one), b"".join(other)
    assert loss(without(edits(before, after), lines_of(after)), lines_of(after)) == NONE


@given(LINES, st.lists(st.sampled_from([b"m1\n", b"m2\n", b"m3\n"]), min_size=1, max_size=3, unique=True), st.integers(0, 7), LINES)
def test_added_lines_that_were_lost_are_all_there_again(base: list[bytes], mine: list[bytes], at: int, theirs: list[bytes]) -> None:
    before = [line for line in base if line.endswith(b"\n")]
    after = [*before[:at], *mine, *before[at:]]
    now = b"".join([*before, *theirs])
    mended = put_back(edits(b"".join(before), b"".join(after)), now)
    assert all(line in mended.split(b"\n") for line in (each[:-1] for each in mine))
    assert lines_of(now) <= lines_of(mended)


def test_many_changes_of_a_long_text_are_all_put_back() -> None:
    old = [b"line %d\n" % number for number in range(60_000)]
    new = [b"LINE %d\n" % number if number % 2 else line for number, line in enumerate(old)]
    before, after = b"".join(old), b"".join(new)
    assert put_back(edits(before, after), before + b"theirs\n") == after + b"theirs\n"


def test_a_long_text_of_new_lines_is_put_back_whole() -> None:
    text = b"".join(b"line %d\n" % number for number in range(60_000))
    assert len(lost(b"", text, b"theirs\n").missing) == 60_000
    assert put_back(edits(b"", text), b"theirs\n") == text + b"theirs\n"
