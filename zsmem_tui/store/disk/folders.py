"""Folders that a write needs: made, and made to last."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
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


def make_private(folder: str) -> None:
    """Make a folder of ours, and those above it, for its owner alone. Raises `OSError`."""
    os.makedirs(folder, mode=0o700, exist_ok=True)


def every_file(folder: str, enters: Callable[[str], bool] = lambda name: True) -> Iterator[str]:
    """The path of everything below a folder that is no folder, relative to it, by name; `enters` says which folders count.

    Links to folders are not followed. What cannot be listed is passed over.
    """
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if enters(name))
        for name in sorted(names):
            yield os.path.relpath(os.path.join(place, name), folder)


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
