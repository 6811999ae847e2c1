"""List the folders of a layout."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from operator import attrgetter
from typing import Final

from zsmem_tui.core.layout import Folder
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.places import is_inside

Mark = tuple[int, int, int, int, int]
"""Stat values of a file: modification time (ns), size, inode, change time (ns), mode."""

_mark: Final[Callable[[os.stat_result], Mark]] = attrgetter("st_mtime_ns", "st_size", "st_ino", "st_ctime_ns", "st_mode")


def expanded(root: str, folders: Iterable[Folder]) -> Iterator[Folder]:
    """Replace each deep folder by itself and all its subfolders, sorted; hidden folders and links to folders are skipped.

    No result is deep.
    """
    for folder in folders:
        yield folder._replace(deep=False) if folder.deep else folder
        if folder.deep:
            home = os.path.join(root, folder.path) if folder.path else root
            own = (name for name in folder_names(root, folder.path) if not os.path.islink(os.path.join(home, name)))
            yield from expanded(root, (folder._replace(path=f"{folder.path}/{name}" if folder.path else name) for name in own))


def first_name(folder: str, begun: str, most: int) -> str:
    """The first of at most so many names in a folder that begins so, a folder's with a slash; empty if there is none."""
    with contextlib.suppress(OSError, ValueError), os.scandir(folder) as found:
        known = (each for each in islice(found, most) if each.name.startswith(begun) and each.name.isprintable())
        for first in sorted(known, key=attrgetter("name"))[:1]:
            return f"{first.name}{'/' if first.is_dir() else ''}"
    return ""


def names(root: str, folder: Folder) -> list[str]:
    """The names of the memory files of one folder, unsorted, without subfolders; empty if it cannot be read."""
    home = os.path.join(root, folder.path) if folder.path else root
    if folder.place is None:
        found = files.list_names(home)
        found = [name for name in found if name in folder.only] if folder.only else found
    else:
        endings = folder.endings or ("",)
        found = [name for name in files.list_all(home) if name.lower().endswith(endings) and folder.holds(name)]
    return _inside(root, home, found) if folder.inside else found


def _inside(root: str, home: str, found: list[str]) -> list[str]:
    """Those of a folder's files that do not lead out of the store; only links are resolved, with one system call per file."""
    if not found or not is_inside(home, root):
        return []
    places = ((name, os.path.join(home, name)) for name in found)
    return [name for name, place in places if not os.path.islink(place) or is_inside(place, root)]


def marks(root: str, folder: Folder) -> list[tuple[str, Mark | None]]:
    """The memory files of one folder with their marks, unsorted, following links; None for one that cannot be examined.

    One system call and no object but the mark per file: 34,500 files are checked before a search.
    """
    home = os.path.join(root, folder.path) if folder.path else root
    found: list[tuple[str, Mark | None]] = []
    look, mark, add, front = os.stat, _mark, found.append, f"{home}/"
    for name in names(root, folder):
        try:
            add((name, mark(look(front + name))))
        except (OSError, ValueError):
            add((name, None))
    return found


def folder_names(root: str, folder: str) -> list[str]:
    """The names of the subfolders, sorted, without hidden ones."""
    home = os.path.join(root, folder) if folder else root
    try:
        with os.scandir(home) as found:
            return sorted(entry.name for entry in found if not entry.name.startswith(".") and entry.is_dir())
    except OSError:
        return []


class DiskHeads:
    """Implements `core.layout.Listing` and `core.tree.Heads` for the folders below `root`."""

    def __init__(self, root: str) -> None:
        self._root = root

    def folders(self, folder: str) -> list[str]:
        """The names of the subfolders."""
        return folder_names(self._root, folder)

    __call__ = folders

    def has(self, folder: str) -> bool:
        """Whether the folder exists."""
        return os.path.isdir(os.path.join(self._root, folder))

    def newest(self, folder: str, ending: str) -> str:
        """The last modified file; of several, the last by name. Links are ignored."""
        newest = (-1, "")
        try:
            with os.scandir(os.path.join(self._root, folder)) as found:
                for entry in found:
                    if entry.name.endswith(ending) and entry.is_file(follow_symlinks=False):
                        with contextlib.suppress(OSError):  # deleted since it was listed
                            newest = max(newest, (entry.stat(follow_symlinks=False).st_mtime_ns, entry.name))
        except OSError:
            return ""
        return newest[1]

    def head(self, path: str, limit: int, enough: Callable[[bytes], bool]) -> bytes:
        """The first bytes of a file."""
        return files.read_head(os.path.join(self._root, path), limit, enough)
