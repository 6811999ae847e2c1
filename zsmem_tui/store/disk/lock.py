"""A lock that allows one writer at a time among our own processes and threads.

It is an advisory lock on the store's root folder: it needs no file, and the system releases it when a process dies. Agents do not
know it; the write path handles their concurrent writes.
"""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Final

from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import waiting
from zsmem_tui.store.disk.files import failing

WAIT_SECONDS: Final = 30.0
"""Seconds after which a writer gives up: far longer than any of our writes takes."""

_SHORTEST_PAUSE: Final = 0.0005
_LONGEST_PAUSE: Final = 0.02
_UNSUPPORTED: Final = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL, errno.EBADF, errno.ENOSYS})


class _Held(threading.local):
    """The stores locked by this thread."""

    def __init__(self) -> None:
        self.roots: set[str] = set()


_held = _Held()
_held_here: Final[set[str]] = set()
"""The stores locked by any thread of this process."""


@contextmanager
def writer(root: str, *, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the write lock of the store at `root` (an existing folder). Reentrant in the same thread.

    Raises `WriteFailed` if the folder cannot be opened, or if another of our processes holds the lock for more than `wait` seconds
    or the caller's patience. On a file system without locks (some network shares), no lock is taken.
    """
    if root in _held.roots:
        yield
        return
    with failing(root):
        handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _take(handle, root, wait)
        _held.roots.add(root)
        _held_here.add(root)
        try:
            yield
        finally:
            _held.roots.discard(root)
            _held_here.discard(root)
    finally:
        os.close(handle)


def _take(handle: int, root: str, wait: float) -> None:
    if _is_free(handle):
        return
    patience = waiting.current()
    begun, pause = patience.now(), _SHORTEST_PAUSE
    with nullcontext() if root in _held_here else patience.waiting():  # our own work is no other program
        while not _is_free(handle):
            waited = patience.now() - begun
            if waited >= wait or not patience.lock_left(waited):
                patience.lock_failed()
                raise WriteFailed(
                    root,
                    f"{printable_path(root)}: another zsmem is writing, {waited:.1f} seconds or longer. Nothing was written.",
                    "Find it with `pgrep -af zsmem`, then try again.",
                )
            patience.pause(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)


def _is_free(handle: int) -> bool:
    """Try to take the lock; True if taken, or if locks are not supported."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno in _UNSUPPORTED
    return True


def hold(place: str) -> int:
    """Create a file and hold it locked until the descriptor is closed or the process dies. Raises `OSError`."""
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            os.close(handle)
            raise
    return handle


def is_held(place: str) -> bool | None:
    """Whether a process holds a file created by `hold`; None if locks are not supported."""
    try:
        handle = os.open(place, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)  # shared, so that two checks at once do not block each other
    except OSError as error:
        return None if error.errno in _UNSUPPORTED else True
    finally:
        os.close(handle)
    return False
