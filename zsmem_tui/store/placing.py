"""Putting a text in a file's place while others write the same file, so that nothing of theirs is displaced unseen.

Right before the exchange the file is looked at once more. When somebody writes in the instant between, the names are exchanged
back at once: an agent that reads in that instant would otherwise go on from a text without its newest line.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from zsmem_tui.core.errors import Conflicting, StoreError
from zsmem_tui.core.merge import Merged, Overlap, lasts, merge
from zsmem_tui.store import displaced, swapping
from zsmem_tui.store.displaced import Displaced
from zsmem_tui.store.journal import LARGEST_TEXT, Recorder
from zsmem_tui.store.swapping import Appeared, Keep, NotTakenBack, Swap, present

_ATTEMPTS: Final = 40
"""Times that a text is put in place anew because somebody else wrote meanwhile; then the person is told."""

_SYNCED_ATTEMPTS: Final = 2
"""Attempts whose text is synced before the exchange. Later ones are synced right after it: the wait is what others write in."""


class Written(NamedTuple):
    """What an update did. `before` is None for a new file; `changed` is False when nothing had to be written."""

    path: str
    before: bytes | None
    after: bytes | None
    changed: bool
    backup_error: str = ""
    kept_lines: int = 0
    """Lines that somebody else added while this was written, and that were kept."""
    confirmed: bool = True
    """False when others kept writing over it: it may not last."""
    put_back: int = 0
    """Lines of earlier changes made here that somebody's stale copy had taken away, and that stand there again."""
    is_busy: bool = False
    """Whether somebody else was writing the same file just now."""
    late: tuple[Displaced, ...] = ()
    """Displaced files that somebody had open for writing."""
    unsynced: OSError | None = None
    """Why it may not survive a power cut."""


class Noting:
    """What a write of one file tells its recorder."""

    def __init__(self, path: str, recorder: Recorder) -> None:
        self.path = path
        self.recorder = recorder

    def keep(self, raw: bytes | None, *, durable: bool = True) -> bool:
        """Keep a text that is about to be displaced."""
        return self.recorder.seen(self.path, raw, durable=durable)

    def can_keep(self, raw: bytes) -> bool:
        """Keep a text whole, or say no: one that is too large is only known by its digest."""
        return len(raw) <= LARGEST_TEXT and self.keep(raw)

    def beside(self, suffix: str) -> Keep:
        """Keeps what stands in the file of the same name with another extension."""
        stem, _, _ = self.path.rpartition(".")
        other = Noting(stem + suffix, self.recorder)
        return other.keep

    def late(self, raw: bytes) -> bool:
        """Keep what came into a file after it was displaced."""
        return self.recorder.left(self.path, raw)

    def mended(self, before: bytes | None, after: bytes | None) -> None:
        """Take down that lines made here earlier were put back, as a step of its own."""
        self.recorder.aside(f"Put back lines in {self.path}").wrote(self.path, before, after)

    def wrote_merged(self, before: bytes | None, wanted: bytes, after: bytes | None) -> None:
        """Take down that `before` should become `wanted`, and with what others wrote meanwhile became `after`.

        What stands there but for our own change is theirs, so undoing ours leaves it.
        """
        theirs: bytes | None = before
        if after != wanted:
            found = merge(wanted, before or b"", after or b"")
            if not isinstance(found, Overlap):
                theirs = found.text
                self.keep(theirs)
        self.wrote(theirs, after)

    def wrote(self, before: bytes | None, after: bytes | None) -> None:
        """Take down what was done."""
        if before != after:
            self.recorder.wrote(self.path, before, after)


def put(place: str, before: bytes | None, after: bytes, noting: Noting, home: str, modified: int | None = None) -> Written:
    """Make `place`, which was read as `before` and is kept, hold `after`, merged with whatever others write meanwhile.

    `home` is where the write is noted; `modified` is the time that the file gets when nobody else wrote meanwhile.
    Raises `Conflicting` when somebody changed the same lines meanwhile (their text stands there), or `WriteFailed`.
    """
    expected, wanted = before, after
    known: list[bytes | None] = [before]
    kept, is_busy = 0, False

    def take(theirs: bytes | None, base: bytes | None, mine: bytes) -> bytes:
        """`mine`, made from `base`, with what made `base` theirs."""
        nonlocal kept, is_busy, modified
        is_busy, modified = True, None
        _keep(noting, theirs, known)
        found = merge(base or b"", mine, theirs or b"")
        if isinstance(found, Overlap):
            raise Conflicting(place, theirs or b"")
        kept += found.kept_lines
        return found.text

    for attempt in range(_ATTEMPTS):
        with Swap(place, wanted, path=noting.path, home=home, modified=modified) as way:
            way.write(sync=attempt < _SYNCED_ATTEMPTS)
            if attempt < _SYNCED_ATTEMPTS:
                displaced.wait_for_writer(place)
            now = present(place)
            if now != expected:
                expected, wanted = now, take(now, expected, wanted)
                continue
            try:
                found = way.exchange(expected)
            except Appeared:
                continue
            if found == expected:
                known.append(wanted)
                done = _settle(place, before, way, found, noting)
                done = done._replace(before=before, kept_lines=kept, is_busy=is_busy)
                lost = _read_back(place, before, wanted) if done.unsynced is None else None
                if lost is None:
                    return done
                _keep(noting, lost[0], known)
                expected, wanted = lost[0], lost[1].text
                kept, is_busy, modified = kept + lost[1].kept_lines, True, None
                continue
            try:
                newer = way.take_back()
            except NotTakenBack:
                expected, wanted = wanted, take(found, expected, wanted)
                continue
            merged = take(found, expected, wanted)
            if newer is not None:
                _keep(noting, newer, known)
                again = merge(wanted, merged, newer)
                merged = again.text if isinstance(again, Merged) else again.proposal
            expected, wanted = found, merged
    return Written(place, before, wanted, changed=True, kept_lines=kept, confirmed=False, is_busy=True)


def _keep(noting: Noting, text: bytes | None, known: list[bytes | None]) -> None:
    if text not in known:
        noting.keep(text, durable=False)
        known.append(text)


def _settle(place: str, before: bytes | None, way: Swap, found: bytes | None, noting: Noting) -> Written:
    """It is in place: let go of what stood there."""
    try:
        held = way.let_go(found, noting.late)
    except OSError as error:
        return Written(place, before, way.content, changed=True, unsynced=error)
    return Written(place, before, way.content, changed=True, late=(held,) if held else ())


def _read_back(place: str, before: bytes | None, wanted: bytes) -> tuple[bytes, Merged] | None:
    """None when `wanted` is there; else what stands there instead, and the merge that shall replace it."""
    try:
        now = present(place)
        swapping.step("read back")
    except (OSError, StoreError):
        return None
    if now is None or lasts(before or b"", wanted, now):
        return None
    merged = merge(before or b"", wanted, now)
    return None if isinstance(merged, Overlap) else (now, merged)
