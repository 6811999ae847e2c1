"""The single lines in which two texts differ, and what accepting some of them, or putting them back, makes of either text.

A change of one line into a similar one is one line change: its old and its new form go together. Within a hunk the line changes
stand in one order, whatever is done to them: accepting all gives the new text, putting all back the old one, and nothing else
moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from zsmem_tui.core.line_matching import alike
from zsmem_tui.core.merge import Hunk, line_hunks, placed, split


class LineChange(NamedTuple):
    """Line `removed` of the old text became line `added` of the new one; None: there is no such line on that side.

    `hunk` is the number of the hunk it stands in.
    """

    hunk: int
    removed: int | None
    added: int | None


class LineKey(NamedTuple):
    """What a line change is known by while the texts around it change: its lines, and how many like it stand before it."""

    removed: bytes | None
    added: bytes | None
    before: int


def line_changes(old: bytes, new: bytes) -> list[LineChange]:
    """Every line change that leads from `old` to `new`, from top to bottom."""
    return list(of_hunks(split(old), line_hunks(split(old), split(new))))


def unchanged(old: int, new: int, changes: Sequence[LineChange]) -> dict[int, int]:
    """The lines of a text of `new` lines that stood in one of `old` lines, with their numbers there, but for these changes."""
    gone, came = {each.removed for each in changes}, {each.added for each in changes}
    stood = (place for place in range(old) if place not in gone)
    stands = (place for place in range(new) if place not in came)
    return dict(zip(stands, stood, strict=True))


def of_hunks(before: Sequence[bytes], found: Sequence[Hunk]) -> Iterator[LineChange]:
    """The line changes of hunks over the lines `before`."""
    for number, (start, hunk) in enumerate(placed(found)):
        for removed, added in in_order(before[hunk.start : hunk.stop], hunk.lines):
            yield LineChange(
                number,
                None if removed is None else hunk.start + removed,
                None if added is None else start + added,
            )


def in_order(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[tuple[int | None, int | None]]:
    """The lines of a hunk in their order: between two that go together, first what was removed, then what was added."""
    at = new_at = 0
    for one, other in [*alike(old, new), (len(old), len(new))]:
        yield from ((place, None) for place in range(at, one))
        yield from ((None, place) for place in range(new_at, other))
        if one < len(old):
            yield one, other
        at, new_at = one + 1, other + 1


def keys(old: bytes, new: bytes, changes: Sequence[LineChange]) -> list[LineKey]:
    """What each of these line changes is known by."""
    before, after = split(old), split(new)
    alike = [_alike_before(before), _alike_before(after)]
    found = []
    for each in changes:
        removed = None if each.removed is None else before[each.removed]
        added = None if each.added is None else after[each.added]
        count = alike[0][each.removed] if each.removed is not None and each.added is None else alike[1][each.added or 0]
        found.append(LineKey(removed, added, count))
    return found


def _alike_before(lines: Sequence[bytes]) -> list[int]:
    known: Counter[bytes] = Counter()
    found = []
    for line in lines:
        found.append(known[line])
        known[line] += 1
    return found


def accepted(old: bytes, new: bytes, wanted: Collection[int]) -> bytes:
    """`old` with the line changes of these numbers made in it, and with no other."""
    return _mixed(old, new, frozenset(wanted), of_new=False)


def put_back(old: bytes, new: bytes, wanted: Collection[int]) -> bytes:
    """`new` with the line changes of these numbers taken back, and with no other."""
    count = len(line_changes(old, new))
    return _mixed(old, new, frozenset(range(count)) - frozenset(wanted), of_new=True)


def with_own_lines(seen: bytes, before: bytes, after: bytes) -> bytes:
    """`seen` with what one side's step from `before` to `after` did; what others did between `seen` and `before` is left out.

    A line of others that this side wrote anew is this side's, and so is what others had put it in the place of. One that was only
    moved stays theirs.
    """
    stood, lines = split(before), split(after)
    own, others = list(of_hunks(stood, line_hunks(stood, lines))), line_changes(seen, before)
    dropped = {each.removed for each in own if each.removed is not None}
    of_others = {each.added for each in others if each.added is not None}
    moved = Counter(stood[place] for place in dropped & of_others)
    written = {each.added for each in own if each.added is not None and not moved[lines[each.added]]}
    judged = _judged(len(split(seen)), len(stood), others, dropped)
    wanted = [
        number
        for number, each in enumerate(line_changes(seen, after))
        if (each.added in written if each.added is not None else each.removed in judged)
    ]
    return accepted(seen, after, wanted)


def _judged(seen: int, before: int, others: Sequence[LineChange], dropped: Collection[int]) -> set[int]:
    """Which of `seen` lines went because those `dropped` of the next text did: themselves, or what those replaced."""
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


def _mixed(old: bytes, new: bytes, made: frozenset[int], *, of_new: bool) -> bytes:
    """The text between `old` and `new` in which the line changes numbered in `made` are made.

    Where its last line is one of both, it ends as the new text does (`of_new`), or as the old one.
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
        out[-1] = out[-1][:-1]  # an empty last line is there only with its line end
    return b"".join(out)


def without_lines(now: bytes, lines: bytes) -> bytes | None:
    """A text without the last run of lines that is just this; None where there is none. Blank lines at its ends may be gone."""
    have, want = now.split(b"\n"), lines.split(b"\n")
    if want[-1:] == [b""]:
        want.pop()
    for wanted in (want, _stripped(want)):
        size = len(wanted)
        for at in range(len(have) - size, -1, -1) if size else ():
            if have[at : at + size] == wanted:
                return b"\n".join(have[:at] + have[at + size :])
    return None


def _stripped(lines: list[bytes]) -> list[bytes]:
    full = [number for number, line in enumerate(lines) if line.strip()]
    return lines[full[0] : full[-1] + 1] if full else []
