"""The doctor of a large store in a process of its own: keys never wait for it, and its memory goes back to the system with it.

It finds the same as in this process, for it is the same `Doctor`. Where it cannot be begun, or dies, who asks looks for itself.
"""

from __future__ import annotations

import gc
import pickle
import time
from collections.abc import Callable
from datetime import date
from typing import Final, NamedTuple

from zsmem_tui.core.checks.finding import Finding
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.service.doctor import Diagnosis, Doctor
from zsmem_tui.service.session import Portable, Session, portable
from zsmem_tui.store.disk import beside
from zsmem_tui.store.disk.memory import is_scarce
from zsmem_tui.store.text_cache import QUIET_SECONDS

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
    files, size, problems, is_unreadable, left = pickle.loads(pieces[0])
    return Diagnosis(tuple(faults), files, size, problems, is_unreadable, left)


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
        return pickle.dumps([pickle.dumps((found.files, found.size, found.problems, found.is_unreadable, found.left)), *faults])


def _is_over(seconds: float) -> bool:
    return seconds > QUIET_SECONDS or is_scarce()


def serve() -> None:
    """Look at the store as often as asked, until nobody has for ten minutes or others need the memory."""
    gc.disable()  # what is made here is kept until it is sent
    beside.give_way()
    beside.serve_stoppable(_Worker().answer, _is_over)
