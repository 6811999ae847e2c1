"""Rank search results in the agent's order, sorting only as far as somebody looks (specification, section 6).

Files of equal merit are kept in one group, so that the first page of 30,000 needs sorting only of the groups on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeVar, overload

if TYPE_CHECKING:
    from zsmem_tui.core.texts import TextFile

Hit = TypeVar("Hit")

Term = tuple[str, bytes]
"""A query term as written, and folded for searching in folded text."""

Place = tuple[int, "TextFile", Sequence[Term]]
"""A found file: the index of its store among those searched, the file, and its terms."""

Make = Callable[[int, "TextFile", Sequence[Term], int], Hit]
"""Makes a hit from a store index, a file, its terms and the number of matching lines."""

_SORT_PIECE: Final = 2_000
"""Files sorted in one go, about 2 ms; more are sorted in slices that a second sort merges."""

_LINES: Final = 1 << 48
"""More than the number of lines of any file: the weight of criteria that rank above the line count: the agent's own file first,
then the number of terms, then whether lines match and not only the name.
"""


class Found:
    """Collects the files found by a search."""

    def __init__(self, terms: int) -> None:
        """For a search for this number of terms."""
        self._ahead = 2 * (terms + 1) * _LINES
        self._by_merit: dict[int, list[Place]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_merit)

    def add(self, store: int, file: TextFile, terms: Sequence[Term], total: int) -> None:
        """Add a file that contains these terms in `total` lines; 0 if only its name matches."""
        merit = 2 * len(terms) * _LINES + (_LINES + total if total else 0)
        if file.name == file.folder.first:
            merit += self._ahead
        self._by_merit.setdefault(merit, []).append((store, file, terms))

    def ranked(self, make: Make[Hit]) -> Ranking[Hit]:
        """The files found so far as ranked hits, made by `make` on demand."""
        return Ranking({merit: list(places) for merit, places in self._by_merit.items()}, make)


class Ranking(Sequence[Hit]):
    """Hits in the agent's order: by merit, then newer dates first and undated files last, then by store and path."""

    def __init__(self, by_merit: dict[int, list[Place]], make: Make[Hit]) -> None:
        """Take files grouped by merit."""
        self._by_merit = by_merit
        self._left = sorted(by_merit)
        """Merits whose files are not sorted yet, the best last."""
        self._make = make
        self._count = sum(map(len, by_merit.values()))
        self._ready: list[Hit] = []

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Hit: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Hit]: ...

    def __getitem__(self, at: int | slice) -> Hit | Sequence[Hit]:
        if isinstance(at, slice):
            start, stop, step = at.indices(self._count)
            return self._down_to(stop if step > 0 else start + 1)[slice(start, stop if stop >= 0 else None, step)]
        return self._down_to(at + 1 if at >= 0 else self._count)[at]

    def __iter__(self) -> Iterator[Hit]:
        at = 0
        while at < len(self._down_to(at + 1)):
            yield self._ready[at]
            at += 1

    def _down_to(self, count: int) -> list[Hit]:
        """Sort groups until at least `count` hits are ready (or all); return the ready ones."""
        while self._left and len(self._ready) < count:
            found = self._left.pop()
            total = found % _LINES
            self._ready += [self._make(*place, total) for place in _in_order(self._by_merit.pop(found))]
        return self._ready


def _in_order(places: list[Place]) -> Iterator[Place]:
    """Sort files of equal merit by date, store and path.

    One tuple key per file, without Python callbacks: sorting by one rule after the other takes twice as long.
    """
    if len(places) == 1:
        return iter(places)
    dates = [file.date for _, file, _ in places]
    newest = sorted(set(dates), key=lambda date: b"" if date is None else (date or "\0").encode(), reverse=True)
    rank = {date: number for number, date in enumerate(newest)}
    homes: dict[str, bytes] = {}
    keyed: list[tuple[int, int, bytes, int]] = []
    for at, (store, file, _) in enumerate(places):
        if (home := homes.get(file.home)) is None:  # it compares folder by folder
            home = homes[file.home] = f"{file.home}/".encode("utf-8", "surrogateescape").replace(b"/", b"\0")
        keyed.append((rank[dates[at]], store, home + file.name.encode("utf-8", "surrogateescape"), at))
    # The second sort only merges the sorted slices: no thread waits for one long sort.
    pieces = (sorted(keyed[at : at + _SORT_PIECE]) for at in range(0, len(keyed), _SORT_PIECE))
    return (places[each[-1]] for each in sorted(chain.from_iterable(pieces)))
