"""Walk over folders of this machine, within one file system, without ever blocking on one that does not answer."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from zsmem_tui.core.project_folders import Identity
from zsmem_tui.core.slug_hash import START, onwards
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk.deadlines import BUDGET, Asking

MOST_FOLDERS: Final = 200_000
DEEPEST: Final = 8
"""The most levels below a root that are walked."""

_MOST_LEFT_BEHIND: Final = 8
"""The number of blocked threads after which the walk ends: then a whole disk does not answer."""

_SKIPPED: Final = frozenset(
    {"node_modules", "target", "venv", "virtualenv", "env", "site-packages", "__pycache__", "__pypackages__", "bower_components"}
)
"""Folders with thousands of files in which nobody works."""

_ENTERED: Final = ".config"
"""The only hidden folder that is entered."""


class SeenFolder(NamedTuple):
    """A folder found by a walk: its path, the hash of the path as in its slug, and the names of its entries."""

    path: str
    hash: int
    identity: Identity
    names: frozenset[str]


class WalkResult(NamedTuple):
    """The result of a walk: the number of folders read, and sentences about problems."""

    folders: int
    problems: tuple[str, ...]
    is_whole: bool
    """False if it was cancelled or reached a limit."""


Visit = Callable[[SeenFolder], None]
"""Called for each folder, in the worker thread, never concurrently."""


def walk(
    roots: Sequence[str],
    visit: Visit,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int], None] = lambda count: None,
    budget: float = BUDGET,
    most: int = MOST_FOLDERS,
    deepest: int = DEEPEST,
) -> WalkResult:
    """Visit all folders below these roots, including the roots, each folder once.

    Links, other file systems, hidden folders (except `.config`) and folders of dependencies and the like are not entered. Returns
    soon after `cancelled()` returns True, even if the disk blocks.
    """
    return _Walk(roots, visit, most, deepest).run(cancelled, progress, budget)


class _Waiting(NamedTuple):
    path: bytes
    hash: int
    depth: int
    device: int
    """The file system that must not be left; -1 for a root."""


class _Walk:
    """The state of a walk: folders to read, and those already seen."""

    def __init__(self, roots: Sequence[str], visit: Visit, most: int, deepest: int) -> None:
        self._visit = visit
        self._most = most
        self._deepest = deepest
        every = map(os.fsencode, reversed(list(dict.fromkeys(roots))))
        self._waiting = [_Waiting(root, onwards(START, root), 0, -1) for root in every]
        self._mounts = mount_points()
        self._seen: set[tuple[int, int]] = set()
        self._count = 0
        self._left_behind = 0
        self._is_cut = False
        self._problems: list[str] = []

    def run(self, cancelled: Callable[[], bool], progress: Callable[[int], None], budget: float) -> WalkResult:
        """Read until no folder is left."""
        asking = Asking(self._next, lambda place: _read(place), self._visit_read, self._leave)
        is_done = asking.run(cancelled, budget, lambda: progress(self._count))
        progress(self._count)
        return WalkResult(self._count, tuple(self._problems), is_done and not self._is_cut)

    def _next(self) -> _Waiting | None:
        if self._waiting and self._count < self._most:
            return self._waiting.pop()
        if self._waiting:
            self._is_cut = True
            self._problems.append(f"More than {self._most:,} folders: the rest was not looked at.")
        return None

    def _leave(self, place: _Waiting) -> bool:
        self._problems.append(f"{printable_path(os.fsdecode(place.path))} does not answer: it was left out.")
        self._left_behind += 1
        if self._left_behind >= _MOST_LEFT_BEHIND:
            self._problems.append("Too much does not answer: the rest was not looked at.")
        return self._left_behind < _MOST_LEFT_BEHIND

    def _visit_read(self, place: _Waiting, found: _Read) -> None:
        """Visit a folder that was read, and queue its subfolders."""
        if found.problem:
            if place.depth == 0:
                self._problems.append(found.problem)
            return
        key = (found.device, found.inode)
        if key in self._seen or place.device not in (-1, found.device):
            return
        self._seen.add(key)
        self._count += 1
        names = frozenset(map(os.fsdecode, found.names))
        self._visit(SeenFolder(os.fsdecode(place.path), place.hash, Identity(*key), names))
        if place.depth >= self._deepest:
            return
        start, prefix = (place.hash, place.path) if place.path == b"/" else (onwards(place.hash, b"/"), place.path + b"/")
        for name in found.folders:
            path = prefix + name
            if path not in self._mounts:
                self._waiting.append(_Waiting(path, onwards(start, name), place.depth + 1, found.device))


class _Read(NamedTuple):
    names: list[bytes]
    folders: list[bytes]
    device: int = 0
    inode: int = 0
    problem: str = ""


def _read(place: _Waiting) -> _Read:
    """List a folder. All calls that may block are here."""
    names: list[bytes] = []
    folders: list[bytes] = []
    try:
        own = os.stat(place.path, follow_symlinks=place.depth == 0)
        if not stat.S_ISDIR(own.st_mode):
            return _Read([], [], problem=f"{printable_path(os.fsdecode(place.path))} is no folder.")
        if place.device not in (-1, own.st_dev):
            return _Read([], [], own.st_dev, own.st_ino)
        with os.scandir(place.path) as found:
            for entry in found:
                names.append(entry.name)
                if entry.is_dir(follow_symlinks=False) and enters(os.fsdecode(entry.name)):
                    folders.append(entry.name)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        return _Read([], [], problem=f"{printable_path(os.fsdecode(place.path))}: {why}")
    return _Read(names, sorted(folders, reverse=True), own.st_dev, own.st_ino)


def enters(name: str) -> bool:
    """Whether a walk enters a folder with this name."""
    if name.startswith("."):
        return name == _ENTERED
    return name not in _SKIPPED and not name.endswith(("-venv", "_venv", ".venv", "venv3"))


def mount_points() -> frozenset[bytes]:
    """The mount points (other file systems, and bind mounts), as far as the system tells."""
    try:
        with open("/proc/self/mountinfo", "rb") as stream:
            fields = [line.split(b" ") for line in stream]
    except OSError:
        return frozenset()
    return frozenset(_unescaped(each[4]) for each in fields if len(each) > 4)


def _unescaped(raw: bytes) -> bytes:
    """Decode a path in mountinfo, which has blanks and the like as octal escapes."""
    first, *rest = raw.split(b"\\")
    return first + b"".join(bytes([int(each[:3], 8)]) + each[3:] if each[:3].isdigit() else b"\\" + each for each in rest)
