"""What an agent saw at past moments: parse moments as people type them, and list how the prompt block changed."""

from __future__ import annotations

import heapq
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.core.context import Block
from zsmem_tui.core.errors import BadName
from zsmem_tui.core.moments import CALLED, exactly, nanoseconds
from zsmem_tui.core.past import SECOND, Point, Timeline
from zsmem_tui.core.preview import over_cap
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.text import common_ends, counted, cut, printable_path, raw_lines, trim
from zsmem_tui.core.version import Version
from zsmem_tui.service.facts.provenance import author_of
from zsmem_tui.service.history import look_at_all
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.session import Session

if TYPE_CHECKING:
    from zsmem_tui.store.history.past import PastReader

_AGO: Final = re.compile(r"(\d{1,6})\s*(s|m|h|d|w|(?:sec(?:ond)?|min(?:ute)?|hour|day|week)s?)(?:\s+ago)?", re.ASCII)
_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_DAY: Final = re.compile(r"(today|yesterday)?\s*(\d{1,2}:\d{2}(?::\d{2})?)?", re.ASCII)
_ISO: Final = re.compile(r"\d{4}-\d\d", re.ASCII)
_ID: Final = re.compile(r"[0-9a-f]{2,40}(?:\.\d+)?", re.ASCII)
_ID_CHARS: Final = 12

_TURN_SECONDS: Final = 0.15
"""How many seconds the history is held at a time, so that others who save do not wait longer."""


class Change(NamedTuple):
    """A moment at which the block changed from `before` to `point`. Without `versions`, a new day began.

    `came` and `fell` are the added and removed lines. `pushed` counts bytes of unchanged files that no longer fit, and `sections`
    names their sections. `wanted` and `fits` are the sizes in bytes without and with the cap.
    """

    point: Point
    before: Point
    versions: tuple[Version, ...]
    came: tuple[str, ...]
    fell: tuple[str, ...]
    pushed: int
    sections: tuple[str, ...]
    wanted: int
    fits: int


class _Seen(NamedTuple):
    """A block, with the bytes over the cap and the section title of each file."""

    text: str
    lines: list[str]
    """The lines of memory that are whole in it."""
    over: dict[str, int]
    titles: dict[str, str]
    wanted: int
    reader: PastReader


def now(session: Session) -> Point:
    """The current moment, including everything written so far. Raises `HistoryError`."""
    look_at_all(session)
    return session.past.now(session.project, session.profile, session.config.inject_cap)


def point_of(session: Session, words: str) -> Point:
    """Parse a moment. Raises `BadName` if it is invalid, in the future or before the first version; `HistoryError`."""
    until = now(session)
    timeline, meant = session.past.timeline(), words.strip()
    when = _time_of(meant, exactly(until.when))
    return timeline.after(_number_of(timeline, meant)) if when is None else timeline.point_at(when, until.when)


def since(session: Session, words: str) -> int:
    """Parse the time from which on changes are listed: as `point_of`, but it may be before the first version."""
    when, times = _time_of(words.strip(), exactly(now(session).when)), session.past.timeline().times
    return point_of(session, words).when if when is None or (times and when >= times[0]) else when


def around(session: Session, version: Version) -> tuple[Point, Point]:
    """The moments just before and after a version was written. Raises `BadName` if there is none before it."""
    timeline = session.past.timeline()
    number = timeline.number_of(version.id)
    if number is None:
        raise BadName("This version is of another file, or was dropped since. Nothing was shown.")
    before = timeline.before(number)
    if not before.taken:
        raise BadName("zsmem had not looked before this version was written. Nothing was shown.")
    return before, timeline.after(number)


class Walk:
    """Finds the changes of a block, newest first, a few at a time."""

    def __init__(self, session: Session, about: Subject, since: int = 0) -> None:
        self.session = session
        self.about = about
        self.is_done = False
        self.since = since
        self._found = self._changes()

    def more(self, count: int) -> list[Change]:
        """Up to `count` further changes, fewer if they take long; sets `is_done` at the end. Raises `HistoryError`."""
        found: list[Change] = []
        with self.session.history.opened():
            end = time.monotonic() + _TURN_SECONDS
            for change in self._found:
                found += [change] if change is not None else []
                if len(found) >= count or time.monotonic() >= end:  # after one at least, so that each turn comes on
                    break
            else:
                self.is_done = True
        return found

    def every(self) -> Iterator[Change]:
        """All remaining changes."""
        while not self.is_done:
            yield from self.more(1_000)

    def _changes(self) -> Iterator[Change | None]:
        """Yield the changes; None after each check that found none."""
        session, past = self.session, self.session.past
        timeline = past.timeline()
        until = Point(len(timeline.versions), session.now_ns())
        clock = exactly(until.when)
        after = self._seen(until, clock)
        others = [each.timeline for each in after.reader.others.values()]
        for point, before, versions, is_own in self._events(timeline, others, until):
            if point.when < self.since or not point.taken:
                break
            if versions and is_own and not _concerns(after.reader, versions):
                continue
            was = self._seen(before, clock)
            yield _change(point, before, versions, was, after) if was.text != after.text else None
            after = was

    def _events(
        self, timeline: Timeline, others: Sequence[Timeline], until: Point
    ) -> Iterator[tuple[Point, Point, tuple[Version, ...], bool]]:
        """Yield when the block may have changed, latest first: steps of this and of included stores, and midnights."""
        own = (
            (timeline.after(start), timeline.before(start), tuple(timeline.versions[start:stop]), True)
            for start, stop in reversed(timeline.steps)
        )
        beside = (
            (timeline.at(when), timeline.at(when - 1), tuple(other.versions[start:stop]), False)
            for other in others
            for start, stop in reversed(other.steps)
            if (when := other.times[start])
        )
        days = _midnights(until.when, timeline.times[0]) if self.session.layout.has_profiles and timeline.times else ()
        begun = ((timeline.at(each), timeline.at(each - 1), (), False) for each in days)
        every = (own, sorted(beside, key=lambda each: each[0].when, reverse=True), begun)
        yield from heapq.merge(*every, key=lambda each: each[0].when, reverse=True)

    def _seen(self, point: Point, clock: datetime) -> _Seen:
        session, about = self.session, self.about
        profile = Profile(about.profile)
        block, reader = session.past.block(point, about.project, profile, session.config.inject_cap, clock=clock)
        text, over = block.text or "", over_cap(block)
        titles = {section.path: section.title for section in block.sections}
        for skipped in block.skipped:
            titles[skipped.path], over[skipped.path] = skipped.title, reader.size(skipped.path) or 0
        wanted = len(text.encode("utf-8", "replace")) + sum(over.values())
        return _Seen(text, [*_whole_lines(block)], over, titles, wanted, reader)


def pushed_out(session: Session, about: Subject, text: str) -> Change | None:
    """The last change that removed the text's first line from the block, or None. Raises `HistoryError`."""
    return next((each for each in Walk(session, about).every() if lost_with(each, raw_lines(text)[0])), None)


def lost_with(change: Change, line: str) -> bool:
    """Whether a change removed a line from the block, ignoring indentation."""
    wanted = trim(line)
    return bool(wanted) and wanted in map(trim, change.fell)


def told(change: Change, *, effect_first: bool = False) -> str:
    """Describe a change in one line: who wrote what, the number of lines that came and went, and what no longer fits."""
    counts = f"{len(change.came):,} in, {len(change.fell):,} out"
    of = change.sections[0] if len(change.sections) == 1 else counted(len(change.sections), "section")
    size = counted(change.pushed, "byte") if change.pushed < 1_000 else f"{change.pushed / 1024:.1f}K"
    pushed = f" ({size} of {of} pushed over the cap)" if change.pushed else ""
    return f"{counts} · {did(change)}{pushed}" if effect_first else f"{did(change)}: {counts}{pushed}"


def who_wrote(change: Change) -> list[str]:
    """The authors of a change; empty if a new day began."""
    return list(dict.fromkeys(str(each.author) if each.puts_back else author_of(each) for each in change.versions))


def did(change: Change) -> str:
    """Who wrote what, in words."""
    if not change.versions:
        return "a new day"
    who = " and ".join(f"{each}," if ", " in each else each for each in who_wrote(change))
    if len(change.versions) > 1:
        gone = Counter(each.before for each in change.versions if not each.after)
        moved = (gone & Counter(each.after for each in change.versions if not each.before)).total()
        counts = ("moved", moved), ("changed", len(change.versions) - 2 * moved)
        acts = [f"{act} {counted(count, 'file')}" for act, count in counts if count]
        return f"{who} {' and '.join(acts)}"
    version = change.versions[0]
    name = printable_path(version.path).rpartition("/")[2]
    if not version.after:
        return f"{who} deleted {name}"
    if not version.before:
        return f"{who} wrote {name}"
    if not version.added and not version.removed:
        return f"{who} moved lines in {name}"
    if not version.removed:
        return f"{who} added {counted(version.added, 'line')} to {name}"
    if not version.added:
        return f"{who} took {counted(version.removed, 'line')} out of {name}"
    return f"{who} changed {counted(max(version.added, version.removed), 'line')} of {name}"


def _change(point: Point, before: Point, versions: tuple[Version, ...], was: _Seen, after: _Seen) -> Change:
    old, new = _differing_lines(was.lines, after.lines)
    written = {each.path for each in versions}
    pushed = {
        after.titles[path]: more
        for path, over in after.over.items()
        if path not in written and path in was.titles and (more := over - was.over.get(path, 0)) > 0
    }
    came, fell = (tuple((one - other).elements()) for one, other in ((new, old), (old, new)))
    fits = len(after.text.encode())
    return Change(point, before, versions, came, fell, sum(pushed.values()), tuple(pushed), after.wanted, fits)


def _differing_lines(old: list[str], new: list[str]) -> tuple[Counter[str], Counter[str]]:
    """The non-blank lines of two texts without their common beginning and end."""
    head, tail = common_ends(old, new)
    return Counter(filter(trim, old[head : len(old) - tail])), Counter(filter(trim, new[head : len(new) - tail]))


def _whole_lines(block: Block) -> Iterator[str]:
    """The lines of files that are whole in a block, as `core.fact_prompt.effect` counts them."""
    if block.composed is not None:
        gone = {(each.path, each.line) for each in block.composed.left_out}
        yield from (run.text for run in block.composed.runs if run.path and (run.path, run.line) not in gone)
    left = len(cut(block.inner, block.cap))
    for piece in block.pieces:
        shown, left = piece.text[: max(left, 0)], left - len(piece.text)
        if piece.kind == "body":
            is_cut = block.sections[piece.section].body[len(shown) :][:1] not in ("", "\n")
            yield from raw_lines(shown)[: -1 if is_cut else None]


def _concerns(reader: PastReader, versions: Iterable[Version]) -> bool:
    """Whether these versions can change a block read with this reader."""
    above = tuple(f"{folder}/" if folder else "" for folder in reader.listed)
    return any(
        each.path in reader.used or (bool(each.before) != bool(each.after) and each.path.startswith(above)) for each in versions
    )


def _midnights(until: int, since: int) -> Iterator[int]:
    """The starts of days, latest first."""
    day = exactly(until).replace(hour=0, minute=0, second=0, microsecond=0)
    while (when := nanoseconds(day)) > since:
        yield when
        day -= timedelta(days=1)


def _time_of(words: str, now: datetime) -> int | None:
    """The end of the second that is meant, in nanoseconds; None if the words are an id. Raises `BadName`."""
    lower = words.casefold()
    try:
        if lower == "now":
            return nanoseconds(now)
        if found := _AGO.fullmatch(lower):
            return nanoseconds(now - timedelta(**{_UNITS[found[2][0]]: int(found[1])}))
        if lower and (found := _DAY.fullmatch(lower)):
            day = now.date() - timedelta(days=found[1] == "yesterday")
            hours, minutes, seconds = map(int, f"{found[2] or '0:00'}:0".split(":")[:3])
            return nanoseconds(datetime(day.year, day.month, day.day, hours, minutes, seconds)) + SECOND - 1
        if _ISO.match(words):
            meant = datetime.fromisoformat(words)
            return nanoseconds(meant) + (999 if meant.microsecond else SECOND - 1)
    except (ValueError, OverflowError, OSError):
        raise _no_moment(words) from None
    if not _ID.fullmatch(lower):
        raise _no_moment(words)
    return None


def is_time(words: str, now_ns: int) -> bool:
    """Whether words name a moment by themselves: a time, no id."""
    try:
        return _time_of(words.strip(), exactly(now_ns)) is not None
    except BadName:
        return False


def _no_moment(words: str) -> BadName:
    return BadName(f"{words!r} is no moment. Nothing was shown.", f"A moment is {CALLED}.")


def _number_of(timeline: Timeline, id: str) -> int:
    """The index of the version with an id, a prefix of it, or its commit's id. Raises `BadName`."""
    meant = id.casefold()
    if len(meant) > _ID_CHARS and "." not in meant:
        meant = meant[:_ID_CHARS]
    exact = timeline.number_of(meant)
    found = [number for number, each in enumerate(timeline.versions) if each.id.startswith(meant)] if exact is None else [exact]
    if len({timeline.step_of(number) for number in found}) != 1:
        raise BadName(
            f"{len(found) or 'No'} versions begin with {id!r}. Nothing was shown.",
            f"The first is {timeline.named(0)}, the last {timeline.named(-1)}; `zsmem history` lists them."
            if timeline.times
            else "",
        )
    return found[0]
