"""The agent's order of what was found, made as far down as somebody looks (specification, section 6).

Files of equal merit lie together from the start, so that the first page of 30,000 takes the sorting of those that stand on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeVar, overload

if TYPE_CHECKING:
    from zsmem_tui.core.texts import TextFile

Hit = TypeVar("Hit")

Term = tuple[str, bytes]
"""A word of the query as it was written, and as it is looked for in folded text."""

Place = tuple[int, "TextFile", Sequence[Term]]
"""A file that was found: the place of its store among those searched, and its terms."""

Make = Callable[[int, "TextFile", Sequence[Term], int], Hit]
"""Makes a hit of a store's place, a file, its terms and the number of lines that hold some."""

_SORT_PIECE: Final = 2_000
"""Files sorted in one go, about 2 ms; more are sorted in pieces, which another sort only has to merge."""

_LINES: Final = 1 << 48
"""More lines than a file has. What counts more than lines in the merit of a file is counted in these: first the agent's own
file, then terms, then that lines hold them and not only the name."""


class Found:
    """The files found by a search so far."""

    def __init__(self, terms: int) -> None:
        """For a search for so many terms."""
        self._ahead = 2 * (terms + 1) * _LINES
        self._by_merit: dict[int, list[Place]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_merit)

    def add(self, store: int, file: TextFile, terms: Sequence[Term], total: int) -> None:
        """A file that holds terms, in so many lines; in none when it is a hit by its name."""
        merit = 2 * len(terms) * _LINES + (_LINES + total if total else 0)
        if file.name == file.folder.first:
            merit += self._ahead
        self._by_merit.setdefault(merit, []).append((store, file, terms))

    def ranked(self, make: Make[Hit]) -> Ranking[Hit]:
        """What was found by now, as `make` makes hits of it."""
        return Ranking({merit: list(places) for merit, places in self._by_merit.items()}, make)


class Ranking(Sequence[Hit]):
    """Hits in the agent's order: by merit, newer dates before older ones before none, then by store and path."""

    def __init__(self, by_merit: dict[int, list[Place]], make: Make[Hit]) -> None:
        """Of files by their merit."""
        self._by_merit = by_merit
        self._left = sorted(by_merit)
        """The merits whose files are not in order yet, the best last."""
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
        """The hits in order, `count` of them at least where there are as many."""
        while self._left and len(self._ready) < count:
            found = self._left.pop()
            total = found % _LINES
            self._ready += [self._make(*place, total) for place in _in_order(self._by_merit.pop(found))]
        return self._ready


def _in_order(places: list[Place]) -> Iterator[Place]:
    """Files of one merit by date, store and path.

    One key a file, and no call back into Python while sorting: sorting by one rule after the other takes twice as long.
    """
    if len(places) == 1:
        return iter(places)
    dates = [file.date for _, file, _ in places]
    rank = {date: number for number, date in enumerate(sorted(set(dates), key=_date_key, reverse=True))}
    homes: dict[str, bytes] = {}
    keyed: list[tuple[int, int, bytes, int]] = []
    for at, (store, file, _) in enumerate(places):
        home = homes.get(file.home) or homes.setdefault(file.home, _parts_of(f"{file.home}/"))
        keyed.append((rank[dates[at]], store, home + file.name.encode("utf-8", "surrogateescape"), at))
    # Sorted pieces are merged by the second sort, which finds them: no thread waits for one long sort.
    pieces = (sorted(keyed[at : at + _SORT_PIECE]) for at in range(0, len(keyed), _SORT_PIECE))
    return (places[each[-1]] for each in sorted(chain.from_iterable(pieces)))


def _parts_of(path: str) -> bytes:
    """A path so that it is compared folder by folder."""
    return path.encode("utf-8", "surrogateescape").replace(b"/", b"\0")


def _date_key(date: str | None) -> bytes:
    return b"" if date is None else (date or "\0").encode()
