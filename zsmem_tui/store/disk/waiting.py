"""How long a verb waits for others, and how it is given up: one patience that every wait on the way of a write asks.

Whoever starts a verb (a command line, a request, a key) may set a `Patience` for it; a wait that is under way ends with it. What
one step may wait for other programs in all is its `Waits`, which goes with the step's recorder.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple

FOR_OTHERS: Final = 1.5
"""Seconds that one step waits for other programs in all, however many files it writes and however often they are written over."""

AFTER_A_WRITE: Final = 1.0
"""Seconds that a lock is waited for once something of the verb is on disk: the person is waiting for its end by then."""

AFTER_A_FAILURE: Final = 0.1
"""Seconds that a lock is waited for after another one did not come: whoever holds that may hold this one too."""


class Contended(NamedTuple):
    """A file that others were still writing when a verb ended. Lines of the verb's that are not in it, or are again."""

    place: str
    missing: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()

    @property
    def is_kept(self) -> bool:
        """Whether all that was written stands there."""
        return not (self.missing or self.returned)


class Patience:
    """For how long somebody lets a verb wait, also for locks of ours. It may be told to end sooner, from any thread.

    `look` is called while it waits.
    """

    def __init__(self, seconds: float = math.inf, look: Callable[[Patience], object] | None = None) -> None:
        self._look = look
        self._end = self.now() + seconds
        self.for_locks = math.inf
        """Seconds that are waited for a lock."""
        self._has_written = False
        self._has_failed = False
        self.waits_since: float | None = None
        """When the wait began that is under way."""
        self.contended: dict[str, Contended] = {}
        """By place, the files that others were still writing."""

    def now(self) -> float:
        """Seconds on the clock that this goes by."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Do nothing for so many seconds."""
        time.sleep(seconds)

    def end_within(self, seconds: float) -> None:
        """Wait so much longer at most."""
        self._end = min(self._end, self.now() + seconds)

    @property
    def left(self) -> float:
        """Seconds that may still be waited; 0 when it was given up."""
        return max(0.0, self._end - self.now())

    def pause(self, seconds: float) -> None:
        """Wait for so long, or less where less is left."""
        if self._look is not None:
            self._look(self)
        self.sleep(min(seconds, self.left))

    def wrote(self) -> None:
        """Something of the verb is on disk."""
        self._has_written = True

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """While this lasts, somebody is waited for."""
        before = self.waits_since
        self.waits_since = self.now() if before is None else before
        try:
            yield
        finally:
            self.waits_since = before

    def lock_left(self, waited: float) -> float:
        """Seconds that a lock may still be waited for: few once something is written, or one did not come."""
        most = AFTER_A_FAILURE if self._has_failed else AFTER_A_WRITE if self._has_written else self.for_locks
        return max(0.0, min(self.left, most - waited))

    def note(self, place: str, missing: Sequence[bytes] = (), returned: Sequence[bytes] = ()) -> None:
        """Others are still writing the file at `place`: these lines of the verb's are not in it, or are there again."""
        self.contended[place] = Contended(place, _shown(missing), _shown(returned))

    def lock_failed(self) -> None:
        """A lock was waited for in vain: the others of this verb hardly are."""
        self._has_failed = True


_current: ContextVar[Patience | None] = ContextVar("patience", default=None)


def current() -> Patience:
    """The patience of whoever asked for what is done here; one without an end where nobody has set one."""
    return _current.get() or Patience()


@contextmanager
def patient(patience: Patience) -> Iterator[Patience]:
    """Whatever is done meanwhile, also in threads begun here by `asyncio.to_thread`, waits no longer than this."""
    token = _current.set(patience)
    try:
        yield patience
    finally:
        _current.reset(token)


def _shown(lines: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(line.decode("utf-8", "replace").rstrip("\r\n") for line in lines)


class Waits:
    """What is left of the seconds that one step waits for other programs."""

    def __init__(self, seconds: float = FOR_OTHERS) -> None:
        self.patience = current()
        self._left = seconds
        self._until: float | None = None

    @property
    def left(self) -> float:
        """Seconds that may still be waited."""
        left = self._left if self._until is None else self._until - self.patience.now()
        return max(0.0, min(left, self.patience.left))

    def pause(self, seconds: float) -> None:
        """Wait for so long, or less where less is left."""
        self.patience.pause(min(seconds, self.left))

    @contextmanager
    def counted(self) -> Iterator[None]:
        """The time that this takes is waiting, with whatever is done in it."""
        if self._until is not None:
            yield
            return
        self._until = self.patience.now() + self._left
        try:
            with self.patience.waiting():
                yield
        finally:
            self._left = max(0.0, self._until - self.patience.now())
            self._until = None
