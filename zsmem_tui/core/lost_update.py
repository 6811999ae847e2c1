"""Whether a change that was made is still in a text, and how it is put back where somebody's stale copy took it away.

An agent that had read a file before us and replaces it after us takes our lines with it, without knowing of them. Such a loss
undoes a change as a whole: what was added is missing, what was removed is back. Somebody who read our lines and edited them
leaves something in their place, and that is no loss, nor is what is missing at one place when another shows that all was seen.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from zsmem_tui.core.merge import line_hunks, placed, split

_CONTEXT: Final = 3
"""Lines before and behind a change that are remembered, to find its place in a text that has changed since."""

_SEEN: Final = 3
"""The part of what a change added, a third, from which on whoever has it has seen the change; a line alone may be chance."""

_ALIKE: Final = 0.6
"""The share of letters that two lines have in common from which on one is the other's new form."""

_MOST_COMPARED: Final = 60
"""Missing lines of a change up to which new forms of them are looked for: 0.1 s. More are taken for lost."""

_MOST_LETTERS: Final = 400
"""Letters of a line that are compared."""

_WORD: Final = re.compile(r"\w+")
_DIGITS: Final = re.compile("[0-9]+")


class Edit(NamedTuple):
    """One place of a change: after the lines of `anchor`, those of `removed` became `added`. Lines have their line feeds.

    `tail` are the lines below; `stood` is how often each added line was in the whole text then.
    """

    anchor: tuple[bytes, ...]
    removed: tuple[bytes, ...]
    added: tuple[bytes, ...]
    tail: tuple[bytes, ...] = ()
    stood: tuple[int, ...] = ()

    @property
    def texts(self) -> tuple[tuple[bytes, ...], ...]:
        """Its lines: above, removed, added, below."""
        return self.anchor, self.removed, self.added, self.tail


class Loss(NamedTuple):
    """What a text lacks of a change: lines that were added and are `missing`, lines that were removed and `returned`."""

    missing: tuple[bytes, ...]
    returned: tuple[bytes, ...]


class Lines(Counter[bytes]):
    """The lines of a text without what ends them: each with the times that it is there, and all in their order.

    `whole` has them with their ends.
    """

    def __init__(self, lines: Iterable[bytes] = ()) -> None:
        self.whole = list(lines)
        self.in_order = [_bare(line) for line in self.whole]
        super().__init__(self.in_order)


def edits(before: bytes, after: bytes) -> tuple[Edit, ...]:
    """The places in which `after` differs from `before`."""
    return edits_between(lines_of(before), lines_of(after))


def edits_between(before: Lines, present: Lines) -> tuple[Edit, ...]:
    """The same of two texts whose lines are known."""
    old, new = before.whole, present.whole
    found = []
    for start, hunk in placed(line_hunks(old, new)):
        stop = start + len(hunk.lines)
        anchor, tail = tuple(new[max(0, start - _CONTEXT) : start]), tuple(new[stop : stop + _CONTEXT])
        found.append(Edit(anchor, tuple(old[hunk.start : hunk.stop]), hunk.lines, tail, _stand(hunk.lines, present)))
    return tuple(found)


def lines_of(text: bytes) -> Lines:
    """The lines of a text."""
    return Lines(split(text))


def loss(change: Iterable[Edit], present: Lines) -> Loss:
    """What a text with these lines lacks of a change; nothing where it was edited further instead of taken back.

    A stale copy knows nothing of a change. Who kept a third of what it added, in its own or an edited form, or took out half of
    what it removed, has seen it: what is not there any more was meant.
    """
    change = tuple(change)
    wanted = Counter(_bare(line) for edit in change for line in _speaking(edit.added))
    unwanted = Counter(_bare(line) for edit in change for line in _speaking(edit.removed))
    both = wanted & unwanted
    stood = {_bare(line): count for edit in change for line, count in zip(edit.added, edit.stood, strict=False)}
    wanted, unwanted = wanted - both, unwanted - both
    gone = {line for line, count in wanted.items() if present[line] < max(count, stood.get(line, 0))}
    back = {line for line, count in unwanted.items() if present[line] >= count}
    if not gone if wanted else not back:
        return Loss((), ())
    edited = _ticked(gone, unwanted, present)
    if len(gone) <= _MOST_COMPARED:
        edited = edited.union(*(_edited(edit, gone, present) for edit in change))
    facts = {line for line in wanted if not _is_frame(line)} or set(wanted)
    seen = len(facts - gone | facts & edited)
    if seen * _SEEN >= len(facts) > 0 or (unwanted and (len(unwanted) - len(back)) * 2 >= len(unwanted)):
        return Loss((), ())
    gone -= edited
    missing = tuple(line for edit in change for line in edit.added if _bare(line) in gone)
    return Loss(missing, tuple(line for edit in change for line in edit.removed if _bare(line) in back))


def put_back(change: Iterable[Edit], now: bytes, *, always: bool = False) -> bytes:
    """`now` with the lines added that a lost change had added; each place is found by the lines around it.

    Only lines that are missing are added, and every line of `now` stays: its writer wrote that, too. An item that stands there with
    another mark is not there twice. With `always`, the change is made as a whole, also where `loss` takes it for edited
    further: what it removed goes.
    """
    change = tuple(change)
    lines = split(now)
    present = Lines(lines)
    missing = frozenset(map(_bare, loss(change, present).missing))
    if not always and missing:
        missing -= _ticked(set(missing), Counter(), present)
    if not always and not missing:
        return now
    near = 0  # where the last one was put back: they come from top to bottom
    for edit in change:
        if not always and missing.isdisjoint(map(_bare, edit.added)):
            continue
        at = _place_of(edit.removed, lines, near) if edit.removed else None
        if always and at is not None:
            lines[at : at + len(edit.removed)] = edit.added
            present.subtract(map(_bare, edit.removed))
            present.update(map(_bare, edit.added))
            near = at + len(edit.added)
        elif not always or not edit.removed:
            own = [line for line in edit.added if always or not line.strip() or _bare(line) in missing or present[_bare(line)]]
            start = _after(edit.anchor, lines, near) if at is None else at + len(edit.removed)
            near = _add_missing(own, lines, start, present, edit)
    text = b"".join(lines)
    return text if not now or now.endswith(b"\n") or not text.endswith(b"\n") else text[:-1]


def _add_missing(added: Sequence[bytes], lines: list[bytes], at: int, present: Counter[bytes], edit: Edit) -> int:
    """Put those of the lines of an edit in that are not there, each behind the one before it; a blank one only behind a new one.

    Where the last of them stands, and the lines that are there then in `present`.
    """
    own = Counter(map(_bare, edit.added))
    there = Counter({_bare(line): count - own[_bare(line)] for line, count in zip(edit.added, edit.stood, strict=False)})
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


def without(change: Iterable[Edit], present: Lines, before: Lines) -> tuple[Edit, ...]:
    """What is still worth watching of a change when we ourselves made a text with these lines from one with those `before`.

    What we took out of it, or brought back, was our own will, and a line that was moved is not removed; what others had taken out
    or brought back before is lost as it was.
    """
    kept = []
    left = Counter(present)
    for edit in change:
        added = []
        for line in edit.added:
            if left[_bare(line)] > 0:
                left[_bare(line)] -= 1
                added.append(line)
            elif _bare(line) not in before:
                added.append(line)
        removed = tuple(line for line in edit.removed if present[_bare(line)] <= before[_bare(line)])
        if _speaking(added) or _speaking(removed):
            stood = dict(zip(map(_bare, edit.added), edit.stood, strict=False))
            counts = tuple(present[_bare(line)] or stood.get(_bare(line), 1) for line in added)
            kept.append(Edit(edit.anchor, removed, tuple(added), edit.tail, counts))
    return tuple(kept)


def _stand(lines: Iterable[bytes], present: Lines) -> tuple[int, ...]:
    return tuple(present[_bare(line)] for line in lines)


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


def _ticked(gone: set[bytes], unwanted: Counter[bytes], present: Lines) -> set[bytes]:
    """The checklist lines that are missing and there with another mark: somebody has read them, and ticked them."""
    items = {line: text for line in gone if (text := _without_mark(line)) != line.strip()}
    others = {_without_mark(line) for line in present if line not in unwanted} if items else set()
    return {line for line, text in items.items() if text in others}


def _edited(edit: Edit, gone: set[bytes], present: Lines) -> set[bytes]:
    """The missing lines that stand in their place in another form.

    Between two lines that are no heading, as many lines as were added are those. At the end of a list, where others add theirs, one
    is another's form only by its words: lines that differ in their numbers alone are two records.
    """
    mine = [_bare(line) for line in _speaking(edit.added)]
    lacking = [line for line in mine if line in gone]
    place = _gap(edit, present) if lacking else None
    if place is None or place.stop - place.start > len(mine) + len(edit.removed) + _MOST_COMPARED:
        return set()
    others = {_bare(line) for part in (edit.anchor, edit.removed, edit.tail) for line in part}
    theirs = [line for line in present.in_order[place.start : place.stop] if line and line not in others]
    if len(theirs) == len(mine) and place.is_within_list:
        return set(lacking)
    pairs = [(_likeness(line, other, at_end=place.is_at_end), line, other) for line in lacking for other in set(theirs) - {*mine}]
    found: dict[bytes, bytes] = {}
    for likeness, line, other in sorted(pairs, reverse=True):
        if likeness >= _ALIKE and other not in found and line not in found.values():
            found[other] = line
    return set(found.values())


class _Gap(NamedTuple):
    """Where the lines of an edit would stand. `is_within_list`: directly between the same two lines as they did."""

    start: int
    stop: int
    is_within_list: bool
    is_at_end: bool


def _gap(edit: Edit, present: Lines) -> _Gap | None:
    """Between the nearest lines above and below an edit that are there just once; None where that is not to be told."""
    above = next((line for line in reversed(edit.anchor) if present[_bare(line)] == 1 and line.strip()), b"")
    below = next((line for line in edit.tail if present[_bare(line)] == 1 and line.strip()), b"")
    if (not above and _speaking(edit.anchor)) or (not below and _speaking(edit.tail)):
        return None
    start = present.in_order.index(_bare(above)) + 1 if above else 0
    stop = present.in_order.index(_bare(below)) if below else len(present.in_order)
    if stop < start:
        return None
    is_at_end = not edit.tail or _is_frame(edit.tail[0])
    within = not is_at_end and edit.tail[0] == below and edit.anchor[-1:] == (above,) and not _is_frame(above)
    return _Gap(start, stop, within, is_at_end)


def _is_frame(line: bytes) -> bool:
    """Whether a line is a heading or only marks, as several writers put the same into a text."""
    return line.lstrip()[:1] in (b"#", b"") or not _WORD.search(line.decode("utf-8", "replace"))


def _likeness(mine: bytes, theirs: bytes, *, at_end: bool) -> float:
    """How much a line says of what another does; from 1 on, all of it."""
    from difflib import SequenceMatcher  # 6 ms, only when a line is missing

    one, other = _plain(mine), _plain(theirs)
    if at_end and _DIGITS.sub("", one) == _DIGITS.sub("", other):
        return 0.0
    ours, others = (Counter(_WORD.findall(each)) for each in (one, other))
    alike = SequenceMatcher(None, one[:_MOST_LETTERS], other[:_MOST_LETTERS]).ratio()
    return alike + (1 if ours and ours <= others else 0)


def _plain(line: bytes) -> str:
    """What a line says: without its mark, and in small letters."""
    return _without_mark(line).decode("utf-8", "replace").strip().lstrip("-*+ ").casefold()


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
