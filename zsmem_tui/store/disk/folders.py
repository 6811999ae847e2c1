"""Folders that a write needs: made, and made to last."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

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
    """Make a folder of ours, and those above it that are not there, for its owner alone. Raises `OSError`."""
    above = os.path.dirname(folder)
    if above != folder and above and not os.path.isdir(above):
        make_private(above)  # `os.makedirs` makes them readable by all
    os.makedirs(folder, mode=0o700, exist_ok=True)


def every_file(folder: str, enters: Callable[[str], bool] = lambda name: True) -> Iterator[str]:
    """The path of everything below a folder that is no folder, relative to it, by name; `enters` says which folders count.

    Links to folders are not followed. What cannot be listed is passed over.
    """
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if enters(name))
        for name in sorted(names):
            yield os.path.relpath(os.path.join(place, name), folder)


class Inside(NamedTuple):
    """What lies below a folder, as paths relative to it, by name: ordinary files, folders, and what is neither, such as links."""

    files: tuple[str, ...]
    folders: tuple[str, ...]
    others: tuple[str, ...]


def inside(folder: str) -> Inside:
    """What lies below a folder; nothing where there is none. Raises `OSError` when some of it cannot be listed."""
    found: tuple[list[str], list[str], list[str]] = ([], [], [])

    def fail(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            raise error

    for place, folders, names in os.walk(folder, onerror=fail):
        for name in sorted([*folders, *names]):
            path = os.path.join(place, name)
            own = os.path.relpath(path, folder)
            if os.path.islink(path) or not (os.path.isfile(path) or os.path.isdir(path)):
                found[2].append(own)
            else:
                found[1 if os.path.isdir(path) else 0].append(own)
    return Inside(*map(tuple, found))


def remove_empty(root: str, folders: Iterable[str]) -> list[str]:
    """Remove these folders where they are empty, the deepest first: those that are gone. Their paths are relative to `root`."""
    gone = []
    places = {os.path.normpath(os.path.join(root, folder)): folder for folder in folders}
    for place in sorted(places, key=len, reverse=True):
        with contextlib.suppress(OSError):
            os.rmdir(place)
            gone.append(places[place])
    return gone


def mode_of(place: str) -> int:
    """The permission bits of a file; 0 where there is none."""
    try:
        return os.stat(place).st_mode & 0o777
    except OSError:
        return 0


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
