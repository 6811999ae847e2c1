"""File texts held in memory for search: fresh by what the system says of each file, bounded, given back when nobody searches."""

from __future__ import annotations

import os
import stat
import time
from _thread import allocate_lock  # `threading` would cost a cold search a millisecond
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final
from weakref import WeakSet

from zsmem_tui.core.find import WORTH_LOADING_BYTES, use_fastest
from zsmem_tui.core.layout import Folder
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.core.slab import SLAB_BYTES, Document, Packed, Slab, pack, pack_joined
from zsmem_tui.store.disk import files, listing, memory
from zsmem_tui.store.disk.joined import JoinedReader
from zsmem_tui.store.disk.listing import Mark

DEFAULT_CAP_BYTES: Final = 512 * 1024 * 1024
"""Bytes of text held at most: a store of 34,500 files and 353 MB stays in memory whole."""

QUIET_SECONDS: Final = 600.0
"""Seconds without a search after which texts are given back."""

_ANSWERS: Final = 4
"""Lists of slabs kept, each of other folders: who widens a search and narrows it again finds them all."""

_TOGETHER_SECONDS: Final = 5.0
"""Memories asked within so many seconds are asked for one search: none of them makes room for another."""

_SETTLED_NS: Final = 2_000_000_000
"""A file changed less than two seconds before it was looked at is read again: a second change may leave the same time."""


class _Listed:
    """What a folder held at the last look: a mark for each file, and the slabs that they are in."""

    __slots__ = ("marks", "settled", "slabs")

    def __init__(self, marks: list[tuple[str, Mark | None]], settled: bool, slabs: list[Slab]) -> None:
        self.marks = marks
        self.settled = settled
        self.slabs = slabs


class Room:
    """What several holders of texts share: how much they hold at most is meant for all of them together."""

    def __init__(self) -> None:
        self.lock = allocate_lock()
        """Held while any of them looks at a folder, or holds other texts."""
        self._holders: WeakSet[Texts] = WeakSet()

    def add(self, holder: Texts) -> None:
        """One more. It is not kept alive by that."""
        with self.lock:
            self._holders.add(holder)

    @property
    def held_bytes(self) -> int:
        """Bytes of text held by all of them."""
        return sum(holder.held_bytes for holder in self._holders)

    def longest_unused(self, but: Texts) -> Texts | None:
        """Who holds something and was asked longest ago, well before `but`."""
        others = [each for each in self._holders if each.held_bytes and each.used_at < but.used_at - _TOGETHER_SECONDS]
        return min(others, key=lambda each: each.used_at, default=None)


PROCESS: Final = Room()
"""That of this process: a person allows the program so much, however many memories it shows."""


class Texts:
    """The texts of the folders asked for. One instance may serve several threads; they take turns in looking at folders."""

    def __init__(
        self,
        cap_bytes: int = DEFAULT_CAP_BYTES,
        *,
        now_ns: Callable[[], int] = time.time_ns,
        now: Callable[[], float] = time.monotonic,
        is_scarce: Callable[[], bool] = never,
        room: Room | None = None,
    ) -> None:
        """`is_scarce` says whether others need the memory: as long as they do, texts are read anew for each search.

        `cap_bytes` is what all in the same `room` hold at most; None: this alone.
        """
        self._cap = cap_bytes
        self._is_scarce = is_scarce
        self._may_hold = True
        self._now_ns = now_ns
        self._now = now
        self._listed: dict[tuple[str, Folder], _Listed] = {}
        self._held: OrderedDict[int, Slab] = OrderedDict()
        self._asked: set[int] = set()
        self._alive: set[int] = set()
        """Which slabs are still of some folder: another is read for who has it, and not held."""
        self._bytes = 0
        self._reader = JoinedReader(SLAB_BYTES)
        self._room = Room() if room is None else room
        self._room.add(self)
        self._lock = self._room.lock
        self._latest: dict[tuple[str, tuple[Folder, ...]], tuple[float, Sequence[Slab]]] = {}
        self._version = 0
        self.used_at = now()
        """When it was asked last, by its clock."""

    @property
    def held_bytes(self) -> int:
        """Bytes of text held now."""
        return self._bytes

    def slabs(
        self, root: str, folders: Sequence[Folder], *, cancelled: Callable[[], bool] = never, max_age: float = 0.0
    ) -> list[Slab]:
        """The memory files in `folders`, as slabs that read the texts they do not hold when these are asked for.

        What the system says is unchanged is not read again. With `max_age`, the answer of an earlier call for the same folders
        serves when it is at most that many seconds old. Files that cannot be read are there with an empty text. Raises
        `Cancelled` when `cancelled()` says so between two folders.
        """
        return list(self.each_slab(root, folders, cancelled=cancelled, max_age=max_age))

    def each_slab(
        self, root: str, folders: Sequence[Folder], *, cancelled: Callable[[], bool] = never, max_age: float = 0.0
    ) -> Iterator[Slab]:
        """The same one by one, each folder looked at when its turn comes."""
        wanted = (root, tuple(folders))
        self._may_hold = not self._is_scarce()
        self.used_at = self._now()
        when, known = self._latest.get(wanted, (0.0, ()))
        if max_age and known and self._now() - when <= max_age:
            self._asked = set(map(id, known))
            yield from known
            return
        version, started = self._version, self._now()
        self._asked = set()
        found: list[Slab] = []
        for folder in listing.expanded(root, folders):
            if cancelled():
                raise Cancelled
            with self._lock:
                slabs = self._look(root, folder)
                self._asked.update(map(id, slabs))
            found += slabs
            yield from slabs
        with self._lock:
            for key in self._asked & self._held.keys():
                self._held.move_to_end(key)
            if version == self._version:
                while len(self._latest) >= _ANSWERS:
                    del self._latest[next(iter(self._latest))]
                self._latest[wanted] = (started, found)

    def documents(self, root: str, folders: Sequence[Folder]) -> list[Document]:
        """Every memory file in `folders`."""
        return [document for slab in self.slabs(root, folders) for document in slab.documents()]

    def expire(self) -> None:
        """Look at the files again at the next call, whatever `max_age` it allows: something has changed."""
        self._version += 1
        self._latest = {}

    def forget(self) -> None:
        """Drop every text held."""
        with self._lock:
            for slab in self._held.values():
                slab.held = None
            self._held.clear()
            self._listed.clear()
            self._alive.clear()
            self._bytes = 0
            self._version += 1
            self._latest = {}
            self._reader.give_back()

    def give_back(self) -> bool:
        """Drop what is held, when nobody has searched for ten minutes or others need the memory; whether that was so."""
        if not self._held or (self._now() - self.used_at < QUIET_SECONDS and not self._is_scarce()):
            return False
        self.forget()
        memory.trim()
        return True

    def _look(self, root: str, folder: Folder) -> list[Slab]:
        """The slabs of one folder, made anew where files are new, changed or gone."""
        now = self._now_ns()
        marks = listing.marks(root, folder)
        known = self._listed.get((root, folder))
        if known is not None and known.settled and known.marks == marks:
            return known.slabs
        fresh = [name for name, mark in marks if mark is not None and now - mark[0] <= _SETTLED_NS]
        slabs = self._arranged(root, folder, marks, known)
        if fresh:
            again = frozenset(fresh)
            marks = [(name, None if name in again else mark) for name, mark in marks]
        self._listed[root, folder] = _Listed(marks, not fresh, slabs)
        return slabs

    def _arranged(self, root: str, folder: Folder, marks: Sequence[tuple[str, Mark | None]], known: _Listed | None) -> list[Slab]:
        home = os.path.join(root, folder.path) if folder.path else root
        if known is None:
            return [self._slab(home, folder, names, sizes, {}) for names, sizes in _grouped(marks)]
        before = dict(known.marks)
        same = {name for name, mark in marks if mark is not None and before.get(name) == mark}
        kept: list[Slab] = []
        texts: dict[str, bytes] = {}
        for slab in known.slabs:
            if same.issuperset(slab.names) and (slab.held is None or 2 * len(slab.held.data) >= SLAB_BYTES):
                kept.append(slab)
                continue
            if slab.held is not None:
                texts |= {name: slab.held.raw(place) for place, name in enumerate(slab.names) if name in same}
            self._alive.discard(id(slab))
            self._drop(slab)
        placed = {name for slab in kept for name in slab.names}
        groups = _grouped(each for each in marks if each[0] not in placed)
        return kept + [self._slab(home, folder, names, sizes, texts) for names, sizes in groups]

    def _slab(self, home: str, folder: Folder, names: Sequence[str], sizes: Sequence[int], texts: dict[str, bytes]) -> Slab:
        """A slab of these files; where the texts of some are at hand, it holds them all."""
        slab = Slab(home, folder, names, partial(self._load, sizes))
        self._alive.add(id(slab))
        if not texts.keys().isdisjoint(names):
            self._keep(slab, pack([texts[name] if name in texts else files.read_or_empty(f"{home}/{name}") for name in names]))
        return slab

    def _load(self, sizes: Sequence[int], slab: Slab) -> Packed:
        """Read the texts of a slab, and hold them where there is room."""
        packed = pack_joined(*self._reader.read(slab.home, slab.names, sizes))
        with self._lock:
            if slab.held is None and id(slab) in self._alive:
                self._keep(slab, packed)
        return packed

    def _keep(self, slab: Slab, packed: Packed) -> None:
        """Hold texts, making room from what was not asked for last, here or elsewhere; when there is none, do without."""
        size = packed.size
        while size <= self._cap < self._room.held_bytes + size:
            other = self._room.longest_unused(self)
            if other is not None:
                other._drop_oldest()
            elif not self._held or next(iter(self._held)) in self._asked:
                return
            else:
                self._drop_oldest()
        if size <= self._cap and self._may_hold:
            slab.held = packed
            self._held[id(slab)] = slab
            self._bytes += size
            if self._bytes > WORTH_LOADING_BYTES:
                use_fastest()

    def _drop_oldest(self) -> None:
        slab = next(iter(self._held.values()))
        self._drop(slab)
        slab.held = None

    def _drop(self, slab: Slab) -> None:
        """Count its texts no more. Who holds the slab still has them."""
        if self._held.pop(id(slab), None) is not None and slab.held is not None:
            self._bytes -= slab.held.size


def _grouped(marks: Iterable[tuple[str, Mark | None]]) -> Iterable[tuple[list[str], list[int]]]:
    """The names of files that are put together, a slab's worth each, and the bytes of each that is an ordinary file, else 0."""
    names: list[str] = []
    sizes: list[int] = []
    total = 0
    for name, mark in marks:
        own = mark[1] if mark is not None and stat.S_ISREG(mark[4]) else 0
        if names and total + own > SLAB_BYTES:
            yield names, sizes
            names, sizes, total = [], [], 0
        names.append(name)
        sizes.append(own)
        total += own
    if names:
        yield names, sizes
