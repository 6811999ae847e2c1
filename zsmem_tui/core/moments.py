"""Times of files and versions as dates: any number that a disk or a history holds, also where no calendar has a day for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

CALLED: Final = "a date or time, `yesterday 14:00`, `3d`, `2h`, or the id of a version"
"""What a moment may be called."""

_DAY: Final = 86_400
_FIRST: Final = -62_135_596_800 + 2 * _DAY
_LAST: Final = 253_402_300_799 - 2 * _DAY
"""Seconds since 1970 that are in the years 1 to 9999 in every time zone."""


def moment(seconds: float, zone: tzinfo | None = None) -> datetime:
    """The date and time of so many seconds since 1970, in a zone (None: local, without one); the nearest that there is."""
    within = min(max(seconds, _FIRST), _LAST)
    try:
        return datetime.fromtimestamp(within, zone)
    except (OSError, OverflowError, ValueError):  # local rules of a system that knows no such year
        return datetime.fromtimestamp(within, UTC).replace(tzinfo=zone)


def exactly(nanoseconds: int) -> datetime:
    """The local date and time of so many nanoseconds since 1970."""
    return moment(nanoseconds // 10**9).replace(microsecond=nanoseconds % 10**9 // 1000)


def clock_time(nanoseconds: int) -> str:
    """The same as people read and type it, to the first and the last day of the calendar."""
    found, seconds = exactly(nanoseconds), nanoseconds // 10**9
    try:
        found += timedelta(seconds=seconds - min(max(seconds, _FIRST), _LAST))
    except OverflowError:
        found = datetime.max if seconds > 0 else datetime.min
    return found.isoformat(" ", "seconds")


def nanoseconds(at: datetime) -> int:
    """The nanoseconds since 1970 of a date and time, local without a zone. Raises `OverflowError`, `ValueError` or `OSError`."""
    return int(at.replace(microsecond=0).timestamp()) * 10**9 + at.microsecond * 1000
