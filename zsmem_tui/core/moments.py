"""Convert timestamps of files and versions to dates, including values outside the calendar."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

CALLED: Final = "a date or time, `yesterday 14:00`, `3d`, `2h`, or the id of a version"
"""The ways to name a moment, for messages."""

_DAY: Final = 86_400
_FIRST: Final = -62_135_596_800 + 2 * _DAY
_LAST: Final = 253_402_300_799 - 2 * _DAY
"""The range of seconds since 1970 that are within the years 1 to 9999 in every time zone."""


def moment(seconds: float, zone: tzinfo | None = None) -> datetime:
    """The date and time of a Unix timestamp in a zone (None: local time, naive), clamped to the calendar."""
    within = min(max(seconds, _FIRST), _LAST)
    try:
        return datetime.fromtimestamp(within, zone)
    except (OSError, OverflowError, ValueError):  # a system whose local time rules do not cover the year
        return datetime.fromtimestamp(within, UTC).replace(tzinfo=zone)


def exactly(nanoseconds: int) -> datetime:
    """The naive local date and time for nanoseconds since 1970."""
    return moment(nanoseconds // 10**9).replace(microsecond=nanoseconds % 10**9 // 1000)


def clock_time(nanoseconds: int) -> str:
    """The local date and time as text (`YYYY-MM-DD HH:MM:SS`), clamped to the first and last day of the calendar."""
    found, seconds = exactly(nanoseconds), nanoseconds // 10**9
    try:
        found += timedelta(seconds=seconds - min(max(seconds, _FIRST), _LAST))
    except OverflowError:
        found = datetime.max if seconds > 0 else datetime.min
    return found.isoformat(" ", "seconds")


def to_the_minute(nanoseconds: int) -> str:
    """The local date and time as text (`YYYY-MM-DD HH:MM`)."""
    return moment(nanoseconds // 10**9).isoformat(" ", "minutes")


def when_words(nanoseconds: int, until: int) -> str:
    """A local time, without the parts that equal those of `until`."""
    at, now = exactly(nanoseconds), exactly(until)
    return at.strftime("%H:%M" if at.date() == now.date() else "%d %b %H:%M" if at.year == now.year else "%Y-%m-%d %H:%M")


def nanoseconds(at: datetime) -> int:
    """Nanoseconds since 1970 of a date and time; naive means local. Raises `OverflowError`, `ValueError` or `OSError`."""
    return int(at.replace(microsecond=0).timestamp()) * 10**9 + at.microsecond * 1000
