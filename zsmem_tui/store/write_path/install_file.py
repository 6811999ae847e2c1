"""Replace a file's text while others write the same file, without losing any of their texts unseen.

The file is checked right before the swap. If somebody writes between the check and the swap, the names are swapped back at once: an
agent that reads in that instant would otherwise continue from a text without its newest line. If one does, its text has our change
already, and gets the hidden lines. A text that was written in that instant is the newest, and stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from typing import Final, NamedTuple

from zsmem_tui.core.errors import InUse, StoreError, WriteConflict, WriteFailed
from zsmem_tui.core.lost_update import edits, lines_of, loss, put_back
from zsmem_tui.core.merge import Merged, Overlap, is_within, lacked, lasts, merge
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import displaced, swap
from zsmem_tui.store.disk.displaced import Displaced
from zsmem_tui.store.disk.swap import Appeared, NotTakenBack, Swap, present
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.write_path.locating import Where
from zsmem_tui.store.write_path.lost_updates import Recent

_ATTEMPTS: Final = 40
"""The most attempts to place a text because others wrote meanwhile; then the person is told."""

_SYNCED_ATTEMPTS: Final = 2
"""Attempts in which the text is synced before the swap. Later ones sync afterwards, since the delay is when others write."""


class WriteResult(NamedTuple):
    """The result of an update. `before` is None for a new file; `changed` is False if nothing had to be written."""

    path: str
    before: bytes | None
    after: bytes | None
    changed: bool
    backup_error: str = ""
    kept_lines: int = 0
    """The number of lines that others added during the write, and that were kept."""
    confirmed: bool = True
    """False if the text is not in the file, because others overwrote it."""
    is_busy: bool = False
    """Whether somebody else was writing the same file."""
    late: tuple[Displaced, ...] = ()
    """Displaced files that somebody had open for writing."""
    wanted: bytes | None = None
    """The result of the change for `before`, without what others wrote meanwhile."""
    unsynced: OSError | None = None
    """Why it may not survive a power cut."""
    shown: tuple[bytes, ...] = ()
    """The text that was read first, and those of ours that were in place before the last one: somebody may have read them."""


Transform = Callable[[bytes | None], bytes | None]
"""From the current bytes of a file (None: no file) to the new ones (None: leave it alone)."""

Together = Callable[[bytes, bytes, bytes], bytes]
"""Merges (base, mine, theirs). Raises `ValueError` if that is impossible."""


def in_use(place: str) -> InUse:
    """The error for a file that another program is writing."""
    return InUse(place, f"{printable_path(place)}: another program is writing it just now. Nothing was written.")


def refuse_loss(place: str, before: bytes | None, after: bytes | None, recorder: Recorder) -> None:
    """Raise `WriteFailed` if a text that could not be recorded would be gone, in whole or in part."""
    if before is None or (after is not None and (before in after or is_within(before, after))):
        return
    done = "deleted" if after is None else "changed"
    why = recorder.problem or "It is too large for the history."
    words = f"{printable_path(place)} was not {done}: what it holds could not be kept first. {why}"
    raise WriteFailed(place, words, "`ZSMEM_STATE_DIR` names another folder for it." if recorder.problem else "")


class Install:
    """Replaces the text of a file that others write, too.

    `before` is the text that was read at `place` and recorded; the new text is `after`, merged with what others write meanwhile.
    With `change`, a text written before ours was in place is not merged: the change is applied to it anew, and it becomes `before`
    in the result. With `together` (and `change`), texts are merged by that function where the change cannot be applied anew, and a
    file that somebody has open for writing is left alone. `modified` is the file's modification time if nobody else writes
    meanwhile, and `mode` are its permission bits if not those that it has. `shown` is that of an earlier result for the same
    change.
    """

    def __init__(
        self,
        where: Where,
        before: bytes | None,
        after: bytes,
        recorder: Recorder,
        *,
        change: Transform | None = None,
        modified: int | None = None,
        durable: bool = True,
        mode: int | None = None,
        together: Together | None = None,
        shown: tuple[bytes, ...] = (),
    ) -> None:
        self._where = where
        self._place = where.place
        self._before = self._expected = before
        self._wanted = self._made = after
        self._recorder = recorder
        self._change = change
        self._modified = modified
        self._durable = durable
        self._mode = mode
        self._together = together
        self._is_whole = together is not None
        self._known: list[bytes | None] = [before]
        self._kept = 0
        self._is_busy = False
        self._late: list[Displaced] = []
        self._for_writer = displaced.WAIT_FOR_WRITER
        self._waits = recorder.waits
        self._shown = shown or (before or b"",)
        self._has_stood = False
        """Whether our text was in place at least once, and was overwritten."""

    def run(self) -> WriteResult:
        """Replace the text.

        Raises `WriteConflict` if somebody changed the same lines meanwhile (their text is in the file), `InUse`, `OutsideStore` or
        `WriteFailed`. If others keep writing, or the wait is cancelled, the result is not `confirmed`: the new text is not in the
        file.
        """
        where, home = self._where, self._where.state("displaced")
        with ExitStack() as counted:
            for attempt in range(_ATTEMPTS):
                made = Swap(
                    self._place,
                    self._wanted,
                    path=where.path,
                    home=home,
                    inside=where.real_root,
                    modified=self._modified,
                    durable=self._durable,
                    mode=self._mode,
                )
                try:
                    with made as swap:
                        done = self._attempt(swap, sync=attempt < _SYNCED_ATTEMPTS)
                except StoreError as error:
                    if not self._has_stood or isinstance(error, WriteConflict):
                        raise
                    return self._written(self._made)._replace(confirmed=False)  # "nothing was written" would not be so
                if done is not None:
                    return done
                if self._has_stood:
                    counted.enter_context(self._waits.counted())
                if not (self._waits.left if self._has_stood else self._waits.patience.left):
                    break
        if self._is_whole:
            raise in_use(self._place)
        return self._written(self._wanted)._replace(confirmed=False)

    def _attempt(self, swap: Swap, *, sync: bool) -> WriteResult | None:
        """One attempt; None if somebody wrote meanwhile and `wanted` was recomputed from their text."""
        # a file synced later stays open, as if somebody were writing into it
        swap.write(sync=sync or self._is_whole, displaces=self._expected is not None)
        self._for_writer -= displaced.wait_for_writer(self._place, self._waits, self._for_writer)
        now = present(self._place)
        if now != self._expected:
            return self._redo(now)
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
        base, ours = self._expected or b"", self._wanted
        try:
            newer = swap.take_back(found or b"")
        except NotTakenBack:
            self._watch([(base, found or b"")])
            self._keep_both(swap, found)
            self._show(ours)
            return None
        for each in (found, *newer):
            self._keep(each)
        swap.put_aside(self._keep_late)
        changes = _changes(base, ours, (found or b"", *newer))
        self._watch(changes)
        if not newer:
            done = self._redo(found)
            self._show(ours)
            return done
        self._show(ours)
        self._wanted = _with([(read, text) for read, text in changes if not lasts(read, text, newer[-1])], ours) or b""
        if (change := self._change) is not None:  # applied anew, it must include what they wrote in these instants, too
            self._change = lambda now: _with(changes, now if (made := change(now)) is None else made)
        return self._redo(newer[-1])

    def _keep_both(self, swap: Swap, found: bytes | None) -> None:
        """Our text is in place and cannot be taken back from there: merge the displaced one into it, or leave both."""
        ours, overlap = self._wanted, None
        try:
            self._wanted = self._merge_theirs(found, self._expected, ours)
        except WriteConflict as error:
            overlap = error
        is_kept = found is None or not self._recorder.problem
        if is_kept:  # otherwise the displaced file is the only copy
            with suppress(OSError):
                held = swap.let_go(found, self._keep_late)
                self._late += [held] if held else []
        self._expected = ours
        if overlap is not None:
            where = f"theirs is in {'the history' if is_kept else printable_path(swap.kept)}"
            words = f"{printable_path(self._place)}: somebody changed the same lines meanwhile. Your text is in the file, {where}."
            raise WriteConflict(self._place, found or b"", words) if is_kept else WriteFailed(self._place, words)

    def _settle(self, swap: Swap, found: bytes | None) -> WriteResult | None:
        """Our text is in place: release the displaced file, and read the new one back."""
        self._known.append(self._wanted)
        self._has_stood = True
        self._waits.patience.wrote()
        try:
            held = swap.let_go(found, self._keep_late, holds=self._is_whole)
        except OSError as error:
            return self._written(self._wanted)._replace(unsynced=error)
        self._late += [held] if held else []
        if self._is_whole:
            return self._written(self._wanted)
        lost = _read_back(self._where, self._before, self._wanted, self._shown)
        if lost is None:
            return self._written(self._wanted)
        self._keep(lost[0])
        self._show(self._wanted)
        self._expected, self._wanted = lost[0], lost[1].text
        self._kept += lost[1].kept_lines
        self._is_busy, self._modified = True, None
        return None

    def _give_back(self, swap: Swap, found: bytes | None) -> WriteResult | None:
        """The displaced file is open elsewhere, or was written in that instant: swap it back."""
        base, ours = self._expected, self._wanted
        is_back = swap.give_back(self._keep_late)
        if not is_back:
            with suppress(OSError):  # its content may be half-written and complete later: it was made from `base`
                held = swap.let_go(found if base is None else base, self._keep_late, holds=True)
                self._late += [held] if held else []
            return self._redo(present(self._place))
        if found is None or found == base:
            raise in_use(self._place)
        self._recorder.hidden.append((ours, found))
        return self._redo(found)

    def _redo(self, theirs: bytes | None) -> WriteResult | None:
        """Our text is not in place: apply the change to theirs. A change that does not depend on the text is merged.

        Theirs has the change already if they read our text in an instant in which it was in place; it lacks what was hidden then.
        """
        if read_by(theirs, self._shown) is not None:
            with suppress(WriteConflict):
                self._wanted = self._merge_theirs(theirs, self._expected, self._wanted)
                self._expected = theirs
                return None
        made = self._wanted if self._change is None else self._change(theirs)
        if made is not None:
            self._made = made
        if made is None or made == theirs:
            if not self._is_whole or theirs != self._wanted:  # otherwise it is ours that is there
                self._before = theirs
            return self._written(theirs)
        if made == self._wanted and not self._is_whole:
            try:
                self._wanted = self._merge_theirs(theirs, self._expected, self._wanted)
            except WriteConflict:
                if self._change is None:
                    raise
            self._expected = theirs
            return None
        if not self._keep(theirs) and not self._has_stood:
            refuse_loss(self._place, theirs, made, self._recorder)
        if self._is_whole:
            self._recorder.record_plan(self._where.path, theirs, made, durable=False)
        self._before, self._expected, self._wanted = theirs, theirs, made
        self._is_busy, self._modified = True, None
        return None

    def _watch(self, changes: Sequence[tuple[bytes, bytes]]) -> None:
        """Have it told if lines get lost that others added: who reads while they are out of sight goes on without them."""
        recent = Recent(self._where)
        for read, text in changes:
            recent.watch(read, text)
        recent.save()

    def _show(self, ours: bytes) -> None:
        """Remember a text of ours that was in place for a moment, to tell later whether another program has read it."""
        before = self._before or b""
        if not lasts(before, self._made, before):
            self._shown = (*self._shown, ours)

    def _merge_theirs(self, theirs: bytes | None, base: bytes | None, mine: bytes) -> bytes:
        """Merge `mine` and `theirs`, both made from `base`; or theirs from a text of ours that was in place for an instant."""
        self._is_busy, self._modified = True, None
        self._keep(theirs)
        read = read_by(theirs, self._shown)
        found = None if read is None else again(read, mine, theirs or b"")
        if not isinstance(found, Merged):
            found = merge(base or b"", mine, theirs or b"")
        if isinstance(found, Overlap):
            raise WriteConflict(self._place, theirs or b"")
        self._kept += found.kept_lines
        return found.text

    def _keep(self, text: bytes | None) -> bool:
        """Record a text that is about to be displaced, once. False if it could not be kept."""
        if text in self._known:
            return True
        self._known.append(text)
        return self._recorder.record_displaced(self._where.path, text, durable=False)

    def _keep_late(self, raw: bytes) -> bool:
        """Record what was written into a file after it was displaced."""
        return self._recorder.record_leftover(self._where.path, raw)

    def _written(self, text: bytes | None) -> WriteResult:
        """The result with `text` in place."""
        changed, late = text != self._before, tuple(self._late)
        return WriteResult(
            self._place,
            self._before,
            text,
            changed,
            "",
            self._kept,
            is_busy=self._is_busy,
            late=late,
            wanted=self._made,
            shown=self._shown,
        )


def _changes(base: bytes, ours: bytes, theirs: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
    """What others changed who wrote these texts, one after another: (what each had read, text)."""
    known, found = [base] if lasts(base, ours, base) else [base, ours], list[tuple[bytes, bytes]]()
    for text in theirs:
        found.append((next(each for each in reversed(known) if lasts(base, each, text)), text))
        known.append(text)
    return found


def _with(changes: Sequence[tuple[bytes, bytes]], text: bytes | None) -> bytes | None:
    """Merge the changes of others that a text lacks into it; where it has other lines in their place, keep both."""
    for read, theirs in changes:
        if text is not None and not lasts(read, theirs, text):
            found = merge(read, text, lacked(read, theirs, text))
            text = found.text if isinstance(found, Merged) else found.proposal
    return text


def read_by(theirs: bytes | None, shown: Sequence[bytes]) -> bytes | None:
    """The latest of our texts that somebody had read who wrote `theirs`; None if there is none.

    `shown` is the text that was read before our change, then those of ours that were in place.
    """
    return next((each for each in reversed(shown[1:]) if theirs is not None and lasts(shown[0], each, theirs)), None)


def _read_back(where: Where, before: bytes | None, wanted: bytes, shown: Sequence[bytes]) -> tuple[bytes, Merged] | None:
    """None if `wanted` is in the file; else (text that is there instead, merge that should replace it)."""
    try:
        swap.refuse_outside(where.place, where.real_root, where.place)
        now = present(where.place)
        swap.step("read back")
    except (OSError, StoreError):
        return None
    read = read_by(now, shown) or before or b""
    if now is None or lasts(read, wanted, now):
        return None
    merged = again(read, wanted, now)
    return None if isinstance(merged, Overlap) else (now, merged)


def again(before: bytes, wanted: bytes, now: bytes, *, always: bool = False) -> Merged | Overlap:
    """Merge what `now` lacks of the change from `before` to `wanted` back into it.

    Every line of `now` stays. With `always`, the whole change is applied, even if somebody seems to have edited it further; where
    that is impossible, it is an overlap.
    """
    if not always and lasts(before, wanted, now):
        return Merged(now, 0)
    change = edits(before, wanted)
    text = put_back(change, now, always=always)
    if always:
        is_whole = not (lines_of(wanted) - lines_of(before) - lines_of(text)).keys() - {b""}
    else:
        is_whole = text != now and not loss(change, lines_of(text)).missing
    if is_whole:
        return Merged(text, 0)
    found = merge(before, wanted if always else lacked(before, wanted, now), now)
    if isinstance(found, Merged) and not always and not is_within(now, found.text):
        return Overlap(found.text)
    return found
