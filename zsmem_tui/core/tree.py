"""What lies in folders, as rules look at it: a rule asks a `Tree` and opens nothing itself.

The store's `DiskTree` answers from the disk, a test's from a mapping.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple, Protocol


class EntryKind(Enum):
    """What a name in a folder leads to, through any links."""

    FILE = "file"
    FOLDER = "folder"
    OTHER = "other"
    NOTHING = "nothing"
    """A link that leads nowhere."""


class Entry(NamedTuple):
    """One name in a folder."""

    name: str
    kind: EntryKind
    is_link: bool = False
    modified_ns: int = 0


Wanted = Callable[[str], bool]
"""Whether what has a name is asked for."""


def anything(name: str) -> bool:
    """Every name is."""
    return True


class Tree(Protocol):
    """Folders and files, by paths with `/`. A path that does not start with `/` starts at the tree's root."""

    def entries(self, folder: str, wanted: Wanted = anything) -> list[Entry]:
        """What lies in a folder, by the bytes of its names; empty when there is no such folder, or it cannot be read.

        Names that are not `wanted` are not looked at: there may be tens of thousands that are no memory.
        """

    def entry(self, path: str) -> Entry | None:
        """What lies at a path; None when nothing does."""

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises `Missing` or `Unreadable`."""

    def real(self, path: str) -> str:
        """The path without any links on its way, as this tree writes paths."""


class Heads(Protocol):
    """What may be asked of folders that hold much more than memory: names, and the first bytes of one file.

    Paths are relative to the root of a store, with `/`. What cannot be listed or read is empty.
    """

    def folders(self, folder: str) -> list[str]:
        """The names of the folders in a folder, by name; hidden ones are left out."""

    def newest(self, folder: str, ending: str) -> str:
        """The name of the ordinary file in a folder that ends so and was changed last; empty when there is none."""

    def head(self, path: str, limit: int, enough: Callable[[bytes], bool]) -> bytes:
        """The first bytes of a file: as many as are `enough`, `limit` at most."""


def walk(tree: Tree, folder: str, prefix: str = "") -> list[str]:
    """Every file below a folder, relative to it, by the bytes of the paths; links to folders are not entered."""
    found: list[str] = []
    for entry in tree.entries(f"{folder}/{prefix}" if prefix else folder):
        path = f"{prefix}/{entry.name}" if prefix else entry.name
        if entry.kind is EntryKind.FOLDER and not entry.is_link:
            found += walk(tree, folder, path)
        elif entry.kind is not EntryKind.FOLDER:
            found.append(path)
    return found


def read_if_there(tree: Tree, path: str) -> bytes | None:
    """The bytes of a file, None when there is none. Raises `Unreadable`, also for a folder."""
    entry = tree.entry(path)
    return None if entry is None or entry.kind is EntryKind.NOTHING else tree.read(path)
