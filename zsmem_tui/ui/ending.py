"""The end that always comes: told to stop, or with its terminal gone, the program is gone a few seconds later."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Final

GRACE_SECONDS: Final = 3.0
"""Seconds to keep drafts and restore the terminal. Then the process ends, also out of a write to a terminal that is gone."""

LEAVE_SECONDS: Final = 0.8
"""Seconds that threads have to end once the person has left and the terminal is as it was."""


class Ending:
    """Passes SIGTERM, SIGHUP and the loss of the terminal on to `ask`, and ends the process when that does not lead to an end.

    `ask` gets the number of the signal and may be called from any thread; it says whether there was anybody to ask. A closed
    terminal does not always send SIGHUP: only the process that the terminal belongs to gets one.
    """

    def __init__(self, ask: Callable[[int], bool]) -> None:
        self._ask = ask
        self._told = threading.Event()
        self._code = 0
        self._seconds = GRACE_SECONDS

    def watch(self) -> None:
        """Begin. Call it from the main thread."""
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        for work in (self._watch_terminal, self._see_to_it):  # begun here: while the interpreter ends, no thread can be
            threading.Thread(target=work, name=work.__name__, daemon=True).start()

    def end(self, number: int) -> bool:
        """Ask for the end, and see to it that it comes; False when there was nobody to ask."""
        self.leave(128 + number, GRACE_SECONDS)
        return self._ask(number)

    def leave(self, code: int, seconds: float = LEAVE_SECONDS) -> None:
        """The program is leaving by itself: it is gone so many seconds later, with this exit code."""
        if not self._told.is_set():
            self._code, self._seconds = code, seconds
            self._told.set()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if not self.end(number):
            raise SystemExit(128 + number)  # nothing is on the screen yet

    def _see_to_it(self) -> None:
        """End the process where a thread that waits for a disk or another program would keep it."""
        self._told.wait()
        time.sleep(self._seconds)
        os._exit(self._code)

    def _watch_terminal(self) -> None:
        """Wait until nobody is at the other end of the terminal."""
        if sys.__stdin__ is None:
            return
        watched = select.poll()
        watched.register(sys.__stdin__.fileno(), 0)  # no event but the hang-up, which always counts
        while not self._told.is_set():
            if any(what & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, what in watched.poll(500)):
                self.end(signal.SIGHUP)
