"""Look up the text each file of a store had at a moment of its history."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, groupby
from typing import Final, NamedTuple

from zsmem_tui.core.errors import BadName
from zsmem_tui.core.line_matching import most_in_order
from zsmem_tui.core.moments import clock_time
from zsmem_tui.core.version import WHILE_RUNNING, AuthorKind, Version

SECOND: Final = 10**9
"""One second in nanoseconds."""


class Point(NamedTuple):
    """A moment of a store: after the first `taken` versions. `when`, in nanoseconds since 1970, gives the day."""

    taken: int
    when: int

    @property
    def order(self) -> tuple[int, int]:
        """A sort key for moments."""
        return self.when, self.taken


class Doubt(NamedTuple):
    """A file whose content at a moment is not in the history; its first or its oldest kept version stands in for it.

    This holds from `since` to `until` (nanoseconds). `dropped`: versions were deleted as too old; otherwise zsmem had not looked
    yet.
    """

    path: str
    since: int
    until: int
    dropped: bool


class Timeline:
    """The versions of a store with their commits, in the order in which they were recorded.

    Times never decrease. If a clock was changed or a file had an old date, the fewest possible versions get another time.
    """

    def __init__(self, recorded: Iterable[tuple[str, Version]], now: int) -> None:
        kept = [(commit, version) for commit, version in recorded if version.path]
        self.versions = [version for _, version in kept]
        self.times = _in_order(_clamped_times(self.versions, now))
        self.steps: list[tuple[int, int]] = []
        """Versions recorded together, as (first index, index after the last)."""
        for _, group in groupby(enumerate(kept), key=lambda each: each[1][0]):
            numbers = [number for number, _ in group]
            self.steps.append((numbers[0], numbers[-1] + 1))
        self._of: dict[str, list[int]] = {}
        for number, version in enumerate(self.versions):
            self._of.setdefault(version.path, []).append(number)

    def at(self, when: int) -> Point:
        """The moment at a time in nanoseconds."""
        return Point(bisect_right(self.times, when), when)

    def point_at(self, when: int, now: int) -> Point:
        """The moment at a time. Raises `BadName` if it is in the future (compared by seconds) or before the first version."""
        if not self.times:
            raise BadName("Nothing is recorded yet, so no other moment is known. Nothing was shown.")
        if when // SECOND * SECOND > now:
            raise BadName(f"{clock_time(when)} is to come. Nothing was shown.", f"The last version is {self.named(-1)}.")
        if when < self.times[0]:
            told = f"{clock_time(when)} is before everything that is recorded. Nothing was shown."
            raise BadName(told, f"The first version is {self.named(0)}.")
        return self.at(min(when, now))

    def named(self, number: int) -> str:
        """A version as named in sentences: id and time."""
        return f"{self.versions[number].id}, {clock_time(self.times[number])}"

    def after(self, number: int) -> Point:
        """The moment after a version and all versions recorded with it."""
        start, stop = self.step_of(number)
        return Point(stop, self.times[start])

    def before(self, number: int) -> Point:
        """The moment before a version and all versions recorded with it."""
        start, _ = self.step_of(number)
        return Point(start, self.times[start])

    def step_of(self, number: int) -> tuple[int, int]:
        """The range of versions recorded together with this one."""
        return self.steps[bisect_right(self.steps, number, key=lambda step: step[0]) - 1]

    def number_of(self, id: str) -> int | None:
        """The index of the version with this id; None if there is none."""
        return self._numbers.get(id)

    def knows(self, path: str) -> bool:
        """Whether the file has any version."""
        return path in self._of

    def version(self, path: str, point: Point) -> Version | None:
        """The version of a file at a moment; None if the file did not exist. Where it is unknown, its first known version."""
        own = self._of.get(path, [])
        at = bisect_left(own, point.taken)
        if at:
            return self.versions[own[at - 1]]
        is_known = not own or not (self._was_there(own[0]) or 0 < self.versions[own[0]].dropped <= point.when)
        return None if is_known else self.versions[own[0]]

    def is_last(self, version: Version) -> bool:
        """Whether the version is its file's latest."""
        return self.versions[self._of[version.path][-1]] is version

    def below(self, folder: str) -> Collection[str]:
        """The names in a folder, of files and folders, over all versions."""
        return self._folders.get(folder, ())

    def doubts(self, paths: Iterable[str], point: Point) -> Iterator[Doubt]:
        """Those of these files whose content at a moment is uncertain."""
        for path in paths:
            own = self._of.get(path, [])
            at = bisect_left(own, point.taken)
            if at == len(own):
                continue
            following, until = self.versions[own[at]], self.times[own[at]]
            if following.dropped and following.dropped <= point.when:
                yield Doubt(path, following.dropped, until, dropped=True)
            elif not at and self._was_there(own[0]):
                yield Doubt(path, 0, until, dropped=False)

    def whole_around(self, paths: Sequence[str], point: Point) -> list[int]:
        """The nearest times before and after a moment at which none of these files is in doubt, in whole seconds."""
        found: list[int] = []
        earlier = later = point
        while doubts := list(self.doubts(paths, earlier)):
            if not all(each.since for each in doubts):
                break
            earlier = self.at(min(each.since for each in doubts) // SECOND * SECOND - 1)
        if not doubts and earlier.taken:
            found.append(earlier.when)
        while doubts := list(self.doubts(paths, later)):
            later = self.at(max(each.until for each in doubts))
        return [*found, later.when]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {version.id: number for number, version in enumerate(self.versions)}

    @cached_property
    def _folders(self) -> dict[str, dict[str, None]]:
        found: dict[str, dict[str, None]] = {}
        for path in self._of:
            while path:
                path, _, name = path.rpartition("/")
                found.setdefault(path, {})[name] = None
        return found

    @cached_property
    def _first_look(self) -> int:
        """The index of the last version found when zsmem first looked at the whole store; -1 if there was none."""
        return max((number for number, each in enumerate(self.versions) if each.author.is_before), default=-1)

    def _was_there(self, number: int) -> bool:
        """Whether the file may have existed before its first version: it was found at the first look, not created later."""
        first = self.versions[number]
        is_found = first.author.kind in (AuthorKind.BEFORE, AuthorKind.UNNAMED)
        return is_found and bool(first.after) and not first.before and number <= self._first_look


def _clamped_times(versions: Sequence[Version], now: int) -> list[int]:
    """Clamp the time of each version. An observed version has its file's date, limited by the versions recorded around it."""
    latest: list[int] = []
    upper = now
    for version in reversed(versions):
        upper = upper if version.who == WHILE_RUNNING else min(version.when, now)
        latest.append(min(version.when, upper))
    found: list[int] = []
    last = 0
    for version, when in zip(versions, reversed(latest), strict=True):
        last = max(when, last) if version.who == WHILE_RUNNING else when
        found.append(last)
    return found


def _in_order(times: Sequence[int]) -> list[int]:
    """Make times non-decreasing: the longest non-decreasing subsequence stays, each other time becomes the one before it."""
    if not times:
        return []
    kept = most_in_order(times)
    stays = dict.fromkeys(range(len(times)), -1) | {at: times[at] for at in kept}
    return list(accumulate(stays.values(), max, initial=times[kept[0]]))[1:]
