"""A helper process of this program, with requests and answers as bytes over pipes.

It is started afresh, not forked, because of the threads here. It ends as soon as this process ends, for whatever reason.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

CODE: Final = "import sys; sys.path[:] = sys.argv[2:]; import importlib; importlib.import_module(sys.argv[1]).serve()"
"""The code that the process runs. It ignores the environment and the working folder; modules are found by our `sys.path`."""

_NICE: Final = 10
_LOOK_SECONDS: Final = 0.1
"""Seconds between two checks whether an answer is still wanted."""

_REST_SECONDS: Final = 5.0
"""Seconds between two checks whether an idle process is still needed."""

_MOST: Final = 1 << 30
"""The most bytes of an answer: a longer one is not from our program."""

_STOP: Final = b""
"""The message that cancels the current request."""


class Helper:
    """A process that runs the `serve` of a module. To be used by one thread, except `end`."""

    def __init__(self, module: str) -> None:
        """Start the process. Raises `OSError` if that fails."""
        if not sys.executable:
            raise OSError("where Python is, is not known")
        from multiprocessing.connection import Pipe  # deferred: 20 ms, only for much work

        command = [sys.executable, "-I", "-c", CODE, module, *filter(None, sys.path)]
        requests, self._requests = Pipe(duplex=False)
        self._answers, answers = Pipe(duplex=False)
        with requests, answers:
            self._process = subprocess.Popen(
                command,
                stdin=requests.fileno(),
                stdout=answers.fileno(),
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    def ask(self, request: bytes, *, cancelled: Callable[[], bool] | None = None, patience: float = 0.0) -> bytes | None:
        """Send a request and return the answer; None if the process has ended, or was ended because `cancelled()` returned True.

        With `patience`, a process that can be cancelled (`serve`) gets that many seconds to answer, and is not ended if
        it does.
        """
        answer: list[bytes] = []
        is_sent = threading.Event()

        def exchange() -> None:
            with suppress(OSError, EOFError):  # a closed pipe
                self._requests.send_bytes(request)
                is_sent.set()
                answer.append(self._answers.recv_bytes(_MOST))

        worker = threading.Thread(target=exchange, daemon=True)
        worker.start()
        while worker.is_alive():
            worker.join(None if cancelled is None else _LOOK_SECONDS)
            if cancelled is not None and worker.is_alive() and cancelled():
                if patience and is_sent.is_set():
                    with suppress(OSError):
                        self._requests.send_bytes(_STOP)
                    worker.join(patience)
                if worker.is_alive():
                    self.end()
                    worker.join()
        return answer[0] if answer and answer[0] else None

    def end(self) -> None:
        """Kill the process; a waiting `ask` returns None. May be called by any thread, repeatedly."""
        self._process.kill()

    def close(self) -> None:
        """Kill the process and wait for it to exit."""
        self._process.kill()
        for each in (self._requests, self._answers):
            with suppress(OSError):
                each.close()
        self._process.wait()


# -- in the other process ---------------------------------------------------------------------------------------------


def serve(answer: Callable[[bytes, Callable[[], bool]], bytes], is_over: Callable[[float], bool] | None = None) -> None:
    """Answer requests from standard input on standard output, one at a time and at a low priority, until the other process is gone.

    An answer may check from time to time whether it is cancelled, and return soon then. `is_over` may end it, too: it is called
    while idle, with the seconds since the last answer.
    """
    from multiprocessing.connection import Connection  # deferred, as above

    with suppress(OSError):
        os.nice(_NICE)
    requests: queue.SimpleQueue[tuple[bytes, threading.Event]] = queue.SimpleQueue()
    threading.Thread(target=_read_all, args=(Connection(0, writable=False), requests), daemon=True).start()
    answers = Connection(1, readable=False)
    since = time.monotonic()
    while True:
        try:
            request, stopped = requests.get(timeout=None if is_over is None else _REST_SECONDS)
        except queue.Empty:
            if is_over is not None and is_over(time.monotonic() - since):
                os._exit(0)
            continue
        answers.send_bytes(answer(request, stopped.is_set))
        since = time.monotonic()


def _read_all(source: Connection, requests: queue.SimpleQueue[tuple[bytes, threading.Event]]) -> None:
    """Read requests until the pipe is closed, then exit at once, even while one is processed."""
    stopped = threading.Event()
    with suppress(OSError, EOFError):
        while True:
            if (request := source.recv_bytes()) == _STOP:
                stopped.set()
            else:
                stopped = threading.Event()
                requests.put((request, stopped))
    os._exit(0)
