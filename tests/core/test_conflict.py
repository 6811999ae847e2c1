from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.core.conflict import Decision, Edited, Take, carried_over, conflicts, decided, lines_of, replaced
from zsmem_tui.core.merge import Overlap, merge, split

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"d\r\n", b"\n"]), max_size=8).map(b"".join)
LOOSE = st.tuples(LINES, st.sampled_from([b"", b"x", b"y\xff"])).map(b"".join)
DECISION = st.one_of(st.sampled_from(list(Take)), LOOSE.map(Edited))


def bare(text: bytes) -> list[bytes]:
    """The lines, whatever ends them: a last line without an end gets that of the others."""
    return [line.rstrip(b"\r\n") for line in split(text)]


@given(LOOSE, LOOSE)
def test_with_no_base_all_mine_is_mine_and_all_theirs_is_theirs(mine: bytes, theirs: bytes) -> None:
    found = conflicts(None, mine, theirs)
    if found.regions:
        assert decided(found, [Take.MINE] * len(found.regions)) == mine
        assert decided(found, [Take.THEIRS] * len(found.regions)) == theirs
    else:
        assert bare(mine) == bare(theirs)


@given(st.lists(st.tuples(LINES, LINES), max_size=4), st.booleans())
def test_where_nothing_else_changed_all_mine_is_mine_and_all_theirs_is_theirs(parts: list[tuple[bytes, bytes]], ends: bool) -> None:
    """Every line that both keep is there once only, so that it is known which lines conflict."""
    base = mine = theirs = b""
    for number, (own, other) in enumerate(parts):
        base += b"keep %d\nold %d\n" % (number, number)
        mine += b"keep %d\nmine %d\n" % (number, number) + own
        theirs += b"keep %d\ntheirs %d\n" % (number, number) + other
    mine, theirs = (text if ends else text.removesuffix(b"\n") for text in (mine, theirs))
    found = conflicts(base, mine, theirs)
    assert len(found.regions) == len(parts)
    assert decided(found, [Take.MINE] * len(parts)) == mine or not parts
    assert decided(found, [Take.THEIRS] * len(parts)) == theirs or not parts


def test_a_last_line_behind_the_conflicts_ends_as_the_side_has_it_that_wrote_it() -> None:
    found = conflicts(b"a\nm\nb\n", b"x\nm\nb\nours\n", b"y\nm\nb")
    assert decided(found, [Take.MINE]) == b"x\nm\nb\nours\n"
    found = conflicts(b"a\nm\nb\n", b"x\nm\nb\n", b"y\nm\nb")
    assert decided(found, [Take.MINE]) == b"x\nm\nb"


@given(LOOSE, LOOSE, LOOSE, st.data())
def test_no_line_outside_the_conflicts_depends_on_what_is_decided(
    base: bytes, mine: bytes, theirs: bytes, data: st.DataObject
) -> None:
    found = conflicts(base, mine, theirs)
    decisions: list[Decision] = [data.draw(DECISION) for _ in found.regions]
    left = bare(decided(found, decisions))
    for place, region in enumerate(found.regions):
        before = bare(b"".join(found.between[place]))
        assert left[: len(before)] == before
        left = left[len(before) :]
        own = bare(lines_of(region, decisions[place]))
        assert left[: len(own)] == own
        left = left[len(own) :]
    assert left == bare(b"".join(found.between[-1]))


@given(LOOSE, LOOSE, LOOSE)
def test_both_everywhere_is_what_a_merge_proposes(base: bytes, mine: bytes, theirs: bytes) -> None:
    merged = merge(base, mine, theirs)
    if isinstance(merged, Overlap):
        found = conflicts(base, mine, theirs)
        assert bare(decided(found, [Take.BOTH] * len(found.regions))) == bare(merged.proposal)
        assert [region.theirs for region in found.regions if region.theirs == region.mine] == []


@given(LOOSE, LOOSE)
def test_what_only_one_of_two_unrelated_texts_has_is_kept_without_asking(here: bytes, other: bytes) -> None:
    found = replaced(here, other)
    text = bare(decided(found, [Take.BOTH] * len(found.regions)))
    for side in (here, other):
        rest = iter(text)
        assert all(line in rest for line in bare(side)), "a line is missing, or out of order"
    assert all(region.theirs and region.mine for region in found.regions)


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "take", "text"),
    [
        (b"a\nb", b"a\nM", b"a\nT\n", Take.MINE, b"a\nM"),
        (b"a\nb", b"a\nM", b"a\nT\n", Take.THEIRS, b"a\nT\n"),
        (b"a\nb", b"a\nM", b"a\nT\n", Take.BOTH, b"a\nT\nM"),
        (b"a\nb\nc\n", b"a\nM\nc\n", b"new\na\nT\nc\n", Take.MINE, b"new\na\nM\nc\n"),
        (b"a\nb\n", b"a\n", b"a\nT\n", Take.MINE, b"a\n"),
        (b"a\r\nb", b"a\r\nM", b"a\r\nT\r\n", Take.MINE, b"a\r\nM"),
        (b"a\r\nb", b"a\r\nM", b"a\r\nT\r\n", Take.BOTH, b"a\r\nT\r\nM"),
        (b"a\r\nb", b"a\r\nM\r\n", b"a\r\nT", Take.BOTH, b"a\r\nT\r\nM\r\n"),
        (b"1\n2\n3\n4\n", b"M\n", b"A\n2\n+\n3\nB\n", Take.THEIRS, b"A\n2\n+\n3\nB\n"),
        (b"1\n2\n3\n4\n", b"M\n", b"A\n2\n+\n3\nB\n", Take.MINE, b"M\n"),
    ],
)
def test_a_decided_text(base: bytes, mine: bytes, theirs: bytes, take: Take, text: bytes) -> None:
    found = conflicts(base, mine, theirs)
    assert len(found.regions) == 1 and decided(found, [take]) == text


def test_edited_lines_stand_where_the_conflict_was_and_nowhere_else() -> None:
    found = conflicts(b"a\nb\nc\n", b"a\nM\nc\n", b"a\nT\nc\n")
    assert decided(found, [Edited(b"x\ny")]) == b"a\nx\ny\nc\n"
    assert decided(found, [Edited(b"")]) == b"a\nc\n"
    assert decided(conflicts(b"a\r\nb", b"a\r\nM", b"a\r\nT\r\n"), [Edited(b"x\ny")]) == b"a\r\nx\r\ny\r\n"


def test_a_last_line_that_both_have_without_a_line_feed_stays_so() -> None:
    found = replaced(b"mine\nlast", b"theirs\nlast")
    assert decided(found, [Take.BOTH]) == b"theirs\nmine\nlast"
    assert decided(replaced(b"mine\nlast\n", b"theirs\nlast"), [Take.MINE]) == b"mine\nlast\n"


def test_thousands_of_conflicts_are_each_found_where_they_are() -> None:
    texts = [b"".join(b"keep %d\n%s %d\r\n" % (number, word, number) for number in range(4_000)) for word in (b"o", b"m", b"t")]
    base, mine, theirs = texts
    found = conflicts(base, mine, theirs)
    assert [region.theirs for region in found.regions] == [(b"t %d\r\n" % number,) for number in range(4_000)]
    assert decided(found, [Take.MINE] * 4_000) == mine and decided(found, [Take.THEIRS] * 4_000) == theirs


def test_a_decision_goes_along_only_with_the_lines_that_it_was_made_about() -> None:
    old = conflicts(b"1\n=\n2\n=\n3\n", b"a\n=\nb\n=\nc\n", b"x\n=\ny\n=\nz\n")
    new = conflicts(b"1\n=\n2\n=\n3\n", b"a\n=\nb\n=\nc\n", b"x\n=\nnew\n=\nz\n")
    assert carried_over(old, [Take.MINE, Take.THEIRS, None], new) == [Take.MINE, None, None]
    twice = conflicts(b"1\n=\n1\n", b"a\n=\na\n", b"x\n=\nx\n")
    once = conflicts(b"1\n=\n1\n", b"a\n=\na\n", b"1\n=\nx\n")
    assert carried_over(twice, [Take.MINE, Take.THEIRS], once) == [None], "it is not known which of them is left"
