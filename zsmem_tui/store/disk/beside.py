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
from typing import Final

CODE: Final = "import sys; sys.path[:] = sys.argv[2:]; import importlib; importlib.import_module(sys.argv[1]).serve()"
"""The code that the process runs. It ignores the environment and the working folder; modules are found by our `sys.path`."""

_NICE: Final = 10
_LOOK_SECONDS: Final = 0.1
"""Seconds between two checks whether an answer is still wanted."""

_REST_SECONDS: Final = 5.0
"""Seconds between two checks whether an idle process is still needed."""

_PIECE: Final = 1024 * 1024
_HEAD: Final = 8
"""Bytes of the length prefix of a message."""

_STOP: Final = bytes(_HEAD)
"""A message of length 0: cancels the current request."""

_MOST: Final = 1 << 30
"""The most bytes of an answer: a longer one is not from our program."""


class Helper:
    """A process that runs the `serve` of a module. To be used by one thread, except `end`."""

    def __init__(self, module: str) -> None:
        """Start the process. Raises `OSError` if that fails."""
        if not sys.executable:
            raise OSError("where Python is, is not known")
        command = [sys.executable, "-I", "-c", CODE, module, *filter(None, sys.path)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, bufsize=0, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True
        )  # unbuffered: a waiting thread would hold the buffer's lock, and this process could not exit

    def ask(self, request: bytes, *, cancelled: Callable[[], bool] | None = None, patience: float = 0.0) -> bytes | None:
        """Send a request and return the answer; None if the process has ended, or was ended because `cancelled()` returned True.

        With `patience`, a process that can be cancelled (`serve_stoppable`) gets that many seconds to answer, and is not ended if
        it does.
        """
        answer: list[bytes] = []
        is_sent = threading.Event()

        def exchange() -> None:
            with suppress(OSError, ValueError):  # a closed pipe
                self._send(len(request).to_bytes(_HEAD, "big") + request)
                is_sent.set()
                answer.append(self._receive())

        worker = threading.Thread(target=exchange, daemon=True)
        worker.start()
        while worker.is_alive():
            worker.join(None if cancelled is None else _LOOK_SECONDS)
            if cancelled is not None and worker.is_alive() and cancelled():
                if patience and is_sent.is_set():
                    with suppress(OSError, ValueError):
                        self._send(_STOP)
                    worker.join(patience)
                if worker.is_alive():
                    self.end()
                    worker.join()
        return answer[0] if answer and answer[0] else None

    def _send(self, raw: bytes) -> None:
        while raw and self._process.stdin is not None:
            raw = raw[os.write(self._process.stdin.fileno(), raw) :]

    def _receive(self) -> bytes:
        """Read an answer; empty if it is incomplete."""
        head = self._read(_HEAD)
        size = int.from_bytes(head, "big")
        raw = self._read(size) if len(head) == _HEAD and size <= _MOST else b""
        return raw if len(raw) == size else b""

    def _read(self, size: int) -> bytes:
        """Read `size` bytes; fewer at the end of the stream."""
        raw, out = bytearray(), self._process.stdout
        while out is not None and len(raw) < size and (piece := os.read(out.fileno(), min(size - len(raw), _PIECE))):
            raw += piece
        return bytes(raw)

    def end(self) -> None:
        """Kill the process; a waiting `ask` returns None. May be called by any thread, repeatedly."""
        self._process.kill()

    def close(self) -> None:
        """Kill the process and wait for it to exit."""
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self._process.wait()


# -- in the other process ---------------------------------------------------------------------------------------------


def give_way() -> None:
    """Lower the priority of this process."""
    with suppress(OSError):
        os.nice(_NICE)


def serve(answer: Callable[[bytes], bytes]) -> None:
    """Answer requests from standard input on standard output, one at a time. Ends when the other process is gone."""
    serve_stoppable(lambda request, _: answer(request))


def serve_stoppable(answer: Callable[[bytes, Callable[[], bool]], bytes], is_over: Callable[[float], bool] | None = None) -> None:
    """Like `serve`, for answers that check from time to time whether they are cancelled, and return soon then.

    Also ends when `is_over` returns True; it is called when idle, with the seconds since the last answer.
    """
    requests: queue.SimpleQueue[tuple[bytes, threading.Event]] = queue.SimpleQueue()
    threading.Thread(target=_read_all, args=(requests,), daemon=True).start()
    while True:
        request, stopped = _next(requests, is_over)
        raw = answer(request, stopped.is_set)
        raw = len(raw).to_bytes(_HEAD, "big") + raw
        while raw:
            raw = raw[os.write(1, raw) :]


def _next(
    requests: queue.SimpleQueue[tuple[bytes, threading.Event]], is_over: Callable[[float], bool] | None
) -> tuple[bytes, threading.Event]:
    since = time.monotonic()
    while True:
        try:
            return requests.get(timeout=None if is_over is None else _REST_SECONDS)
        except queue.Empty:
            if is_over is not None and is_over(time.monotonic() - since):
                os._exit(0)


def _read_all(requests: queue.SimpleQueue[tuple[bytes, threading.Event]]) -> None:
    """Read requests until the pipe is closed, then exit at once, even while one is processed."""
    raw = bytearray()
    stopped = threading.Event()
    while piece := os.read(0, _PIECE):
        raw += piece
        while len(raw) >= _HEAD and len(raw) >= (end := _HEAD + int.from_bytes(raw[:_HEAD], "big")):
            if end == _HEAD:
                stopped.set()
            else:
                stopped = threading.Event()
                requests.put((bytes(raw[_HEAD:end]), stopped))
            del raw[:end]
    os._exit(0)
