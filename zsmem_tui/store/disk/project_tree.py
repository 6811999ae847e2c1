"""List the files of a project's own folder; folders excluded by its ignore files are not entered.

A folder is listed again only if its stat values have changed: checking an unchanged one costs one system call per folder and one
per ignore file.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from zsmem_tui.core.catalog import SETTLED_NS
from zsmem_tui.core.checks.around import Tree, tree
from zsmem_tui.core.ignore_rules import Rule, is_ignored, parse
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.folders import stat_of

IGNORE_FILE: Final = ".gitignore"

MOST_ENTRIES: Final = 200_000
"""The number of entries above which a folder is too large to be listed completely."""


class _Evidence(NamedTuple):
    """The stat values of a folder or file when it was read."""

    device: int
    inode: int
    modified: int
    changed: int
    size: int


class _Listing(NamedTuple):
    """The entries of one folder and the content of its ignore file; evidence None means that it has to be read again."""

    evidence: _Evidence | None
    entries: tuple[tuple[str, bool], ...]
    ignore_evidence: _Evidence | None
    ignores: str


class ProjectFolder:
    """A project's folder with a cached listing; only what has changed is listed again."""

    def __init__(self, root: str, now: Callable[[], int] = time.time_ns) -> None:
        self._root = root
        self._now = now
        self._listings: dict[str, _Listing] = {}
        """By relative path, from the last walk."""
        self._tree: Tree | None = None

    def tree(self) -> Tree | None:
        """The files and folders below the root, links to folders not followed; None if it does not exist.

        Returns the same object as long as nothing has changed.
        """
        if not os.path.isdir(self._root):
            self._listings, self._tree = {}, None
            return None
        is_same = self._tree is not None
        for folder, known in self._listings.items():
            now = self._listed(folder, known)
            self._listings[folder] = now
            is_same = is_same and (now.entries, now.ignores) == (known.entries, known.ignores)
        if not is_same:
            self._tree = self._walked()
        return self._tree

    def _walked(self) -> Tree:
        """Build the tree from cached and new listings."""
        known, self._listings = self._listings, {}
        found: set[str] = set()
        folders: set[str] = set()
        rules: list[Rule] = []
        waiting = [""]
        while waiting and len(found) + len(folders) < MOST_ENTRIES:
            folder = waiting.pop()
            listing = known.get(folder) or self._listed(folder, None)
            self._listings[folder] = listing
            rules += parse(listing.ignores, folder) if listing.ignores else ()
            for name, is_folder in listing.entries:
                path = f"{folder}/{name}" if folder else name
                if not is_folder:
                    found.add(path)
                elif name != ".git":
                    folders.add(path)
                    if not is_ignored(rules, path, True):
                        waiting.append(path)
        return tree(frozenset(found), frozenset(folders), lambda path: _is_out(rules, path), is_whole=not waiting)

    def _listed(self, folder: str, known: _Listing | None) -> _Listing:
        """List a folder, using the cached listing if it is still valid."""
        place = os.path.join(self._root, folder) if folder else self._root
        evidence = self._evidence(place)
        if known is None or evidence is None or known.evidence != evidence:
            entries = _entries(place)
        else:
            entries = known.entries
        if not any(name == IGNORE_FILE for name, _ in entries):
            return _Listing(evidence, entries, None, "")
        ignore_file = os.path.join(place, IGNORE_FILE)
        ignore_evidence = self._evidence(ignore_file)
        if known is not None and ignore_evidence is not None and known.ignore_evidence == ignore_evidence:
            return _Listing(evidence, entries, ignore_evidence, known.ignores)
        return _Listing(evidence, entries, ignore_evidence, files.text_or_none(ignore_file) or "")

    def _evidence(self, place: str) -> _Evidence | None:
        """The stat values at a path, taken before it is read; None if it was modified just now or stat failed."""
        stat = stat_of(place)
        if stat is None or stat.st_mtime_ns > self._now() - SETTLED_NS:
            return None
        return _Evidence(stat.st_dev, stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size)


def _is_out(rules: list[Rule], path: str) -> bool:
    return is_ignored(rules, path, False) or is_ignored(rules, path, True)


def _entries(place: str) -> tuple[tuple[str, bool], ...]:
    """(name, is folder) of all entries, sorted."""
    try:
        with os.scandir(place) as found:
            return tuple(sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in found))
    except OSError:
        return ()
