"""JSON-RPC over standard input and output, one JSON object per line in UTF-8.

No input can end the server, and nothing but JSON-RPC is written to the output. There are no threads: input is checked between two
pieces of work, which is how a request can be cancelled.
"""

from __future__ import annotations

import io
import json
import math
import os
import select
from collections import deque
from collections.abc import Callable
from typing import Any, BinaryIO, Final, NamedTuple

from zsmem_tui.core.errors import ConfigError, MemError, OutputFailed, Unreadable

LONGEST_LINE: Final = 10 * 1024 * 1024
"""In bytes. A longer line is refused and skipped; a memory write has at most 64 KiB."""

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
UNKNOWN_METHOD: Final = -32601
BAD_PARAMETERS: Final = -32602
INTERNAL_ERROR: Final = -32603

_LOOK_SECONDS: Final = 5.0
"""Seconds between checks whether the agent that started the server still exists."""

_PIECE: Final = 256 * 1024
_MOST_QUEUED: Final = 1_000
"""Maximum number of queued requests; more are left unread."""

Id = str | int | float
Params = dict[str, Any]


class RpcError(MemError):
    """An error answer of the protocol, with optional `data`."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class Message(NamedTuple):
    """A request, or a notification if `id` is None."""

    id: Id | None
    method: str
    params: Params


class _Refused(NamedTuple):
    """A line that is not a request, with the error to answer; `id` is None if it could not be read."""

    id: Id | None
    error: RpcError


class Source:
    """An input stream: here, a file descriptor."""

    def __init__(self, raw: io.FileIO) -> None:
        self._raw = raw

    def wait(self, seconds: float) -> bool:
        """Whether there is input, or the end, within this time."""
        return bool(select.select([self._raw], [], [], seconds)[0])

    def read(self) -> bytes:
        """Return what has arrived, without waiting; empty at the end."""
        try:
            return self._raw.read(_PIECE) or b""
        except OSError as error:
            raise Unreadable("", f"Standard input could not be read: {error.strerror}. zsmem stopped.") from error


class Lines:
    """Splits a byte stream into lines. A line that is too long is reported once as None and skipped."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._parts: list[bytes] = []
        self._size = 0
        self._passes_over = False

    def feed(self, piece: bytes) -> list[bytes | None]:
        """Add bytes; return the lines that are complete now."""
        found: list[bytes | None] = []
        start = 0
        while True:
            end = piece.find(b"\n", start)
            part = piece[start:] if end < 0 else piece[start:end]
            if not self._passes_over:
                self._parts.append(part)
                self._size += len(part)
            if self._size > self._longest:
                self._parts, self._size, self._passes_over = [], 0, True
                found.append(None)
            if end < 0:
                return found
            if not self._passes_over:
                found.append(b"".join(self._parts))
            self._parts, self._size, self._passes_over = [], 0, False
            start = end + 1

    def rest(self) -> bytes:
        """The incomplete last line."""
        return b"".join(self._parts)


class Wire:
    """Reads requests and writes answers. `parent` returns the parent process id; if it changes, the agent is gone."""

    def __init__(self, source: Source, sink: BinaryIO, parent: Callable[[], int] = os.getppid) -> None:
        self._source = source
        self._sink = sink
        self._lines = Lines()
        self._queue: deque[Message] = deque()
        self._current: Message | None = None
        self._called_off = False
        self.has_ended = False
        """Whether the input has ended."""
        self._parent = parent
        self._started_by = parent()

    def next(self) -> Message | None:
        """Wait for the next request; None if the input has ended or the agent is gone."""
        self._current, self._called_off = None, False
        while self._parent() == self._started_by:
            if self._queue:
                self._current = self._queue.popleft()
                return self._current
            if self.has_ended:
                return None
            self._read_input(_LOOK_SECONDS)
        return None

    def is_called_off(self) -> bool:
        """Whether the client has cancelled the current request or is gone; reads pending input."""
        while not (self.has_ended or self._called_off) and len(self._queue) < _MOST_QUEUED and self._read_input(0):
            pass
        return self._called_off or self._parent() != self._started_by

    def pull(self, is_meant: Callable[[Message], bool]) -> Message | None:
        """Remove and return the first such queued request, or None."""
        found = next(filter(is_meant, self._queue), None)
        if found is not None:
            self._queue.remove(found)
        return found

    def answer(self, id: Id | None, result: Params) -> None:
        """Send the result of a request."""
        self._send({"jsonrpc": "2.0", "id": id, "result": result})

    def refuse(self, id: Id | None, error: RpcError) -> None:
        """Send an error for a request, or for a line that is none."""
        about: Params = {"code": error.code, "message": error.message}
        if error.data is not None:
            about["data"] = error.data
        self._send({"jsonrpc": "2.0", "id": id, "error": about})

    def notify(self, method: str, params: Params) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _read_input(self, seconds: float) -> bool:
        """Wait up to this many seconds for input and process it; whether there was any."""
        if not self._source.wait(seconds):
            return False
        piece = self._source.read()
        lines = self._lines.feed(piece)
        if not piece:
            self.has_ended = True
            lines = [self._lines.rest()]
        for line in lines:
            match parsed(line):
                case _Refused() as refused:
                    self.refuse(refused.id, refused.error)
                case Message(id=None, method="notifications/cancelled") as told:
                    self._call_off(told.params.get("requestId"))
                case Message(id=None):  # other notifications are ignored
                    pass
                case Message() as request:
                    self._queue.append(request)
                case None:
                    pass
        return bool(piece)

    def _call_off(self, id: object) -> None:
        if self._current is not None and _is_same(self._current.id, id):
            self._called_off = True
        else:
            self.pull(lambda each: _is_same(each.id, id))

    def _send(self, message: Params) -> None:
        try:
            raw = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        except UnicodeEncodeError:  # a lone surrogate from the client, for instance in an id
            raw = json.dumps(message, allow_nan=False, separators=(",", ":")).encode()
        try:
            self._sink.write(raw + b"\n")
            self._sink.flush()
        except (BrokenPipeError, ConnectionResetError):
            self.has_ended = True
            self._queue.clear()
        except OSError as error:
            raise OutputFailed(f"The answer could not be sent: {error.strerror}. zsmem stopped.") from error


def parsed(line: bytes | None) -> Message | _Refused | None:
    """Parse a line; None for an empty line or a response. `line` is None if it was too long."""
    if line is None:
        return _Refused(None, RpcError(INVALID_REQUEST, f"A line may have {LONGEST_LINE:,} bytes. This one was not read."))
    if not line.strip():
        return None
    try:
        found = _decode(line.decode())
    except (ValueError, RecursionError):
        return _Refused(None, RpcError(PARSE_ERROR, "This line is not JSON in UTF-8. Nothing was done."))
    if isinstance(found, list):
        return _Refused(None, RpcError(INVALID_REQUEST, "Several requests in one line are not served: send one a line."))
    if not isinstance(found, dict):
        return _Refused(None, RpcError(INVALID_REQUEST, "A request is a JSON object. Nothing was done."))
    id, method, params = found.get("id"), found.get("method"), found.get("params")
    params = {} if params is None else params
    if "method" not in found and ("result" in found or "error" in found):
        return None
    if id is not None and (isinstance(id, bool) or not isinstance(id, str | int | float)):
        return _Refused(None, RpcError(INVALID_REQUEST, "An id is a text or a number. Nothing was done."))
    if found.get("jsonrpc") != "2.0" or not isinstance(method, str) or ("id" in found and id is None):
        return _Refused(id, RpcError(INVALID_REQUEST, 'A request has "jsonrpc": "2.0", an id and a method. Nothing was done.'))
    if not isinstance(params, dict):
        if id is None:
            return None
        return _Refused(id, RpcError(BAD_PARAMETERS, "params must be a JSON object. Nothing was done."))
    return Message(id, method, params)


def on_standard_streams() -> Wire:
    """Make the wire on standard input and output, and redirect all other output to standard error.

    Raises `ConfigError` if one of them is closed.
    """
    try:
        source = io.FileIO(os.dup(0))
        sink = os.dup(1)
    except OSError as error:
        raise ConfigError(
            "An agent talks to this over standard input and output, and one is closed. Nothing was served."
        ) from error
    os.set_blocking(source.fileno(), True)
    os.set_blocking(sink, True)
    try:
        os.dup2(2, 1)
    except OSError:  # there is no standard error
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return Wire(Source(source), io.BufferedWriter(io.FileIO(sink, "wb")))


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number that JSON can say again")
    return number


def _is_same(id: Id | None, other: object) -> bool:
    """Whether two ids are equal; a string never equals a number."""
    return isinstance(other, str) == isinstance(id, str) and id == other and not isinstance(other, bool)


_decode: Final = json.JSONDecoder(parse_float=_finite, parse_constant=_finite).decode
