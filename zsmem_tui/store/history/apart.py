"""Catching up with a large store in a process of its own: the program answers keys meanwhile, and the memory goes back.

It is this same history that works there, at a lower priority: what it records is the same, byte for byte. A process that cannot be
begun, or dies, is made up for here. One whose parent dies ends at once, and what it had not finished is done at the next start.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

from zsmem_tui.core.catalog import Catalog, FileEntry, Fingerprint
from zsmem_tui.core.errors import HistoryError
from zsmem_tui.store.history import index
from zsmem_tui.store.history.history import History
from zsmem_tui.store.history.retention import apply_retention

MUCH_FILES: Final = 2_000
MUCH_BYTES: Final = 32 * 1024 * 1024
"""Bytes. Less than that, and than so many files, is recorded before another process has begun."""

CODE: Final = "import sys; sys.path[:] = sys.argv[1:]; from zsmem_tui.store.history.apart import serve; serve()"
"""What the process runs. It takes nothing from the environment or the folder worked in; modules are where ours are."""

_NICE: Final = 10
_LOOK_SECONDS: Final = 0.1
_PIECE: Final = 1024 * 1024
_END: Final = b"\0\0"
_NO_FILE: Final = b"-"


class Bounds(NamedTuple):
    """How many days of versions, and how many bytes of them, are kept; 0: all."""

    days: int = 0
    size: int = 0


def catch_up(history: History, catalog: Catalog, bounds: Bounds, *, cancelled: Callable[[], bool] = lambda: False) -> None:
    """Record what changed while nobody watched, as `History.catch_up` does, and drop what is out of bounds.

    Raises `HistoryError`.
    """
    is_there = not catalog.problem and os.path.isdir(history.root)
    if is_there and _is_much(catalog) and _done_apart(history, catalog, bounds, cancelled):
        return
    if not cancelled():
        history.catch_up(catalog, cancelled=cancelled)
    if not cancelled():
        apply_retention(history, history.now(), *bounds)


def _is_much(catalog: Catalog) -> bool:
    entries = list(index.entries_of(catalog))
    return len(entries) >= MUCH_FILES or sum(each.fingerprint.size for each in entries if each.fingerprint) >= MUCH_BYTES


def _done_apart(history: History, catalog: Catalog, bounds: Bounds, cancelled: Callable[[], bool]) -> bool:
    """Whether another process did it, or was told to stop. Raises `HistoryError` where it could have been done here no better."""
    if not sys.executable:
        return False
    command = [sys.executable, "-I", "-c", CODE, *filter(None, sys.path)]
    told: list[str] | None = None
    pipe = subprocess.PIPE
    with (
        suppress(OSError, ValueError),  # also of a pipe that is closed with a request that nobody read
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True) as process,
    ):
        try:
            told = _asked(process, _request(history, catalog, bounds), cancelled)
        finally:
            process.kill()  # also where this thread is interrupted: nobody works on unwatched
    if told is None:
        return cancelled()
    if told:
        history.problem = told[0]
        raise HistoryError(*told)
    history.is_new, history.problem = False, ""
    return True


def _asked(process: subprocess.Popen[bytes], request: Iterator[bytes], cancelled: Callable[[], bool]) -> list[str] | None:
    """What went wrong, as a sentence and a hint; nothing when all is done, and None when there is no answer."""
    if process.stdin is None or process.stdout is None:
        return None
    try:
        for piece in request:
            process.stdin.write(piece)
        process.stdin.flush()
    except OSError:
        return None
    while not cancelled():
        with suppress(subprocess.TimeoutExpired):
            process.wait(_LOOK_SECONDS)
            return _answer(process.stdout.read()) if process.returncode == 0 else None
    return None


def _request(history: History, catalog: Catalog, bounds: Bounds) -> Iterator[bytes]:
    """What there is to do, a file at a time: to make all of it at once would keep the screen waiting."""
    yield json.dumps([history.root, history.home, history.now(), *bounds]).encode() + b"\0"
    yield from map(_line, index.entries_of(catalog))
    yield b"\0"


def _line(entry: FileEntry) -> bytes:
    found = entry.fingerprint
    return (b"%d %d %d" % found if found else _NO_FILE) + b"\t" + os.fsencode(entry.ref.path) + b"\0"


def _present(lines: list[bytes]) -> index.Present:
    found: dict[str, Fingerprint | None] = {}
    for line in lines:
        numbers, _, path = line.partition(b"\t")
        found[os.fsdecode(path)] = None if numbers == _NO_FILE else Fingerprint(*map(int, numbers.split(b" ")))
    return found


def _answer(raw: bytes) -> list[str] | None:
    try:
        found: Any = json.loads(raw)
    except ValueError:
        return None
    return [str(each) for each in found] if isinstance(found, list) else None


# -- in the other process ---------------------------------------------------------------------------------------------


def serve() -> None:
    """Do what is asked for on standard input, and answer on standard output. Ends when who asked is gone."""
    with suppress(OSError):
        os.nice(_NICE)
    raw = bytearray()
    while not raw.endswith(_END):
        piece = os.read(0, _PIECE)
        if not piece:
            return
        raw += piece
    threading.Thread(target=_end_with_parent, daemon=True).start()
    head, *lines = bytes(raw[: -len(_END)]).split(b"\0")
    root, home, now, *bounds = json.loads(head)
    started = time.monotonic_ns()
    history = History(root, lambda: int(now) + time.monotonic_ns() - started, home)
    told: list[str] = []
    try:
        history.catch_up_with(_present(lines))
        apply_retention(history, history.now(), *Bounds(*bounds))
    except HistoryError as error:
        told = [error.message, error.hint]
    os.write(1, json.dumps(told).encode())


def _end_with_parent() -> None:
    """The other end of standard input is closed when the process that asked ends, however it does.

    No stream of Python's is read: its lock would not let this process end.
    """
    while os.read(0, 1):
        continue
    os._exit(1)
