"""The end that always comes: told to stop, or with its terminal gone, the program is gone a few seconds later."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Final

GRACE_SECONDS: Final = 3.0
"""Seconds to keep drafts and restore the terminal. Then the process ends, also out of a write to a terminal that is gone."""


class Ending:
    """Passes SIGTERM, SIGHUP and the loss of the terminal on to `ask`, and ends the process when that does not lead to an end.

    `ask` gets the number of the signal and may be called from any thread; it says whether there was anybody to ask. A closed
    terminal does not always send SIGHUP: only the process that the terminal belongs to gets one.
    """

    def __init__(self, ask: Callable[[int], bool]) -> None:
        self._ask = ask
        self._told = threading.Event()

    def watch(self) -> None:
        """Begin. Call it from the main thread."""
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        threading.Thread(target=self._watch_terminal, name="terminal", daemon=True).start()

    def end(self, number: int) -> bool:
        """Ask for the end, and see to it that it comes; False when there was nobody to ask."""
        if not self._told.is_set():
            self._told.set()
            last = threading.Timer(GRACE_SECONDS, os._exit, (128 + number,))
            last.daemon = True
            last.start()
        return self._ask(number)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if not self.end(number):
            raise SystemExit(128 + number)  # nothing is on the screen yet

    def _watch_terminal(self) -> None:
        """Wait until nobody is at the other end of the terminal."""
        if sys.__stdin__ is None:
            return
        watched = select.poll()
        watched.register(sys.__stdin__.fileno(), 0)  # no event but the hang-up, which always counts
        while not self._told.is_set():
            if any(what & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, what in watched.poll(500)):
                self.end(signal.SIGHUP)
