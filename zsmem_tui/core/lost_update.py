"""Whether a change that was made is still in a text, and how it is put back where somebody's stale copy took it away.

An agent that had read a file before us and replaces it after us takes our lines with it, without knowing of them. Such a loss
undoes a change as a whole: what was added is missing, what was removed is back. Somebody who read our lines and edited them
leaves something in their place, and that is no loss.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from zsmem_tui.core.merge import line_hunks, split

_CONTEXT: Final = 3
"""Lines before a change that are remembered, to find its place in a text that has changed since."""


class Edit(NamedTuple):
    """One place of a change: after the lines of `anchor`, those of `removed` became `added`. Lines have their line feeds."""

    anchor: tuple[bytes, ...]
    removed: tuple[bytes, ...]
    added: tuple[bytes, ...]


class Loss(NamedTuple):
    """What a text lacks of a change: lines that were added and are `missing`, lines that were removed and `returned`."""

    missing: tuple[bytes, ...]
    returned: tuple[bytes, ...]


def edits(before: bytes, after: bytes) -> tuple[Edit, ...]:
    """The places in which `after` differs from `before`."""
    old, new = split(before), split(after)
    found, shift = [], 0
    for hunk in line_hunks(old, new):
        start = hunk.start + shift
        found.append(Edit(tuple(new[max(0, start - _CONTEXT) : start]), tuple(old[hunk.start : hunk.stop]), hunk.lines))
        shift += len(hunk.lines) - (hunk.stop - hunk.start)
    return tuple(found)


def lines_of(text: bytes) -> Counter[bytes]:
    """The lines of a text without what ends them, each with the times that it is there."""
    return Counter(map(_bare, split(text)))


def loss(change: Iterable[Edit], present: Counter[bytes]) -> Loss:
    """What a text with these lines lacks of a change; nothing where it was edited further instead of taken back."""
    missing: list[bytes] = []
    returned: list[bytes] = []
    for edit in change:
        wanted, unwanted = Counter(map(_bare, _speaking(edit.added))), Counter(map(_bare, _speaking(edit.removed)))
        both = wanted & unwanted
        wanted, unwanted = wanted - both, unwanted - both
        gone = {line for line, count in wanted.items() if present[line] < count}
        if len(gone) * 2 < len(wanted) or _is_ticked(gone, unwanted, present):
            continue
        back = {line for line, count in unwanted.items() if present[line] >= count}
        if unwanted and (len(back) < len(unwanted) or (wanted and not gone)):
            continue
        if wanted and not gone:
            continue
        missing += [line for line in edit.added if _bare(line) in gone]
        returned += [line for line in edit.removed if _bare(line) in back]
    return Loss(tuple(missing), tuple(returned))


def put_back(change: Iterable[Edit], now: bytes, *, always: bool = False) -> bytes:
    """`now` with a change made again where it is lost; each place is found by the lines around it.

    Only lines that are missing are added. With `always`, also where `loss` takes it for edited further.
    """
    lines = split(now)
    present = Counter(map(_bare, lines))
    near = 0  # where the last one was put back: they come from top to bottom
    for edit in change:
        if not always and loss([edit], present) == Loss((), ()):
            continue
        at = _place_of(edit.removed, lines, near) if edit.removed else None
        if at is not None:
            lines[at : at + len(edit.removed)] = edit.added
            present.subtract(map(_bare, edit.removed))
            present.update(map(_bare, edit.added))
            near = at + len(edit.added)
        elif not edit.removed:
            near = _add_missing(edit.added, lines, _after(edit.anchor, lines, near), present)
    text = b"".join(lines)
    return text if not now or now.endswith(b"\n") or not text.endswith(b"\n") else text[:-1]


def _add_missing(added: tuple[bytes, ...], lines: list[bytes], at: int, present: Counter[bytes]) -> int:
    """Put those of the lines in that are not there, each behind the one before it; a blank one only behind one that was put in.

    Where the last of them stands, and the lines that are there then in `present`.
    """
    there: Counter[bytes] = Counter()
    is_new = True
    put: list[bytes] = []
    rest = lines[at:]
    del lines[at:]
    taken = 0
    for line in added:
        bare = _bare(line)
        if present[bare] > there[bare] and bare:
            there[bare] += 1
            with contextlib.suppress(ValueError):
                found = rest.index(line, taken) + 1
                lines += rest[taken:found]
                taken = found
            is_new = False
        elif is_new or line.strip():
            lines.append(line)
            put.append(line)
            is_new = True
    place = len(lines)
    lines += rest[taken:]
    present.update(map(_bare, put))
    return place


def without(change: Iterable[Edit], present: Counter[bytes]) -> tuple[Edit, ...]:
    """What is still worth watching of a change when we ourselves made a text with these lines: what is in it of our own will.

    A line that was moved is not removed, and nothing of what is left is lost in that text.
    """
    kept = []
    for edit in change:
        added = tuple(line for line in edit.added if _bare(line) in present)
        removed = tuple(line for line in edit.removed if _bare(line) not in present)
        left = Edit(edit.anchor, removed, added)
        if (_speaking(added) or _speaking(removed)) and loss([left], present) == Loss((), ()):
            kept.append(left)
    return tuple(kept)


def _bare(line: bytes) -> bytes:
    """A line without white space at its end: an agent that writes other line ends has taken nothing away."""
    return line.rstrip()


def _speaking(lines: Iterable[bytes]) -> list[bytes]:
    """The lines that say something; one blank line is like another."""
    return [line for line in lines if line.strip()]


def _without_mark(line: bytes) -> bytes:
    """A checklist line whatever its mark."""
    text = line.strip()
    return text[6:] if text[:3] in (b"- [", b"* [", b"+ [") and text[4:5] == b"]" else text


def _is_ticked(gone: set[bytes], unwanted: Counter[bytes], present: Counter[bytes]) -> bool:
    """Whether a checklist line that is missing is there with another mark: somebody has read it, and ticked it."""
    items = {text for line in gone if (text := _without_mark(line)) != line.strip()}
    return bool(items) and any(_without_mark(line) in items for line in present if line not in unwanted)


def _place_of(wanted: tuple[bytes, ...], lines: list[bytes], near: int) -> int | None:
    """Where these lines stand: the first time from line `near` on, else the first time of all."""
    for begin in (near, 0) if near else (0,):
        at = begin - 1
        with contextlib.suppress(ValueError):
            while True:
                at = lines.index(wanted[0], at + 1)
                if tuple(lines[at : at + len(wanted)]) == wanted:
                    return at
    return None


def _after(anchor: tuple[bytes, ...], lines: list[bytes], near: int) -> int:
    """Behind as much of the anchor as is found, else at the end."""
    for length in range(len(anchor), 0, -1):
        at = _place_of(anchor[-length:], lines, max(0, near - length)) if any(_speaking(anchor[-length:])) else None
        if at is not None:
            return at + length
    return 0 if not anchor else len(lines)
