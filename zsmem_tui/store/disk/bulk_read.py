"""Many files of a folder read with as few calls of the system as there can be."""

from __future__ import annotations

import errno
import os
import stat
from typing import Final

from zsmem_tui.store.disk.files import LARGEST

_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC

_MOSTLY_BYTES: Final = 64 * 1024
"""Bytes that most files have fewer of: those are read at once, others in pieces."""


def open_folder(folder: str) -> int:
    """A handle of a folder; one that nothing can be read with where it cannot be opened."""
    try:
        return os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return -1


def read(folder: int, name: str, size: int = 0) -> bytes:
    """The bytes of an ordinary file of a folder; none when it cannot be read, or is no such file.

    `size` are the bytes that it had when somebody looked, 0 where that is not known: what holds as many is taken to be whole.
    """
    # The inner loop of a first search: nothing is asked of the system that is not needed.
    room = size + 1 if 0 < size <= LARGEST else _MOSTLY_BYTES
    try:
        handle = os.open(name, _FLAGS, dir_fd=folder)
        try:
            raw = os.pread(handle, room, 0)  # what can be read from a place in it is a file, or a device without end
            if len(raw) == size or not (len(raw) == room or (raw and os.pread(handle, 1, len(raw)))):
                return raw
            return _whole(handle)
        finally:
            os.close(handle)
    except (OSError, ValueError):
        return b""


def _whole(handle: int) -> bytes:
    """All of a file that is not as it was said to be. Raises `OSError` for what is no ordinary file, or too large."""
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    if found.st_size > LARGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    pieces: list[bytes] = []
    while piece := os.read(handle, max(found.st_size + 1, _MOSTLY_BYTES)):
        pieces.append(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
