"""Watch whether a write lasts, and restore lines that were lost to a stale copy."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from typing import Final

from zsmem_tui.core.catalog import Fingerprint
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.merge import Merged, Overlap, lacking, lasts
from zsmem_tui.store.disk import displaced, files, lock
from zsmem_tui.store.disk.swap import present
from zsmem_tui.store.disk.waiting import Waits
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.write_path import late_writes
from zsmem_tui.store.write_path.install_file import Install, WriteResult, again, read_by
from zsmem_tui.store.write_path.locating import locate
from zsmem_tui.store.write_path.lost_updates import Recent

CONFIRM_AFTER: Final = 0.02
"""Seconds for which a write is watched: an agent that had read the file before has usually written it by then."""

CONFIRM_BUSY: Final = 0.15
"""Seconds to watch if somebody else has just written the file: they may do so again."""

CONFIRM_OURS: Final = 2 * CONFIRM_BUSY
"""Seconds during which writes by our own processes extend the watch. They have read our change, so only an agent working beside
them matters: several of ours that keep writing need not wait for each other.
"""

_FEWEST_LOOKS: Final = 8
"""The fewest checks: on a busy machine, others are as late as we are."""

_MOST_AGAIN: Final = 8
"""The most times that a write is restored while it is watched. An agent that holds its copy for long overwrites several."""

_CONFIRM_LATE: Final = 1.0
"""Seconds to wait for a file that was displaced while somebody was writing it. Where the system cannot tell who has it open, a file
that nobody changes is left to the next write; otherwise each of several consecutive writes would take this long.
"""

_PAUSE: Final = 0.002

_LAST_WAIT: Final = 0.2
"""Seconds that the last check waits for somebody who is writing the file in place."""


def confirm_all(root: str, written: Mapping[str, WriteResult], recorder: Recorder) -> dict[str, WriteResult]:
    """Watch briefly whether writes (by path) last; if somebody overwrites one, restore it, merged, a limited number of times.

    To be called after an update: an agent that read the file before us and writes it after us leaves no other trace, and one that
    was writing in place goes on in the displaced file. It also ends if others keep writing (`Waits`); then a last check decides.
    Never raises: a write that is not in the file is not `confirmed`, and noted in `Patience.contended`.
    """
    waits = recorder.waits
    watches = [_Watch(root, path, each, recorder) for path, each in written.items() if each.changed and each.after is not None]
    busy = list(watches)
    with waits.counted(is_known=False), ExitStack() as held:
        while busy:
            if waits.patience.waits_since is None and any(each.attempts for each in busy):
                held.enter_context(waits.patience.waiting())
            waits.pause(_PAUSE)
            busy = [each for each in busy if each.goes_on()]
            if not waits.left:
                break
    unsettled = set(map(id, busy))
    for each in watches:
        if id(each) in unsettled or not each.written.confirmed:
            each.look_last()
    return {**written, **{each.path: each.written for each in watches}}


class _Watch:
    """One file that was just written."""

    def __init__(self, root: str, path: str, written: WriteResult, recorder: Recorder) -> None:
        self.path = path
        self.written = written
        self._root = root
        self._recorder = recorder
        self._open_files = list(written.late)
        self._clock = recorder.waits.patience.now
        self._begun = self._last_change = self._clock()
        self._patience = CONFIRM_BUSY if written.is_busy else CONFIRM_AFTER
        self._has_looked = False
        self._looked_at: Fingerprint | None = None
        self.attempts = 0
        """How often it was restored because somebody else had written the file."""
        self._looks = 0

    def goes_on(self) -> bool:
        """Check once; return whether to check again."""
        moment = self._clock()
        self._looks += 1
        try:
            self._take_late()
            self._look(moment)
        except StoreError:
            self.written = self.written._replace(confirmed=False)
        if not self.written.confirmed:
            return False
        fewest = _FEWEST_LOOKS * (CONFIRM_BUSY if self._patience == CONFIRM_BUSY else CONFIRM_AFTER) / CONFIRM_AFTER
        return (
            moment - self._last_change <= self._patience
            or self._looks < fewest
            or (moment - self._begun <= _CONFIRM_LATE and any(each.is_at_work() for each in self._open_files))
        )

    def _look(self, moment: float) -> None:
        found = files.mark_of(self.written.path)
        if self._has_looked and found == self._looked_at:
            if found is None and moment - self._last_change > self._patience:
                self.written = self.written._replace(confirmed=False)
            return
        self._has_looked, self._looked_at = True, found
        if present(self.written.path) != self.written.after:
            again, is_ours = _restore(self._root, self.path, self.written, self._recorder, self.attempts)
            if is_ours and moment - self._begun > CONFIRM_OURS:
                return
            self._last_change, self._patience, self._looks = moment, CONFIRM_BUSY, 0
            self.attempts += again is not self.written
            self.written = again

    def look_last(self) -> None:
        """The last check: set `confirmed`, and note what is missing."""
        place, before, wanted = self.written.path, self.written.before or b"", self.written.wanted
        wanted = self.written.after or b"" if wanted is None else wanted
        displaced.wait_for_writer(place, Waits(_LAST_WAIT))  # a half-written text would be misleading
        try:
            now = present(place)
        except StoreError:
            now = None
        missing, returned = lacking(before, wanted, now or b"")
        self.written = self.written._replace(confirmed=now is not None and not (missing or returned))
        saw_others = self._last_change != self._begun or any(each.has_writer() for each in self._open_files)
        if now != self.written.after or saw_others:  # otherwise nobody writes, and only this machine is slow
            self._recorder.waits.patience.note(place, missing, returned)

    def _take_late(self) -> None:
        left = [each for each in self._open_files if each.has_writer()]
        if len(left) < len(self._open_files):
            with lock.writer(self._root):
                for each in self._open_files:
                    if each not in left:
                        late_writes.take_one(self._root, each, self._recorder)
        self._open_files = left


def _restore(root: str, path: str, written: WriteResult, recorder: Recorder, attempts: int) -> tuple[WriteResult, bool]:
    """Restore what was written if it was overwritten; also return whether the file's text is from one of our processes.

    The result is the same object if nothing was lost. A process of ours that wrote after us had read our change, so there is no
    need to watch it.
    """
    with lock.writer(root):
        displaced.wait_for_writer(written.path, recorder.waits)
        now = present(written.path)
        if now is None:  # somebody who deletes a file before writing it is halfway through
            return written, False
        before, after = written.before or b"", written.after or b""
        where = locate(root, path)
        is_ours = Recent(where).made(now, since=after)
        read = read_by(now, written.shown) or before
        if is_ours or lasts(read, after, now):
            return written, is_ours
        own = after if written.wanted is None else written.wanted
        goal = own if lacking(before, own, now) != ([], []) else after  # others' additions count only where ours are still there
        found = again(read, goal, now)
        if isinstance(found, Overlap) or attempts >= _MOST_AGAIN:
            return written._replace(confirmed=False), False
        recorder.record_displaced(path, now)
        change = partial(_again, before, goal)
        done = Install(where, now, found.text, recorder, change=change, shown=written.shown).run()
        stands = done.confirmed and lasts(before, goal, done.after or b"")  # lines deleted on purpose and back again stay
        if stands:
            recorder.record_merged(path, written.before, own, done.after)  # not `after`, which has what others added since `before`
        else:
            recorder.record_written(path, done.before, done.after)
        if done.is_busy:  # others' newest lines may have been hidden for an instant: they are watched together with ours
            Recent(where).remember(done.before, done.after, made=done.wanted, is_new=not recorder.carries(path))
        kept = written.kept_lines + found.kept_lines
        return done._replace(before=written.before, wanted=written.wanted, kept_lines=kept, late=(), confirmed=stands), False


def _again(before: bytes, goal: bytes, theirs: bytes | None) -> bytes | None:
    """Merge our lines into a text that was written meanwhile; it may have them already, and they must not be duplicated."""
    made = None if theirs is None else again(before, goal, theirs)
    return made.text if isinstance(made, Merged) else None
