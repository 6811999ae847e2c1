"""Detect whether an applied change was lost from a text, and put it back after a stale copy overwrote it.

An agent that read a file before our write and replaces it afterwards drops our lines without knowing of them. Such a loss reverts a
change as a whole: added lines are missing, removed lines are back. If somebody read our lines and edited them, something is in
their place, which is no loss; nor is a missing part if another part shows that the change was seen.
"""

from __future__ import annotations

import contextlib
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate
from typing import Final, NamedTuple

from zsmem_tui.core.merge import is_ended, is_last, line_hunks, placed, split

_CONTEXT: Final = 3
"""Lines before and after a change that are kept, to find its place in a text that has changed since."""

_SEEN: Final = 3
"""A third of the added facts must be present for the change to count as seen; a single line may be chance."""

_ALIKE: Final = 0.6
"""The share of common letters from which on a line counts as the new form of another."""

_MOST_COMPARED: Final = 60
"""The most missing lines for which new forms are searched (0.1 s). With more, all count as lost."""

_MOST_LETTERS: Final = 400
"""The most letters of a line that are compared."""

_MOST_FORMER: Final = 4096
"""The most bytes of former lines per place of a change."""

_SENTENCE: Final = 3
"""The fewest words, besides numbers, with which a line says something: with fewer it is a record, and its numbers tell which."""

_WORD: Final = re.compile(r"\w+")
_DIGITS: Final = re.compile("[0-9]+")


class Edit(NamedTuple):
    """One place of a change: after the lines of `anchor`, `removed` became `added`. Lines include their line feeds.

    `tail` are the lines below; `stood` has, for each added line, its count in the whole new text. `former` are lines that changes
    of ours shortly before had written or replaced here: a stale copy may have them or not.
    """

    anchor: tuple[bytes, ...]
    removed: tuple[bytes, ...]
    added: tuple[bytes, ...]
    tail: tuple[bytes, ...] = ()
    stood: tuple[int, ...] = ()
    former: tuple[bytes, ...] = ()

    @property
    def texts(self) -> tuple[tuple[bytes, ...], ...]:
        """All its lines by part: above, removed, added, below, former."""
        return self.anchor, self.removed, self.added, self.tail, self.former


class Loss(NamedTuple):
    """The part of a change that a text lacks: added lines that are `missing`, removed lines that have `returned`."""

    missing: tuple[bytes, ...]
    returned: tuple[bytes, ...]


class Lines(Counter[bytes]):
    """Counts of the lines of a text without trailing white space; `in_order` lists them, `whole` with their line endings."""

    def __init__(self, lines: Iterable[bytes] = ()) -> None:
        self.whole = list(lines)
        self.in_order = [_bare(line) for line in self.whole]
        super().__init__(self.in_order)


def edits(before: bytes, after: bytes) -> tuple[Edit, ...]:
    """The places where `after` differs from `before`."""
    return edits_between(lines_of(before), lines_of(after))


def edits_between(before: Lines, present: Lines) -> tuple[Edit, ...]:
    """The places where two texts differ, given their lines."""
    old, new = before.whole, present.whole
    found = []
    for start, hunk in placed(line_hunks(old, new)):
        stop = start + len(hunk.lines)
        anchor, tail = tuple(new[max(0, start - _CONTEXT) : start]), tuple(new[stop : stop + _CONTEXT])
        counts = tuple(present[_bare(line)] for line in hunk.lines)
        found.append(Edit(anchor, tuple(old[hunk.start : hunk.stop]), hunk.lines, tail, counts))
    return tuple(found)


def lines_of(text: bytes) -> Lines:
    """Split a text into `Lines`."""
    return Lines(split(text))


def loss(change: Iterable[Edit], present: Lines) -> Loss:
    """What a text with these lines lacks of a change; empty if it was edited further rather than reverted.

    A stale copy has nothing of the change. A writer that kept a third of the added facts (also in an edited form), or left out half
    of the removed lines, has seen it: what is missing then was removed on purpose. An empty text shows neither.
    """
    change = tuple(change)
    wanted = Counter(_bare(line) for edit in change for line in _not_blank(edit.added))
    unwanted = Counter(_bare(line) for edit in change for line in _not_blank(edit.removed))
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
    facts = {line for line in wanted if not _is_heading_or_marks(line)} or set(wanted)
    seen = len(facts - gone | facts & edited)
    telling = unwanted.keys() - {_bare(line) for edit in change for line in edit.former} if any(present) else set[bytes]()
    if seen * _SEEN >= len(facts) > 0 or (telling and len(telling - back) * 2 >= len(telling)):
        return Loss((), ())
    gone -= edited
    missing = tuple(line for edit in change for line in edit.added if _bare(line) in gone)
    return Loss(missing, tuple(line for edit in change for line in edit.removed if _bare(line) in back))


def following(change: Iterable[Edit], earlier: Iterable[Edit]) -> tuple[Edit, ...]:
    """A change with the `former` lines that it has by these earlier ones."""
    made: dict[bytes, list[Edit]] = {}
    for each in earlier:
        for line in _not_blank(each.added):
            made.setdefault(_bare(line), []).append(each)
    found = []
    for edit in change:
        own = [line for line in _not_blank(edit.removed) if _bare(line) in made]
        before = [line for each in own for past in made[_bare(each)] for line in (*past.removed, *past.former)]
        former = list(dict.fromkeys((*own, *before)))
        found.append(edit._replace(former=tuple(former[: bisect_right(list(accumulate(map(len, former))), _MOST_FORMER)])))
    return tuple(found)


def facts_of(text: bytes | None) -> set[str]:
    """The lines of a text that say something, however they are marked: what may move from one file to another."""
    return {_folded_text(line) for line in split(text or b"") if not _is_heading_or_marks(line)}


def put_back(change: Iterable[Edit], now: bytes, *, always: bool = False) -> bytes:
    """Put the lost lines of a change back into `now`, each place found by the lines around it.

    Only missing lines are added, and every line of `now` stays: its writer wrote it, too. An item that is there with another mark
    is not duplicated, nor a sentence that is there with other numbers: that may be its correction. With `always`, the whole change
    is applied, even if `loss` takes it for edited further: removed lines are removed.
    """
    change = tuple(change)
    lines = split(now)
    present = Lines(lines)
    missing = frozenset(map(_bare, loss(change, present).missing))
    if not always and missing:
        missing -= _ticked(set(missing), Counter(), present)
        if len(missing) <= _MOST_COMPARED:
            missing = missing.difference(*(_edited(edit, set(missing), present, _renumbered) for edit in change))
    if not always and not missing:
        return now
    near = 0  # line after the last insertion: edits come from top to bottom
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
    return text.removesuffix(b"\n") if not is_ended(now) and is_last(lines, now) else text


def _add_missing(added: Sequence[bytes], lines: list[bytes], at: int, present: Counter[bytes], edit: Edit) -> int:
    """Insert the missing lines of an edit, each after the one before it; a blank line only after a new one.

    Returns the line after the last of them, and updates `present`.
    """
    own = Counter(map(_bare, edit.added))
    there = Counter({_bare(line): count - own[_bare(line)] for line, count in zip(edit.added, edit.stood, strict=False)})
    is_new = True
    put: list[bytes] = []
    for line in added:
        bare = _bare(line)
        if present[bare] > there[bare] and bare:
            there[bare] += 1
            with contextlib.suppress(ValueError):
                at = lines.index(line, at) + 1
            is_new = False
        elif is_new or line.strip():
            lines.insert(at, line)
            put.append(line)
            at += 1
            is_new = True
    present.update(map(_bare, put))
    return at


def without(change: Iterable[Edit], present: Lines, before: Lines) -> tuple[Edit, ...]:
    """What to keep watching of a change after we changed the text from `before` to `present` ourselves.

    What we removed or brought back ourselves is dropped, also what others had edited before or removed on purpose; a moved line
    counts as present. What was lost before still counts as lost.
    """
    change, kept = tuple(change), []
    lost = frozenset(map(_bare, loss(change, before).missing))
    left = Counter(present)
    for edit in change:
        added = []
        for line in edit.added:
            if left[_bare(line)] > 0:
                left[_bare(line)] -= 1
                added.append(line)
            elif _bare(line) in lost:
                added.append(line)
        removed = tuple(line for line in edit.removed if present[_bare(line)] <= before[_bare(line)])
        if _not_blank(added) or _not_blank(removed):
            stood = dict(zip(map(_bare, edit.added), edit.stood, strict=False))
            counts = tuple(present[_bare(line)] or stood.get(_bare(line), 1) for line in added)
            kept.append(Edit(edit.anchor, removed, tuple(added), edit.tail, counts, edit.former))
    return tuple(kept)


def _bare(line: bytes) -> bytes:
    """A line without trailing white space: other line endings are not a loss."""
    return line.rstrip()


def _not_blank(lines: Iterable[bytes]) -> list[bytes]:
    """The lines that are not blank."""
    return [line for line in lines if line.strip()]


def _without_mark(line: bytes) -> bytes:
    """A checklist line without its bullet and box."""
    text = line.strip()
    return text[6:] if text[:3] in (b"- [", b"* [", b"+ [") and text[4:5] == b"]" else text


def _ticked(gone: set[bytes], unwanted: Counter[bytes], present: Lines) -> set[bytes]:
    """The missing checklist lines that are present with another mark: somebody read them and ticked them."""
    items = {line: text for line in gone if (text := _without_mark(line)) != line.strip()}
    others = {_without_mark(line) for line in present if line not in unwanted} if items else set()
    return {line for line, text in items.items() if text in others}


def _edited(edit: Edit, gone: set[bytes], present: Lines, similar: Callable[[bytes, bytes], float] | None = None) -> set[bytes]:
    """The missing lines that are at their place in an edited form.

    Between two lines that are no headings, an equal number of lines are taken as the edited forms. At the end of a list, where
    others append, a line counts only by its words: lines that differ in numbers only are separate records. `similar` is another
    measure of similarity.
    """
    mine = [_bare(line) for line in _not_blank(edit.added)]
    lacking = [line for line in dict.fromkeys(mine) if line in gone]  # one that stands there a hundred thousand times, once
    place = _gap(edit, present) if lacking else None
    if place is None or place.stop - place.start > len(mine) + len(edit.removed) + _MOST_COMPARED:
        return set()
    others = {_bare(line) for part in (edit.anchor, edit.removed, edit.tail, edit.former) for line in part}
    theirs = [line for line in present.in_order[place.start : place.stop] if line and line not in others]
    if len(theirs) == len(mine) and place.is_within_list:
        return set(lacking)
    like = similar or partial(_likeness, at_end=place.is_at_end)
    new = set(theirs) - {*mine}
    pairs = [(like(line, other), line, other) for line in lacking for other in new]
    found: dict[bytes, bytes] = {}
    for likeness, line, other in sorted(pairs, reverse=True):
        if likeness >= _ALIKE and other not in found and line not in found.values():
            found[other] = line
    return set(found.values())


class _Gap(NamedTuple):
    """The line range where the lines of an edit belong. `is_within_list`: between the same two lines as before."""

    start: int
    stop: int
    is_within_list: bool
    is_at_end: bool


def _gap(edit: Edit, present: Lines) -> _Gap | None:
    """The range between the nearest lines above and below an edit that occur just once; None if it cannot be determined."""
    above = next((line for line in reversed(edit.anchor) if present[_bare(line)] == 1 and line.strip()), b"")
    below = next((line for line in edit.tail if present[_bare(line)] == 1 and line.strip()), b"")
    if (not above and _not_blank(edit.anchor)) or (not below and _not_blank(edit.tail)):
        return None
    start = present.in_order.index(_bare(above)) + 1 if above else 0
    stop = present.in_order.index(_bare(below)) if below else len(present.in_order)
    if stop < start:
        return None
    is_at_end = not edit.tail or _is_heading_or_marks(edit.tail[0])
    within = not is_at_end and edit.tail[0] == below and edit.anchor[-1:] == (above,) and not _is_heading_or_marks(above)
    return _Gap(start, stop, within, is_at_end)


def _is_heading_or_marks(line: bytes) -> bool:
    """Whether a line is a heading or only punctuation, which several writers may add alike."""
    return line.lstrip()[:1] in (b"#", b"") or not _WORD.search(line.decode("utf-8", "replace"))


def _likeness(mine: bytes, theirs: bytes, *, at_end: bool) -> float:
    """How similar a line is to another; 1 or more if all its words are in the other."""
    from difflib import SequenceMatcher  # deferred: 6 ms, needed only when a line is missing

    one, other = _folded_text(mine), _folded_text(theirs)
    if at_end and _DIGITS.sub("", one) == _DIGITS.sub("", other):
        return 0.0
    ours, others = (Counter(_WORD.findall(each)) for each in (one, other))
    alike = SequenceMatcher(None, one[:_MOST_LETTERS], other[:_MOST_LETTERS]).ratio()
    return alike + (1 if ours and ours <= others else 0)


def _renumbered(mine: bytes, theirs: bytes) -> float:
    """1 if a line is the same sentence as another with other numbers, else 0."""
    one, other = (_DIGITS.sub("", _folded_text(each)) for each in (mine, theirs))
    return float(one == other and len(_WORD.findall(one)) >= _SENTENCE)


def _folded_text(line: bytes) -> str:
    """A line's text without mark or bullet, case-folded."""
    return _without_mark(line).decode("utf-8", "replace").strip().lstrip("-*+ ").casefold()


def _place_of(wanted: tuple[bytes, ...], lines: list[bytes], near: int) -> int | None:
    """The index of these lines: the first occurrence from line `near` on, else the first of all."""
    for begin in (near, 0) if near else (0,):
        at = begin - 1
        with contextlib.suppress(ValueError):
            while True:
                at = lines.index(wanted[0], at + 1)
                if tuple(lines[at : at + len(wanted)]) == wanted:
                    return at
    return None


def _after(anchor: tuple[bytes, ...], lines: list[bytes], near: int) -> int:
    """The index after the longest end of the anchor that is found, else the end of the text."""
    for length in range(len(anchor), 0, -1):
        at = _place_of(anchor[-length:], lines, max(0, near - length)) if any(_not_blank(anchor[-length:])) else None
        if at is not None:
            return at + length
    return 0 if not anchor else len(lines)
