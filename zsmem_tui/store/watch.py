"""Noticing what agents write, by polling fingerprints: file events miss files that are replaced in one step."""

from __future__ import annotations

import heapq
import os
import time
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from itertools import chain
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

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

MOST_RECENT: Final = 64
"""Files, those written last, that are looked at each time: an agent mostly writes again where it wrote before."""

_SETTLED_NS: Final = 2_000_000_000
"""A folder changed less than two seconds ago is listed again: a second change may leave the same time."""


class StoreChange(NamedTuple):
    """What a poll found: the new catalogue, and the files that are new, changed or gone."""

    catalog: Catalog
    changed: frozenset[MemRef]


_NOTHING: Final[frozenset[MemRef]] = frozenset()

_numbers: Final[Callable[[os.stat_result], tuple[int, int, int, int]]] = attrgetter(
    "st_mtime_ns", "st_size", "st_ino", "st_ctime_ns"
)
"""The numbers of a fingerprint."""

_Stamp: TypeAlias = tuple[int, int]
"""When the names of a folder changed last, and when that time itself did: programs put the first one back to what it was."""

_stamp_in: Final[Callable[[os.stat_result], _Stamp]] = attrgetter("st_mtime_ns", "st_ctime_ns")

_NO_FOLDER: Final = (0, 0)

_UNSETTLED: Final = (-1, -1)
"""No folder has it: one that is to be listed again."""


class _Listing:
    """A folder at the last look. Where there was none of its name, `absent_at` is the time that the folder around it had then."""

    __slots__ = ("absent_at", "around", "entries", "folder", "home", "stamp")

    def __init__(self, folder: Folder, home: str) -> None:
        self.folder = folder
        self.home = home
        self.stamp: _Stamp = _UNSETTLED
        self.entries: list[FileEntry] = []
        self.around = os.path.dirname(home)
        self.absent_at: _Stamp = _UNSETTLED


class Watcher:
    """Watches one store. `poll` is meant to be called about twice a second, in a thread."""

    def __init__(self, root: str, layout: Layout, *, now: Callable[[], float] = time.monotonic) -> None:
        self._root = root
        self._layout = layout
        self._now = now
        self._listings: dict[Folder, _Listing] = {}
        self._of: dict[str, list[_Listing]] = {}
        """The same by project."""
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
        self._problem = ""
        self._recent: dict[MemRef, FileEntry] | None = None
        """The files written last, as they were; None: to be made out again."""
        self._news: list[FileEntry] = []
        """What was found to be new, changed or gone since they were made out."""

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
        self._recent = None
        self._folders_at = self._polled_at = self._now()
        return StoreChange(self._catalog(), frozenset(changed))

    def poll(self, project: str, opened: MemRef | None = None, *, folders: bool = False) -> StoreChange | None:
        """What has changed since the last look, files or which projects there are; None when nothing has.

        `project`, the `opened` file and those written last are looked at each time, all folders every 1.5 seconds or when told to,
        all files every 9.
        """
        now = self._now()
        changed: set[MemRef] = set()
        slugs = self._slugs
        if folders or now - self._folders_at >= FOLDERS_EVERY:
            self._folders_at = now
            changed |= self._list_changed_folders()
        else:
            for folder in expanded(self._root, self._layout.project_folders(project)):
                changed |= self._list(folder)
        for listing in self._of.get(project, ()):
            changed |= self._look(listing, range(len(listing.entries)))
        if opened:
            changed |= self._look_at(opened)
        for ref in self._stirred():
            changed |= self._look_at(ref)
        changed |= self._look_at_a_share(now)
        self._polled_at = now
        if not changed and slugs == self._slugs:
            return None
        return StoreChange(self._catalog(), frozenset(changed))

    def stirs(self, project: str) -> bool:
        """Whether a look is worth it before its time: a folder of the project, or a file written lately, is not as it was.

        It asks about some dozen names, whatever else there is.
        """
        around = {"", project}
        homes = [(each.home, each.stamp) for slug in around for each in self._of.get(slug, ())]
        return any(_stamp(home) != stamp for home, stamp in homes) or bool(self._stirred())

    def _stirred(self) -> list[MemRef]:
        """Those of the files written last that are not as they were."""
        root, found = f"{self._root}/", []
        for entry in self._written_last().values():
            try:
                if _numbers(os.stat(root + entry.ref.path)) == entry.fingerprint:
                    continue
            except OSError:
                pass
            found.append(entry.ref)
        return found

    def _written_last(self) -> dict[MemRef, FileEntry]:
        """The files written last; all are asked once, then only those that are news."""
        if self._recent is None or self._news:
            if self._recent is None:
                among = chain.from_iterable(each.entries for each in self._listings.values())
            else:
                among = chain((self._recent | {entry.ref: entry for entry in self._news}).values())
            there = (entry for entry in among if entry.fingerprint)
            self._recent = {entry.ref: entry for entry in heapq.nlargest(MOST_RECENT, there, attrgetter("fingerprint.mtime_ns"))}
            self._news.clear()
        return self._recent

    def _note(self, found: Iterable[FileEntry]) -> None:
        """Files that are new, changed or gone."""
        if self._recent is not None:
            self._news += found

    def _list_changed_folders(self) -> set[MemRef]:
        self._problem = files.root_problem(self._root)
        slugs = [] if self._problem else project_slugs(self._root, self._layout)
        are_new = slugs != self._slugs or not self._folders or self._is_deep
        if are_new:
            self._slugs = slugs
            every = [*self._layout.global_folders()]
            for slug in slugs:
                every += self._layout.project_folders(slug)
            self._is_deep = any(folder.deep for folder in every)
            kept = [folder for slug in slugs for folder in kept_folders(self._layout, slug)]
            self._kept = frozenset(kept)
            self._folders = [*expanded(self._root, every), *kept]
        changed: set[MemRef] = set()
        stat, stamp_in, as_they_were = os.stat, _stamp_in, dict[str, _Stamp]()
        for listing in list(self._listings.values()):
            around = as_they_were.get(listing.around)
            if around is not None and around == listing.absent_at:  # nothing has come into the folder that it would be in
                continue
            home = listing.home
            try:
                if (stamp := stamp_in(stat(home))) == listing.stamp:
                    as_they_were[home] = stamp
                    continue
            except FileNotFoundError:
                if around is not None and not os.path.lexists(home):  # else a link to what is not there yet
                    listing.absent_at = around
            except OSError:
                pass
            changed |= self._list(listing.folder)
        for folder in self._folders if are_new else ():
            if folder not in self._listings:
                changed |= self._list(folder)
        if len(self._listings) > len(self._folders):
            for gone in self._listings.keys() - set(self._folders):
                listing = self._listings.pop(gone)
                self._of[gone.project].remove(listing)
                refs = {entry.ref for entry in listing.entries}
                self._note(FileEntry(ref, None) for ref in refs)
                changed |= refs
        return changed

    def _list(self, folder: Folder) -> AbstractSet[MemRef]:
        """Read one folder again when its own time says that its names may have changed."""
        home = f"{self._root}/{folder.path}" if folder.path else self._root
        stamp = _stamp(home)
        known = self._listings.get(folder)
        if known and known.stamp == stamp:
            return _NOTHING
        found = entries(self._root, folder) if stamp != _NO_FOLDER else []
        settled = time.time_ns() - stamp[0] > _SETTLED_NS
        before = {entry.ref: entry.fingerprint for entry in known.entries} if known else {}
        if known is None:
            known = self._listings[folder] = _Listing(folder, home)
            self._of.setdefault(folder.project, []).append(known)
        known.stamp, known.entries, known.absent_at = stamp if settled else _UNSETTLED, found, _UNSETTLED
        after = {entry.ref: entry for entry in found}
        gone = before.keys() - after.keys()
        changed = gone | {ref for ref, entry in after.items() if before.get(ref, ()) != entry.fingerprint}
        self._note(after[ref] if ref in after else FileEntry(ref, None) for ref in changed)
        return changed

    def _look(self, listing: _Listing, places: range) -> set[MemRef]:
        """Compare bare numbers first: with 30,000 files, making an entry for each would keep a core 3 % busy."""
        changed = set()
        root, every, stat = f"{self._root}/", listing.entries, os.stat
        for place in places:
            known = every[place]
            try:
                if _numbers(stat(root + known.ref.path)) == known.fingerprint:
                    continue
            except OSError:
                pass
            now = files.entry(self._root, known.ref)
            if now != known:
                every[place] = now
                changed.add(known.ref)
                self._note([now])
        return changed

    def _look_at(self, ref: MemRef) -> set[MemRef]:
        for listing in self._of.get(ref.project, ()):
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


def _stamp(home: str) -> _Stamp:
    """The times of a folder's names; none has those of what is no folder."""
    try:
        return _stamp_in(os.stat(home))
    except OSError:
        return _NO_FOLDER
