"""What becomes of one file that two machines changed."""

from __future__ import annotations

import itertools
from time import process_time

import pytest

from zsmem_tui.core.sync.texts import Shape, alike, forgotten_in, joined


def both_ways(base: bytes | None, one: bytes, other: bytes, shape: Shape = Shape.NOTE) -> bytes | None:
    found, again = joined(base, one, other, shape), joined(base, other, one, shape)
    assert found == again
    return found.text if found is not None else None


@pytest.mark.parametrize(
    ("base", "one", "other", "made"),
    [
        (b"- [ ] a\n- [ ] b\n", b"- [x] a\n- [ ] b\n", b"- [ ] a\n- [x] b\n", b"- [x] a\n- [x] b\n"),
        (b"- [ ] a\n", b"- [x] a\n", b"- [ ] a\n- [ ] b\n", b"- [x] a\n- [ ] b\n"),
        (b"- [ ] call the bank\n", b"- [x] call the bank\n", b"- [ ] call the bank today\n", b"- [x] call the bank today\n"),
        (b"- [ ] buy milk\n", b"- [x] buy milk\n", b"- [ ] buy tea\n", b"- [ ] buy tea\n"),
        (b"- [x] a\n- [ ] b\n", b"- [ ] a\n- [ ] b\n", b"- [x] a\n- [x] b\n", b"- [ ] a\n- [x] b\n"),
        (b"- [ ] a\n- [ ] a\n", b"- [ ] a\n- [x] a\n", b"new\n- [ ] a\n- [ ] a\n", b"new\n- [ ] a\n- [x] a\n"),
        (b"- [ ] a\n", b"- [x] a\n", b"- [-] a\n", b"- [x] a\n"),
        (b"- [ ] a\n", b"- [/] a\n", b"- [-] a\n", b"- [-] a\n"),
        (b"a\r\nb\r\n", b"a\nb\n", b"a\r\nb\r\nc\r\n", b"a\nb\nc\n"),
        (b"a\nb\n", b"a\r\nb\r\n", b"a\nb\nc\n", b"a\r\nb\r\nc\r\n"),
        (b"a\r\nb\r\n", b"a\r\nb", b"a\r\nb\r\nc\r\n", b"a\r\nb\r\nc"),
        (b"a\r\nb\r\n", b"a", b"a\r\nb\r\nc\r\n", b"a\r\nc"),
        (b"a\r\n", b"a\r\nb", b"a\r\nc\r\n", b"a\r\nb\r\nc"),
        (b"a\nb\n", b"a\nb", b"a\r\nb\r\nc", b"a\r\nb\r\nc"),
        (None, b"a\r\nb", b"a\nb", b"a\r\nb"),
        (b"a\nb\nc", b"x\nb\nc", b"a\nb\nc\nd", b"x\nb\nc\nd"),
        (b"a\nb\n", b"a\n", b"a\nb\nc\n", b"a\nc\n"),
        (b"", b"a\n", b"b\n", b"b\na\n"),
        (b"a\r\nb\n", b"a\r\nb\nc\n", b"x\r\nb\n", b"x\r\nb\nc\n"),
        (
            b"- [x] call the bank\n",
            b"- [ ] call the bank today\n",
            b"- [x] call the bank\nmore\n",
            b"- [ ] call the bank today\nmore\n",
        ),
        (None, b"a\n", b"a \n", b"a \na\n"),
        (None, b"a\nb\nc\n", b"a\nb\nc\nd", b"a\nb\nc\nd\n"),
    ],
)
def test_lines(base: bytes | None, one: bytes, other: bytes, made: bytes) -> None:
    assert both_ways(base, one, other) == made


def test_lines_that_both_changed_both_stand_and_are_told() -> None:
    for end in (b"\n", b"\r\n"):
        base, one, other = (b"# Redis%bport %d%bend%b" % (end, port, end, end) for port in (1, 2, 3))
        found = joined(base, one, other, Shape.NOTE)
        assert found is not None and len(found.pairs) == 1
        pair = found.pairs[0]
        assert {pair.first, pair.second} == {(b"port 2" + end,), (b"port 3" + end,)} and pair.at == 1
        assert found.text == b"# Redis" + end + pair.first[0] + pair.second[0] + b"end" + end


@pytest.mark.parametrize("word", [b"one", b"two"])
def test_beside_lines_that_both_changed_one_that_a_side_deleted_stays_away_and_one_that_both_moved_stays(word: bytes) -> None:
    made = both_ways(b"a\ngone\nx\nz\n", b"a\n%b\nz\n" % word, b"a\ngone\nold\nz\n")
    assert made is not None and sorted(made.split()) == sorted([b"a", word, b"old", b"z"])
    made = both_ways(b"a\nb\nc\nmoved\n", b"b\nx\nmoved\n%b\n" % word, b"moved\nb\ny\n%b\n" % word)
    assert made is not None and {b"b", b"x", b"y", b"moved", word} == {*made.split()}


def test_doing_it_again_doubles_nothing() -> None:
    base, one, other = b"port 1\nend\n", b"port 2\nmore\nend\n", b"port 3\nend\n"
    once = both_ways(base, one, other)
    assert once is not None and both_ways(base, once, other) == once and both_ways(base, one, once) == once


def test_a_log_has_the_entries_of_both_by_their_times() -> None:
    base = b"# Day\n\n### 09:00\nstart\n\n"
    one, other = base + b"### 12:00\nlunch\n\n", base + b"### 10:30\nfix\n\n### 12:00\nlunch\n\n"
    assert both_ways(base, one, other, Shape.LOG) == base + b"### 10:30\nfix\n\n### 12:00\nlunch\n\n"
    assert both_ways(None, one, other, Shape.LOG) == base + b"### 10:30\nfix\n\n### 12:00\nlunch\n\n"
    for word in (b"begin", b"first", b"early"):
        edited = base.replace(b"start", word)
        assert both_ways(base, edited, b"# Day\n\n", Shape.LOG) == edited, "deleted here, changed there: it stays"
    assert both_ways(base, one, b"# Day\n\n", Shape.LOG) == b"# Day\n\n### 12:00\nlunch\n\n"
    both = base + b"### 12:00\nlunch\n\n"
    assert both_ways(both, both.replace(b"start", b"begin"), both.replace(b"lunch", b"tea"), Shape.LOG) == (
        both.replace(b"start", b"begin").replace(b"lunch", b"tea")
    )
    left, tea, fix = both.replace(b"### 09:00\nstart\n\n", b""), b"### 15:00\ntea\n\n", b"### 16:00\nfix\n\n"
    assert both_ways(both, left + tea, left + fix, Shape.LOG) == left + tea + fix, "both deleted the first"
    for head in (b"# One", b"# Two", b"# My day"):
        assert both_ways(both, both.replace(b"# Day", head), both + fix, Shape.LOG) == both.replace(b"# Day", head) + fix
    left, right = base.replace(b"start\n", b"start\nA\n"), base.replace(b"start\n", b"B\nstart\n")
    assert both_ways(base, left, right, Shape.LOG) == b"# Day\n\n### 09:00\nB\nstart\nA\n\n"


def test_entries_of_a_log_keep_the_empty_line_above_them_and_what_is_in_a_fence_stays_there() -> None:
    base = b"\n### 09:00\nstart\n"
    one, other = base + b"\n### 12:00\nlunch\n", base + b"\n### 10:30\n```\n### 08:00\n```\n"
    made = base + b"\n### 10:30\n```\n### 08:00\n```\n" + b"\n### 12:00\nlunch\n"
    assert both_ways(base, one, other, Shape.LOG) == both_ways(None, one, other, Shape.LOG) == made
    assert both_ways(base, one + b"\n", other, Shape.LOG) == made + b"\n"


def test_an_index_has_one_line_a_topic_with_the_words_of_both() -> None:
    one, other = b"# Memory\n- [Redis](redis.md) - port 1\n- [A](a.md)\n", b"# Memory\n- [Cache](redis.md) - port 2\n- [B](b.md)\n"
    made = both_ways(None, one, other, Shape.INDEX)
    assert made is not None and made.count(b"(redis.md)") == made.count(b"(a.md)") == made.count(b"(b.md)") == 1
    assert all(word in made for word in (b"Redis", b"Cache", b"port 1", b"port 2"))
    twice = b"- [A](a.md)\n- [Again](a.md)"
    made = both_ways(twice, twice + b"\n- [B](b.md)", b"- [C](c.md)\n" + twice, Shape.INDEX)
    assert made == b"- [C](c.md)\n" + twice + b"\n- [B](b.md)", "what one side has twice stays twice"
    made = both_ways(None, b"- [A](a.md) - one", b"- [A](a.md) - two", Shape.INDEX)
    assert made in (b"- [A](a.md) - one; two", b"- [A](a.md) - two; one")
    made = both_ways(None, b"- [A](<my plan.md>) - one\n", b"- [B](my%20plan.md) - two\n", Shape.INDEX)
    assert made is not None and made.count(b"plan.md") == 1 and all(word in made for word in (b"A", b"B", b"one", b"two"))
    made = both_ways(None, b"- [Deploy](d.md) - on Friday\n", "- [Deploy now](d.md) — never on Friday\n".encode(), Shape.INDEX)
    assert made is not None and made.count(b"d.md") == 1 and made.count(b"on Friday") == made.count(b"Deploy") == 2
    base = b"- [Redis](redis.md) - port 0\n- [A](a.md)\n"
    made = both_ways(base, b"- [Redis](redis.md) - port 1\n", b"- [Redis](redis.md) - port 2\n- [A](a.md)\n", Shape.INDEX)
    assert made is not None and made.count(b"redis.md") == 1 and b"port 1" in made and b"port 2" in made and b"a.md" not in made


def test_files_made_on_both() -> None:
    assert both_ways(None, b"a\nb\nc\nd\n", b"a\nb\nc\ne\n") in (b"a\nb\nc\nd\ne\n", b"a\nb\nc\ne\nd\n")
    assert both_ways(None, b"a\nb\n", b"c\nd\n") is both_ways(None, b"a\nb\n", b"a\nc\n") is None
    made = joined(None, b"a\nb\nc\n", b"a\nb\nd\n", Shape.MAIN)
    assert made is not None and not made.pairs
    assert both_ways(None, b"a\nb\n", b"c\nd\n", Shape.MAIN) in (b"a\nb\nc\nd\n", b"c\nd\na\nb\n")
    assert both_ways(b"a\n", b"\xff1", b"\xff2") is None
    assert both_ways(b"a\n", b"a\n", b"\xff2") == b"\xff2"


def test_what_is_alike() -> None:
    assert alike(b"a\nb\n\n", b"a\nc\n") and not alike(b"a\nb\nc\n", b"a\nd\ne\n") and not alike(b"\n", b"\n")


@pytest.mark.parametrize("step", [6, pytest.param(2, marks=pytest.mark.slow)])
def test_no_marker_and_no_line_is_missing_for_every_small_text(step: int) -> None:
    """Texts of up to three lines out of three, against each other."""
    texts = [b"".join(each) for size in range(4) for each in itertools.product((b"a\n", b"b\n", b"- [ ] c\n"), repeat=size)]
    for base, one, other in itertools.product(texts[::step], texts[::3], texts[1::3]):
        made = both_ways(base, one, other, Shape.MAIN)
        assert made is not None
        for line in {*one.split(b"\n"), *other.split(b"\n")} - set(base.split(b"\n")):
            assert line in made.split(b"\n")


@pytest.mark.parametrize(
    ("old", "new", "secret"),
    [
        (b"a S b S", b"a [forgotten] b [forgotten]", b"S"),
        (b"S", b"[forgotten]", b"S"),
        (b"[forgotten] xyz", b"[forgotten] [forgotten]", b"xyz"),
        (b"a b", b"a c", b""),
        (b"a", b"a", b""),
        (b"x S y\nmore", b"x [forgotten] y\nless", b""),
    ],
)
def test_what_was_forgotten_is_told_by_where_it_stood(old: bytes, new: bytes, secret: bytes) -> None:
    assert forgotten_in(old, new) == secret


def test_where_more_than_that_changed_in_a_long_text_it_is_told_in_time() -> None:
    rest = b"".join(b"- fact number %d of many\n" % number for number in range(40_000))
    start = process_time()
    assert forgotten_in(b"SECRET\nSECRET\n" + rest, b"[forgotten]\n[forgotten]\n" + rest + b"- more\n") == b""
    assert process_time() - start < 5, "to try each line as the end of it takes a minute"
    assert forgotten_in(b"SECRET\nSECRET\n" + rest, b"[forgotten]\n[forgotten]\n" + rest) == b"SECRET"
