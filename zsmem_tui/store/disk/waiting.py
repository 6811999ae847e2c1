"""Limits on how long a command waits for others, and its cancellation: every wait during a write consults a `Patience`.

Whoever starts a command (command line, request, key) may set a `Patience` for it; a wait in progress ends with it. The total time
that one step may wait for other programs is its `Waits`, which belongs to the step's recorder.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Final, NamedTuple

FOR_OTHERS: Final = 1.5
"""Seconds in all that one step waits for other programs, however many files it writes."""

AFTER_A_WRITE: Final = 1.0
"""Seconds to wait for a lock once the command has written something: the person is waiting for its end by then."""

AFTER_A_FAILURE: Final = 0.1
"""Seconds to wait for a lock after another one was not obtained: its holder may hold this one, too."""


class Contended(NamedTuple):
    """A file that others were still writing when a command ended, with the command's lines that are missing or have returned."""

    place: str
    missing: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()

    @property
    def is_kept(self) -> bool:
        """Whether everything that was written is there."""
        return not (self.missing or self.returned)


class Patience:
    """How long a command may wait, also for our locks. It can be shortened from any thread.

    `look` is called while it waits.
    """

    def __init__(self, seconds: float = math.inf, look: Callable[[Patience], object] | None = None) -> None:
        self._look = look
        self._end = self.now() + seconds
        self.for_locks = math.inf
        """The most seconds to wait for a lock."""
        self._has_written = False
        self._has_failed = False
        self.waits_since: float | None = None
        """The start of the current wait; None if there is none."""
        self.contended: dict[str, Contended] = {}
        """By path, the files that others were still writing."""
        self.far = (0, 0)
        """How many files of the running step are written, and how many there are."""

    def now(self) -> float:
        """The current time of its clock, in seconds."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Sleep for so many seconds."""
        time.sleep(seconds)

    def end_within(self, seconds: float) -> None:
        """Shorten the remaining time to at most so many seconds."""
        self._end = min(self._end, self.now() + seconds)

    @property
    def left(self) -> float:
        """The seconds left; 0 if cancelled."""
        return max(0.0, self._end - self.now())

    def pause(self, seconds: float) -> None:
        """Wait for so many seconds, or less if less is left."""
        if self._look is not None:
            self._look(self)
        self.sleep(min(seconds, self.left))

    def wrote(self) -> None:
        """Note that the command has written something to disk."""
        self._has_written = True

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Mark the block as a wait for others."""
        before = self.waits_since
        self.waits_since = self.now() if before is None else before
        try:
            yield
        finally:
            self.waits_since = before

    def lock_left(self, waited: float) -> float:
        """The seconds left to wait for a lock: few once something is written, or after another lock was not obtained."""
        most = AFTER_A_FAILURE if self._has_failed else AFTER_A_WRITE if self._has_written else self.for_locks
        return max(0.0, min(self.left, most - waited))

    def note(self, place: str, missing: Sequence[bytes] = (), returned: Sequence[bytes] = ()) -> None:
        """Note that others are still writing the file at `place`, with the command's lines that are missing or have returned."""
        self.contended[place] = Contended(place, _shown(missing), _shown(returned))

    def lock_failed(self) -> None:
        """Note that a lock was not obtained, so that waits for others are short."""
        self._has_failed = True


_current: ContextVar[Patience | None] = ContextVar("patience", default=None)


def current() -> Patience:
    """The patience set by the caller; an unlimited one if none is set."""
    return _current.get() or Patience()


@contextmanager
def patient(patience: Patience) -> Iterator[Patience]:
    """Set the patience for the block, including threads started by `asyncio.to_thread`."""
    token = _current.set(patience)
    try:
        yield patience
    finally:
        _current.reset(token)


def _shown(lines: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(line.decode("utf-8", "replace").rstrip("\r\n") for line in lines)


steps: Final[list[Patience]] = []
"""The patience of each step of several files that threads of this process are writing, which says how far it is."""

STUCK: Final = 30.0
"""Seconds without a further file after which the steps are left to the next start."""

_PAUSE: Final = 0.5


def await_steps(sleep: Callable[[float], object]) -> None:
    """Wait until no step of several files is being written, or until none gets on: for a process that is to end."""
    far, stuck = [each.far for each in steps], 0.0
    while steps and stuck < STUCK:
        sleep(_PAUSE)
        before, far = far, [each.far for each in steps]
        stuck = stuck + _PAUSE if far == before else 0.0


@contextmanager
def under_way(patience: Patience) -> Iterator[None]:
    """Mark the block as a step of several files."""
    steps.append(patience)
    try:
        yield
    finally:
        steps.remove(patience)


class Waits:
    """The time left that one step may wait for other programs."""

    def __init__(self, seconds: float = FOR_OTHERS) -> None:
        self.patience = current()
        self._left = seconds
        self._until: float | None = None

    @property
    def left(self) -> float:
        """The seconds left."""
        left = self._left if self._until is None else self._until - self.patience.now()
        return max(0.0, min(left, self.patience.left))

    def pause(self, seconds: float) -> None:
        """Wait for so many seconds, or less if less is left."""
        self.patience.pause(min(seconds, self.left))

    @contextmanager
    def counted(self, *, is_known: bool = True) -> Iterator[None]:
        """Count the duration of the block as waiting; with `is_known` False, it is not known yet whether somebody else writes."""
        if self._until is not None:
            yield
            return
        self._until = self.patience.now() + self._left
        try:
            with self.patience.waiting() if is_known else nullcontext():
                yield
        finally:
            self._left = max(0.0, self._until - self.patience.now())
            self._until = None
