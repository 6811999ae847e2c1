"""Three-way merge by lines.

Insertions of both sides at the same point are both kept, theirs first, but at the top the only one with a front matter; one that
contains the other is kept once. Changes that touch but share no line are both applied. Only lines that both sides replaced or
deleted in different ways overlap; within larger hunks, lines are paired by likeness so that only these overlap.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import Final, NamedTuple

from zsmem_tui.core.append import ended_as, in_lf, with_crlf
from zsmem_tui.core.frontmatter import is_headed
from zsmem_tui.core.line_matching import alike, most_in_order
from zsmem_tui.core.text import common_ends, grouped

_EXACT_LINES: Final = 2_000
"""Up to this many lines, every line is compared. Above, the search is divided at lines that occur once in both texts, and difflib
ignores very common lines (60,000 lines with every second one changed: 0.1 s instead of more than 3 minutes).
"""

_MATCHED_LINES: Final = 2_000
"""The most lines of a hunk, old and new, for which old lines are paired with new ones (10 ms)."""

_WEIGHED_LINES: Final = 8_000
"""The most lines, without one that occurs once in both texts, that difflib compares; more count as replaced as a whole."""


class Hunk(NamedTuple):
    """Lines `start` to `stop` of the old text became `lines`. For an insertion `start == stop`."""

    start: int
    stop: int
    lines: tuple[bytes, ...]


class Merged(NamedTuple):
    """A merge without conflict. `kept_lines` is the number of lines that theirs added."""

    text: bytes
    kept_lines: int


class Overlap(NamedTuple):
    """Both sides changed the same lines. `proposal` contains both versions of those, theirs first, and all other changes."""

    proposal: bytes


class Clash(NamedTuple):
    """A conflict: the line ranges in theirs, in mine, and of both versions in the proposal."""

    theirs: range
    mine: range
    proposal: range


def merge(base: bytes, mine: bytes, theirs: bytes) -> Merged | Overlap:
    """Merge `mine` and `theirs`, which were both made from `base`."""
    if mine == theirs or theirs == base:
        return Merged(mine, 0)
    if mine == base:
        return Merged(theirs, _count_added(line_hunks(split(base), split(theirs))))
    sides = base, mine, theirs
    if lacks_crlf(sides):
        found = merge(*map(in_lf, sides))
        whole = with_crlf(found[0])
        return Merged(whole, found.kept_lines) if isinstance(found, Merged) else Overlap(whole)
    old = split(base)
    ours, others = line_hunks(old, split(mine)), line_hunks(old, split(theirs))
    lines, overlapping = _combine(old, ours, others)
    text = b"".join(lines)
    if not ends_merged(lines, base, mine, theirs):
        text = unended(text)
    return Overlap(text) if overlapping else Merged(text, _count_added(others))


def merged_into(now: bytes, base: bytes, mine: bytes) -> bytes | None:
    """`now` with what changed from `base` to `mine`, with the byte order mark and the line ends that it has.

    None if both changed the same lines, or if it has line ends of two kinds, which would become one.
    """
    mark = BOM_UTF8 * now.startswith(BOM_UTF8)
    theirs = in_lf(now.removeprefix(mark))
    done = merge(in_lf(base.removeprefix(BOM_UTF8)), in_lf(mine.removeprefix(BOM_UTF8)), theirs)
    if not isinstance(done, Merged) or done.text == theirs:
        return now if isinstance(done, Merged) else None
    return mark + ended_as(now, done.text) if mark + ended_as(now, theirs) == now else None


def combine(base: bytes, mine: bytes, theirs: bytes) -> tuple[list[bytes], list[Clash]]:
    """Merge into one list of lines; also return the conflicts, top to bottom."""
    old = split(base)
    return _combine(old, line_hunks(old, split(mine)), line_hunks(old, split(theirs)))


def line_end(text: bytes) -> bytes | None:
    """The line ending of a text: LF or CR LF; empty if it has none, None if it is mixed."""
    feeds, returns = text.count(b"\n"), text.count(b"\r\n")
    return b"" if not feeds else b"\n" if not returns else b"\r\n" if returns == feeds else None


def lacks_crlf(sides: Sequence[bytes]) -> bool:
    """Whether all lines of these texts end in CR LF, but for the last of one of them, which has no end and would get LF."""
    return {b"\r\n"} <= {*map(line_end, sides)} <= {b"", b"\r\n"} and not all(each.endswith(b"\n") for each in sides)


def is_last(lines: Sequence[bytes], text: bytes) -> bool:
    """Whether lines (with line feeds) end in the last line of a text: else it says nothing of how their last one ends."""
    return [*lines[-1:]] == split(text)[-1:]


def unended(text: bytes) -> bytes:
    """`text` without the line feed at its end, unless the last line is empty."""
    return text if text == b"\n" or text.endswith(b"\n\n") else text.removesuffix(b"\n")


def ends_line(base: bytes, mine: bytes, theirs: bytes) -> bool:
    """Whether the merged text ends in a line feed: decided by the side that changed it."""
    ends = [*map(is_ended, (base, mine, theirs))]
    return ends[1] if ends[2] == ends[0] else ends[2]


def ends_merged(lines: Sequence[bytes], base: bytes, mine: bytes, theirs: bytes) -> bool:
    """`ends_line` of merged lines (with line feeds): a side that has no end says nothing of a last line that is not its own."""
    return ends_line(base, mine, theirs) or not any(is_last(lines, each) for each in (mine, theirs) if not is_ended(each))


def is_ended(text: bytes) -> bool:
    """Whether a text ends in a line feed, or has no line."""
    return not text or text.endswith(b"\n")


def split(text: bytes) -> list[bytes]:
    """Split into lines with their line feeds; a last line without one gets one, so that appending to it is no change."""
    lines = text.split(b"\n")
    last = lines.pop()
    found = [line + b"\n" for line in lines]
    if last:
        found.append(last + b"\n")
    return found


def bare_lines(text: bytes) -> list[bytes]:
    """The lines without the white space at their ends, in which a difference is not to be seen."""
    return [line.rstrip() for line in split(text)]


def line_hunks(old: list[bytes], new: list[bytes]) -> list[Hunk]:
    """The hunks that lead from `old` to `new`, in rising order, never touching."""
    found: list[Hunk] = []
    spans = [(0, len(old), 0, len(new))]
    while spans:
        start, stop, new_start, new_stop = spans.pop()
        left, right = old[start:stop], new[new_start:new_stop]
        head, tail = common_ends(left, right)
        left, right = left[head : len(left) - tail], right[head : len(right) - tail]
        start, new_start = start + head, new_start + head
        if not left or not right:
            found += [Hunk(start, start + len(left), tuple(right))] if left or right else []
            continue
        pairs = _unique_line_pairs(left, right) if len(left) + len(right) > _EXACT_LINES else []
        if not pairs:
            found += _difflib_hunks(start, left, right)
            continue
        ends = [*pairs, (len(left), len(right))]
        starts = [(0, 0), *((one + 1, other + 1) for one, other in pairs)]
        spans += [
            (start + one, start + one_stop, new_start + other, new_start + other_stop)
            for (one, other), (one_stop, other_stop) in reversed(list(zip(starts, ends, strict=True)))
            if one < one_stop or other < other_stop  # between most pairs there is nothing
        ]
    return found


def placed(hunks: Iterable[Hunk]) -> Iterator[tuple[int, Hunk]]:
    """Yield each hunk with the index of its first line in the new text."""
    shift = 0
    for hunk in hunks:
        yield hunk.start + shift, hunk
        shift += len(hunk.lines) - (hunk.stop - hunk.start)


def same_line(number: int, old: list[bytes], new: list[bytes]) -> int:
    """The index in the new text of line `number` of the old one; for a replaced line, the line at the same offset in the hunk."""
    for start, hunk in placed(line_hunks(old, new)):
        if number < hunk.stop:
            inside = number - hunk.start
            return start + min(inside, max(len(hunk.lines) - 1, 0))
    return len(new) - len(old) + number


def _difflib_hunks(start: int, left: list[bytes], right: list[bytes]) -> list[Hunk]:
    """The hunks between two pieces, compared by difflib; `start` is the index of the first old line."""
    if len(left) + len(right) > _WEIGHED_LINES:
        return [Hunk(start, start + len(left), tuple(right))]
    from difflib import SequenceMatcher  # deferred: 6 ms, needed only if both sides have new lines

    matcher = SequenceMatcher(None, left, right, autojunk=len(left) + len(right) > _EXACT_LINES)
    return [
        Hunk(start + old_start, start + old_stop, tuple(right[new_start:new_stop]))
        for tag, old_start, old_stop, new_start, new_stop in matcher.get_opcodes()
        if tag != "equal"
    ]


def _unique_line_pairs(left: list[bytes], right: list[bytes]) -> list[tuple[int, int]]:
    """(left index, right index) of lines that occur exactly once in both pieces: their longest common subsequence."""
    once, other_once = Counter(left), Counter(right)
    places = {line: at for at, line in enumerate(left) if once[line] == 1}
    pairs = [(places[line], at) for at, line in enumerate(right) if other_once[line] == 1 and line in places]
    return [pairs[at] for at in most_in_order([place for place, _ in pairs])]


def lasts(before: bytes, wanted: bytes, now: bytes) -> bool:
    """Whether the change from `before` to `wanted` is still in `now`: no added line is missing, no removed one is back."""
    return lacking(before, wanted, now) == ([], [])


def lacking(before: bytes, wanted: bytes, now: bytes) -> tuple[list[bytes], list[bytes]]:
    """What `now` lacks of the change from `before` to `wanted`: added lines that are missing, removed lines that are back."""
    if now == wanted:
        return [], []
    old, goal, present = Counter(split(before)), Counter(split(wanted)), Counter(split(now))
    added, removed = goal - old, old - goal
    return [line for line in added if present[line] < goal[line]], [line for line in removed if present[line] > goal[line]]


def lacked(before: bytes, wanted: bytes, now: bytes) -> bytes:
    """`wanted` without the lines inserted since `before` that `now` has, too: merged, some would stand there twice."""
    old, missing = split(before), {*lacking(before, wanted, now)[0]}
    hunks = line_hunks(old, split(wanted))
    kept = [hunk if hunk.start < hunk.stop else hunk._replace(lines=_only(hunk.lines, missing)) for hunk in hunks]
    if kept == hunks:
        return wanted
    text = b"".join(_apply(old, 0, len(old), kept))
    return text if wanted.endswith(b"\n") else unended(text)


def _only(lines: tuple[bytes, ...], wanted: set[bytes]) -> tuple[bytes, ...]:
    """Those of the lines that are wanted; a blank line goes with the one above it."""
    kept: list[bytes] = []
    is_kept = not wanted.isdisjoint(lines)
    for line in lines:
        is_kept = line in wanted if line.strip() else is_kept
        kept += [line] if is_kept else []
    return tuple(kept)


def changed_lines(old: list[bytes], new: list[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The lines of `old` that go, and those of `new` that come instead, from top to bottom."""
    hunks = line_hunks(old, new)
    return [line for hunk in hunks for line in old[hunk.start : hunk.stop]], [line for hunk in hunks for line in hunk.lines]


def is_within(part: bytes, whole: bytes) -> bool:
    """Whether all lines of `part` occur in `whole` in the same order."""
    rest = iter(split(whole))
    return all(line in rest for line in split(part))


def _combine(old: list[bytes], ours: list[Hunk], others: list[Hunk]) -> tuple[list[bytes], list[Clash]]:
    ours, others = _split_shared(old, ours, others), _split_shared(old, others, ours)
    sides = (others, ours)  # in the order in which both are kept: theirs first
    inserted = [{hunk.start: hunk.lines for hunk in found if hunk.start == hunk.stop} for found in sides]
    replaced = [[hunk for hunk in found if hunk.start < hunk.stop] for found in sides]
    begins = grouped((hunk.start, hunk) for found in replaced for hunk in found)
    shifts = [*map(_LineMap, sides)]
    out: list[bytes] = []
    overlapping: list[Clash] = []
    at = 0
    while at <= len(old):
        out += _insertions(inserted, at)
        starting = begins.get(at, [])
        if not starting:
            out += old[at : at + 1]
            at += 1
            continue
        stop, theirs, mine = _overlapping(starting, replaced)
        if theirs and mine and theirs != mine:
            both = _side_lines(old, at, stop, others) + _side_lines(old, at, stop, ours)  # including insertions in between
            left, right = (range(shift.of(at, first=True), shift.of(stop, first=False)) for shift in shifts)
            overlapping.append(Clash(left, right, range(len(out), len(out) + len(both))))
            out += both
            at = stop
            continue
        out += _apply(old, at, stop, theirs or mine)
        for place in range(at + 1, stop):
            out += _insertions(inserted, place)
        at = stop
    return out, overlapping


def _split_shared(old: list[bytes], own: list[Hunk], others: list[Hunk]) -> list[Hunk]:
    """One side's hunks; those that share lines with a hunk of the other side are divided by lines that have a new form."""
    starts, stops = [hunk.start for hunk in others], [hunk.stop for hunk in others]
    found: list[Hunk] = []
    for hunk in own:
        size = hunk.stop - hunk.start + len(hunk.lines)
        is_shared = bisect_right(stops, hunk.start) < bisect_left(starts, hunk.stop)
        found += _split_by_lines(old, hunk) if is_shared and size <= _MATCHED_LINES else [hunk]
    return found


def _split_by_lines(old: list[bytes], hunk: Hunk) -> list[Hunk]:
    """Divide a hunk into touching hunks, each starting with a line that became another line."""
    pairs = alike(old[hunk.start : hunk.stop], hunk.lines)[1:]
    starts = [(0, 0), *pairs]
    stops = [*pairs, (hunk.stop - hunk.start, len(hunk.lines))]
    return [
        Hunk(hunk.start + one, hunk.start + stop, hunk.lines[other:new_stop])
        for (one, other), (stop, new_stop) in zip(starts, stops, strict=True)
    ]


def _side_lines(old: list[bytes], at: int, stop: int, changes: list[Hunk]) -> list[bytes]:
    """The lines from `at` to `stop` with one side's hunks applied, including its insertions in between."""
    return _apply(old, at, stop, [hunk for hunk in _within(changes, at, stop) if hunk.start < hunk.stop or at < hunk.start])


def _insertions(inserted: list[dict[int, tuple[bytes, ...]]], at: int) -> list[bytes]:
    found = [own[at] for own in inserted if at in own]
    if found[1:]:
        for one, other in (found, found[::-1]):
            if any(one[place : place + len(other)] == other for place in range(len(one) - len(other) + 1)):
                return [*one]  # that side had seen the other's insertion
        if not at:  # below other lines, it would be no front matter
            found.sort(key=lambda lines: not is_headed(b"".join(lines)))
    return [line for lines in found for line in lines]


def _overlapping(starting: list[Hunk], replaced: list[list[Hunk]]) -> tuple[int, list[Hunk], list[Hunk]]:
    """Collect all replacements that overlap those in `starting`, directly or transitively: (stop, theirs, ours)."""
    stop = max(hunk.stop for hunk in starting)
    first = starting[0].start
    while True:
        theirs, ours = (_within(side, first, stop) for side in replaced)
        reach = max(hunk.stop for hunk in (*theirs, *ours))
        if reach == stop:
            return stop, theirs, ours
        stop = reach


def _within(rising: list[Hunk], first: int, stop: int) -> list[Hunk]:
    """The hunks that begin at `first` or later and before `stop`; `rising` is sorted."""
    start = itemgetter(0)
    return rising[bisect_left(rising, first, key=start) : bisect_left(rising, stop, key=start)]


class _LineMap:
    """Maps line numbers of the old text to those after some hunks."""

    def __init__(self, changes: list[Hunk]) -> None:
        self._changes = changes
        self._stops = [hunk.stop for hunk in changes]
        self._sums = [0, *accumulate(len(hunk.lines) - (hunk.stop - hunk.start) for hunk in changes)]

    def of(self, place: int, *, first: bool) -> int:
        """The new number of line `place`. An insertion at that very place is counted only if `first`."""
        count = bisect_right(self._stops, place)
        if count and not first and self._changes[count - 1].start == place:
            count -= 1
        return place + self._sums[count]


def _apply(old: list[bytes], start: int, stop: int, changes: list[Hunk]) -> list[bytes]:
    out: list[bytes] = []
    at = start
    for hunk in sorted(changes):
        out += [*old[at : hunk.start], *hunk.lines]
        at = hunk.stop
    return out + old[at:stop]


def _count_added(changes: list[Hunk]) -> int:
    return sum(len(hunk.lines) for hunk in changes)
