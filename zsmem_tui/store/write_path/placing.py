"""Putting a text in a file's place while others write the same file, so that nothing of theirs is displaced unseen.

Right before the exchange the file is looked at once more. When somebody writes in the instant between, the names are exchanged
back at once: an agent that reads in that instant would otherwise go on from a text without its newest line.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Final, NamedTuple

from zsmem_tui.core.errors import InUse, StoreError, WriteConflict
from zsmem_tui.core.lost_update import Loss, edits, lines_of, loss, put_back
from zsmem_tui.core.merge import Merged, Overlap, lasts, merge
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import displaced, swap
from zsmem_tui.store.disk.displaced import Displaced
from zsmem_tui.store.disk.swap import Appeared, Keep, NotTakenBack, Swap, present
from zsmem_tui.store.history.journal import LARGEST_TEXT, Recorder

_ATTEMPTS: Final = 40
"""Times that a text is put in place anew because somebody else wrote meanwhile; then the person is told."""

_SYNCED_ATTEMPTS: Final = 2
"""Attempts whose text is synced before the exchange. Later ones are synced right after it: the wait is what others write in."""


class WriteResult(NamedTuple):
    """What an update did. `before` is None for a new file; `changed` is False when nothing had to be written."""

    path: str
    before: bytes | None
    after: bytes | None
    changed: bool
    backup_error: str = ""
    kept_lines: int = 0
    """Lines that somebody else added while this was written, and that were kept."""
    confirmed: bool = True
    """False when it does not stand there: others wrote over it."""
    is_busy: bool = False
    """Whether somebody else was writing the same file just now."""
    late: tuple[Displaced, ...] = ()
    """Displaced files that somebody had open for writing."""
    wanted: bytes | None = None
    """What the change made of `before`, without what others wrote meanwhile; None where that is `after`."""
    unsynced: OSError | None = None
    """Why it may not survive a power cut."""


Together = Callable[[bytes, bytes, bytes], bytes]
"""What two sides made of a first text, in one. Raises `ValueError` where that cannot be."""

Remake = Callable[[bytes | None], bytes | None]
"""What the change makes of a text that was written meanwhile; None: there is nothing to write any more."""


class FileRecorder:
    """What a write of one file tells its recorder."""

    def __init__(self, path: str, recorder: Recorder) -> None:
        self.path = path
        self.recorder = recorder

    def keep(self, raw: bytes | None, *, durable: bool = True) -> bool:
        """Keep a text that is about to be displaced."""
        return self.recorder.record_displaced(self.path, raw, durable=durable)

    def plan(self, before: bytes | None, after: bytes | None, *, durable: bool = True) -> bool:
        """Keep a text that is about to become another (None: no file)."""
        return self.recorder.record_plan(self.path, before, after, durable=durable)

    def can_remove(self, raw: bytes) -> bool:
        """Keep a text whole that is about to be deleted, or say no: one that is too large is only known by its digest."""
        return len(raw) <= LARGEST_TEXT and self.plan(raw, None)

    def beside(self, suffix: str) -> Keep:
        """Keeps what stands in the file of the same name with another extension."""
        stem, _, _ = self.path.rpartition(".")
        other = FileRecorder(stem + suffix, self.recorder)
        return other.keep

    def late(self, raw: bytes) -> bool:
        """Keep what came into a file after it was displaced."""
        return self.recorder.record_leftover(self.path, raw)

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
            self.recorder.record_written(self.path, before, after)


def put(
    place: str,
    before: bytes | None,
    after: bytes,
    noting: FileRecorder,
    root: str,
    modified: int | None = None,
    remake: Remake | None = None,
    *,
    durable: bool = True,
    together: Together | None = None,
) -> WriteResult:
    """Make `place`, which was read as `before` and is kept, hold `after`, merged with whatever others write meanwhile.

    With `remake`, a text that was written before ours stood there is not merged: the change is made to it anew, and `before` of
    what is returned is that text. With `together` (and `remake`), texts are put together by that where the change cannot be made
    anew, and a file that somebody has open for writing is theirs. `root` is the store's, in which it has to lie; `modified` is the
    time that the file gets when nobody else wrote meanwhile. Raises `WriteConflict` when somebody changed the same lines meanwhile
    (their text stands there), `InUse`, `OutsideStore` or `WriteFailed`. Where others write it again and again, or it is given up,
    it is not `confirmed`: what was to be written does not stand there.
    """
    way = _Way(place, before, after, noting, remake, modified, together=together)
    home = displaced.home_of(root)
    with ExitStack() as counted:
        for attempt in range(_ATTEMPTS):
            with Swap(place, way.wanted, path=noting.path, home=home, inside=root, modified=way.modified, durable=durable) as swap:
                done = way.attempt(swap, sync=attempt < _SYNCED_ATTEMPTS)
            if done is not None:
                return done
            if way.has_stood:
                counted.enter_context(way.waits.counted())
            if not (way.waits.left if way.has_stood else way.waits.patience.left):
                break
    if together is not None:
        raise in_use(place)
    return way.written(way.wanted)._replace(confirmed=False)


def in_use(place: str) -> InUse:
    """That somebody is at work on a file, as a sentence."""
    return InUse(place, f"{printable_path(place)}: another program is writing it just now. Nothing was written.")


class _Way:
    """A text on its way into a place that others write too. `expected` is what stands there, `wanted` what shall.

    `has_stood` says whether it has been in place already, and was written over.
    """

    def __init__(
        self,
        place: str,
        before: bytes | None,
        after: bytes,
        noting: FileRecorder,
        remake: Remake | None,
        modified: int | None,
        *,
        together: Together | None,
    ) -> None:
        self.wanted = after
        self.modified = modified
        self._place = place
        self._before = self._expected = before
        self._noting = noting
        self._remake = remake
        self._together = together
        self._is_whole = together is not None
        self._known: list[bytes | None] = [before]
        self._kept = 0
        self._is_busy = False
        self._late: list[Displaced] = []
        self._for_writer = displaced.WAIT_FOR_WRITER
        self.waits = noting.recorder.waits
        self.has_stood = False

    def written(self, text: bytes | None) -> WriteResult:
        """What was done, with `text` in place."""
        changed = text != self._before
        return WriteResult(self._place, self._before, text, changed, "", self._kept, is_busy=self._is_busy, late=tuple(self._late))

    def attempt(self, swap: Swap, *, sync: bool) -> WriteResult | None:
        """Try once; None: somebody wrote meanwhile, and `wanted` is made from that now."""
        # what is synced later is open until then, as if somebody wrote into it
        swap.write(sync=sync or self._is_whole, displaces=self._expected is not None)
        self._for_writer -= displaced.wait_for_writer(self._place, self.waits, self._for_writer)
        now = present(self._place)
        if now != self._expected:
            return self._anew(now)
        if self._is_whole and displaced.writer_at(self._place):
            raise in_use(self._place)
        try:
            found = swap.exchange(self._expected)
        except Appeared:
            return None
        if self._is_whole and (found != self._expected or swap.is_displaced_open()):
            return self._give_back(swap, found)
        if found == self._expected:
            return self._settle(swap, found)
        try:
            newer = swap.take_back(self._noting.late)
        except NotTakenBack:
            self._expected, self.wanted = self.wanted, self._take(found, self._expected, self.wanted)
            return None
        if newer is None:
            return self._anew(found)
        ours, merged = self.wanted, self._take(found, self._expected, self.wanted)
        _keep(self._noting, newer, self._known)
        both = merge(ours, merged, newer)
        self._expected, self.wanted = found, both.text if isinstance(both, Merged) else both.proposal
        return None

    def _settle(self, swap: Swap, found: bytes | None) -> WriteResult | None:
        """It is in place: let go of what stood there, and read it back."""
        self._known.append(self.wanted)
        self.has_stood = True
        self.waits.patience.wrote()
        try:
            held = swap.let_go(found, self._noting.late, holds=self._is_whole)
        except OSError as error:
            return self.written(self.wanted)._replace(unsynced=error)
        self._late += [held] if held else []
        if self._is_whole:
            return self.written(self.wanted)
        lost = _read_back(self._place, self._before, self.wanted)
        if lost is None:
            return self.written(self.wanted)
        _keep(self._noting, lost[0], self._known)
        self._expected, self.wanted = lost[0], lost[1].text
        self._kept += lost[1].kept_lines
        self._is_busy, self.modified = True, None
        return None

    def _give_back(self, swap: Swap, found: bytes | None) -> WriteResult | None:
        """Somebody has the file open that was displaced, or wrote it in that instant: it is theirs again."""
        base, ours = self._expected, self.wanted
        is_back = swap.give_back(self._noting.late)
        if not is_back:
            with suppress(OSError):  # what it holds may be half-written, and comes late: it was made from `base`
                held = swap.let_go(found if base is None else base, self._noting.late, holds=True)
                self._late += [held] if held else []
            return self._anew(present(self._place))
        if found is None or found == base:
            raise in_use(self._place)
        self._noting.recorder.hidden.append((ours, found))
        return self._anew(found)

    def _anew(self, theirs: bytes | None) -> WriteResult | None:
        """Nothing of ours was in place yet: make the change to their text. One that does not look at the text is merged."""
        made = self._remake(theirs) if self._remake is not None else self.wanted
        if made is None or made == theirs:
            if not self._is_whole or theirs != self.wanted:  # else it is ours that stands there
                self._before = theirs
            return self.written(theirs)
        if made == self.wanted and not self._is_whole:
            try:
                self.wanted = self._take(theirs, self._expected, self.wanted)
            except WriteConflict:
                if self._remake is None:
                    raise
            self._expected = theirs
            return None
        _keep(self._noting, theirs, self._known)
        if self._is_whole:
            self._noting.plan(theirs, made, durable=False)
        self._before, self._expected, self.wanted = theirs, theirs, made
        self._is_busy, self.modified = True, None
        return None

    def _take(self, theirs: bytes | None, base: bytes | None, mine: bytes) -> bytes:
        """`mine`, made from `base`, with what made `base` theirs."""
        self._is_busy, self.modified = True, None
        _keep(self._noting, theirs, self._known)
        found = merge(base or b"", mine, theirs or b"")
        if isinstance(found, Overlap):
            raise WriteConflict(self._place, theirs or b"")
        self._kept += found.kept_lines
        return found.text


def _keep(noting: FileRecorder, text: bytes | None, known: list[bytes | None]) -> None:
    if text not in known:
        noting.keep(text, durable=False)
        known.append(text)


def _read_back(place: str, before: bytes | None, wanted: bytes) -> tuple[bytes, Merged] | None:
    """None when `wanted` is there; else what stands there instead, and the merge that shall replace it."""
    try:
        now = present(place)
        swap.step("read back")
    except (OSError, StoreError):
        return None
    if now is None or lasts(before or b"", wanted, now):
        return None
    merged = again(before or b"", wanted, now)
    return None if isinstance(merged, Overlap) else (now, merged)


def again(before: bytes, wanted: bytes, now: bytes, *, always: bool = False) -> Merged | Overlap:
    """`now`, which lacks something of what led from `before` to `wanted`, with just that made again.

    With `always`, also where it looks as if somebody had edited it further.
    """
    change = edits(before, wanted)
    text = put_back(change, now, always=always)
    if loss(change, lines_of(text)) == Loss((), ()) and (text != now or always):
        return Merged(text, 0)
    return merge(before, wanted, now)
