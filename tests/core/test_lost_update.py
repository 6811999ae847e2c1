"""Whether a change is still in a text, and how it is put back."""

from __future__ import annotations

import itertools
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zsmem_tui.core.lost_update import Edit, Lines, Loss, edits, lines_of, loss, put_back, without
from zsmem_tui.core.merge import Merged, Overlap, is_within, split
from zsmem_tui.store.write_path.install_file import again

NONE = Loss((), ())


def lost(before: bytes, after: bytes, now: bytes) -> Loss:
    return loss(edits(before, after), lines_of(now))


FACTS = b"# Facts\n\n- alpha\n- the build uses npm\n- gamma\n- delta\n"
WITHOUT = FACTS.replace(b"- the build uses npm\n", b"")
SEEN = b"- new 1\n" + WITHOUT.replace(b"- gamma\n", b"- gamma\n- new 2\n")

LOSSES: dict[str, tuple[bytes, bytes, bytes, Loss]] = {
    "an appended line that a stale copy takes away is missing": (b"a\n", b"a\nmine\n", b"a\ntheirs\n", Loss((b"mine\n",), ())),
    "a change that is there is not lost wherever others added": (b"a\n", b"a\nmine\n", b"x\na\ny\nmine\nz\n", NONE),
    "a deleted line that is back has returned": (b"a\nb\n", b"a\n", b"a\nb\ntheirs\n", Loss((), (b"b\n",))),
    "a replaced line is lost when the old one stands there again": (
        *(b"- [ ] x\n", b"- [x] x\n", b"- [ ] x\nmore\n"),
        Loss((b"- [x] x\n",), (b"- [ ] x\n",)),
    ),
    "an item that somebody ticked is not lost": (b"", b"- [ ] buy milk\n", b"- [x] buy milk\n", NONE),
    "a line that somebody replaced by another is no loss": (b"one\n", b"ONE\n", b"uno\n", NONE),
    "most of a change being there is an edit and no loss": (b"", b"a\nb\nc\n", b"a\nb\n", NONE),
    "the last line edited where it stood is no loss": (
        *(b"# A\n- one\n", b"# A\n- one\n- the build uses npm\n", b"# A\n- one\n- the build uses pnpm\n"),
        NONE,
    ),
    "the first line edited where it stood is no loss": (
        *(b"b\nc\n", b"- the build uses npm\nb\nc\n", b"- the build uses pnpm\nb\nc\n"),
        NONE,
    ),
    "a line like ours elsewhere is no new form of it": (
        *(WITHOUT, FACTS, WITHOUT + b"- the build uses pnpm\n"),
        Loss((b"- the build uses npm\n",), ()),
    ),
    "what shows at one place that it was seen is lost at no other": (WITHOUT, SEEN, SEEN.replace(b"- new 2\n", b""), NONE),
    "a heading that both added does not hide that the line below is lost": (
        *(b"# A\n- a\n", b"# A\n- a\n## Today\n- mine\n", b"# A\n- a\n## Today\n- theirs\n"),
        Loss((b"- mine\n",), ()),
    ),
    "other line ends are no loss": (b"a\r\n", b"a\r\nmine\r\n", b"a\nmine\n", NONE),
    "blank lines say nothing": (b"a\n", b"a\n\n", b"a\n", NONE),
}


@pytest.mark.parametrize(("before", "after", "now", "found"), LOSSES.values(), ids=LOSSES)
def test_what_of_a_change_is_lost(before: bytes, after: bytes, now: bytes, found: Loss) -> None:
    assert lost(before, after, now) == found


@pytest.mark.parametrize(
    "now",
    [
        FACTS.replace(b"uses npm", b"uses pnpm"),
        FACTS.replace(b"uses npm", b"uses npm (checked by the agent)"),
        FACTS.replace(b"- the build uses npm", b"- THE BUILD USES NPM"),
        FACTS.replace(b"- the build uses npm", b"- bazel") + b"- more\n",
        FACTS.replace(b"uses npm", b"uses pnpm").replace(b"- gamma", b"- GAMMA"),
        FACTS.replace(b"- the build uses npm", b"* The build uses yarn").replace(b"- alpha\n", b""),
    ],
)
def test_a_line_that_somebody_edited_where_it_stood_is_no_loss(now: bytes) -> None:
    assert lost(WITHOUT, FACTS, now) == NONE
    assert put_back(edits(WITHOUT, FACTS), now) == now


@pytest.mark.parametrize("theirs", [b"- agent 12\n", b"- theirs\n", b"- writer1 13\n", b"- 14:05 built\n"])
def test_a_line_of_theirs_at_the_end_is_no_new_form_of_ours(theirs: bytes) -> None:
    mine = b"- 14:02 built\n" if b":" in theirs else b"- writer0 12\n"
    assert lost(b"- a\n", b"- a\n" + mine, b"- a\n" + theirs) == Loss((mine,), ())


def test_a_sentence_that_comes_back_with_other_numbers_is_told_and_not_there_twice() -> None:
    after, now = b"- a\n- the port is 8080\n", b"- a\n- the port is 9090\n"
    assert lost(b"- a\n", after, now) == Loss((b"- the port is 8080\n",), ())
    assert put_back(edits(b"- a\n", after), now) == now
    records = b"- a\n- writer0 12\n", b"- a\n- writer0 13\n"
    assert put_back(edits(b"- a\n", records[0]), records[1]) == b"- a\n- writer0 12\n- writer0 13\n"


def test_a_line_that_was_there_already_does_not_hide_that_the_others_are_lost() -> None:
    before = b"- x\n- y\n- z\n"
    after = before + b"- x\n- y\n- mine\n"
    assert lost(before, after, before + b"- theirs\n").missing == (b"- x\n", b"- y\n", b"- mine\n")
    assert put_back(edits(before, after), before + b"- theirs\n") == after + b"- theirs\n"


def test_of_a_lost_change_a_line_that_was_edited_is_not_put_back_beside_its_new_form() -> None:
    mine = b"".join(b"- fact number %d of mine\n" % number for number in range(9))
    after = WITHOUT.replace(b"- gamma\n", mine + b"- gamma\n")
    now = WITHOUT.replace(b"- gamma\n", b"- fact number 4 of mine, changed\n- gamma\n")
    mended = put_back(edits(WITHOUT, after), now)
    assert mended.count(b"number 4") == 1 and mended.count(b"- fact number") == 9


PUT_BACK = {
    "it stands behind the line that it followed": (
        *(b"# A\n- one\n# B\n", b"# A\n- one\n- mine\n# B\n", b"# A\n- one\n# B\n- theirs\n"),
        b"# A\n- one\n- mine\n# B\n- theirs\n",
    ),
    "a replaced line goes below the one that another program wrote again": (
        *(b"- a\n- uses npm\n- b\n", b"- a\n- lives in Porto\n- b\n", b"- a\n- uses npm\n- b\n- theirs\n"),
        b"- a\n- uses npm\n- lives in Porto\n- b\n- theirs\n",
    ),
    "an item that another program unticked is not there twice": (
        *(b"- [ ] x\n", b"- [x] x\n", b"- [ ] x\nmore\n"),
        b"- [ ] x\nmore\n",
    ),
    "what comes below a last line without a line feed keeps its own": (b"a\n", b"a\nmine\n", b"a", b"a\nmine\n"),
    "a text without a last line feed keeps it so": (b"a", b"a\nmine", b"a\ntheirs", b"a\nmine\ntheirs"),
}


@pytest.mark.parametrize(("before", "after", "now", "mended"), PUT_BACK.values(), ids=PUT_BACK)
def test_what_is_lost_is_put_back(before: bytes, after: bytes, now: bytes, mended: bytes) -> None:
    assert put_back(edits(before, after), now) == mended


def test_only_what_is_missing_is_put_back() -> None:
    change = edits(b"", b"a\nb\nc\n")
    assert put_back(change, b"b\n", always=True) == b"a\nb\nc\n"


@pytest.mark.parametrize(
    ("now", "mended"),
    [
        (b"a\nold\nb\ntheirs\nend\n", b"a\nnew\nb\nmore\ntheirs\nend\n"),
        (b"a\nb\ntheirs\nend\n", b"a\nb\nmore\ntheirs\nend\n"),
        (b"a\nold\nb\nold\nend\n", b"a\nnew\nb\nmore\nold\nend\n"),
    ],
)
def test_a_change_that_is_made_as_a_whole_takes_out_what_it_took_out_where_that_stands(now: bytes, mended: bytes) -> None:
    change = edits(b"a\nold\nb\nend\n", b"a\nnew\nb\nmore\nend\n")
    assert put_back(change, now, always=True) == mended


def test_a_first_line_that_stands_again_below_is_replaced_where_it_was() -> None:
    assert put_back(edits(b"x\na\n", b"y\na\n"), b"x\na\nx\n", always=True) == b"y\na\nx\n"


def test_what_we_take_out_ourselves_is_not_watched_any_more() -> None:
    change = edits(b"a\n", b"a\nmine\n")
    assert without(change, lines_of(b"a\n"), lines_of(b"a\nmine\n")) == ()
    assert without(change, lines_of(b"a\n"), lines_of(b"a\n")) == change, "others had taken it out"
    assert without(change, lines_of(b"a\nmine\n"), lines_of(b"a\nmine\n")) == change, "it stands"


@pytest.mark.parametrize("theirs", [b"- ours, which they edited\n- two\n", b"- two\n"], ids=["edited", "one of ours removed"])
def test_what_we_delete_after_others_edited_it_was_not_dropped_by_them(theirs: bytes) -> None:
    own = edits(b"- one\n", b"- one\n- ours, which we edited\n- two\n")
    assert loss(own, lines_of(b"- one\n" + theirs)) == Loss((), ())
    assert not loss(without(own, lines_of(b"- one\n"), lines_of(b"- one\n" + theirs)), lines_of(b"- one\n")).missing


LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n", b"- [ ] d\n", b"- [x] d\n", b"e"]), max_size=7)


@given(LINES, LINES)
@example([b"one\n", b"two\n", b"three\n"], [b"two\n", b"three\n", b"one\n"])  # a line that was moved is not removed
def test_what_we_wrote_ourselves_lacks_nothing(one: list[bytes], other: list[bytes]) -> None:
    before, after = b"".join(one), b"".join(other)
    assert loss(without(edits(before, after), lines_of(after), Lines()), lines_of(after)) == NONE


@given(LINES, st.lists(st.sampled_from([b"m1\n", b"m2\n", b"m3\n"]), min_size=1, max_size=3, unique=True), st.integers(0, 7), LINES)
def test_added_lines_that_were_lost_are_all_there_again(base: list[bytes], mine: list[bytes], at: int, theirs: list[bytes]) -> None:
    before = [line for line in base if line.endswith(b"\n")]
    after = [*before[:at], *mine, *before[at:]]
    now = b"".join([*before, *theirs])
    mended = put_back(edits(b"".join(before), b"".join(after)), now)
    assert all(line in mended.split(b"\n") for line in (each[:-1] for each in mine))
    assert lines_of(now) <= lines_of(mended)


@given(LINES, LINES, LINES)
def test_every_line_that_stands_there_stands_there_still(base: list[bytes], ours: list[bytes], theirs: list[bytes]) -> None:
    before, mine, now = b"".join(base), b"".join(ours), b"".join(theirs)
    assert is_within(now, put_back(edits(before, mine), now))
    found = again(before, mine, now)
    assert isinstance(found, Overlap) or is_within(now, found.text)


def test_lines_that_were_deleted_and_that_another_program_wrote_again_are_left() -> None:
    whole = b"".join(b"- fact %d\n" % number for number in range(8))
    cut = b"".join(split(whole)[3:])
    assert put_back(edits(whole, cut), whole) == whole
    assert lost(whole, cut, whole).returned == tuple(split(whole)[:3])


def test_many_changes_of_a_long_text_are_all_put_back() -> None:
    old = [b"line %d\n" % number for number in range(20_000)]
    new = [b"other %d\n" % number if number % 2 else line for number, line in enumerate(old)]
    before, after = b"".join(old), b"".join(new)
    start = process_time()
    mended = split(put_back(edits(before, after), before + b"theirs\n"))
    assert process_time() - start < 10, "compared line by line it takes a minute"
    assert mended[:3] == [b"line 0\n", b"line 1\n", b"other 1\n"] and mended[-1] == b"theirs\n"
    assert len(mended) == 30_001


def test_a_long_text_of_new_lines_is_put_back_whole() -> None:
    text = b"".join(b"line %d\n" % number for number in range(20_000))
    assert len(lost(b"", text, b"theirs\n").missing) == 20_000
    assert put_back(edits(b"", text), b"theirs\n") == text + b"theirs\n"


TEXT_LINES = st.lists(st.sampled_from([b"---\n", b"- a\n", b"- b\n", b"name: x\n", b"\n", b"# H\n", b"- a more\n"]), max_size=7)


@given(st.lists(TEXT_LINES, min_size=2, max_size=5))
@example([[b"---\n", b"name: x\n", b"---\n"], [b"Mine---\n", b"name: x\n", b"---\n"], [b"---\n", b"name: x\n", b"---\n"]])
def test_what_we_write_ourselves_is_never_lost_by_it(texts: list[list[bytes]]) -> None:
    """Whatever we write one after the other, an undo too, nobody has taken anything from us."""
    noted: list[tuple[Edit, ...]] = []
    wholes = [b"".join(lines) for lines in texts]
    for before, after in itertools.pairwise(wholes):
        present, was = lines_of(after), lines_of(before)
        noted = [without(each, present, was) for each in noted] + [without(edits(before, after), present, Lines())]
        assert [loss(each, present) for each in noted] == [Loss((), ())] * len(noted)


@pytest.mark.slow
def test_a_line_that_came_a_hundred_thousand_times_is_compared_once() -> None:
    many, one = b"the same\n" * 100_000, b"- one\n"
    change = edits(one, one + many)
    present = lines_of(one + b"".join(b"other %d\n" % number for number in range(50_000)))
    assert loss(change, present).missing[:1] == (b"the same\n",)


@pytest.mark.parametrize(
    ("before", "wanted", "now", "made"),
    [
        (b"a\n", b"a\none\nmine\n", b"a\nmine\ntheirs\n", b"a\nmine\ntheirs\none\n"),
        (b"a\n", b"a\none\n\nmine\n\ntwo\n", b"a\nmine\n", b"a\nmine\none\n\ntwo\n"),
        (b"a\nb\n", b"a\nb\nmine\n", b"a\nmine\nb\n", b"a\nmine\nb\n"),
        (b"a\n", b"a\none\nmine", b"a\nmine\ntheirs", b"a\nmine\ntheirs\none"),
    ],
    ids=["others beside it", "blank lines", "elsewhere", "no line feed at the end"],
)
def test_what_a_text_has_of_a_change_is_not_there_twice_when_it_gets_the_rest(
    before: bytes, wanted: bytes, now: bytes, made: bytes
) -> None:
    found = again(before, wanted, now)
    assert isinstance(found, Merged) and found.text == made
