"""What the doctor finds in a store that is open: looked at again and again, without what the person ignores."""

from __future__ import annotations

import gc
import os
import pickle
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from zsmem_tui.core.catalog import Catalog
from zsmem_tui.core.checks.checkup import Checkup
from zsmem_tui.core.checks.excerpt import shown
from zsmem_tui.core.checks.finding import Finding, Level, Place
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.core.text import counted, lines, raw_lines
from zsmem_tui.service import prompts
from zsmem_tui.service.doctor import Diagnosis, Doctor
from zsmem_tui.service.projects.known import folders_here
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Portable, Session, portable
from zsmem_tui.store import ignored, known_errors
from zsmem_tui.store.disk import beside, files
from zsmem_tui.store.disk.ram import is_scarce
from zsmem_tui.store.text_cache import QUIET_SECONDS

AGAIN_BYTES: Final = 32 * 1024 * 1024
"""Bytes of a store that is looked into whole once more, when what was known of it was given back: half a minute of a core."""


class Rounds:
    """Looks at one store as often as asked; only what has changed is worked out again. For threads, one at a time."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._turn = threading.Lock()
        self._doctor = Doctor(session)
        self._apart = Apart(session)
        self._is_whole = False
        """Whether a person had every file looked into: what they have been told of is not hidden again."""

    def close(self) -> None:
        """End the process that looks into much, where there is one: the next look begins another."""
        self._apart.close()

    def look(
        self,
        folders: Sequence[str],
        *,
        catalog: Catalog | None = None,
        most: int | None = None,
        cancelled: Callable[[], bool] = never,
    ) -> Checkup:
        """Everything that is wrong in the store. `folders` are candidates for the folders of its projects, beside those known.

        `most` bytes of files that were never looked into are read, the rest is `left`; a store in which there is much, as far as
        `catalog` tells, is looked into by another process. Raises `Cancelled`.
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
    """What is wrong in the folder worked in, and in what is for all; `most` bytes are read, and the rest is `left`."""
    since = time.time_ns()
    groups = [session.project] if prompts.own_group(session, "/") else None
    return checkup(session, Doctor(session, folders_here(session)).examine(groups, most=most), since, groups)


def checkup(session: Session, found: Diagnosis, since: int, groups: Sequence[str] | None = None) -> Checkup:
    """What was found, with what of it the person ignores; it is remembered (`remember`)."""
    remember(session, found, since, groups)
    known = ignored.read(session.root)
    problems = (*found.problems, known.problem) if known.problem else found.problems
    return _checkup(found.faults, known.ids, problems, found.left, found.left_here)


def remember(session: Session, found: Diagnosis, since: int, groups: Sequence[str] | None = None) -> None:
    """Keep which errors there are in these groups and in what is for all (None: everywhere), for who asks without looking anew.

    The look began at `since`, in nanoseconds: of a file that has changed meanwhile nothing is known.
    """
    errors: dict[str, list[str]] = {}
    for fault in found.faults:
        if fault.level is Level.ERROR and fault.rule.shown:
            errors.setdefault(fault.path, []).append(fault.id)
    known_errors.keep(session.root, errors, lambda path: groups is None or session.ref_at(path).project in ("", *groups), since)


@says_undo
def ignore(session: Session, faults: Iterable[Finding], *, ignore: bool = True) -> VerbResult:
    """Show these findings no more, or again: a step to undo. The memory stays as it is. Raises `WriteFailed`."""
    ids = [fault.id for fault in faults]
    changed = ignored.change(session.root, ids, ignore=ignore)
    words = f"{'Ignored' if ignore else 'No longer ignored:'} {counted(len(ids), 'finding')}"
    if changed:
        session.recorder(words, relation=ignored.relation(changed, ignore=ignore)).record_step_end()
    return VerbResult(f"{words}. The memory stays as it is.", len(changed))


def _checkup(faults: tuple[Finding, ...], ids: frozenset[str], problems: tuple[str, ...], left: int, left_here: int) -> Checkup:
    by_id = {fault.id: fault for fault in faults}
    urgent = [fault for id, fault in by_id.items() if fault.level is not Level.INFO and id not in ids]
    lines: dict[str, set[int]] = {}
    for fault in urgent:
        lines.setdefault(fault.path, set()).update(range(fault.line - 1, fault.last_line))
    secrets: dict[str, set[str]] = {}
    for fault in faults:
        if fault.secret:
            secrets.setdefault(fault.path, set()).add(fault.secret)
    return Checkup(
        faults,
        by_id,
        ids & by_id.keys(),
        problems,
        Counter(fault.path for fault in urgent),
        {path: frozenset(own) for path, own in lines.items()},
        {path: tuple(sorted(own, key=len, reverse=True)) for path, own in secrets.items()},
        left,
        left_here,
    )


MUCH: Final = 1024 * 1024
"""Bytes of text in a store: less is looked at before another process has begun."""

PATIENCE: Final = 1.0
"""Seconds that the process has to put down what it does when nobody waits for it; what it has read is kept then."""

_START_PATIENCE: Final = 2.0
"""Seconds that it has to begin when nobody waits any more: it is of use the next time."""

_PUT_DOWN: Final = b"-"
"""The answer to a look that was not done to its end."""

_PIECE: Final = 200
"""Findings that are taken from an answer at once: a screen is not held up for longer than a millisecond."""


class Asked(NamedTuple):
    """One look: candidates for the folders of projects, the day, and how many bytes may be read that never were."""

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
        """What is wrong; None where no process can tell. Raises `Cancelled`: what was read is kept for the next time."""
        while not self._cannot:
            helper, is_new = self._helper, self._helper is None
            if helper is None:
                helper = self._helper = self._begun(cancelled)
            raw = helper.ask(pickle.dumps(asked), cancelled=cancelled, patience=PATIENCE) if helper is not None else None
            if raw is None:
                self.close()
            if cancelled() or raw == _PUT_DOWN:
                raise Cancelled
            if raw is not None:
                return _diagnosis(raw)
            self._cannot = is_new  # another had ended for want of work: a new one can
        return None

    def close(self) -> None:
        """End the process."""
        if self._helper is not None:
            self._helper.close()
            self._helper = None

    def _begun(self, cancelled: Callable[[], bool]) -> beside.Helper | None:
        """A process that knows the store."""
        try:
            start = pickle.dumps(portable(self._session))
            helper = beside.Helper(__name__)
        except (OSError, ValueError, TypeError, pickle.PicklingError):
            return None  # no room for one, or a store of a kind that cannot be sent
        if helper.ask(start, cancelled=_for_long(cancelled)) is None:
            helper.close()
            return None
        return helper


def _for_long(cancelled: Callable[[], bool]) -> Callable[[], bool]:
    """Whether nobody waits any more, and has not for longer than a process takes to begin."""
    until: list[float] = []

    def is_over() -> bool:
        if not cancelled():
            until.clear()
        elif not until:
            until.append(time.monotonic() + _START_PATIENCE)
        return bool(until) and time.monotonic() >= until[0]

    return is_over


def _diagnosis(raw: bytes) -> Diagnosis:
    pieces: list[bytes] = pickle.loads(raw)
    faults: list[Finding] = []
    for piece in pieces[1:]:
        faults += pickle.loads(piece)
    return Diagnosis(tuple(faults), *pickle.loads(pieces[0]))


# -- in the other process ---------------------------------------------------------------------------------------------


class _Worker:
    """What the other process knows."""

    def __init__(self) -> None:
        self.doctor: Doctor | None = None

    def answer(self, request: bytes, cancelled: Callable[[], bool]) -> bytes:
        """The answer to a request, of which the first is the store."""
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
            return _PUT_DOWN
        faults = [pickle.dumps(found.faults[at : at + _PIECE]) for at in range(0, len(found.faults), _PIECE)]
        rest = (found.files, found.size, found.problems, found.is_unreadable, found.left, found.left_here)
        return pickle.dumps([pickle.dumps(rest), *faults])


def _is_over(seconds: float) -> bool:
    return seconds > QUIET_SECONDS or is_scarce()


def serve() -> None:
    """Look at the store as often as asked, until nobody has for ten minutes or others need the memory."""
    gc.disable()  # what is made here is kept until it is sent
    beside.give_way()
    beside.serve_stoppable(_Worker().answer, _is_over)


AROUND: Final = 120
"""Lines that are shown on each side of a finding."""


LARGEST: Final = 32 * 1024 * 1024
"""Bytes of a file of which some lines are shown."""

_REACH: Final = 45_000
"""Characters on each side that are looked at for what is cut down: more than the longest private key has."""


class Passage(NamedTuple):
    """Some lines of a file: `text`, beginning at line `start` (from 0), in which the lines `marked` (of the passage) are meant."""

    text: str = ""
    start: int = 0
    marked: range = range(0)


def passage(session: Session, place: Place, last: int = 0) -> Passage:
    """The lines around a place of the store, or of a file beside it. Raises `StoreError`."""
    where = place.path if os.path.isabs(place.path) else session.path(session.ref_at(place.path))
    if (size := files.look(where).size) > LARGEST:
        return Passage(f"With {size} bytes it is too large to be shown here.")
    raw = files.read(where)[0]
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
