"""Detect what agents write by polling stat values: file events miss files that are replaced atomically."""

from __future__ import annotations

import heapq
import os
import time
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from itertools import chain
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

from zsmem_tui.core.catalog import SETTLED_NS, Catalog, FileEntry, ProjectEntry
from zsmem_tui.core.layout import Folder, Layout, kept_folders
from zsmem_tui.core.refs import MemRef
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.folders import stat_of
from zsmem_tui.store.disk.listing import expanded
from zsmem_tui.store.scan import entries, hidden_because, project_problem, project_slugs

FOLDERS_EVERY: Final = 1.5
"""Seconds between two checks of all folders' own timestamps, which show files created, replaced and deleted."""

ROUND_SECONDS: Final = 9.0
"""Seconds in which every file of the store is checked once, a share of them at each poll."""

MOST_A_SECOND: Final = 1_000
"""The most files of that share per second: with more than 9,000 files a round takes longer, so that idling stays cheap."""

MOST_RECENT: Final = 64
"""The most recently written files, which are checked at each poll: an agent mostly writes where it wrote before."""


class StoreChange(NamedTuple):
    """The result of a poll: the new catalog, and the files that are new, changed or deleted; `others` are those others changed."""

    catalog: Catalog
    changed: frozenset[MemRef]
    others: frozenset[MemRef] = frozenset()


_NOTHING: Final[frozenset[MemRef]] = frozenset()

_numbers: Final[Callable[[os.stat_result], tuple[int, int, int, int]]] = attrgetter(
    "st_mtime_ns", "st_size", "st_ino", "st_ctime_ns"
)
"""The stat values of a `Fingerprint`."""

_Stamp: TypeAlias = tuple[int, int]
"""A folder's modification time and change time: programs can set only the first one back."""

_stamp_in: Final[Callable[[os.stat_result], _Stamp]] = attrgetter("st_mtime_ns", "st_ctime_ns")

_NO_FOLDER: Final = (0, 0)

_UNSETTLED: Final = (-1, -1)
"""The stamp of no folder: one that has to be listed again."""


class _Listing:
    """The last known state of a folder. If it did not exist, `absent_at` is the stamp of its parent at that time.

    While it cannot be read, `problem` says why, and `unseen` are the files it had before: unknown, neither deleted nor changed.
    """

    __slots__ = ("absent_at", "around", "entries", "folder", "home", "problem", "stamp", "unseen")

    def __init__(self, folder: Folder, home: str) -> None:
        self.folder = folder
        self.home = home
        self.stamp: _Stamp = _UNSETTLED
        self.entries: list[FileEntry] = []
        self.around = os.path.dirname(home)
        self.absent_at: _Stamp = _UNSETTLED
        self.problem = ""
        self.unseen: list[FileEntry] = []


class Watcher:
    """Polls one store for changes. `poll` is to be called about twice a second, in a thread."""

    def __init__(self, root: str, layout: Layout, *, now: Callable[[], float] = time.monotonic) -> None:
        self._root = root
        self._layout = layout
        self._now = now
        self._listings: dict[Folder, _Listing] = {}
        self._of: dict[str, list[_Listing]] = {}
        """The same listings by project."""
        self._folders: list[Folder] = []
        self._kept: frozenset[Folder] = frozenset()
        self._is_deep = False
        self._slugs: list[str] = []
        self._folders_at = float("-inf")
        self._polled_at: float | None = None
        self._round: list[Folder] = []
        """The folders left in the current round over all files, the next one last."""
        self._place = 0
        """The index of the next file to check in the next folder."""
        self._files = 0
        """The number of files when the round began."""
        self._problem = ""
        self._turned = False
        """Whether a folder has become readable or unreadable since the last catalog."""
        self._recent: dict[MemRef, FileEntry] | None = None
        """The most recently written files as last seen; None: to be determined anew."""
        self._news: list[FileEntry] = []
        """Entries that were found new, changed or deleted since `_recent` was determined."""

    def glance(self, project: str) -> Catalog:
        """List the shared files and those of one project: what a person wants to see first."""
        self._problem = files.root_problem(self._root)
        if not self._problem:
            for folder in expanded(self._root, (*self._layout.global_folders(), *self._layout.project_folders(project))):
                self._list(folder)
        found = self._listings.values()
        shared = tuple(entry for listing in found if not listing.folder.project for entry in listing.entries)
        own = tuple(entry for listing in found if listing.folder.project == project for entry in listing.entries)
        return Catalog(shared, (ProjectEntry(project, own),) if own else (), self._problem)

    def scan(self) -> StoreChange:
        """Examine everything; return the files that are new, changed or deleted since the last time, as far as listings show."""
        changed = self._list_changed_folders()
        self._recent = None
        self._folders_at = self._polled_at = self._now()
        return StoreChange(self._catalog(), frozenset(changed))

    def poll(self, project: str, opened: MemRef | None = None, *, folders: bool = False) -> StoreChange | None:
        """What has changed since the last call, in files or in the list of projects; None if nothing has.

        `project`, the `opened` file and the most recently written files are checked each time, all folders every 1.5 seconds or if
        `folders` is set, all files every 9.
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
            changed |= self._check(listing, range(len(listing.entries)))
        if opened:
            changed |= self._check_file(opened)
        for ref in self._recently_changed():
            changed |= self._check_file(ref)
        changed |= self._check_share(now)
        self._polled_at = now
        if not changed and slugs == self._slugs and not self._turned:
            return None
        return StoreChange(self._catalog(), frozenset(changed))

    def stirs(self, project: str) -> bool:
        """Whether an early poll is worth it: a folder of the project, or a recently written file, has changed.

        It checks only some dozen paths, whatever the size of the store.
        """
        around = {"", project}
        homes = [(each.home, each.stamp) for slug in around for each in self._of.get(slug, ())]
        return any(_stamp(home) != stamp for home, stamp in homes) or bool(self._recently_changed())

    def _recently_changed(self) -> list[MemRef]:
        """Those of the most recently written files that have changed."""
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
        """The most recently written files; determined from all files once, then from the changes only."""
        if self._recent is None or self._news:
            if self._recent is None:
                among = chain.from_iterable(each.entries for each in self._listings.values())
            else:
                among = chain((self._recent | {entry.ref: entry for entry in self._news}).values())
            there = (entry for entry in among if entry.fingerprint)
            self._recent = {entry.ref: entry for entry in heapq.nlargest(MOST_RECENT, there, attrgetter("fingerprint.mtime_ns"))}
            self._news.clear()
        return self._recent

    def _note_changes(self, found: Iterable[FileEntry]) -> None:
        """Remember files that are new, changed or deleted."""
        if self._recent is not None:
            self._news += found

    def _list_changed_folders(self) -> set[MemRef]:
        self._problem = files.root_problem(self._root)
        slugs = [] if self._problem else self._with_hidden(project_slugs(self._root, self._layout))
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
            if around is not None and around == listing.absent_at:  # no entry was added to its parent folder
                continue
            home = listing.home
            try:
                if (stamp := stamp_in(stat(home))) == listing.stamp:
                    as_they_were[home] = stamp
                    continue
            except FileNotFoundError:
                if around is not None and not os.path.lexists(home):  # otherwise a broken link
                    listing.absent_at = around
            except OSError:
                pass
            changed |= self._list(listing.folder)
        for folder in self._folders if are_new else ():
            if folder not in self._listings:
                changed |= self._list(folder)
        if len(self._listings) > len(self._folders):
            for gone in self._listings.keys() - set(self._folders):
                if why := hidden_because(self._listings[gone].home):
                    self._hide(self._listings[gone], why)
                    continue
                listing = self._listings.pop(gone)
                self._of[gone.project].remove(listing)
                refs = {entry.ref for entry in listing.unseen or listing.entries}
                self._note_changes(FileEntry(ref, None) for ref in refs)
                changed |= refs
        return changed

    def _with_hidden(self, slugs: list[str]) -> list[str]:
        """These projects, and those known from before that are not among them because their folder cannot be read, in order."""
        there = {*slugs, *(each for each in self._slugs if each not in slugs and project_problem(self._root, self._layout, each))}
        return slugs if len(there) == len(slugs) else list(dict.fromkeys(each for each in (*self._slugs, *slugs) if each in there))

    def _hide(self, listing: _Listing, why: str) -> None:
        """Remember what a folder had that cannot be read any more."""
        self._turned |= why != listing.problem
        self._note_changes(FileEntry(entry.ref, None) for entry in listing.entries)
        listing.problem, listing.unseen, listing.entries = why, listing.unseen or listing.entries, []

    def _list(self, folder: Folder) -> AbstractSet[MemRef]:
        """List one folder again if its stamp says that its entries may have changed; return the changed files."""
        home = f"{self._root}/{folder.path}" if folder.path else self._root
        stamp = _stamp(home)
        known = self._listings.get(folder)
        if known and known.stamp == stamp:
            return _NOTHING
        settled = time.time_ns() - stamp[0] > SETTLED_NS
        if known is None:
            known = self._listings[folder] = _Listing(folder, home)
            self._of.setdefault(folder.project, []).append(known)
        known.stamp, known.absent_at = stamp if settled else _UNSETTLED, _UNSETTLED
        if why := hidden_because(home):
            self._hide(known, why)
            return _NOTHING
        found = entries(self._root, folder) if stamp != _NO_FOLDER else []
        before = {entry.ref: entry.fingerprint for entry in known.unseen or known.entries}
        if known.problem:
            self._turned, known.problem, known.unseen = True, "", []
            self._recent = None
        known.entries = found
        after = {entry.ref: entry for entry in found}
        gone = before.keys() - after.keys()
        changed = gone | {ref for ref, entry in after.items() if before.get(ref, ()) != entry.fingerprint}
        self._note_changes(after[ref] if ref in after else FileEntry(ref, None) for ref in changed)
        return changed

    def _check(self, listing: _Listing, places: range) -> set[MemRef]:
        """Check files by their bare stat values first: making an entry for each of 30,000 files would keep a core 3 % busy."""
        changed = set()
        root, every, stat = f"{self._root}/", listing.entries, os.stat
        for place in places:
            known = every[place]
            try:
                if _numbers(stat(root + known.ref.path)) == known.fingerprint:
                    continue
            except PermissionError:
                if not os.access(listing.home, os.X_OK):
                    break  # nothing in the folder can be known, which listing it tells
            except OSError:
                pass
            now = files.entry(self._root, known.ref)
            if now != known:
                every[place] = now
                changed.add(known.ref)
                self._note_changes([now])
        return changed

    def _check_file(self, ref: MemRef) -> set[MemRef]:
        for listing in self._of.get(ref.project, ()):
            for place, entry in enumerate(listing.entries):
                if entry.ref == ref:
                    return self._check(listing, range(place, place + 1))
        return set()

    def _check_share(self, now: float) -> set[MemRef]:
        """Check as many files as are due since the last poll, in turn."""
        if self._polled_at is None or (not self._round and not self._begin_round()):
            return set()
        due = min(self._files, int(min(self._files / ROUND_SECONDS, MOST_A_SECOND) * (now - self._polled_at)) + 1)
        changed: set[MemRef] = set()
        while due and (self._round or self._begin_round()):
            listing = self._listings.get(self._round[-1])
            size = len(listing.entries) if listing is not None else 0
            stop = min(size, self._place + due)
            if listing is not None and self._place < stop:
                changed |= self._check(listing, range(self._place, stop))
                due -= stop - self._place
            if stop >= size:
                self._round.pop()
                stop = 0
            self._place = stop
        return changed

    def _begin_round(self) -> bool:
        """Start a new round over all files; return whether there are any."""
        self._round = list(self._listings)
        self._files = sum(len(listing.entries) for listing in self._listings.values())
        self._place = 0
        return self._files > 0

    def _catalog(self) -> Catalog:
        self._turned = False
        shared: list[FileEntry] = []
        projects: dict[str, list[FileEntry]] = {slug: [] for slug in self._slugs}
        kept: list[FileEntry] = []
        problems: dict[str, str] = {}
        for listing in self._listings.values():
            if listing.problem:
                problems.setdefault(listing.folder.project, listing.problem)
            if listing.folder in self._kept:
                kept += listing.entries
            elif listing.folder.project in projects:
                projects[listing.folder.project] += listing.entries
            elif not listing.folder.project:
                shared += listing.entries
        entries_of = tuple(self._entry(slug, found, problems.get(slug, "")) for slug, found in projects.items())
        every = tuple(dict.fromkeys(listing.problem for listing in self._listings.values() if listing.problem))
        return Catalog(tuple(shared), entries_of, self._problem, tuple(kept), () if self._problem else every)

    def _entry(self, slug: str, found: list[FileEntry], problem: str) -> ProjectEntry:
        problem = problem or ("" if found else project_problem(self._root, self._layout, slug))
        return ProjectEntry(slug, tuple(found), problem=problem)


def _stamp(home: str) -> _Stamp:
    """The stamp of a folder; `_NO_FOLDER` if it cannot be examined."""
    found = stat_of(home)
    return _stamp_in(found) if found else _NO_FOLDER
