"""Resolve a merge conflict by conflict: list the regions that two sides changed differently, and apply a decision to each.

All other lines are merged by `core.merge`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from zsmem_tui.core.append import in_lf, with_crlf
from zsmem_tui.core.merge import combine, ends_merged, is_ended, lacks_crlf, line_hunks, split, unended


class Take(StrEnum):
    """Which side's lines to use for a region."""

    MINE = "mine"
    THEIRS = "theirs"
    BOTH = "both"


class Edited(NamedTuple):
    """Lines typed by a person to use instead of either side."""

    text: bytes


Decision = Take | Edited


class Region(NamedTuple):
    """The lines (with line feeds) of both sides where they conflict."""

    theirs: tuple[bytes, ...]
    mine: tuple[bytes, ...]


class Conflicts(NamedTuple):
    """The merged text in pieces: `between[0]`, `regions[0]`, `between[1]`, … and the last of `between`.

    `ends` says whether these texts end in a line feed: theirs, mine, merged (None: depends on the last decision).
    `is_crlf`: each line of the merged text gets CR LF, also one that was a last line without an end, or is typed.
    """

    between: tuple[tuple[bytes, ...], ...]
    regions: tuple[Region, ...]
    ends: tuple[bool, bool, bool | None]
    is_crlf: bool = False


def conflicts(base: bytes | None, mine: bytes, theirs: bytes) -> Conflicts:
    """List the conflicts between the changes from `base` to `mine` and to `theirs`.

    Without a base, or if the changes merge cleanly, every difference between the two texts is a region.
    """
    if lacks_crlf([mine, theirs, *([base] if base is not None else [])]):
        return _in_crlf(conflicts(None if base is None else in_lf(base), in_lf(mine), in_lf(theirs)))
    lines, found = combine(base, mine, theirs) if base is not None else ([], [])
    if not found:
        return _differences(theirs, mine)
    left, right = split(theirs), split(mine)
    between = _between(lines, [clash.proposal for clash in found])
    last = between[-1]  # of a region at the end, the decision counts
    merged = ends_merged(last, base or b"", mine, theirs) if last else None
    sides = ((left[each.theirs.start : each.theirs.stop], right[each.mine.start : each.mine.stop]) for each in found)
    regions = tuple(Region(tuple(own), tuple(other)) for own, other in sides)
    return Conflicts(between, regions, (is_ended(theirs), is_ended(mine), merged))


def replaced(here: bytes, other: bytes) -> Conflicts:
    """Compare two texts without a common base: lines that only one has are kept, lines that differ are regions.

    `here` is mine, `other` is theirs.
    """
    if lacks_crlf([here, other]):
        return _in_crlf(replaced(in_lf(here), in_lf(other)))
    found = _differences(other, here)
    between: list[tuple[bytes, ...]] = [found.between[0]]
    regions: list[Region] = []
    for region, after in zip(found.regions, found.between[1:], strict=True):
        if region.theirs and region.mine:
            regions.append(region)
            between.append(after)
        else:
            between[-1] += (*region.theirs, *region.mine, *after)
    theirs, mine, _ = found.ends
    return Conflicts(tuple(between), tuple(regions), (theirs, mine, (theirs or mine) if between[-1] else None))


def decided(found: Conflicts, decisions: Sequence[Decision]) -> bytes:
    """Build the text from one decision for each region. All `MINE` gives my text, all `THEIRS` gives their text."""
    parts = [lines_of(region, decision) for region, decision in zip(found.regions, decisions, strict=True)]
    pieces = [b"".join(found.between[0])]
    for part, after in zip(parts, found.between[1:], strict=True):
        pieces += [part, b"".join(after)]
    text = b"".join(pieces)
    last = decisions[-1] if decisions else Take.MINE
    theirs, mine, merged = found.ends
    if merged is not None:
        ends = merged
    elif isinstance(last, Edited):
        ends = True
    else:
        ends = theirs if last is Take.THEIRS else mine
    text = in_lf(text) if found.is_crlf else text
    text = text if ends else unended(text)
    return with_crlf(text) if found.is_crlf else text


def carried_over(old: Conflicts, decisions: Sequence[Decision | None], new: Conflicts) -> list[Decision | None]:
    """The decisions for `new`: those about regions that are in both, once each, as they were in `old`; the others are open."""
    before, after = ([(each.theirs, each.mine) for each in some.regions] for some in (old, new))
    once = {pair for pair, count in (Counter(before) | Counter(after)).items() if count == 1}
    known = dict(zip(before, decisions, strict=True))
    return [known.get(pair) if pair in once else None for pair in after]


def lines_of(region: Region, decision: Decision) -> bytes:
    """The bytes of a region for a decision; an edited text gets a line feed at its end, unless it is empty."""
    match decision:
        case Edited(text):
            return text + b"\n" if text and not text.endswith(b"\n") else text
        case Take.THEIRS:
            return b"".join(region.theirs)
        case Take.MINE:
            return b"".join(region.mine)
        case Take.BOTH:
            return b"".join(region.theirs + region.mine)


def _differences(theirs: bytes, mine: bytes) -> Conflicts:
    """Make a region of every difference between two texts."""
    lines = split(theirs)
    hunks = line_hunks(lines, split(mine))
    between = _between(lines, [range(hunk.start, hunk.stop) for hunk in hunks])
    regions = tuple(Region(tuple(lines[hunk.start : hunk.stop]), hunk.lines) for hunk in hunks)
    return Conflicts(between, regions, (is_ended(theirs), is_ended(mine), None))


def _in_crlf(found: Conflicts) -> Conflicts:
    """These conflicts of texts in LF, with lines that end in CR LF."""

    def ended(lines: Sequence[bytes]) -> tuple[bytes, ...]:
        return tuple(map(with_crlf, lines))

    regions = tuple(Region(*map(ended, region)) for region in found.regions)
    return Conflicts(tuple(map(ended, found.between)), regions, found.ends, is_crlf=True)


def _between(lines: list[bytes], parts: Sequence[range]) -> tuple[tuple[bytes, ...], ...]:
    """The lines before, between and after the ranges `parts`."""
    starts = [0, *(part.stop for part in parts)]
    stops = [*(part.start for part in parts), len(lines)]
    return tuple(tuple(lines[start:stop]) for start, stop in zip(starts, stops, strict=True))
