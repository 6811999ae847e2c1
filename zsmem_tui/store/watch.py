"""Noticing what agents write, by polling fingerprints: file events miss files that are replaced in one step."""

from __future__ import annotations

import heapq
import os
import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from operator import attrgetter
from typing import Final, NamedTuple

from zsmem_tui.core.catalog import Catalog, FileEntry, ProjectEntry
from zsmem_tui.core.layout import Folder, Layout, kept_folders
from zsmem_tui.core.refs import MemRef
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.listing import expanded
from zsmem_tui.store.scan import entries, project_problem, project_slugs

FOLDERS_EVERY: Final = 1.5
"""Seconds between two looks at every folder's own time, which shows files made, replaced and removed."""

ROUND_SECONDS: Final = 9.0
"""Seconds in which every file of the store is looked at once, a share of them at each poll."""

MOST_A_SECOND: Final = 1_000
"""Files of that share in a second: beyond 9,000 files a round takes longer, so that standing idle stays cheap."""

MOST_WARM: Final = 64
"""Files that were written in place lately and are looked at with the folders: who writes so once does it again."""

MOST_WATCHED: Final = 64
"""Files, those written last, that are asked about between two looks: an agent mostly writes again where it wrote before."""

_SETTLED_NS: Final = 2_000_000_000
"""A folder changed less than two seconds ago is listed again: a second change may leave the same time."""


class StoreChange(NamedTuple):
    """What a poll found: the new catalogue, and the files that are new, changed or gone."""

    catalog: Catalog
    changed: frozenset[MemRef]


_NOTHING: Final[frozenset[MemRef]] = frozenset()


class _Listing:
    __slots__ = ("entries", "folder", "home", "stamp")

    def __init__(self, folder: Folder, home: str, stamp: int, entries: list[FileEntry]) -> None:
        self.folder = folder
        self.home = home
        self.stamp = stamp
        self.entries = entries


class Watcher:
    """Watches one store. `poll` is meant to be called about twice a second, in a thread."""

    def __init__(self, root: str, layout: Layout, *, now: Callable[[], float] = time.monotonic) -> None:
        self._root = root
        self._layout = layout
        self._now = now
        self._listings: dict[Folder, _Listing] = {}
        self._folders: list[Folder] = []
        self._kept: frozenset[Folder] = frozenset()
        self._is_deep = False
        self._slugs: list[str] = []
        self._folders_at = float("-inf")
        self._polled_at: float | None = None
        self._round: list[Folder] = []
        """What is left of a round over all files: folders, the next one last."""
        self._place = 0
        """The first file of the next folder that was not looked at yet."""
        self._files = 0
        """How many files there were when the round began."""
        self._warm: dict[MemRef, None] = {}
        self._problem = ""
        self._newest: list[FileEntry] | None = None
        """The files written last, as they were; None: to be made out again."""
        self._stirred: list[MemRef] = []
        """Those of them that are not so any more: the next look is at them, too."""

    def glance(self, project: str) -> Catalog:
        """Look at the files of no project and of one: what a person wants to see first, whatever else there is."""
        self._problem = files.root_problem(self._root)
        if not self._problem:
            for folder in expanded(self._root, (*self._layout.global_folders(), *self._layout.project_folders(project))):
                self._list(folder)
        found = self._listings.values()
        shared = tuple(entry for listing in found if not listing.folder.project for entry in listing.entries)
        own = tuple(entry for listing in found if listing.folder.project == project for entry in listing.entries)
        return Catalog(shared, (ProjectEntry(project, own),) if own else (), self._problem)

    def scan(self) -> StoreChange:
        """Look at everything; which files are new, changed or gone since the last look, as far as names tell."""
        changed = self._list_changed_folders()
        self._newest = None
        self._folders_at = self._polled_at = self._now()
        return StoreChange(self._catalog(), frozenset(changed))

    def poll(self, project: str, opened: MemRef | None = None, *, folders: bool = False) -> StoreChange | None:
        """What has changed since the last look, files or which projects there are; None when nothing has.

        `project` and the `opened` file are looked at each time, all folders every 1.5 seconds or when told to, all files every 9.
        """
        now = self._now()
        changed: set[MemRef] = set()
        slugs = self._slugs
        if folders or now - self._folders_at >= FOLDERS_EVERY:
            self._folders_at = now
            changed |= self._list_changed_folders()
            for ref in list(self._warm):
                changed |= self._look_at(ref)
        else:
            for folder in expanded(self._root, self._layout.project_folders(project)):
                changed |= self._list(folder)
        watched = [listing for listing in self._listings.values() if listing.folder.project == project]
        for listing in watched:
            changed |= self._look(listing, range(len(listing.entries)))
        if opened:
            changed |= self._look_at(opened)
        for ref in self._stirred:
            changed |= self._look_at(ref)
        self._stirred = []
        changed |= self._look_at_a_share(now)
        self._polled_at = now
        if not changed and slugs == self._slugs:
            return None
        self._newest = None
        return StoreChange(self._catalog(), frozenset(changed))

    def stirs(self, project: str) -> bool:
        """Whether a look is worth it before its time: a folder of the project, or a file written lately, is not as it was.

        It asks about some dozen names, whatever else there is.
        """
        homes = [listing for folder, listing in self._listings.items() if folder.project in ("", project)]
        if any(_stamp(each.home) != each.stamp for each in homes):
            return True
        if self._newest is None:
            every = (entry for each in self._listings.values() for entry in each.entries if entry.fingerprint)
            self._newest = heapq.nlargest(MOST_WATCHED, every, key=attrgetter("fingerprint.mtime_ns"))
        self._stirred = [entry.ref for entry in self._newest if files.entry(self._root, entry.ref) != entry]
        return bool(self._stirred)

    def _list_changed_folders(self) -> set[MemRef]:
        self._problem = files.root_problem(self._root)
        slugs = [] if self._problem else project_slugs(self._root, self._layout)
        if slugs != self._slugs or not self._folders or self._is_deep:
            self._slugs = slugs
            every = [*self._layout.global_folders()]
            for slug in slugs:
                every += self._layout.project_folders(slug)
            self._is_deep = any(folder.deep for folder in every)
            kept = [folder for slug in slugs for folder in kept_folders(self._layout, slug)]
            self._kept = frozenset(kept)
            self._folders = [*expanded(self._root, every), *kept]
        changed: set[MemRef] = set()
        stat, known = os.stat, self._listings
        for folder in self._folders:
            listing = known.get(folder)
            if listing is not None:
                try:
                    if stat(listing.home).st_mtime_ns == listing.stamp:
                        continue
                except OSError:
                    pass
            changed |= self._list(folder)
        if len(self._listings) > len(self._folders):
            for gone in self._listings.keys() - set(self._folders):
                changed |= {entry.ref for entry in self._listings.pop(gone).entries}
        return changed

    def _list(self, folder: Folder) -> AbstractSet[MemRef]:
        """Read one folder again when its own time says that its names may have changed."""
        home = f"{self._root}/{folder.path}" if folder.path else self._root
        stamp = _stamp(home)
        known = self._listings.get(folder)
        if known and known.stamp == stamp:
            return _NOTHING
        found = entries(self._root, folder) if stamp else []
        settled = time.time_ns() - stamp > _SETTLED_NS
        self._listings[folder] = _Listing(folder, home, stamp if settled else -1, found)
        before = {entry.ref: entry.fingerprint for entry in known.entries} if known else {}
        after = {entry.ref: entry.fingerprint for entry in found}
        return {ref for ref in before.keys() | after.keys() if before.get(ref, ()) != after.get(ref, ())}

    def _look(self, listing: _Listing, places: range) -> set[MemRef]:
        """Compare bare numbers first: with 30,000 files, making an entry for each would keep a core 3 % busy."""
        changed = set()
        root, every = f"{self._root}/", listing.entries
        for place in places:
            known = every[place]
            try:
                found = os.stat(root + known.ref.path)
            except OSError:
                found = None
            mark = known.fingerprint
            if found and mark and (found.st_mtime_ns, found.st_size, found.st_ino) == mark:
                continue
            now = files.entry(self._root, known.ref)
            if now != known:
                every[place] = now
                changed.add(known.ref)
                self._warm.pop(known.ref, None)
                self._warm[known.ref] = None
                while len(self._warm) > MOST_WARM:
                    del self._warm[next(iter(self._warm))]
        return changed

    def _look_at(self, ref: MemRef) -> set[MemRef]:
        for listing in self._listings.values():
            if listing.folder.project == ref.project:
                for place, entry in enumerate(listing.entries):
                    if entry.ref == ref:
                        return self._look(listing, range(place, place + 1))
        return set()

    def _look_at_a_share(self, now: float) -> set[MemRef]:
        """As many files as are due since the last poll, going round."""
        if self._polled_at is None or (not self._round and not self._begin_round()):
            return set()
        due = min(self._files, int(min(self._files / ROUND_SECONDS, MOST_A_SECOND) * (now - self._polled_at)) + 1)
        changed: set[MemRef] = set()
        while due and (self._round or self._begin_round()):
            listing = self._listings.get(self._round[-1])
            size = len(listing.entries) if listing is not None else 0
            stop = min(size, self._place + due)
            if listing is not None and self._place < stop:
                changed |= self._look(listing, range(self._place, stop))
                due -= stop - self._place
            if stop >= size:
                self._round.pop()
                stop = 0
            self._place = stop
        return changed

    def _begin_round(self) -> bool:
        """Go round anew; whether there is any file."""
        self._round = list(self._listings)
        self._files = sum(len(listing.entries) for listing in self._listings.values())
        self._place = 0
        return self._files > 0

    def _catalog(self) -> Catalog:
        shared: list[FileEntry] = []
        projects: dict[str, list[FileEntry]] = {slug: [] for slug in self._slugs}
        kept: list[FileEntry] = []
        for listing in self._listings.values():
            if listing.folder in self._kept:
                kept += listing.entries
            elif listing.folder.project in projects:
                projects[listing.folder.project] += listing.entries
            elif not listing.folder.project:
                shared += listing.entries
        entries_of = tuple(self._entry(slug, found) for slug, found in projects.items())
        return Catalog(tuple(shared), entries_of, self._problem, tuple(kept))

    def _entry(self, slug: str, found: list[FileEntry]) -> ProjectEntry:
        problem = "" if found else project_problem(self._root, self._layout, slug)
        return ProjectEntry(slug, tuple(found), problem=problem)


def _stamp(home: str) -> int:
    """The time of a folder's names; 0 where there is none."""
    try:
        return os.stat(home).st_mtime_ns
    except OSError:
        return 0
