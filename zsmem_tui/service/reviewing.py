"""What others wrote since the person last looked, and texts that they wiped.

Nothing waits for approval: what others wrote is in force. Here it is only seen, taken back, or moved elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from zsmem_tui.core.append import appended
from zsmem_tui.core.diff import keep_both
from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.hazards import hazards_that_came
from zsmem_tui.core.merge import line_hunks, split
from zsmem_tui.core.notice import Notice
from zsmem_tui.core.outcomes import Conflicted, Saved, Unchanged, VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, printable_path, trim
from zsmem_tui.core.version import AuthorKind, Version, is_wiped, line_counts
from zsmem_tui.service import losses
from zsmem_tui.service.history import text_if_kept
from zsmem_tui.service.losses import Dropped
from zsmem_tui.service.results import ended, says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store import writing

_MOST_TRIED: Final = 64
"""Versions of a file of which it is asked whether the person saw it and then some lines more: 0.3 ms each."""


_MOST_ASKED: Final = 20
"""Files of which the versions are looked for one by one: 10 ms each in a long history."""

_MOST_KEPT: Final = 64
"""Files whose lines are not judged again while they are the same."""


class PendingReview(NamedTuple):
    """A file that others changed: what the person saw last, what is there now (None: no file), and the versions between.

    `added` and `removed` count the lines that differ, as `lines_with_words` does. `note` says why a text is not there.
    """

    ref: MemRef
    reviewed: bytes | None
    now: bytes | None
    versions: tuple[Version, ...]
    added: int = 0
    removed: int = 0
    note: str = ""
    now_id: str = ""
    """What names the text that is there now."""
    dropped: Dropped | None = None
    """What of the person's own last changes another program's write took away."""
    mended: tuple[Dropped, ...] = ()
    """What another program's write had taken away, and what has been put back since; the newest first."""
    reviewed_id: str = ""
    """What names the text that the person saw last."""
    hazards: tuple[Notice, ...] = ()
    """What of the lines that came should be looked at: what reads like an order, hidden text, credentials."""


@dataclass(frozen=True, slots=True)
class Wipe:
    """A text that somebody emptied, or that lost half of its lines, and the id of what it was. `agents` said that it was they."""

    ref: MemRef
    before: str
    lines: int
    agents: tuple[str, ...] = ()


def pending(session: Session, among: Collection[MemRef] | None = None) -> list[PendingReview]:
    """The files that others changed since the person last looked, by project and path; of those, only those `among` these.

    Raises `HistoryError`.
    """
    session.history.drain()
    found = []
    lost = {each.path: each for each in losses.dropped(session)}
    for each in session.history.pending_review():
        ref = session.ref_at(each.path)
        if among is not None and ref not in among:
            continue
        note = ""
        try:
            seen, now = session.history.text(each.reviewed), session.history.text(each.now)
        except HistoryError as error:
            if session.history.problem:
                raise
            seen, now, note = b"", b"", error.message
        versions, counts = _since(session, each.path, each.reviewed), _line_counts(seen or b"", now or b"")
        mended = _mended(session, each.path, each.reviewed)
        dropped = lost.get(each.path)
        came = _hazards(seen or b"", now or b"")
        found.append(PendingReview(ref, seen, now, versions, *counts, note, each.now, dropped, mended, each.reviewed, came))
    return sorted(found, key=lambda each: (each.ref.project, each.ref.path))


def lines_with_words(lines: Sequence[bytes], beside: Sequence[bytes] = ()) -> int:
    """How many lines a person judges: blank ones count only where no line, also of those `beside`, has words."""
    return sum(map(_has_words, lines)) if any(map(_has_words, (*lines, *beside))) else len(lines)


def _has_words(line: bytes) -> bool:
    return bool(trim(line.decode("utf-8", "replace")))


def _line_counts(seen: bytes, now: bytes) -> tuple[int, int]:
    before = split(seen)
    hunks = line_hunks(before, split(now))
    came, went = (
        [line for each in hunks for line in each.lines],
        [line for each in hunks for line in before[each.start : each.stop]],
    )
    return lines_with_words(came, went), lines_with_words(went, came)


@lru_cache(_MOST_KEPT)
def _hazards(seen: bytes, now: bytes) -> tuple[Notice, ...]:
    """What should be looked at of the lines that a text did not have before; the screen asks again after every key."""
    return tuple(hazards_that_came(seen, now))


def last_of_others(session: Session) -> Version | None:
    """The newest version that somebody else wrote, apart from what was there at the first look. Raises `HistoryError`."""
    versions = (each for each in session.history.latest() if not each.origin.is_ours and each.path and not each.relation)
    return next((each for each in versions if each.author.kind is not AuthorKind.BEFORE), None)


def last_written(session: Session, path: str) -> Version | None:
    """The newest version of a file that somebody else wrote: what a step of ours that was undone brought back is theirs."""
    return next((each for each in session.history.versions(path) if not each.origin.is_ours), None)


def unreviewed(session: Session) -> frozenset[MemRef]:
    """The files that others changed since the person last looked. Raises `HistoryError`."""
    session.history.drain()
    return frozenset(session.ref_at(each.path) for each in session.history.pending_review())


@says_undo
def move_lines(session: Session, change: PendingReview, lines: Collection[int], target: MemRef) -> VerbResult:
    """Take these lines (of the text that is there now) out of a file and add them to another. One step to undo.

    Raises `StoreError`; nothing was moved then.
    """
    old = split(change.now or b"")
    moved = [line for number, line in enumerate(old) if number in lines]
    left = b"".join(line for number, line in enumerate(old) if number not in lines)
    label = f"Moved {counted(len(moved), 'line')} to {target.path}"
    with session.batch(label) as batch:
        batch.update(target.path, lambda now: appended(now or b"", b"".join(moved)))
        outcome = batch.save(change.ref.path, left, change.now)
    if isinstance(outcome, Conflicted):
        stayed = f"{printable_path(label)}. They also stay in {printable_path(change.ref.path)}, which changed just now."
        return VerbResult(stayed, 1, warning=True)
    return VerbResult(printable_path(f"{label}."), 2)


def wipes(session: Session) -> list[Wipe]:
    """The texts that others wiped, that the person has not seen yet, and that are still gone. Raises `HistoryError`."""
    session.history.drain()
    with session.history.opened():  # once, and not for each text
        return _wipes(session)


def _wipes(session: Session) -> list[Wipe]:
    found = []
    waiting = session.history.pending_review()
    last: dict[str, Version] = {}
    for version in session.history.latest() if len(waiting) > _MOST_ASKED else ():
        last.setdefault(version.path, version)
    for each in waiting:
        newest = last.get(each.path)  # of many files at once that one version led to, no other is looked for
        is_one = newest is not None and (newest.before, newest.after) == (each.reviewed, each.now)
        versions = (newest,) if newest is not None and is_one else _since(session, each.path, each.reviewed)
        wiped = [version for version in versions if version.wiped and not version.origin.is_ours]
        if not wiped:
            continue
        now = text_if_kept(session, each.now)
        texts = {id: text_if_kept(session, id) for id in (each.reviewed, *(version.before for version in reversed(wiped)))}
        lost = {id: line_counts(before, now)[1] for id, before in texts.items() if is_wiped(before, now)}
        if lost:
            fullest = max(lost, key=lambda id: lost[id])  # what was written after the person looked and is gone, too, is in it
            authors = dict.fromkeys(version.author for version in wiped)
            agents = tuple(author.name for author in authors if author.kind is AuthorKind.AGENT)
            found.append(Wipe(session.ref_at(each.path), fullest, lost[fullest], agents))
    return found


@says_undo
def restore_wiped(session: Session, wipe: Wipe) -> VerbResult:
    """Bring the lost lines back that are not there again by then; what is there stays. Raises `HistoryError` or `StoreError`."""
    before = session.history.text(wipe.before) or b""
    recorder = session.recorder(f"Brought back {wipe.ref.path}")
    done = writing.update(session.root, wipe.ref.path, lambda now: keep_both(before, now or b""), recorder=recorder, confirm=True)
    session.history.drain()
    text = done.after or b""
    outcome = Saved(text, done.kept_lines, done.confirmed) if done.changed else Unchanged(text)
    return ended(outcome, f"Brought back {printable_path(wipe.ref.path)}", "")


def _since(session: Session, path: str, seen: str) -> tuple[Version, ...]:
    """What others did to a file after the person saw it, the newest first, and imports that brought what should be looked at.

    What the person has seen may be no version: lines of theirs were merged into it, or single lines of others accepted. Then it is
    what others did since the version that what has been seen was made from, or where none can be told, since the person wrote.
    """
    return tuple(each for each in _after(session, path, seen) if not each.origin.is_ours or _brings_hazards(session, each))


def _brings_hazards(session: Session, version: Version) -> bool:
    if not version.origin.is_import:
        return False
    return bool(_hazards(text_if_kept(session, version.before) or b"", text_if_kept(session, version.after) or b""))


def _mended(session: Session, path: str, seen: str) -> tuple[Dropped, ...]:
    every = _after(session, path, seen)
    found = []
    for place, version in enumerate(every):
        if not version.puts_back:
            continue
        before, after = (split(text_if_kept(session, id) or b"") for id in (version.before, version.after))
        lines = tuple(line.decode("utf-8", "replace").rstrip("\r\n") for hunk in line_hunks(before, after) for line in hunk.lines)
        others = (each.when for each in every[place:] if not each.origin.is_ours)
        found.append(Dropped(path, lines, next(others, version.when)))
    return tuple(found)


def _after(session: Session, path: str, seen: str) -> list[Version]:
    every = [each for each in session.history.versions(path) if not each.is_beside]
    same = [place for place, version in enumerate(every) if version.after == seen]
    same += [len(every)] if not seen else []  # there was no file before the first
    # what the person put back is as it was seen, too: undone, it is what others wrote before that which waits
    place = next((place for place in same if not all(each.origin.is_ours for each in every[:place])), next(iter(same), None))
    if place is None:
        tried = range(min(len(every), _MOST_TRIED))
        place = next((place for place in tried if _grew_from(session, seen, every[place].after, every[0].after)), None)
    if place is None:
        place = next((place for place, each in enumerate(every) if each.origin.is_ours and not each.puts_back), None)
    return list(every[: len(every) if place is None else max(place, 1)])


def _grew_from(session: Session, seen: str, before: str, now: str) -> bool:
    """Whether what has been seen is the text `before` with some of the lines in which `now` differs from it."""
    part, base, goal = (Counter(split(text_if_kept(session, id) or b"")) for id in (seen, before, now))
    return part - base <= goal - base and base - part <= base - goal
