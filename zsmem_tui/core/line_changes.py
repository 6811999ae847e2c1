"""Compare two texts line by line, and accept or revert single line changes.

A line changed into a similar one is a single line change: old and new form go together. The order of line changes in a hunk is
fixed: accepting all gives the new text, reverting all gives the old one, and no other line moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from zsmem_tui.core.line_matching import alike
from zsmem_tui.core.merge import Hunk, line_hunks, placed, split
from zsmem_tui.core.text import earlier


class LineChange(NamedTuple):
    """Line `removed` of the old text became line `added` of the new one (0-based); None if there is no such line on that side.

    `hunk` is the index of its hunk.
    """

    hunk: int
    removed: int | None
    added: int | None


class LineKey(NamedTuple):
    """Identifies a line change while the texts around it change: its lines, and the number of equal lines before it."""

    removed: bytes | None
    added: bytes | None
    before: int


def line_changes(old: bytes, new: bytes) -> list[LineChange]:
    """All line changes from `old` to `new`, top to bottom."""
    before = split(old)
    return list(of_hunks(before, line_hunks(before, split(new))))


def unchanged(old: int, new: int, changes: Sequence[LineChange]) -> dict[int, int]:
    """Map each unchanged line of the new text to its number in the old text. `old` and `new` are the numbers of lines."""
    gone, came = {each.removed for each in changes}, {each.added for each in changes}
    stood = (place for place in range(old) if place not in gone)
    stands = (place for place in range(new) if place not in came)
    return dict(zip(stands, stood, strict=True))


def of_hunks(before: Sequence[bytes], found: Sequence[Hunk]) -> Iterator[LineChange]:
    """The line changes in hunks over the lines `before`."""
    for number, (start, hunk) in enumerate(placed(found)):
        for removed, added in in_order(before[hunk.start : hunk.stop], hunk.lines):
            yield LineChange(
                number,
                None if removed is None else hunk.start + removed,
                None if added is None else start + added,
            )


def in_order(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[tuple[int | None, int | None]]:
    """(old index, new index) for the lines of a hunk, in order; None where a line has no counterpart.

    Between two pairs, removed lines come before added ones.
    """
    at = new_at = 0
    for one, other in [*alike(old, new), (len(old), len(new))]:
        yield from ((place, None) for place in range(at, one))
        yield from ((None, place) for place in range(new_at, other))
        if one < len(old):
            yield one, other
        at, new_at = one + 1, other + 1


def keys(old: bytes, new: bytes, changes: Sequence[LineChange]) -> list[LineKey]:
    """The key of each of these line changes."""
    before, after = split(old), split(new)
    alike = [earlier(before), earlier(after)]
    found = []
    for each in changes:
        removed = None if each.removed is None else before[each.removed]
        added = None if each.added is None else after[each.added]
        count = alike[0][each.removed] if each.removed is not None and each.added is None else alike[1][each.added or 0]
        found.append(LineKey(removed, added, count))
    return found


def accepted(old: bytes, new: bytes, wanted: Collection[int]) -> bytes:
    """`old` with only the line changes of these indexes applied."""
    return _with_changes(old, new, frozenset(wanted), of_new=False)


def with_seen(old: bytes, new: bytes, is_seen: Callable[[bytes], bool]) -> bytes:
    """`old` with the lines that somebody saw as they stand in `new`, and without what went in hunks that add only such lines."""
    return accepted(old, new, _of_lines(old, new, is_seen))


def without_seen(old: bytes, new: bytes, is_meant: Callable[[bytes], bool]) -> bytes:
    """`new` without these lines, and with what they replaced, as `old` has it."""
    return put_back(old, new, _of_lines(old, new, is_meant))


def _of_lines(old: bytes, new: bytes, is_meant: Callable[[bytes], bool]) -> list[int]:
    found, lines = line_changes(old, new), split(new)
    own = {each.added for each in found if each.added is not None and is_meant(lines[each.added])}
    hunks = {each.hunk for each in found if each.added in own}
    hunks -= {each.hunk for each in found if each.added is not None and each.added not in own}
    return [at for at, each in enumerate(found) if each.added in own or (each.added is None and each.hunk in hunks)]


def put_back(old: bytes, new: bytes, wanted: Collection[int]) -> bytes:
    """`new` with only the line changes of these indexes reverted."""
    count = len(line_changes(old, new))
    return _with_changes(old, new, frozenset(range(count)) - frozenset(wanted), of_new=True)


def with_own_lines(seen: bytes, before: bytes, after: bytes) -> bytes:
    """Apply to `seen` what one side changed from `before` to `after`, without what others changed from `seen` to `before`.

    A line of others that this side rewrote counts as this side's change, including the line that others had replaced. A line that
    was only moved still counts as theirs.
    """
    stood, lines = split(before), split(after)
    own, others = line_changes(before, after), line_changes(seen, before)
    dropped = {each.removed for each in own if each.removed is not None}
    of_others = {each.added for each in others if each.added is not None}
    moved = Counter(stood[place] for place in dropped & of_others)
    written = {each.added for each in own if each.added is not None and not moved[lines[each.added]]}
    judged = _removed_with(len(split(seen)), len(stood), others, dropped)
    wanted = [
        number
        for number, each in enumerate(line_changes(seen, after))
        if (each.added in written if each.added is not None else each.removed in judged)
    ]
    return accepted(seen, after, wanted)


def _removed_with(seen: int, before: int, others: Sequence[LineChange], dropped: Collection[int]) -> set[int]:
    """The lines of the seen text that are gone because the `dropped` lines of the next text are: the same lines, or those they
    replaced.

    `seen` and `before` are numbers of lines.
    """
    found = {one for other, one in unchanged(seen, before, others).items() if other in dropped}
    for hunk in {each.hunk for each in others}:
        inside = [each for each in others if each.hunk == hunk]
        pairs = [each for each in inside if each.removed is not None and each.added is not None]
        added = [each.added for each in inside if each.added is not None]
        if pairs:
            found |= {each.removed for each in pairs if each.removed is not None and each.added in dropped}
        elif added and all(place in dropped for place in added):
            found |= {each.removed for each in inside if each.removed is not None}
    return found


def _with_changes(old: bytes, new: bytes, made: frozenset[int], *, of_new: bool) -> bytes:
    """The text with the line changes in `made` applied, between `old` and `new`.

    If its last line is unchanged, it ends as the new text does (`of_new`) or as the old one.
    """
    before, after = split(old), split(new)
    found = line_hunks(before, after)
    changes = list(of_hunks(before, found))
    if not changes:
        return new if of_new else old
    if len(made) in (0, len(changes)):
        return new if made else old
    out: list[bytes] = []
    at = 0
    ends_as_new = of_new
    number = 0
    for place, hunk in enumerate(found):
        out += before[at : hunk.start]
        while number < len(changes) and changes[number].hunk == place:
            change, is_made = changes[number], number in made
            line = change.added if is_made else change.removed
            if line is not None:
                out.append(after[line] if is_made else before[line])
            ends_as_new = is_made
            number += 1
        at = hunk.stop
    if at < len(before):
        out += before[at:]
        ends_as_new = of_new
    ends = new if ends_as_new else old
    if out and out[-1] != b"\n" and ends and not ends.endswith(b"\n"):
        out[-1] = out[-1][:-1]  # an empty last line exists only by its line feed
    return b"".join(out)


def without_lines(now: bytes, lines: bytes) -> bytes | None:
    """Remove the last occurrence of the lines from a text; None if there is none. Blank lines at their ends may be missing."""
    have, found = now.split(b"\n"), lines_of(now, lines)
    return b"\n".join(have[: found.start] + have[found.stop :]) if found else None


def lines_of(now: bytes, lines: bytes) -> range:
    """The numbers of the last occurrence of the lines in a text; blank ones at the ends may be missing. Empty if there is none."""
    have, want = now.split(b"\n"), lines.split(b"\n")
    if want[-1:] == [b""]:
        want.pop()
    for wanted in (want, _stripped(want)):
        size = len(wanted)
        for at in range(len(have) - size, -1, -1) if size else ():
            if have[at : at + size] == wanted:
                return range(at, at + size)
    return range(0)


def _stripped(lines: list[bytes]) -> list[bytes]:
    full = [number for number, line in enumerate(lines) if line.strip()]
    return lines[full[0] : full[-1] + 1] if full else []
