"""Another process of this program that works on a part beside this one: requests and answers of bytes, over pipes.

It is begun afresh, not forked, for there are threads here. It ends at once when this process ends, however that does.
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
"""What the process runs. It takes nothing from the environment or the folder worked in; modules are where ours are."""

_NICE: Final = 10
_LOOK_SECONDS: Final = 0.1
"""Seconds between two looks at whether an answer is still wanted."""

_REST_SECONDS: Final = 5.0
"""Seconds between two looks at whether a process with nothing to do is still needed."""

_PIECE: Final = 1024 * 1024
_HEAD: Final = 8
"""Bytes that say how many follow."""

_STOP: Final = bytes(_HEAD)
"""No request, but that the one before it need not be done to its end."""

_MOST: Final = 1 << 30
"""Bytes of an answer: more are none of ours."""


class Helper:
    """A process that runs the `serve` of a module. For one thread, but for `end`."""

    def __init__(self, module: str) -> None:
        """Begin it. Raises `OSError` where that cannot be."""
        if not sys.executable:
            raise OSError("where Python is, is not known")
        command = [sys.executable, "-I", "-c", CODE, module, *filter(None, sys.path)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, bufsize=0, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True
        )  # with a buffer, whose lock a thread holds that waits, this process could not end

    def ask(self, request: bytes, *, cancelled: Callable[[], bool] | None = None, patience: float = 0.0) -> bytes | None:
        """Its answer; None when there is none, and there will be none any more: also when `cancelled` says so meanwhile.

        With `patience`, one that can be stopped (`serve_stoppable`) has so many seconds to answer then, and goes on to live.
        """
        answer: list[bytes] = []
        is_sent = threading.Event()

        def exchange() -> None:
            with suppress(OSError, ValueError):  # of a pipe that is closed
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
        """An answer; nothing where it does not come to its end."""
        head = self._read(_HEAD)
        size = int.from_bytes(head, "big")
        raw = self._read(size) if len(head) == _HEAD and size <= _MOST else b""
        return raw if len(raw) == size else b""

    def _read(self, size: int) -> bytes:
        """So many bytes; fewer where they end."""
        raw, out = bytearray(), self._process.stdout
        while out is not None and len(raw) < size and (piece := os.read(out.fileno(), min(size - len(raw), _PIECE))):
            raw += piece
        return bytes(raw)

    def end(self) -> None:
        """End it, whatever it does; an `ask` that waits gets None. Any thread may, as often as it likes."""
        self._process.kill()

    def close(self) -> None:
        """End it and take it from the system's list of processes."""
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self._process.wait()


# -- in the other process ---------------------------------------------------------------------------------------------


def give_way() -> None:
    """Let everybody else go first from now on."""
    with suppress(OSError):
        os.nice(_NICE)


def serve(answer: Callable[[bytes], bytes]) -> None:
    """Answer requests on standard input, one after the other, on standard output. Ends when who asks is gone."""
    serve_stoppable(lambda request, _: answer(request))


def serve_stoppable(answer: Callable[[bytes, Callable[[], bool]], bytes], is_over: Callable[[float], bool] | None = None) -> None:
    """The same, for answers that look now and then at whether they are still wanted, and come soon when they are not.

    Ends also when `is_over` says so, which is asked at rest, with the seconds since the last answer.
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
    """Take requests until the other end is closed, and end then, in the middle of whatever is done for one."""
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
