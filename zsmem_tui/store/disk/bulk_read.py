"""Read many files of a folder with as few system calls as possible."""

from __future__ import annotations

import errno
import os
import stat
from typing import Final

from zsmem_tui.store.disk.files import LARGEST

_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC

_MOSTLY_BYTES: Final = 64 * 1024
"""Most files have fewer bytes: those are read in one call, larger ones in pieces."""


def open_folder(folder: str) -> int:
    """A file descriptor of a folder; -1 if it cannot be opened."""
    try:
        return os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return -1


def read(folder: int, name: str, size: int = 0) -> bytes:
    """The bytes of a regular file in a folder; empty if it cannot be read or is none.

    `size` is its size according to stat, 0 if unknown: if that many bytes are read, no check for more is made.
    """
    # The inner loop of a first search: no unnecessary system calls.
    room = size + 1 if 0 < size <= LARGEST else _MOSTLY_BYTES
    try:
        handle = os.open(name, _FLAGS, dir_fd=folder)
        try:
            raw = os.pread(handle, room, 0)  # pread works only on files, and on endless devices
            if len(raw) == size or not (len(raw) == room or (raw and os.pread(handle, 1, len(raw)))):
                return raw
            return _whole(handle)
        finally:
            os.close(handle)
    except (OSError, ValueError):
        return b""


def _whole(handle: int) -> bytes:
    """All of a file whose size was not as expected. Raises `OSError` if it is not a regular file, or too large."""
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    if found.st_size > LARGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    pieces: list[bytes] = []
    while piece := os.read(handle, max(found.st_size + 1, _MOSTLY_BYTES)):
        pieces.append(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
