"""Texts of files cached in memory for searches: validated by stat, limited in size, released when nobody searches.

A file behind a link out of the store counts as one that cannot be read, though zerostack's own search follows it.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from _thread import allocate_lock  # `threading` would cost a cold search a millisecond
from collections import OrderedDict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

from zsmem_tui.core.catalog import SETTLED_NS
from zsmem_tui.core.find import WORTH_LOADING_BYTES, use_fastest
from zsmem_tui.core.layout import Folder
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.core.texts import TextFile
from zsmem_tui.store.disk import files, listing, ram
from zsmem_tui.store.disk.files import LARGEST
from zsmem_tui.store.disk.listing import Mark
from zsmem_tui.store.disk.places import is_inside, leads_out

if TYPE_CHECKING:
    from zsmem_tui.core.recall.near_words import Counted, Vocabulary

DEFAULT_CAP_BYTES: Final = 512 * 1024 * 1024
"""The most bytes of text held: enough for a store of 34,500 files and 353 MB."""

QUIET_SECONDS: Final = 600.0
"""Seconds without a search after which texts are released."""

_ANSWERS: Final = 4
"""Folder lists cached, each for a different set of folders, so that widening and narrowing a search again is quick."""

_VOCABULARIES: Final = 3
"""Vocabularies cached, each for a different set of folders."""

_TOGETHER_SECONDS: Final = 5.0
"""Caches used within so many seconds of each other serve one search: none of them evicts another's texts."""

_BATCH: Final = 16
"""Files per batch if their texts are in memory."""


class _Listed:
    """The last known state of a folder: a mark (stat values) and a `TextFile` for each file. `held` is bytes of text in memory."""

    __slots__ = ("files", "held", "is_whole", "key", "marks", "settled")

    def __init__(
        self, key: tuple[str, Folder], marks: Sequence[tuple[str, Mark | None]], found: list[TextFile], *, settled: bool
    ) -> None:
        self.key = key
        self.marks = marks
        self.files = found
        self.settled = settled
        self.held = 0
        self.is_whole = False
        """Whether the texts of all files are in memory."""


class _Words:
    """The vocabulary of some folders, with the contribution of each file."""

    def __init__(self) -> None:
        self._vocabulary: Vocabulary | None = None
        self._lock = allocate_lock()
        self._counted: dict[str, tuple[TextFile, int, Counted]] = {}
        """By path: the counted file, the hash of its text, and its word counts."""

    def counted(self, batches: Iterable[Sequence[TextFile]], cancelled: Callable[[], bool]) -> Vocabulary:
        from zsmem_tui.core.recall.near_words import Vocabulary  # deferred: loads word lists, needed only for suggestions

        with self._lock:
            words = self._vocabulary = self._vocabulary or Vocabulary()
            there = set()
            for batch in batches:
                if cancelled():
                    raise Cancelled
                for file in batch:
                    path = file.os_path
                    there.add(path)
                    known = self._counted.get(path)
                    if known is not None and known[0] is file:
                        continue
                    raw = file.raw
                    digest = hash(raw)
                    if known is None or known[1] != digest:
                        if known is not None:
                            words.remove(known[2])
                        self._counted[path] = (file, digest, words.add(raw.decode()))
                    else:
                        self._counted[path] = (file, digest, known[2])
            for path in self._counted.keys() - there:
                words.remove(self._counted.pop(path)[2])
            return words


class Room:
    """A size limit shared by several caches."""

    def __init__(self) -> None:
        self.lock = allocate_lock()
        """Held while any cache examines a folder or changes its texts."""
        self._holders: WeakSet[Texts] = WeakSet()

    def add(self, holder: Texts) -> None:
        """Register a cache. It is referenced weakly."""
        with self.lock:
            self._holders.add(holder)

    @property
    def held_bytes(self) -> int:
        """Bytes of text held by all of them."""
        return sum(holder.held_bytes for holder in self._holders)

    def longest_unused(self, but: Texts) -> Texts | None:
        """The cache with texts that was used longest ago, well before `but`; None if there is none."""
        others = [each for each in self._holders if each.held_bytes and each.used_at < but.used_at - _TOGETHER_SECONDS]
        return min(others, key=lambda each: each.used_at, default=None)


PROCESS: Final = Room()
"""The one of this process: the limit is for the whole program, however many memories it shows."""


class Texts:
    """A cache of the texts in folders. One instance may serve several threads; they take turns in examining folders."""

    def __init__(
        self,
        cap_bytes: int = DEFAULT_CAP_BYTES,
        *,
        now_ns: Callable[[], int] = time.time_ns,
        now: Callable[[], float] = time.monotonic,
        is_scarce: Callable[[], bool] = never,
        room: Room | None = None,
    ) -> None:
        """`is_scarce` says whether other programs need the memory: while they do, texts are read anew for each search.

        `cap_bytes` is the limit for all caches in the same `room`; without a room, for this one.
        """
        self._cap = cap_bytes
        self._is_scarce = is_scarce
        self._may_hold = True
        self._now_ns = now_ns
        self._now = now
        self._listed: OrderedDict[tuple[str, Folder], _Listed] = OrderedDict()
        """By root and folder, least recently used first."""
        self._asked: set[tuple[str, Folder]] = set()
        self.held_bytes = 0
        """Bytes of text in memory."""
        self._room = Room() if room is None else room
        self._room.add(self)
        self._lock = self._room.lock
        self._latest: dict[tuple[str, tuple[Folder, ...]], tuple[float, Sequence[_Listed]]] = {}
        self._version = 0
        self._words: dict[tuple[str, tuple[Folder, ...]], _Words] = {}
        self.used_at = now()
        """When it was last used, by its clock."""

    def files(self, root: str, folders: Sequence[Folder]) -> Iterator[TextFile]:
        """Yield the memory files in `folders`, each with its text loaded."""
        return chain.from_iterable(self.batches(root, folders))

    def batches(
        self, root: str, folders: Sequence[Folder], *, cancelled: Callable[[], bool] = never, max_age: float = 0.0
    ) -> Iterator[Sequence[TextFile]]:
        """Yield the files in batches, each with its text loaded.

        Files whose stat is unchanged are not read again. With `max_age`, the result of an earlier call for the same folders is used
        if it is at most that many seconds old. Files that cannot be read have an empty text. Raises `Cancelled` if `cancelled()`
        returns True between two folders.
        """
        wanted = (root, tuple(folders))
        self._may_hold = not self._is_scarce()
        self.used_at = self._now()
        when, known = self._latest.get(wanted, (0.0, ()))
        self._asked = set()
        if max_age and known and self._now() - when <= max_age:
            self._asked = {each.key for each in known}
            for listed in known:
                yield from self._with_texts(listed)
            return
        version, started = self._version, self._now()
        found: list[_Listed] = []
        for folder in listing.expanded(root, folders):
            if cancelled():
                raise Cancelled
            with self._lock:
                listed = self._examine(root, folder)
                self._asked.add(listed.key)
            found.append(listed)
            yield from self._with_texts(listed)
        with self._lock:
            for key in self._asked & self._listed.keys():
                self._listed.move_to_end(key)
            if version == self._version:
                while len(self._latest) >= _ANSWERS:
                    del self._latest[next(iter(self._latest))]
                self._latest[wanted] = (started, found)

    def vocabulary(
        self, root: str, folders: Sequence[Folder], *, cancelled: Callable[[], bool] = never, max_age: float = 0.0
    ) -> Vocabulary:
        """The words of all files in `folders`, with the number of files that have each; unchanged files are not counted again.

        Raises `Cancelled` if `cancelled()` returns True between two batches.
        """
        wanted = (root, tuple(folders))
        if wanted not in self._words:
            while len(self._words) >= _VOCABULARIES:
                del self._words[next(iter(self._words))]
            self._words[wanted] = _Words()
        return self._words[wanted].counted(self.batches(root, folders, cancelled=cancelled, max_age=max_age), cancelled)

    def expire(self) -> None:
        """Make the next call examine the files again, whatever its `max_age`: something has changed."""
        self._version += 1
        self._latest = {}

    def forget(self) -> None:
        """Release all texts."""
        with self._lock:
            for listed in list(self._listed.values()):
                self._drop(listed)
            self._listed.clear()
            self._words.clear()
            self.expire()

    def give_back(self) -> bool:
        """Release all texts if nobody has searched for ten minutes or others need the memory; return whether it did."""
        if not self.held_bytes or (self._now() - self.used_at < QUIET_SECONDS and not self._is_scarce()):
            return False
        self.forget()
        ram.trim()
        return True

    def _examine(self, root: str, folder: Folder) -> _Listed:
        """Examine one folder; the texts of unchanged files are kept."""
        now, key = self._now_ns(), (root, folder)
        marks = listing.marks(root, folder)
        known = self._listed.get(key)
        if known is not None and known.settled and known.marks == marks:
            return known
        home, read = os.path.join(root, folder.path) if folder.path else root, partial(read_inside, root)
        before = dict(known.marks) if known is not None else {}
        by_name = {file.name: file for file in known.files} if known is not None else {}
        same = {name for name, mark in marks if mark is not None and before.get(name) == mark}
        found = [by_name[name] if name in same else TextFile(home, folder, name, read) for name, _ in marks]
        fresh = {name for name, mark in marks if mark is not None and now - mark[0] <= SETTLED_NS}
        noted = [(name, None if name in fresh else mark) for name, mark in marks] if fresh else marks
        listed = self._listed[key] = _Listed(key, noted, found, settled=not fresh)
        listed.held = sum(by_name[name].size for name in same)
        self.held_bytes += listed.held - (known.held if known is not None else 0)
        return listed

    def _with_texts(self, listed: _Listed) -> Iterator[Sequence[TextFile]]:
        """Yield the files of a folder with their texts; a text for which there is no room is released at the next step."""
        if listed.is_whole:
            yield from (listed.files[at : at + _BATCH] for at in range(0, len(listed.files), _BATCH))
            return
        handle, is_whole, (root, folder) = -1, True, listed.key
        try:
            for file, (_, mark) in zip(listed.files, listed.marks, strict=True):
                if file.text is not None:
                    yield (file,)
                    continue
                if handle < 0:
                    handle = open_folder(root, folder.path)
                raw = read_in(handle, file, mark[1] if mark is not None and stat.S_ISREG(mark[4]) else 0)
                if not self._keep(listed, file, raw):
                    file = TextFile(file.home, file.folder, file.name, partial(read_inside, root))
                    file.hold(raw)
                    is_whole = False
                    yield (file,)
                    file.drop()
                else:
                    yield (file,)
            listed.is_whole = is_whole
        finally:
            if handle >= 0:
                os.close(handle)

    def _keep(self, listed: _Listed, file: TextFile, raw: bytes) -> bool:
        """Hold a text, evicting least recently used ones, here or in other caches; False if there is no room."""
        size = len(raw)
        with self._lock:
            if file.text is not None:
                return True  # another thread was first
            if size > self._cap or not self._may_hold or self._listed.get(listed.key) is not listed:
                return False
            while self._cap < self._room.held_bytes + size:
                other = self._room.longest_unused(self)
                if not (other or self)._drop_oldest(self._asked):
                    return False
            file.hold(raw)
            listed.held += size
            self.held_bytes += size
            if self.held_bytes > WORTH_LOADING_BYTES:
                use_fastest()
            return True

    def _drop_oldest(self, asked: Container[tuple[str, Folder]]) -> bool:
        """Evict the texts of the least recently used folder that has any, except those in `asked`; False if there is none."""
        oldest = next((each for each in self._listed.values() if each.held and each.key not in asked), None)
        if oldest is not None:
            self._drop(oldest)
        return oldest is not None

    def _drop(self, listed: _Listed) -> None:
        for file in listed.files:
            file.drop()
        self.held_bytes -= listed.held
        listed.held, listed.is_whole = 0, False


def stream(
    root: str, folders: Iterable[Folder], keep_bytes: int, *, cancelled: Callable[[], bool] = never
) -> Iterator[Sequence[TextFile]]:
    """Yield the memory files in `folders` for a single search in a short-lived process: each is opened once, without stat.

    Of the texts with hits, at most `keep_bytes` are kept for displaying; others are read again. Raises `Cancelled` if `cancelled()`
    returns True between two folders.
    """
    total = 0
    for folder in listing.expanded(root, folders):
        if cancelled():
            raise Cancelled
        home = os.path.join(root, folder.path) if folder.path else root
        handle, read = open_folder(root, folder.path), partial(read_inside, root)
        try:
            for name in listing.names(root, folder):
                file = TextFile(home, folder, name, read)
                raw = read_in(handle, file)
                file.hold(raw)
                total += len(raw)
                if total > WORTH_LOADING_BYTES:
                    use_fastest()
                yield (file,)
                if file.is_hit:
                    keep_bytes -= file.size
                    if keep_bytes < 0:
                        file.drop()
        finally:
            if handle >= 0:
                os.close(handle)


_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC

_IS_LINK: Final = frozenset({errno.ELOOP, errno.EMLINK})
"""The errors for a link that is not followed."""

_MOSTLY_BYTES: Final = 64 * 1024
"""Most files have fewer bytes: those are read in one call, larger ones in pieces."""


def open_folder(root: str, folder: str) -> int:
    """A file descriptor of a folder of a store; -1 if it cannot be opened or leads out."""
    try:
        return -1 if leads_out(root, folder) else os.open(os.path.join(root, folder), os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return -1


def read_inside(root: str, path: str) -> bytes:
    """The bytes of a file; empty if it cannot be read or a link to it leads out of the folder `root`."""
    return files.read_or_empty(path) if is_inside(path, root) else b""


def read_in(folder: int, file: TextFile, size: int = 0) -> bytes:
    """The bytes of a regular file in a folder; empty if it cannot be read, is none, or a link to it leads out of the store.

    `size` is its size according to stat, 0 if unknown: if that many bytes are read, no check for more is made.
    """
    # The inner loop of a first search: no unnecessary system calls.
    room = size + 1 if 0 < size <= LARGEST else _MOSTLY_BYTES
    try:
        handle = os.open(file.name, _FLAGS, dir_fd=folder)
        try:
            raw = os.pread(handle, room, 0)  # pread works only on files, and on endless devices
            if len(raw) == size or not (len(raw) == room or (raw and os.pread(handle, 1, len(raw)))):
                return raw
            return _whole(handle)
        finally:
            os.close(handle)
    except OSError as error:
        return file.raw if folder >= 0 and error.errno in _IS_LINK else b""
    except ValueError:
        return b""


def _whole(handle: int) -> bytes:
    """All of a file whose size was not as expected. Raises `OSError` if it is not a regular file, or too large."""
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    if found.st_size > LARGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    pieces: list[bytes] = []
    while piece := os.read(handle, max(found.st_size + 1, _MOSTLY_BYTES)):
        pieces.append(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
