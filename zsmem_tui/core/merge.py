"""Two people changed one text: a three-way merge by lines.

Insertions of both sides at one point are both kept, theirs first; one that stands in the other is not kept twice. Changes that
touch but do not share a line are both applied. Only lines that both sides replaced or deleted, in different ways, overlap: of a
piece in which one side changed every line and the other a single one, that line.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Final, NamedTuple

from zsmem_tui.core.line_matching import alike

_EXACT_LINES: Final = 2_000
"""Lines up to which every line is weighed; beyond, those that both texts have once divide the search, and difflib leaves very
common ones out of it (60,000 lines of which every second one changed: more than 3 minutes become 0.1 s)."""

_MATCHED_LINES: Final = 2_000
"""Lines of a hunk, old and new, up to which it is asked which one became which (10 ms)."""

_WEIGHED_LINES: Final = 8_000
"""Lines without one that both texts have once, above which they count as replaced as a whole: difflib takes seconds for more."""


class Hunk(NamedTuple):
    """Lines `start` to `stop` of the old text became `lines`. An insertion has `start == stop`."""

    start: int
    stop: int
    lines: tuple[bytes, ...]


class Merged(NamedTuple):
    """Both sides' changes in one text. `kept_lines` counts the lines that theirs added to it."""

    text: bytes
    kept_lines: int


class Overlap(NamedTuple):
    """Both sides changed the same lines. `proposal` has both versions of those, theirs first, and all other changes."""

    proposal: bytes


class Clash(NamedTuple):
    """Lines that both sides changed in different ways: which of theirs, of mine and of the proposal they are."""

    theirs: range
    mine: range
    proposal: range


def merge(base: bytes, mine: bytes, theirs: bytes) -> Merged | Overlap:
    """What becomes of `base` when `mine` and `theirs` were both made from it."""
    if mine == theirs or theirs == base:
        return Merged(mine, 0)
    if mine == base:
        return Merged(theirs, _added(line_hunks(split(base), split(theirs))))
    old = split(base)
    ours, others = line_hunks(old, split(mine)), line_hunks(old, split(theirs))
    lines, overlapping = _combine(old, ours, others)
    text = b"".join(lines)
    if not ends_line(base, mine, theirs):
        text = unended(text)
    return Overlap(text) if overlapping else Merged(text, _added(others))


def combine(base: bytes, mine: bytes, theirs: bytes) -> tuple[list[bytes], list[Clash]]:
    """The lines of both sides' changes in one, and where they overlap, from top to bottom."""
    old = split(base)
    return _combine(old, line_hunks(old, split(mine)), line_hunks(old, split(theirs)))


def unended(text: bytes) -> bytes:
    """`text` without the line feed at its end, unless that is all there is of the last line."""
    return text if text == b"\n" or text.endswith(b"\n\n") else text.removesuffix(b"\n")


def ends_line(base: bytes, mine: bytes, theirs: bytes) -> bool:
    """Whether the merged text ends in a line feed: as the side that changed it says."""
    ends = [not text or text.endswith(b"\n") for text in (base, mine, theirs)]
    return ends[1] if ends[2] == ends[0] else ends[2]


def split(text: bytes) -> list[bytes]:
    """The lines of `text`, each with its line feed; a last one without gets it, so that appending to it is no change."""
    lines = text.split(b"\n")
    last = lines.pop()
    found = [line + b"\n" for line in lines]
    if last:
        found.append(last + b"\n")
    return found


def line_hunks(old: list[bytes], new: list[bytes]) -> list[Hunk]:
    """The changes that lead from `old` to `new`, rising, never touching."""
    found: list[Hunk] = []
    spans = [(0, len(old), 0, len(new))]
    while spans:
        start, stop, new_start, new_stop = spans.pop()
        left, right = old[start:stop], new[new_start:new_stop]
        head = _common(left, right)
        tail = _common(left[head:][::-1], right[head:][::-1])
        left, right = left[head : len(left) - tail], right[head : len(right) - tail]
        start, new_start = start + head, new_start + head
        if not left or not right:
            found += [Hunk(start, start + len(left), tuple(right))] if left or right else []
            continue
        pairs = _pairs(left, right) if len(left) + len(right) > _EXACT_LINES else []
        if not pairs:
            found += _weighed(start, left, right)
            continue
        ends = [*pairs, (len(left), len(right))]
        starts = [(0, 0), *((one + 1, other + 1) for one, other in pairs)]
        spans += [
            (start + one, start + one_stop, new_start + other, new_start + other_stop)
            for (one, other), (one_stop, other_stop) in reversed(list(zip(starts, ends, strict=True)))
        ]
    return found


def placed(hunks: Iterable[Hunk]) -> Iterator[tuple[int, Hunk]]:
    """Each with where its lines begin in the new text."""
    shift = 0
    for hunk in hunks:
        yield hunk.start + shift, hunk
        shift += len(hunk.lines) - (hunk.stop - hunk.start)


def same_line(number: int, old: list[bytes], new: list[bytes]) -> int:
    """Where line `number` of the old text is in the new one; of lines that became others, the one at the same place of theirs."""
    for start, hunk in placed(line_hunks(old, new)):
        if number < hunk.stop:
            inside = number - hunk.start
            return start + min(inside, max(len(hunk.lines) - 1, 0))
    return len(new) - len(old) + number


def _weighed(start: int, left: list[bytes], right: list[bytes]) -> list[Hunk]:
    """The changes between two pieces, of which the old one begins at line `start`."""
    if len(left) + len(right) > _WEIGHED_LINES:
        return [Hunk(start, start + len(left), tuple(right))]
    from difflib import SequenceMatcher  # 6 ms, only when lines of both are new

    matcher = SequenceMatcher(None, left, right, autojunk=len(left) + len(right) > _EXACT_LINES)
    return [
        Hunk(start + old_start, start + old_stop, tuple(right[new_start:new_stop]))
        for tag, old_start, old_stop, new_start, new_stop in matcher.get_opcodes()
        if tag != "equal"
    ]


def _pairs(left: list[bytes], right: list[bytes]) -> list[tuple[int, int]]:
    """Where lines stand that both pieces have exactly once, as many of them as stand in the same order in both."""
    once, other_once = Counter(left), Counter(right)
    places = {line: at for at, line in enumerate(left) if once[line] == 1}
    pairs = [(places[line], at) for at, line in enumerate(right) if other_once[line] == 1 and line in places]
    lowest: list[int] = []  # the smallest end of a rising row, by its length
    ends: list[int] = []
    before: list[int] = []
    for number, (place, _) in enumerate(pairs):
        length = bisect_left(lowest, place)
        before.append(ends[length - 1] if length else -1)
        lowest[length : length + 1] = [place]
        ends[length : length + 1] = [number]
    row = []
    number = ends[-1] if ends else -1
    while number >= 0:
        row.append(pairs[number])
        number = before[number]
    return row[::-1]


def lasts(before: bytes, wanted: bytes, now: bytes) -> bool:
    """Whether what turned `before` into `wanted` is still in `now`: no added line is missing, no removed one is back."""
    return lacking(before, wanted, now) == ([], [])


def lacking(before: bytes, wanted: bytes, now: bytes) -> tuple[list[bytes], list[bytes]]:
    """The lines of what turned `before` into `wanted` that `now` lacks: those that are missing, and those that are back."""
    if now == wanted:
        return [], []
    old, goal, present = Counter(split(before)), Counter(split(wanted)), Counter(split(now))
    added, removed = goal - old, old - goal
    return [line for line in added if present[line] < goal[line]], [line for line in removed if present[line] > goal[line]]


def is_within(part: bytes, whole: bytes) -> bool:
    """Whether every line of `part` stands in `whole`, in the same order."""
    rest = iter(split(whole))
    return all(line in rest for line in split(part))


def _combine(old: list[bytes], ours: list[Hunk], others: list[Hunk]) -> tuple[list[bytes], list[Clash]]:
    ours, others = _apart(old, ours, others), _apart(old, others, ours)
    inserted = {side: {hunk.start: hunk for hunk in found if hunk.start == hunk.stop} for side, found in _sides(ours, others)}
    replaced = {side: [hunk for hunk in found if hunk.start < hunk.stop] for side, found in _sides(ours, others)}
    begins: dict[int, list[Hunk]] = {}
    for hunk in (*replaced["theirs"], *replaced["ours"]):
        begins.setdefault(hunk.start, []).append(hunk)
    shifts = [_Shifts(side) for side in (others, ours)]
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
        stop, theirs, mine = _group(starting, replaced)
        if theirs and mine and theirs != mine:
            both = _whole(old, at, stop, others) + _whole(old, at, stop, ours)  # with what was put in between: it belongs there
            left, right = (range(side.of(at, first=True), side.of(stop, first=False)) for side in shifts)
            overlapping.append(Clash(left, right, range(len(out), len(out) + len(both))))
            out += both
            at = stop
            continue
        out += _applied(old, at, stop, theirs or mine)
        for place in range(at + 1, stop):
            out += _insertions(inserted, place)
        at = stop
    return out, overlapping


def _apart(old: list[bytes], own: list[Hunk], others: list[Hunk]) -> list[Hunk]:
    """The changes of one side; where one shares lines with a change of the other, line by line as far as lines have a new form."""
    starts, stops = [hunk.start for hunk in others], [hunk.stop for hunk in others]
    found: list[Hunk] = []
    for hunk in own:
        size = hunk.stop - hunk.start + len(hunk.lines)
        is_shared = bisect_right(stops, hunk.start) < bisect_left(starts, hunk.stop)
        found += _by_lines(old, hunk) if is_shared and 2 < size <= _MATCHED_LINES else [hunk]
    return found


def _by_lines(old: list[bytes], hunk: Hunk) -> list[Hunk]:
    """A change in parts that touch: each begins with a line that became another one, and has what stands below it."""
    pairs = alike(old[hunk.start : hunk.stop], hunk.lines)[1:]
    starts = [(0, 0), *pairs]
    stops = [*pairs, (hunk.stop - hunk.start, len(hunk.lines))]
    return [
        Hunk(hunk.start + one, hunk.start + stop, hunk.lines[other:new_stop])
        for (one, other), (stop, new_stop) in zip(starts, stops, strict=True)
    ]


def _whole(old: list[bytes], at: int, stop: int, changes: list[Hunk]) -> list[bytes]:
    """What one side made of the lines from `at` to `stop`, what it put in between them too."""
    own = changes[bisect_left(changes, at, key=_start) : bisect_left(changes, stop, key=_start)]
    return _applied(old, at, stop, [hunk for hunk in own if hunk.start < hunk.stop or at < hunk.start])


def _sides(ours: list[Hunk], others: list[Hunk]) -> list[tuple[str, list[Hunk]]]:
    return [("theirs", others), ("ours", ours)]


def _insertions(inserted: dict[str, dict[int, Hunk]], at: int) -> list[bytes]:
    theirs, mine = inserted["theirs"].get(at), inserted["ours"].get(at)
    if theirs and mine:
        for one, other in ((theirs, mine), (mine, theirs)):
            if _holds(one.lines, other.lines):
                return [*one.lines]
    return [*(theirs.lines if theirs else ()), *(mine.lines if mine else ())]


def _holds(lines: tuple[bytes, ...], part: tuple[bytes, ...]) -> bool:
    """Whether `part` stands in `lines`, in one piece: who added those had seen it."""
    return any(lines[at : at + len(part)] == part for at in range(len(lines) - len(part) + 1))


def _group(starting: list[Hunk], replaced: dict[str, list[Hunk]]) -> tuple[int, list[Hunk], list[Hunk]]:
    """All replacements that share lines with those that start here, directly or through another: the end, theirs and ours."""
    stop = max(hunk.stop for hunk in starting)
    first = starting[0].start
    while True:
        theirs, ours = _within(replaced["theirs"], first, stop), _within(replaced["ours"], first, stop)
        reach = max(hunk.stop for hunk in (*theirs, *ours))
        if reach == stop:
            return stop, theirs, ours
        stop = reach


def _within(rising: list[Hunk], first: int, stop: int) -> list[Hunk]:
    """Those that begin at `first` or later and before `stop`."""
    return rising[bisect_left(rising, first, key=_start) : bisect_left(rising, stop, key=_start)]


def _start(hunk: Hunk) -> int:
    return hunk.start


class _Shifts:
    """Where lines of an old text stand after some changes."""

    def __init__(self, changes: list[Hunk]) -> None:
        self._changes = changes
        self._stops = [hunk.stop for hunk in changes]
        self._sums = [0, *accumulate(len(hunk.lines) - (hunk.stop - hunk.start) for hunk in changes)]

    def of(self, place: int, *, first: bool) -> int:
        """Where line `place` stands; what was put in just there is before a `first` line only."""
        count = bisect_right(self._stops, place)
        if count and not first and self._changes[count - 1].start == place:
            count -= 1
        return place + self._sums[count]


def _applied(old: list[bytes], start: int, stop: int, changes: list[Hunk]) -> list[bytes]:
    out: list[bytes] = []
    at = start
    for hunk in sorted(changes):
        out += [*old[at : hunk.start], *hunk.lines]
        at = hunk.stop
    return out + old[at:stop]


def _added(changes: list[Hunk]) -> int:
    return sum(len(hunk.lines) for hunk in changes)


def _common(left: list[bytes], right: list[bytes]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count
