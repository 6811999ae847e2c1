"""Two people changed one text: a three-way merge by lines.

Insertions of both sides at one point are both kept, theirs first; one that stands in the other is not kept twice. Changes that
touch but do not share a line are both applied. Only lines that both sides replaced or deleted, in different ways, overlap.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

_EXACT_LINES: Final = 2_000
"""Lines up to which every line is weighed; beyond, difflib leaves very common ones out of its search (5 s become 2 ms)."""


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
        return Merged(theirs, _added(hunks(split(base), split(theirs))))
    old = split(base)
    ours, others = hunks(old, split(mine)), hunks(old, split(theirs))
    lines, overlapping = _combine(old, ours, others)
    text = b"".join(lines)
    if text.endswith(b"\n") and not _ends_line(base, mine, theirs):
        text = text[:-1]
    return Overlap(text) if overlapping else Merged(text, _added(others))


def clashes(base: bytes, mine: bytes, theirs: bytes) -> list[Clash]:
    """Where `merge` of the same texts overlaps, from top to bottom; empty when it does not."""
    old = split(base)
    return _combine(old, hunks(old, split(mine)), hunks(old, split(theirs)))[1]


def split(text: bytes) -> list[bytes]:
    """The lines of `text`, each with its line feed; a last one without gets it, so that appending to it is no change."""
    lines = text.split(b"\n")
    last = lines.pop()
    found = [line + b"\n" for line in lines]
    if last:
        found.append(last + b"\n")
    return found


def hunks(old: list[bytes], new: list[bytes]) -> list[Hunk]:
    """The changes that lead from `old` to `new`, rising, never touching."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    if not left or not right:
        return [Hunk(head, head + len(left), tuple(right))] if left or right else []
    from difflib import SequenceMatcher  # 6 ms, only when lines of both are new

    matcher = SequenceMatcher(None, left, right, autojunk=len(left) + len(right) > _EXACT_LINES)
    return [
        Hunk(head + old_start, head + old_stop, tuple(right[new_start:new_stop]))
        for tag, old_start, old_stop, new_start, new_stop in matcher.get_opcodes()
        if tag != "equal"
    ]


def lasts(before: bytes, wanted: bytes, now: bytes) -> bool:
    """Whether what turned `before` into `wanted` is still in `now`: no added line is missing, no removed one is back."""
    if now == wanted:
        return True
    old, goal, present = Counter(split(before)), Counter(split(wanted)), Counter(split(now))
    added, removed = goal - old, old - goal
    return all(present[line] >= goal[line] for line in added) and all(present[line] <= goal[line] for line in removed)


def _combine(old: list[bytes], ours: list[Hunk], others: list[Hunk]) -> tuple[list[bytes], list[Clash]]:
    inserted = {side: {hunk.start: hunk for hunk in found if hunk.start == hunk.stop} for side, found in _sides(ours, others)}
    replaced = {side: [hunk for hunk in found if hunk.start < hunk.stop] for side, found in _sides(ours, others)}
    out: list[bytes] = []
    overlapping: list[Clash] = []
    at = 0
    while at <= len(old):
        out += _insertions(inserted, at)
        starting = [hunk for hunk in (*replaced["theirs"], *replaced["ours"]) if hunk.start == at]
        if not starting:
            out += old[at : at + 1]
            at += 1
            continue
        stop, group = _group(starting, replaced)
        theirs = [hunk for hunk in replaced["theirs"] if hunk in group]
        mine = [hunk for hunk in replaced["ours"] if hunk in group]
        if theirs and mine and theirs != mine:
            both = _applied(old, at, stop, theirs) + _applied(old, at, stop, mine)
            left, right = (range(_shifted(at, side, first=True), _shifted(stop, side, first=False)) for side in (others, ours))
            overlapping.append(Clash(left, right, range(len(out), len(out) + len(both))))
            out += both
        else:
            out += _applied(old, at, stop, theirs or mine)
        for place in range(at + 1, stop):
            out += _insertions(inserted, place)
        at = stop
    return out, overlapping


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


def _group(starting: list[Hunk], replaced: dict[str, list[Hunk]]) -> tuple[int, list[Hunk]]:
    """All replacements that share lines with those that start here, directly or through another."""
    stop = max(hunk.stop for hunk in starting)
    first = starting[0].start
    while True:
        group = [hunk for found in replaced.values() for hunk in found if first <= hunk.start < stop]
        reach = max(hunk.stop for hunk in group)
        if reach == stop:
            return stop, group
        stop = reach


def _shifted(place: int, changes: list[Hunk], *, first: bool) -> int:
    """Where line `place` of the old text stands after `changes`; what was put in just there is before a `first` line only."""
    return place + sum(
        len(hunk.lines) - (hunk.stop - hunk.start)
        for hunk in changes
        if hunk.stop <= place and (hunk.start < hunk.stop or hunk.stop < place or first)
    )


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


def _ends_line(base: bytes, mine: bytes, theirs: bytes) -> bool:
    """Whether the merged text ends in a line feed: as the side that changed it says."""
    ends = [not text or text.endswith(b"\n") for text in (base, mine, theirs)]
    return ends[1] if ends[2] == ends[0] else ends[2]
