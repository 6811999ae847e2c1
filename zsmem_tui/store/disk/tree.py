"""A `core.tree.Tree` for folders on disk."""

from __future__ import annotations

import os
import stat
from typing import Final

from zsmem_tui.core.layout import Disk
from zsmem_tui.core.tree import Entry, EntryKind, Wanted, anything
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.folders import stat_of

DISK: Final = Disk(files.text_or_none, files.below)
"""How layouts read files outside their store."""


class DiskTree:
    """The folders and files below `root`. Nothing is cached."""

    def __init__(self, root: str) -> None:
        self.root = root

    def entries(self, folder: str, wanted: Wanted = anything) -> list[Entry]:
        """The entries of a folder; empty if it cannot be read."""
        names = sorted(filter(wanted, files.list_all(self._place(folder))), key=os.fsencode)
        found = [self.entry(f"{folder}/{name}" if folder else name) for name in names]
        return [entry for entry in found if entry is not None]

    def entry(self, path: str) -> Entry | None:
        """The entry at a path; None if there is nothing."""
        place = self._place(path)
        own, name = stat_of(place, follow_symlinks=False), os.path.basename(path)
        if own is None:
            return None
        is_link = stat.S_ISLNK(own.st_mode)
        found = stat_of(place) if is_link else own
        if found is None:
            return Entry(name, EntryKind.NOTHING, is_link)
        return Entry(name, _kind(found.st_mode), is_link, found.st_mtime_ns)

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises `Missing` or `Unreadable`."""
        return files.read(self._place(path))[0]

    def real(self, path: str) -> str:
        """The path with links resolved; relative to the root if it is below it."""
        place, root = os.path.realpath(self._place(path)), os.path.realpath(self.root)
        return place[len(root) :].lstrip("/") if place.startswith(root.rstrip("/") + "/") else place

    def _place(self, path: str) -> str:
        place = os.path.join(self.root, path)
        above = path.startswith("..") and not os.path.isdir(self.root)  # paths beside a missing root have to work, too
        return os.path.normpath(place) if above else place


class ListedTree(DiskTree):
    """A tree that lists each folder once."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self._known: dict[tuple[str, Wanted], list[Entry]] = {}

    def entries(self, folder: str, wanted: Wanted = anything) -> list[Entry]:
        """The entries of a folder when it was first listed."""
        if (folder, wanted) not in self._known:
            self._known[folder, wanted] = super().entries(folder, wanted)
        return self._known[folder, wanted]


class BelowTree(DiskTree):
    """A tree in which the folder `root` appears at the path `below`, and that has nothing else."""

    def __init__(self, root: str, below: str) -> None:
        super().__init__(root)
        self._below = below

    def _place(self, path: str) -> str:
        inside = f"{path}/".startswith(f"{self._below}/")
        return os.path.join(self.root, path[len(self._below) + 1 :]) if inside else os.path.join(self.root, ".nothing", path)


def _kind(mode: int) -> EntryKind:
    if stat.S_ISREG(mode):
        return EntryKind.FILE
    return EntryKind.FOLDER if stat.S_ISDIR(mode) else EntryKind.OTHER
