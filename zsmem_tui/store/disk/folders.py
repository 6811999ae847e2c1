"""Create, list, remove and sync folders."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

_CANNOT_SYNC: Final = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM, errno.EBADF})


def make_folders(folder: str) -> None:
    """Create a folder and its parents, and sync them. Raises `OSError` or `ValueError`."""
    if os.path.isdir(folder):
        return
    missing = [folder]
    while not os.path.isdir(parent := os.path.dirname(missing[-1])) and parent != missing[-1]:
        missing.append(parent)
    os.makedirs(folder, exist_ok=True)
    for made in missing:
        sync_folder(os.path.dirname(made) or os.curdir)


def make_private(folder: str) -> None:
    """Create a folder and its missing parents, accessible to the owner only. Raises `OSError`."""
    above = os.path.dirname(folder)
    if above != folder and above and not os.path.isdir(above):
        make_private(above)  # `os.makedirs` would make the parents readable by all
    os.makedirs(folder, mode=0o700, exist_ok=True)


def every_file(folder: str, enters: Callable[[str], bool] = lambda name: True) -> Iterator[str]:
    """The relative paths of everything in a folder except folders, recursively, sorted; `enters` filters subfolders.

    Links to folders are not followed. Folders that cannot be listed are skipped.
    """
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if enters(name))
        for name in sorted(names):
            yield os.path.relpath(os.path.join(place, name), folder)


class Inside(NamedTuple):
    """The content of a folder, as sorted relative paths: regular files, folders, and others such as links."""

    files: tuple[str, ...]
    folders: tuple[str, ...]
    others: tuple[str, ...]


def inside(folder: str) -> Inside:
    """List a folder recursively; empty if it does not exist. Raises `OSError` if a part of it cannot be listed."""
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
    """Remove those of these folders (relative to `root`) that are empty, deepest first; return the removed ones."""
    gone = []
    places = {os.path.normpath(os.path.join(root, folder)): folder for folder in folders}
    for place in sorted(places, key=len, reverse=True):
        with contextlib.suppress(OSError):
            os.rmdir(place)
            gone.append(places[place])
    return gone


def stat_of(place: str, *, follow_symlinks: bool = True) -> os.stat_result | None:
    """The stat values at a path; None if there are none."""
    try:
        return os.stat(place) if follow_symlinks else os.lstat(place)
    except (OSError, ValueError):
        return None


def delete_if_possible(place: str) -> None:
    """Delete a file; if that fails, it stays."""
    with contextlib.suppress(OSError):
        os.unlink(place)


def mode_of(place: str) -> int:
    """The permission bits of a file; 0 if it does not exist."""
    found = stat_of(place)
    return found.st_mode & 0o777 if found else 0


def common_mode(folder: str) -> int:
    """The permission bits that all files in a folder have; 0 if there are none, or they differ."""
    try:
        with os.scandir(folder) as found:
            modes = {mode_of(each.path) for each in found if each.is_file(follow_symlinks=False)}
    except OSError:
        return 0
    return modes.pop() if len(modes) == 1 else 0


def sync_folder(folder: str) -> None:
    """Sync a folder's entries to disk, if the file system supports it. Raises `OSError`."""
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
