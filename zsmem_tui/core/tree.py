"""The interface through which rules look at folders and files: they ask a `Tree` and open nothing themselves.

The store's `DiskTree` reads the disk, tests use a mapping.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple, Protocol


class EntryKind(Enum):
    """What a directory entry is, after following links."""

    FILE = "file"
    FOLDER = "folder"
    OTHER = "other"
    NOTHING = "nothing"
    """A broken link."""


class Entry(NamedTuple):
    """One directory entry."""

    name: str
    kind: EntryKind
    is_link: bool = False
    modified_ns: int = 0


Wanted = Callable[[str], bool]
"""A filter on names."""


def anything(name: str) -> bool:
    """Accept every name."""
    return True


class Tree(Protocol):
    """Access to folders and files, by paths with `/`. A relative path starts at the tree's root."""

    def entries(self, folder: str, wanted: Wanted = anything) -> list[Entry]:
        """The entries of a folder, sorted by the bytes of their names; empty if it does not exist or cannot be read.

        Names that are not `wanted` are not examined: there may be tens of thousands of other files.
        """

    def entry(self, path: str) -> Entry | None:
        """The entry at a path; None if there is nothing."""

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises `Missing` or `Unreadable`."""

    def real(self, path: str) -> str:
        """The path with all links resolved, in the form this tree uses."""


class Heads(Protocol):
    """Limited access to folders that hold much more than memory: names, and the first bytes of a file.

    Paths are relative to the root of a store, with `/`. Results are empty for anything that cannot be listed or read.
    """

    def folders(self, folder: str) -> list[str]:
        """The names of the subfolders, sorted, without hidden ones."""

    def newest(self, folder: str, ending: str) -> str:
        """The name of the last modified regular file in a folder whose name ends in `ending`; empty if there is none."""

    def head(self, path: str, limit: int, enough: Callable[[bytes], bool]) -> bytes:
        """The first bytes of a file, until `enough` returns True, at most `limit`."""


def walk(tree: Tree, folder: str, prefix: str = "", *, ordinary: bool = False) -> list[str]:
    """All files below a folder, as relative paths sorted by bytes; links to folders are not followed.

    With `ordinary`, without pipes and the like, and without links that lead to no file.
    """
    found: list[str] = []
    for entry in tree.entries(f"{folder}/{prefix}" if prefix else folder):
        path = f"{prefix}/{entry.name}" if prefix else entry.name
        if entry.kind is EntryKind.FOLDER and not entry.is_link:
            found += walk(tree, folder, path, ordinary=ordinary)
        elif entry.kind is EntryKind.FILE or (not ordinary and entry.kind is not EntryKind.FOLDER):
            found.append(path)
    return found


def read_if_there(tree: Tree, path: str) -> bytes | None:
    """The bytes of a file; None if it does not exist. Raises `Unreadable`, also for a folder."""
    entry = tree.entry(path)
    return None if entry is None or entry.kind is EntryKind.NOTHING else tree.read(path)
