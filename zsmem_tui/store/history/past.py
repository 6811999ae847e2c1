"""Compose memory blocks of the past: a store as a layout would have seen it at a moment, read from the history.

Other files, such as an agent's settings, are read as they are now. A file of another store that an agent adds to the prompt is read
as it was, if that store has a history.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Final

from zsmem_tui.core.context import Block, Moment
from zsmem_tui.core.daily import day_before
from zsmem_tui.core.errors import HistoryError, Missing, StoreError
from zsmem_tui.core.layout import Layout, find_ref, memory_names
from zsmem_tui.core.moments import clock_time, exactly, nanoseconds
from zsmem_tui.core.past import Doubt, Point, Timeline
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.project_merge import MOVES, homes_of
from zsmem_tui.core.text import is_utf8, printable_path
from zsmem_tui.core.tree import Entry, EntryKind, Tree, Wanted, anything
from zsmem_tui.store.disk import state
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.history.commit_message import NOT_KEPT, id_of
from zsmem_tui.store.history.history import History
from zsmem_tui.store.history.journal import held
from zsmem_tui.store.reader import StoreReader
from zsmem_tui.store.scan import scan

_HELD_TEXTS: Final = 128
"""The number of cached texts."""


class Past:
    """The past of the store at `root`. What was read from the history is cached until there are newer versions."""

    def __init__(self, history: History, layout: Layout) -> None:
        self.history = history
        self.layout = layout
        self._timeline: Timeline | None = None
        self._last = ""
        self.text = lru_cache(_HELD_TEXTS)(self._text)
        """The text with an id (cached). Raises `HistoryError` if it was removed, or was too large to store."""
        self._renames = lru_cache(1)(lambda timeline: [*self._project_renames(timeline)])
        self._others: dict[str, Past | None] = {}
        """The pasts of other stores by root; None for folders without a history."""

    @property
    def root(self) -> str:
        """The store's folder."""
        return self.history.root

    def timeline(self) -> Timeline:
        """All versions in the history. Raises `HistoryError`."""
        with self.history.opened() as repo:
            if self._timeline is None or self._last != repo.head:
                rows = [(row.commit, row.version) for row in self.history.log.rows() if not row.version.is_beside]
                self._timeline, self._last = Timeline(reversed(rows), self.history.now()), repo.head
            return self._timeline

    def block(
        self,
        point: Point,
        project: str,
        profile: Profile,
        cap: int,
        *,
        inside: bool = False,
        clock: datetime | None = None,
    ) -> tuple[Block, PastReader]:
        """The block at a moment, and the reader it was made with. Raises `HistoryError`.

        If the project's memory got its name later, the name at that moment is used. `inside` is as for `StoreReader`; `clock` is
        the time to show in a block that contains it, if not the moment's.
        """
        with self.history.opened():
            reader = PastReader(self, point, inside=inside)
            now = exactly(point.when)
            today = now.date().isoformat()
            about = Moment(self._project_name_then(point, project), today, day_before(today), profile, cap)
            return self.layout.as_of(lambda: clock or now).block(reader, about), reader

    def _text(self, id: str) -> bytes:
        return self.history.text(id) or b""

    def _project_name_then(self, point: Point, project: str) -> str:
        """The name of a project at a moment."""
        for start, source, target in self._renames(self.timeline()):
            project = source if start >= point.taken and target == project else project
        return project

    def _project_renames(self, timeline: Timeline) -> Iterator[tuple[int, str, str]]:
        """The steps that renamed a project, last first: (first version, old name, new name)."""
        back = {each.relation for each in timeline.versions if each.relation.startswith(("undoes ", "redoes "))}
        for start, stop in reversed(timeline.steps):
            moved = [each for each in timeline.versions[start:stop] if each.relation.startswith(MOVES)]
            if not moved or (f"undoes {moved[0].batch}" in back and f"redoes {moved[0].batch}" not in back):
                continue
            for home in homes_of(moved[0].relation):
                source, target = (next((each.path for each in moved if each.path.startswith(f"{place}/")), "") for place in home)
                if source and target and not PastReader(self, timeline.before(start)).has_below(home.target):
                    yield start, self.layout.group_of(source), self.layout.group_of(target)

    def now(self, project: str, profile: Profile, cap: int) -> Point:
        """The current moment, after recording changes in other stores that a block uses.

        Raises `HistoryError`.
        """
        _, reader = self.block(Point(len(self.timeline().versions), self.history.now()), project, profile, cap)
        for each in reader.others.values():
            each.past.history.catch_up(scan(each.past.root, self.layout))
        return Point(len(self.timeline().versions), self.history.now())

    def other(self, place: str) -> Past | None:
        """The past of the store that contains a path; None if no history covers it."""
        while place != "/":
            if place not in self._others:
                is_known = os.path.isdir(os.path.join(state.folder("history", place), "git"))
                self._others[place] = Past(History(place, self.history.now), self.layout) if is_known else None
            if (found := self._others[place]) is not None:
                return found
            place = os.path.dirname(place)
        return None


def block_at(root: str, layout: Layout, about: Moment, at: datetime) -> str | None:
    """The text of a block at a time, from the history of the store at `root`. Raises `BadName` and `HistoryError`."""
    past = Past(History(root, time.time_ns), layout)
    past.history.catch_up(scan(root, layout))
    now = past.now(about.project, about.profile, about.cap)
    point = past.timeline().point_at(nanoseconds(at) + 999, now.when)
    return past.block(point, about.project, about.profile, about.cap)[0].text


class PastReader(StoreReader):
    """Reads the files of a store as they were at a moment; `used` and `listed` are the files and folders that were requested."""

    def __init__(self, past: Past, point: Point, *, inside: bool = False) -> None:
        super().__init__(past.root, inside=inside)
        self.past = past
        self.point = point
        self.timeline = past.timeline()
        self.used: dict[str, None] = {}
        self.listed: dict[str, None] = {}
        self.not_kept: dict[str, int] = {}
        """By path: the size in bytes of files whose text is not in the history."""
        self.others: dict[str, PastReader] = {}
        """By root: the readers of other stores that were used."""

    def text(self, path: str) -> str | None:
        """The content of a file then; None if it did not exist or was not valid UTF-8."""
        raw = self._raw_if_there(path)
        return raw.decode() if raw is not None and is_utf8(raw) else None

    def size(self, path: str) -> int | None:
        """The size of a file in bytes then; None if it did not exist."""
        raw = self._raw_if_there(path)
        return None if raw is None else self.not_kept.get(path, len(raw))

    def names(self, folder: str) -> list[str]:
        """The names of the memory files in a folder then."""
        self.listed[folder] = None
        return memory_names(name for name in self.timeline.below(folder) if self.is_there(_joined(folder, name)))

    def tree(self) -> Tree:
        """The same files as bytes and names."""
        return _PastTree(self)

    def raw(self, path: str) -> bytes | None:
        """The bytes of a memory file then; None if it did not exist. Raises `Missing` if a link to it leaves the store."""
        self.used[path] = None
        version = self.timeline.version(path, self.point)
        if version is None or not version.after:
            return None
        if self._leaves(path):
            raise Missing(path, f"{printable_path(path)} is a link that leaves the store. Nothing was read.")
        try:
            return self.past.text(version.after)
        except HistoryError as error:
            if not error.message.startswith(NOT_KEPT.decode()):
                when = clock_time(version.when)
                raise HistoryError(f"{printable_path(path)} of {when}: {error.message} Nothing was shown.", error.hint) from error
            size = error.message.removeprefix(NOT_KEPT.decode()).partition(" ")[0]
            self.not_kept[path] = int(size) if size.isdecimal() else 0
            return b""

    def _raw_if_there(self, path: str) -> bytes | None:
        try:
            return self.raw(path)
        except StoreError:
            return None

    def is_there(self, path: str) -> bool:
        """Whether the file existed then."""
        version = self.timeline.version(path, self.point)
        return version is not None and bool(version.after)

    def has_below(self, folder: str) -> bool:
        """Whether a file existed below a folder then."""
        inside = [_joined(folder, name) for name in self.timeline.below(folder)]
        return any(self.is_there(path) or self.has_below(path) for path in inside)

    def of(self, place: str) -> tuple[PastReader | None, str]:
        """(reader of the store that contains a path, path in it); the reader is None if no history covers it."""
        place, root = os.path.normpath(place), os.path.normpath(self.past.root)
        if place == root or place.startswith(f"{root}/"):
            return self, place[len(root) + 1 :]
        other = self.past.other(place)
        if other is None:
            return None, place
        if other.root not in self.others:
            self.others[other.root] = PastReader(other, other.timeline().at(self.point.when))
        return self.others[other.root], place[len(other.root) + 1 :]

    def is_memory(self, path: str) -> bool:
        """Whether the history covers the file; otherwise its current state is used."""
        return self.timeline.knows(path) or find_ref(self.past.layout, path) is not None

    def doubts(self) -> list[Doubt]:
        """The requested files whose content at the moment is uncertain."""
        own = [*self.timeline.doubts(self.used, self.point)]
        return [*own, *(doubt for other in self.others.values() for doubt in other.doubts())]


class _PastTree(DiskTree):
    """The files of a store at a moment; other files as they are now."""

    def __init__(self, reader: PastReader) -> None:
        super().__init__(reader.past.root)
        self._reader = reader

    def entries(self, folder: str, wanted: Wanted = anything) -> list[Entry]:
        """The entries of a folder then."""
        reader, inside = self._reader.of(self._place(folder))
        now = {entry.name: entry for entry in super().entries(folder, wanted)}
        if reader is None:
            return list(now.values())
        reader.listed[inside] = None
        found = {name: entry for name, entry in now.items() if not reader.is_memory(_joined(inside, name))}
        for name in filter(wanted, reader.timeline.below(inside)):
            if (entry := self._entry_then(reader, _joined(inside, name), f"{folder}/{name}" if folder else name)) is not None:
                found[name] = entry
        return [found[name] for name in sorted(found, key=os.fsencode)]

    def entry(self, path: str) -> Entry | None:
        """The entry at a path then."""
        reader, inside = self._reader.of(self._place(path))
        found = self._entry_then(reader, inside, path) if reader is not None else None
        return found if found is not None or (reader is not None and reader.is_memory(inside)) else super().entry(path)

    def read(self, path: str) -> bytes:
        """The bytes of a file then. Raises `Missing` or `Unreadable`."""
        reader, inside = self._reader.of(self._place(path))
        if reader is None or not reader.is_memory(inside):
            return super().read(path)
        raw = reader.raw(inside)
        if raw is None:
            raise Missing(path, f"{printable_path(path)} was not there. Nothing was read.")
        return raw

    def _entry_then(self, reader: PastReader, inside: str, path: str) -> Entry | None:
        """The entry that the history has for `inside`; `path` is the same place seen from the tree's root."""
        reader.used[inside] = None
        version = reader.timeline.version(inside, reader.point)
        if version is None or not version.after:
            return Entry(os.path.basename(path), EntryKind.FOLDER) if reader.has_below(inside) else None
        now, when = super().entry(path), version.when
        if (
            now is not None
            and now.kind is EntryKind.FILE
            and reader.timeline.is_last(version)
            and self._has_text_now(path, version.after)
        ):
            when = now.modified_ns
        return Entry(os.path.basename(path), EntryKind.FILE, now is not None and now.is_link, when)

    def _has_text_now(self, path: str, id: str) -> bool:
        """Whether the file has this text now: then its modification time applies."""
        try:
            return id_of(held(super().read(path))) == id
        except StoreError:
            return False


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
