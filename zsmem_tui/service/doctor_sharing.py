"""A first look at a large store, shared among the processors: what files say by themselves, and projects by themselves.

The same functions work in every process, so that the answer is the same whoever worked it out. What no other process has told
is done here: one that cannot be begun, dies or is slow only makes the look take longer.
"""

from __future__ import annotations

import gc
import pickle
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from zsmem_tui.core.catalog import FileEntry
from zsmem_tui.core.checks.examine import Reading, compared
from zsmem_tui.core.checks.fault import Fault
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.service.doctor_texts import LARGEST, Kept, TextRules, readings
from zsmem_tui.store.disk import beside

MUCH = 2 * 1024 * 1024
"""Bytes of text: less is looked at before another process has begun."""

MOST_HELPERS: Final = 3
_LEAST_SHARE: Final = 256 * 1024
"""Bytes of a share at least, and of what is for all that each process reads for itself."""

_SHARES_EACH: Final = 4
"""Shares for each process at least, so that none has to wait long for another's last."""

_PATIENCE: Final = 0.2
"""Seconds that an answer is waited for when nothing else is to be done, before its share is done here."""


class Share(NamedTuple):
    """Files of a project, and whether they are all that are compared with each other."""

    owner: str
    entries: tuple[FileEntry, ...]
    is_whole: bool


class Start(NamedTuple):
    """What a process has to know first. `shared` are the files that are compared with those of every project."""

    rules: TextRules
    shared: tuple[FileEntry, ...]
    gives_way: bool


class Told(NamedTuple):
    """What a share says: its files, in their order (None: not to be read), and of a whole one what it says together.

    `beside` is as which the shared files were read for that.
    """

    files: list[Kept | None]
    faults: list[Fault] | None
    beside: list[object]


@dataclass(slots=True)
class Shared:
    """What was found: files by their paths, and by projects the readings that were compared and what was wrong with them."""

    files: dict[str, Kept] = field(default_factory=dict)
    together: dict[str, tuple[tuple[Reading, ...], list[Fault]]] = field(default_factory=dict)
    is_cut: bool = False
    """Whether nobody waited any more: this is only what was found until then."""


def shared_look(
    rules: TextRules,
    groups: Mapping[str, Sequence[FileEntry]],
    known: Mapping[str, Kept],
    *,
    gives_way: bool,
    cancelled: Callable[[], bool] = never,
) -> Shared | None:
    """What those files of `groups` say that are not `known`; None where sharing is not worth it. `groups` has by project its files.

    Files that cannot be read are not among those found. When `cancelled` says so, it is what was found until then; the other
    processes have ended in any case.
    """
    new = {
        owner: [each for each in own if _is_text(each) and not _is_known(each, known.get(each.ref.path))]
        for owner, own in groups.items()
    }
    size = sum(each.size for own in new.values() for each in own)
    helpers = min(beside.cores() - 1, MOST_HELPERS)
    if size < MUCH or helpers < 1 or not _is_ours(rules):
        return None
    compares = sum(each.size for each in groups.get("", ())) <= _LEAST_SHARE
    shared = tuple(filter(_is_text, groups.get("", ()))) if compares else ()
    shares = list(_shares(new, groups, max(_LEAST_SHARE, size // (_SHARES_EACH * (helpers + 1))), compares=compares))
    start = pickle.dumps(Start(rules, shared, gives_way))
    return _Party(rules, shared, shares, known, cancelled).done(start, min(helpers, len(shares)))


class _Party:
    """Shares, and who works on them: this thread, and one for each other process."""

    def __init__(
        self,
        rules: TextRules,
        shared: Sequence[FileEntry],
        shares: Sequence[Share],
        known: Mapping[str, Kept],
        cancelled: Callable[[], bool],
    ) -> None:
        self.rules = rules
        self.cancelled = cancelled
        self.shared = shared
        self.known = known
        self.shares = shares
        self.left = deque(sorted(range(len(shares)), key=lambda at: -sum(each.size for each in shares[at].entries)))
        self.told: dict[int, Told] = {}
        self.begun: dict[int, list[Kept | None]] = {}
        """What this process has read of shares, so that it is kept when nobody waits any more."""
        self.news = threading.Condition()

    def done(self, start: bytes, count: int) -> Shared:
        """Everything, done by this process and so many others."""
        helpers: list[beside.Helper] = []
        threads: list[threading.Thread] = []
        try:
            for _ in range(count):
                try:
                    helpers.append(beside.Helper(__name__))
                except (OSError, ValueError):
                    break
                threads.append(threading.Thread(target=self._ask, args=(helpers[-1], start), daemon=True))
                threads[-1].start()
            return self._work()
        finally:
            for helper in helpers:
                helper.end()
            for thread in threads:
                thread.join()
            for helper in helpers:
                helper.close()

    def _ask(self, helper: beside.Helper, start: bytes) -> None:
        """Let another process do shares as long as there are some, or it answers."""
        if helper.ask(start) is None:
            return
        while (at := self._next()) is not None:
            raw = helper.ask(pickle.dumps(self.shares[at]))
            if raw is None:
                break
            pieces: list[bytes] = pickle.loads(raw)
            found = [pickle.loads(piece) for piece in pieces[:-1]]  # one by one: other threads go on between
            with self.news:
                self.told.setdefault(at, Told(found, *pickle.loads(pieces[-1])))
                self.news.notify()

    def _next(self) -> int | None:
        try:
            return self.left.popleft()
        except IndexError:
            return None

    def _work(self) -> Shared:
        found = Shared()
        every: dict[str, Kept | None] = {}
        for entry in self.shared:
            kept = self.known.get(entry.ref.path)
            every[entry.ref.path] = kept if kept is not None and _is_known(entry, kept) else _looked(self.rules, entry)
        found.files.update((path, kept) for path, kept in every.items() if kept is not None)
        common = list(every.values())
        try:
            self._gather(common)
        except Cancelled:
            found.is_cut = True
        beside_us = _evidence(common)
        for at, share in enumerate(self.shares):
            own, faults, beside_them = self.told.get(at) or Told(self.begun.get(at, []), None, [])
            found.files.update((entry.ref.path, kept) for entry, kept in zip(share.entries, own, strict=False) if kept is not None)
            if faults is not None and beside_them == beside_us:
                found.together[share.owner] = (tuple(readings((*common, *own))), faults)
        return found

    def _gather(self, common: Sequence[Kept | None]) -> None:
        """Do shares as long as there are some, then wait for those of the others. Raises `Cancelled`."""
        while (at := self._next()) is not None:
            self._do(at, common)
        for at in range(len(self.shares)):
            with self.news:
                self.news.wait_for(partial(self.told.__contains__, at), _PATIENCE)
            if self.cancelled():
                raise Cancelled
            if at not in self.told:
                self._do(at, common)

    def _do(self, at: int, common: Sequence[Kept | None]) -> None:
        own = self.begun.setdefault(at, [])
        self.told.setdefault(at, told(self.rules, common, self.shares[at], self.cancelled, own))


def told(
    rules: TextRules,
    common: Sequence[Kept | None],
    share: Share,
    cancelled: Callable[[], bool] = never,
    own: list[Kept | None] | None = None,
) -> Told:
    """What a share says, beside what is for all; files are put into `own` one by one. Raises `Cancelled`."""
    own = [] if own is None else own
    for entry in share.entries:
        own.append(_looked(rules, entry))
        if cancelled():
            raise Cancelled
    if not share.is_whole:
        return Told(own, None, [])
    return Told(own, compared(readings((*common, *own)), share.owner, cancelled=cancelled), _evidence(common))


def _is_ours(rules: TextRules) -> bool:
    """Whether these are rules of this program, which another process of it has, too."""
    return type(rules.lists).__module__.startswith(f"{__name__.partition('.')[0]}.")


def _looked(rules: TextRules, entry: FileEntry) -> Kept | None:
    try:
        return rules.look(entry)
    except StoreError:
        return None  # it is looked at once more, and then said


def _evidence(own: Iterable[Kept | None]) -> list[object]:
    return [kept and kept.evidence for kept in own]


def _is_text(entry: FileEntry) -> bool:
    return not entry.missing and entry.fingerprint is not None and entry.size <= LARGEST


def _is_known(entry: FileEntry, kept: Kept | None) -> bool:
    return kept is not None and kept.evidence == entry.fingerprint


def _shares(
    new: Mapping[str, Sequence[FileEntry]], groups: Mapping[str, Sequence[FileEntry]], most: int, *, compares: bool
) -> Iterable[Share]:
    """The files in shares of about `most` bytes; a project that is no larger is one, so that it is compared there, too."""
    for owner, own in new.items():
        if not owner and compares:
            continue  # every process reads these for itself
        size = sum(each.size for each in own)
        if own and owner and compares and size <= most and len(own) == sum(map(_is_text, groups[owner])):
            yield Share(owner, tuple(own), is_whole=True)
            continue
        piece: list[FileEntry] = []
        size = 0
        for entry in own:
            piece.append(entry)
            size += entry.size
            if size >= most:
                yield Share(owner, tuple(piece), is_whole=False)
                piece, size = [], 0
        if piece:
            yield Share(owner, tuple(piece), is_whole=False)


# -- in the other process ---------------------------------------------------------------------------------------------


class _Worker:
    """What the other process knows."""

    def __init__(self) -> None:
        self.start: Start | None = None
        self.common: list[Kept | None] = []

    def answer(self, request: bytes) -> bytes:
        """The answer to a request, of which the first says how to work."""
        asked: Start | Share = pickle.loads(request)
        if isinstance(asked, Start):
            self.start = asked
            if asked.gives_way:
                beside.give_way()
            self.common = [_looked(asked.rules, entry) for entry in asked.shared]
            return b"-"
        if self.start is None:
            raise ValueError("a share before its rules")
        own, faults, common = told(self.start.rules, self.common, asked)
        return pickle.dumps([*map(pickle.dumps, own), pickle.dumps((faults, common))])


def serve() -> None:
    """Work on the shares that come."""
    gc.disable()  # what is made here is kept until it is sent
    beside.serve(_Worker().answer)
