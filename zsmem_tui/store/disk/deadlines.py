"""Examine paths that may never answer, such as on an unreachable network: each has a time limit, and the rest goes on.

A thread blocked in a system call cannot be stopped. So a worker thread does the calls; if it exceeds the time limit it is
abandoned, and a new one goes on with the rest.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

Place = TypeVar("Place")
Answer = TypeVar("Answer")

BUDGET: Final = 2.0
"""Seconds that one path may take."""

_LOOK: Final = 0.05
"""Seconds between two checks of the progress."""


def ask_each(
    places: Sequence[Place],
    look: Callable[[Place], Answer],
    *,
    cancelled: Callable[[], bool] = lambda: False,
    budget: float = BUDGET,
) -> tuple[list[tuple[Place, Answer]], list[Place]]:
    """Return (place, result of `look`) in order, and the places that did not answer within `budget` seconds.

    `look` must not raise.
    """
    found: list[tuple[Place, Answer]] = []
    silent: list[Place] = []
    left = iter(places)

    def leave(place: Place) -> bool:
        silent.append(place)
        return True

    Asking(lambda: next(left, None), look, lambda place, answer: found.append((place, answer)), leave).run(cancelled, budget)
    return found, silent


class Asking(Generic[Place, Answer]):
    """Examines places one after another in a worker thread; `leave` is called for one that is silent, and returns whether to go on.

    `take` returns the next place, None at the end. `take` and `put` are called in the worker thread, never concurrently.
    """

    def __init__(
        self,
        take: Callable[[], Place | None],
        look: Callable[[Place], Answer],
        put: Callable[[Place, Answer], object],
        leave: Callable[[Place], bool],
    ) -> None:
        self._take, self._look, self._put, self._leave = take, look, put, leave
        self._lock = threading.Lock()
        self._reader: threading.Thread | None = None
        self._at: Place | None = None
        self._since = 0.0

    def run(self, cancelled: Callable[[], bool], budget: float, progress: Callable[[], object] = lambda: None) -> bool:
        """Run until no place is left; False if cancelled or given up. After the return, `put` is not called any more."""
        try:
            reader = self._start()
            while reader.is_alive():
                reader.join(_LOOK)
                progress()
                if cancelled():
                    return False
                with self._lock:
                    late = self._at if time.monotonic() - self._since > budget else None
                    if late is not None:
                        self._reader = None
                if late is not None:
                    if not self._leave(late):
                        return False
                    reader = self._start()
            return True
        finally:
            with self._lock:
                self._reader = None

    def _start(self) -> threading.Thread:
        reader = threading.Thread(target=self._read, name="asking places", daemon=True)
        with self._lock:
            self._reader, self._at = reader, None
        reader.start()
        return reader

    def _read(self) -> None:
        own = threading.current_thread()
        while True:
            with self._lock:
                if self._reader is not own:
                    return
                place = self._at = self._take()
                self._since = time.monotonic()
            if place is None:
                return
            answer = self._look(place)
            with self._lock:
                if self._reader is not own:
                    return  # too late: another thread has taken over
                self._at = None
                self._put(place, answer)
