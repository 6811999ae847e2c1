from __future__ import annotations

from collections import Counter
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.core.merge import Clash, Hunk, Merged, Overlap, combine, lasts, line_hunks, merge, same_line, split, unended

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"d\n", b"\n"]), max_size=8).map(b"".join)
LOOSE = st.tuples(LINES, st.sampled_from([b"", b"x", b"y"])).map(b"".join)


def patched(old: list[bytes], changes: list[Hunk]) -> list[bytes]:
    out, at = [], 0
    for hunk in changes:
        out += [*old[at : hunk.start], *hunk.lines]
        at = hunk.stop
    return out + old[at:]


@given(LOOSE, LOOSE)
def test_hunks_lead_from_the_old_text_to_the_new(old: bytes, new: bytes) -> None:
    assert patched(split(old), line_hunks(split(old), split(new))) == split(new)


@given(LOOSE, LOOSE)
def test_a_side_that_changed_nothing_changes_nothing(base: bytes, other: bytes) -> None:
    assert merge(base, base, other)[0] == other
    assert merge(base, other, base)[0] == other
    assert merge(base, other, other)[0] == other


@given(LINES, LINES, LINES)
def test_appends_of_both_sides_are_both_kept_theirs_first(base: bytes, mine: bytes, theirs: bytes) -> None:
    start = b"start\n" + base + b"end\n"
    found = merge(start, start + b"<m>\n" + mine, start + b"<t>\n" + theirs)
    assert found == Merged(start + b"<t>\n" + theirs + b"<m>\n" + mine, len(split(theirs)) + 1)


@given(st.lists(st.integers(0, 999), min_size=1, max_size=30, unique=True), st.data())
def test_an_overlap_is_reported_only_where_both_replaced_or_deleted_the_same_line(base: list[int], data: st.DataObject) -> None:
    """Lines are all different, so that it is known which side touched which line."""
    old = [b"%d\n" % number for number in base]
    touched: list[set[int]] = []
    sides: list[bytes] = []
    for name in (b"m", b"t"):
        lines: list[bytes] = []
        mine: set[int] = set()
        for place, line in enumerate(old):
            match data.draw(st.sampled_from(["keep", "keep", "keep", "replace", "delete", "insert"])):
                case "keep":
                    lines.append(line)
                case "replace":
                    lines.append(b"%s-new-%d\n" % (name, place))
                    mine.add(place)
                case "delete":
                    mine.add(place)
                case _:
                    lines += [b"%s-added-%d\n" % (name, place), line]
        touched.append(mine)
        sides.append(b"".join(lines))
    found = merge(b"".join(old), *sides)
    if not touched[0] & touched[1]:
        assert isinstance(found, Merged)
    if isinstance(found, Merged):
        result = Counter(split(found.text))
        for side in sides:
            new = Counter(split(side)) - Counter(old)
            assert all(result[line] >= 1 for line in new), "a new line of one side is missing"
        for place, line in enumerate(old):
            gone = any(line not in split(side) for side in sides)
            assert (result[line] == 0) if gone else (result[line] == 1), place


def test_adjacent_changes_merge() -> None:
    assert merge(b"1\n2\n3\n", b"1m\n2\n3\n", b"1\n2t\n3\n") == Merged(b"1m\n2t\n3\n", 1)
    assert merge(b"1\n2\n", b"1\nm\n2\n", b"1\n2t\n") == Merged(b"1\nm\n2t\n", 1)
    assert merge(b"1\n2\n", b"1m\n2\n", b"1\nt\n2\n") == Merged(b"1m\nt\n2\n", 1)


def test_an_insertion_into_what_the_other_side_deleted_is_kept() -> None:
    assert merge(b"1\n2\n3\n4\n", b"1\n2\nmine\n3\n4\n", b"1\n4\n") == Merged(b"1\nmine\n4\n", 0)


def test_both_changing_a_line_overlaps_and_the_proposal_has_both() -> None:
    assert merge(b"a\nb\nc\n", b"a\nmine\nc\n", b"a\ntheirs\nc\nmore\n") == Overlap(b"a\ntheirs\nmine\nc\nmore\n")
    assert merge(b"a\nb\n", b"a\n", b"a\nb2\n") == Overlap(b"a\nb2\n")


def test_a_missing_final_newline_is_no_conflict() -> None:
    assert merge(b"a", b"a\nmine", b"a\ntheirs\n") == Merged(b"a\ntheirs\nmine\n", 1)
    assert merge(b"a", b"A", b"a\nt") == Merged(b"A\nt", 1)


def test_what_lasts() -> None:
    before, wanted = b"a\nb\n", b"a\nB\nnew\n"
    assert lasts(before, wanted, b"a\nB\nnew\nagent\n")
    assert not lasts(before, wanted, b"a\nb\nagent\n")
    assert not lasts(b"a\n", b"a\na\n", b"a\n")
    assert not lasts(b"a\nb\n", b"a\n", b"a\nb\n")


def test_the_same_replacement_by_both_sides_is_made_once_beside_other_changes() -> None:
    assert merge(b"ONE\ntwo\n", b"one\ntwo\n", b"one\ntwo\nmore\n") == Merged(b"one\ntwo\nmore\n", 2)
    assert merge(b"ONE\ntwo\n", b"one\ntwo\nmine\n", b"one\ntwo\n") == Merged(b"one\ntwo\nmine\n", 1)


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "found"),
    [
        (b"a\nb\nc\n", b"a\nM\nc\n", b"a\nT\nc\n", [([b"T\n"], [b"M\n"])]),
        (b"a\nb\nc\n", b"new\na\nM\nc\n", b"a\nT\nU\nc\nend\n", [([b"T\n", b"U\n"], [b"M\n"])]),
        (b"a\nb\nc\n", b"a\nc\n", b"a\nT\nc\n", [([b"T\n"], [])]),
        (b"a\nb\nc\nd\ne\n", b"M\nb\nc\nd\nN\n", b"T\nb\nc\nd\nU\n", [([b"T\n"], [b"M\n"]), ([b"U\n"], [b"N\n"])]),
        (b"a\nb\n", b"a\nb\nmine\n", b"a\nb\ntheirs\n", []),
    ],
)
def test_a_clash_says_which_lines_of_each_text_it_is(
    base: bytes, mine: bytes, theirs: bytes, found: list[tuple[list[bytes], list[bytes]]]
) -> None:
    got = combine(base, mine, theirs)[1]
    sides = (split(theirs), split(mine))
    cut = [([*sides[0][c.theirs.start : c.theirs.stop]], [*sides[1][c.mine.start : c.mine.stop]]) for c in got]
    assert cut == found
    merged = merge(base, mine, theirs)
    if isinstance(merged, Overlap):
        lines = split(merged.proposal)
        assert [lines[c.proposal.start : c.proposal.stop] for c in got] == [left + right for left, right in found]


@given(LOOSE, LOOSE, LOOSE)
def test_clashes_are_there_just_when_a_merge_overlaps_and_lie_within_the_texts(base: bytes, mine: bytes, theirs: bytes) -> None:
    found = combine(base, mine, theirs)[1]
    merged = merge(base, mine, theirs)
    assert bool(found) == isinstance(merged, Overlap) or mine == theirs
    for clash in found:
        assert 0 <= clash.theirs.start <= clash.theirs.stop <= len(split(theirs))
        assert 0 <= clash.mine.start <= clash.mine.stop <= len(split(mine))
    for before, after in pairwise(found):
        assert before.theirs.stop <= after.theirs.start and before.mine.stop <= after.mine.start
        assert before.proposal.stop <= after.proposal.start


def test_every_second_of_many_lines_is_a_change_of_its_own() -> None:
    old = [b"line %d\n" % number for number in range(12_000)]
    new = [b"LINE %d\n" % number if number % 2 else line for number, line in enumerate(old)]
    start = process_time()
    found = line_hunks(old, new)
    assert process_time() - start < 5, "compared line by line it takes 20 seconds"
    assert len(found) == 6_000 and all(hunk.stop - hunk.start == len(hunk.lines) == 1 for hunk in found)
    theirs = [b"<theirs>\n", *old]
    assert merge(b"".join(old), b"".join(new), b"".join(theirs)) == Merged(b"".join([theirs[0], *new]), 1)


@given(LOOSE, LOOSE, st.integers(0, 6))
def test_hunks_of_long_texts_lead_from_the_old_to_the_new_and_never_touch(old: bytes, new: bytes, weighed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("zsmem_tui.core.merge._EXACT_LINES", 0)
        patch.setattr("zsmem_tui.core.merge._WEIGHED_LINES", weighed)
        found = line_hunks(split(old), split(new))
    assert patched(split(old), found) == split(new)
    assert all(one.stop < other.start for one, other in pairwise(found))


@pytest.mark.parametrize("above", [b"", b"- one\n- two\n" * 999])
def test_of_lines_that_one_side_all_changed_only_those_conflict_that_the_other_changed_too(above: bytes) -> None:
    base = above + b"- crane one stands\n- crane two stands\n- crane three stands\n- crane four stands\n"
    theirs = base.replace(b"stands", b"stands still")
    mine = base.replace(b"crane three", b"crane 3")
    at = len(split(above)) + 2
    assert combine(base, mine, theirs)[1] == [Clash(range(at, at + 1), range(at, at + 1), range(at, at + 2))]
    found = merge(base, mine, theirs)
    assert isinstance(found, Overlap)
    lines = theirs.splitlines(keepends=True)
    assert found.proposal == b"".join([*lines[: at + 1], b"- crane 3 stands\n", lines[-1]])


def test_three_lines_in_a_row_that_both_changed_are_three_conflicts() -> None:
    base = b"# Head\n- ann likes tea\n- bob likes milk\n- eve likes wine\n"
    mine, theirs = base.replace(b"likes", b"loves"), base.replace(b"likes", b"hates")
    assert [clash.theirs for clash in combine(base, mine, theirs)[1]] == [range(1, 2), range(2, 3), range(3, 4)]


def test_a_line_deleted_among_lines_that_the_other_side_changed_conflicts_alone_and_added_ones_stay() -> None:
    base = b"- ann likes tea\n- bob likes milk\n- eve likes wine\n"
    theirs = b"- ann likes green tea\n- quite another thing\n- bob likes warm milk\n- eve likes red wine\n"
    mine = b"- ann likes tea\n- eve likes wine\n"
    assert combine(base, mine, theirs)[1] == [Clash(range(2, 3), range(1, 1), range(2, 3))]


@pytest.mark.parametrize(
    ("number", "old", "new", "place"),
    [
        (1, b"a\nb\nc\n", b"x\ny\na\nb\nc\n", 3),
        (2, b"a\nb\nc\n", b"b\nc\n", 1),
        (1, b"a\nb\nc\n", b"a\nB\nb2\nc\n", 1),
        (1, b"a\nb\nc\n", b"a\nc\n", 1),
        (0, b"a\n", b"x\na\n", 1),
        (1, b"a\n", b"x\na\n", 2),
        (0, b"", b"x\n", 1),
        (2, b"a\nb\nc\nd\n", b"a\nX\nd\n", 1),
        (2, b"a\nb\nc\nd\n", b"a\nX\nY\nZ\nd\n", 2),
        (3, b"a\nb\nc\nd\n", b"X\nb\nY\nd\n", 3),
        (4, b"a\nb\nc\nd\ne\n", b"X\nZ\nb\nY\nd\nE\nF\n", 5),
    ],
)
def test_a_line_is_followed_to_where_it_stands_now(number: int, old: bytes, new: bytes, place: int) -> None:
    assert same_line(number, split(old), split(new)) == place


def test_a_text_that_ends_in_no_line_feed_keeps_the_blank_line_before_that_end() -> None:
    assert [unended(text) for text in (b"a\n", b"a", b"a\n\n", b"\n", b"")] == [b"a", b"a", b"a\n\n", b"\n", b""]


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "made"),
    [
        (b"a\r\nb\r\n", b"a\r\nb", b"a\r\nb\r\nc\r\n", b"a\r\nb\r\nc\r\n"),
        (b"a\r\nb", b"a\r\nb\r\nc", b"x\r\nb", b"x\r\nb\r\nc"),
        (b"a\r\nb\r\n", b"a", b"a\r\nb\r\nc\r\n", b"a\r\nc\r\n"),
        (b"a", b"a\r\nb", b"x", b"x\r\nb"),
        (b"a\nb\n", b"a\nb\nours\n", b"a\nb", b"a\nb\nours\n"),
        (b"a\nb\n", b"ours\na\nb\n", b"a\nb", b"ours\na\nb"),
    ],
)
def test_a_last_line_ends_as_the_side_has_it_that_wrote_it(base: bytes, mine: bytes, theirs: bytes, made: bytes) -> None:
    assert merge(base, mine, theirs)[0] == made
