"""Looking at places that may never answer, such as on a network that is away: each gets a budget, and the rest goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

from zsmem_tui.store.disk.folder_walk import BUDGET

Place = TypeVar("Place")
Answer = TypeVar("Answer")

_LOOK: Final = 0.05
"""Seconds between two looks at how far it is."""


def ask_each(
    places: Sequence[Place],
    look: Callable[[Place], Answer],
    *,
    cancelled: Callable[[], bool] = lambda: False,
    budget: float = BUDGET,
) -> tuple[list[tuple[Place, Answer]], list[Place]]:
    """What `look` says of each place, in order, and the places that did not answer within `budget` seconds.

    A thread of its own looks; one that waits for a place that does not answer is left behind, and another goes on. `look` may
    raise nothing.
    """
    return _Asking(places, look).run(cancelled, budget)


class _Asking(Generic[Place, Answer]):
    def __init__(self, places: Sequence[Place], look: Callable[[Place], Answer]) -> None:
        self._places = places
        self._look = look
        self._next = 0
        self._since = time.monotonic()
        self._lock = threading.Lock()
        self._reader: threading.Thread | None = None
        self._found: list[tuple[Place, Answer]] = []

    def run(self, cancelled: Callable[[], bool], budget: float) -> tuple[list[tuple[Place, Answer]], list[Place]]:
        silent: list[Place] = []
        reader = self._start()
        while not cancelled():
            reader.join(_LOOK)
            if not reader.is_alive():
                break
            with self._lock:
                is_stuck = time.monotonic() - self._since > budget and self._next < len(self._places)
                if is_stuck:
                    silent.append(self._places[self._next])
                    self._next += 1
                    self._reader = None
            if is_stuck:
                reader = self._start()
        with self._lock:
            self._reader = None
            return list(self._found), silent

    def _start(self) -> threading.Thread:
        reader = threading.Thread(target=self._read, name="asking places", daemon=True)
        self._reader, self._since = reader, time.monotonic()
        reader.start()
        return reader

    def _read(self) -> None:
        own = threading.current_thread()
        while True:
            with self._lock:
                if self._reader is not own or self._next >= len(self._places):
                    return
                place, self._since = self._places[self._next], time.monotonic()
            answer = self._look(place)
            with self._lock:
                if self._reader is not own:
                    return
                self._found.append((place, answer))
                self._next += 1
