"""The doctor for an open store: repeated checks, without findings the user ignores, in another process for large stores."""

from __future__ import annotations

import gc
import os
import pickle
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Final, NamedTuple

from zsmem_tui.core.catalog import Catalog
from zsmem_tui.core.checks.checkup import Checkup
from zsmem_tui.core.checks.finding import Finding, Level, Place
from zsmem_tui.core.checks.redact import shown
from zsmem_tui.core.notice import NoticeKind
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.core.text import counted, grouped, lines, raw_lines
from zsmem_tui.service import prompts
from zsmem_tui.service.doctor import Diagnosis, Doctor
from zsmem_tui.service.projects.known import folders_here
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import EVERYBODY, Portable, Session, portable
from zsmem_tui.store import ignored, known_errors
from zsmem_tui.store.disk import beside, files
from zsmem_tui.store.disk.ram import is_scarce
from zsmem_tui.store.text_cache import QUIET_SECONDS

AGAIN_BYTES: Final = 32 * 1024 * 1024
"""Up to this size in bytes, a store is fully examined again after its cache was dropped (half a minute of CPU time)."""


class Rounds:
    """Examines one store repeatedly; only changes are recomputed. For threads, one at a time."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._turn = threading.Lock()
        self._doctor = Doctor(session)
        self._apart = Apart(session)
        self._is_whole = False
        """Whether every file was examined on request: then later checks do not hide findings again."""

    def close(self) -> None:
        """End the other process, if there is one; the next check starts a new one."""
        self._apart.close()

    def look(
        self,
        folders: Sequence[str],
        *,
        catalog: Catalog | None = None,
        most: int | None = None,
        cancelled: Callable[[], bool] = never,
    ) -> Checkup:
        """Find everything wrong in the store. `folders` are further candidates for the folders of its projects.

        At most `most` bytes of files never examined are read, the rest is `left`. If the store is large by `catalog`, another
        process examines it. Raises `Cancelled`.
        """
        since = time.time_ns()
        with self._turn:
            every = (*folders, *folders_here(self._session))
            if self._is_whole and (catalog is None or catalog.size <= AGAIN_BYTES):
                most = None
            found = None
            if catalog is not None and catalog.size >= MUCH:
                found = self._apart.examine(Asked(every, self._session.clock().date(), most), cancelled)
            if found is None:
                self._doctor.know(every)
                found = self._doctor.examine(most=most, cancelled=cancelled)
            self._is_whole = self._is_whole or most is None
        return checkup(self._session, found, since)


def look_here(session: Session, *, most: int | None = None) -> Checkup:
    """Find what is wrong in the current folder's group and in shared files, reading at most `most` bytes; the rest is `left`."""
    since, groups = time.time_ns(), groups_here(session)
    return checkup(session, Doctor(session, folders_here(session)).examine(groups, most=most), since, groups)


def groups_here(session: Session) -> list[str] | None:
    """The groups of which a check of the current folder is, besides shared files; None if no group of the store is of a folder."""
    return None if session.project == EVERYBODY and not prompts.own_group(session, os.sep) else [session.project]


def checkup(session: Session, found: Diagnosis, since: int, groups: Sequence[str] | None = None) -> Checkup:
    """The findings with those that the user ignores marked; errors are remembered (`remember`)."""
    remember(session, found, since, groups)
    known = ignored.read(session.root)
    by_id = {fault.id: fault for fault in found.faults}
    urgent = [fault for id, fault in by_id.items() if fault.level is not Level.INFO and id not in known.ids]
    lines: dict[str, set[int]] = {}
    for fault in urgent:
        if fault.kind != NoticeKind.UNLISTED.value:  # which is about no line of the index
            lines.setdefault(fault.path, set()).update(range(fault.line - 1, fault.last_line))
    secrets = grouped((fault.path, fault.secret) for fault in found.faults if fault.secret)
    return Checkup(
        found.faults,
        by_id,
        known.ids & by_id.keys(),
        (*found.problems, known.problem) if known.problem else found.problems,
        Counter(fault.path for fault in urgent),
        {path: frozenset(own) for path, own in lines.items()},
        {path: tuple(sorted(set(own), key=len, reverse=True)) for path, own in secrets.items()},
        found.left,
        found.left_here,
        since=since,
        troubled=found.troubled,
    )


def remember(session: Session, found: Diagnosis, since: int, groups: Sequence[str] | None = None) -> None:
    """Store the errors of these groups and of shared files (None: of all), for callers that do not examine anew.

    The check began at `since` (nanoseconds): files changed after that are unknown.
    """
    errors = grouped((fault.path, fault.id) for fault in found.faults if fault.level is Level.ERROR)
    known_errors.keep(session.root, errors, lambda path: groups is None or session.ref_at(path).project in ("", *groups), since)


@says_undo
def ignore(session: Session, faults: Iterable[Finding], *, ignore: bool = True) -> VerbResult:
    """Hide these findings, or show them again: an undoable step that does not change the memory. Raises `WriteFailed`."""
    ids = [fault.id for fault in faults]
    changed = ignored.change(session.root, ids, ignore=ignore)
    words = f"{'Ignored' if ignore else 'No longer ignored:'} {counted(len(ids), 'finding')}"
    if changed:
        session.recorder(words, relation=ignored.relation(changed, ignore=ignore)).record_step_end()
    return VerbResult(f"{words}. The memory stays as it is.", len(changed))


MUCH: Final = 1024 * 1024
"""The size in bytes from which a store is examined in another process; less is done before one has started."""

PATIENCE: Final = 1.0
"""Seconds that the process gets to stop when nobody waits any more; what it read stays cached."""

_START_PATIENCE: Final = 2.0
"""Seconds that it gets to start when nobody waits any more; it is useful for the next check."""

_STOPPED: Final = b"-"
"""The answer to a check that was cancelled."""

_PIECE: Final = 200
"""Findings unpickled at once, so that a screen is not blocked for more than a millisecond."""


class Asked(NamedTuple):
    """One request: candidate folders, the day, and how many bytes never read before may be read."""

    folders: tuple[str, ...]
    today: date
    most: int | None


class Apart:
    """The doctor of one store in another process. For threads, one at a time."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._helper: beside.Helper | None = None
        self._cannot = False

    def examine(self, asked: Asked, cancelled: Callable[[], bool] = never) -> Diagnosis | None:
        """The diagnosis; None if no process can be started. Raises `Cancelled`: what was read stays cached."""
        while not self._cannot:
            helper, is_new = self._helper, self._helper is None
            if helper is None:
                helper = self._helper = self._start(cancelled)
            raw = helper.ask(pickle.dumps(asked), cancelled=cancelled, patience=PATIENCE) if helper is not None else None
            if raw is None:
                self.close()
            if cancelled() or raw == _STOPPED:
                raise Cancelled
            if raw is not None:
                rest, *pieces = pickle.loads(raw)
                found: Diagnosis = pickle.loads(rest)
                return replace(found, faults=tuple(fault for piece in pieces for fault in pickle.loads(piece)))
            self._cannot = is_new  # an idle one may have ended by itself: try once with a new one
        return None

    def close(self) -> None:
        """End the process."""
        if self._helper is not None:
            self._helper.close()
            self._helper = None

    def _start(self, cancelled: Callable[[], bool]) -> beside.Helper | None:
        """A process that was sent the store."""
        try:
            start = pickle.dumps(portable(self._session))
            helper = beside.Helper(__name__)
        except (OSError, ValueError, TypeError, pickle.PicklingError):
            return None  # no memory for it, or the store cannot be pickled
        if helper.ask(start, cancelled=_for_long(cancelled)) is None:
            helper.close()
            return None
        return helper


def _for_long(cancelled: Callable[[], bool]) -> Callable[[], bool]:
    """A function that says whether `cancelled` has been true for longer than a process takes to start."""
    until: list[float] = []

    def is_over() -> bool:
        if not cancelled():
            until.clear()
        elif not until:
            until.append(time.monotonic() + _START_PATIENCE)
        return bool(until) and time.monotonic() >= until[0]

    return is_over


# -- in the other process ---------------------------------------------------------------------------------------------


class _Worker:
    """The state of the other process."""

    def __init__(self) -> None:
        self.doctor: Doctor | None = None

    def answer(self, request: bytes, cancelled: Callable[[], bool]) -> bytes:
        """Answer a request; the first one is the store."""
        asked: Portable | Asked = pickle.loads(request)
        if isinstance(asked, Portable):
            self.doctor = Doctor(asked.session())
            return b"-"
        if self.doctor is None:
            raise ValueError("a look before its store")
        self.doctor.know(asked.folders)
        try:
            found = self.doctor.examine(today=asked.today, most=asked.most, cancelled=cancelled)
        except Cancelled:
            return _STOPPED
        faults = [pickle.dumps(found.faults[at : at + _PIECE]) for at in range(0, len(found.faults), _PIECE)]
        return pickle.dumps([pickle.dumps(replace(found, faults=())), *faults])


def _is_over(seconds: float) -> bool:
    return seconds > QUIET_SECONDS or is_scarce()


def serve() -> None:
    """Serve requests until none came for ten minutes or memory is scarce."""
    gc.disable()  # objects are kept until they are sent
    beside.serve(_Worker().answer, _is_over)


AROUND: Final = 120
"""Lines shown before and after a finding."""


LARGEST: Final = 32 * 1024 * 1024
"""The largest file in bytes of which lines are shown."""

_REACH: Final = 45_000
"""Characters masked together on each side: more than the longest private key, so that none is cut in half."""


class Passage(NamedTuple):
    """Some lines of a file: `text` begins at the 0-based line `start`; `marked` are the relevant lines within it."""

    text: str = ""
    start: int = 0
    marked: range = range(0)
    is_newer: bool = False
    """Whether the file was written after the place was found, so that the number of a line may mean another one: no text."""


def passage(session: Session, place: Place, last: int = 0, *, as_of: int = 0) -> Passage:
    """The lines around a place in the store or in another file, found `as_of` this time (nanoseconds). Raises `StoreError`."""
    where = place.path if os.path.isabs(place.path) else session.path(session.ref_at(place.path))
    if (size := files.look(where).size) > LARGEST:
        return Passage(f"With {size:,} bytes it is too large to be shown here.")
    raw, written = files.read(where)
    if 0 < as_of < written.ctime_ns <= time.time_ns():  # a clock that was put back tells nothing
        return Passage(is_newer=True)
    rows = lines(raw.decode("utf-8", "replace").removeprefix("\ufeff"))
    first, stop = place.line - 1, min(max(last, place.line), len(rows))
    start = max(0, first - AROUND)
    end = min(min(stop, first + AROUND) + AROUND, len(rows))
    top, bottom = start, end
    reach = _REACH
    while top > 0 and reach > 0:
        top -= 1
        reach -= len(rows[top]) + 1
    reach = _REACH
    while bottom < len(rows) and reach > 0:
        reach -= len(rows[bottom]) + 1
        bottom += 1
    text = "\n".join(raw_lines(shown(rows[top:bottom]))[start - top : end - top])
    return Passage(text, start, range(first - start, stop - start))
