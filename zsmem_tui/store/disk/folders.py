"""Folders that a write needs: made, and made to last."""

from __future__ import annotations

import errno
import os
from typing import Final

_CANNOT_SYNC: Final = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM, errno.EBADF})


def make_folders(folder: str) -> None:
    """Make a folder and those above it, durably. Raises `OSError` or `ValueError`."""
    if os.path.isdir(folder):
        return
    missing = [folder]
    while not os.path.isdir(parent := os.path.dirname(missing[-1])) and parent != missing[-1]:
        missing.append(parent)
    os.makedirs(folder, exist_ok=True)
    for made in missing:
        sync_folder(os.path.dirname(made))


def sync_folder(folder: str) -> None:
    """Make the names in a folder durable, where the file system can. Raises `OSError`."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise
    finally:
        os.close(handle)
