"""Times as JavaScript reads them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Final

_ISO: Final = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:([T ])(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:?\d\d)?)?", re.ASCII
)


def parsed(text: str, local: tzinfo = UTC) -> datetime | None:
    """The time that JavaScript's `Date` makes of a text; None where it makes none.

    A date alone is in UTC; a time without a zone, or behind a blank instead of a `T`, is local. Of other forms only those of
    mails are known.
    """
    found = _ISO.fullmatch(text.strip())
    if not found:
        return _of_mail(text, local)
    year, month, day, mark, hour, minute, second, fraction, zone = found.groups()
    micro = int(((fraction or "") + "000")[:3]) * 1000
    is_midnight = (hour, minute, second or "00", micro) == ("24", "00", "00", 0)
    try:
        when = datetime(
            int(year),
            int(month or 1),
            int(day or 1),
            0 if is_midnight else int(hour or 0),
            int(minute or 0),
            int(second or 0),
            micro,
        )
        where = _zone(zone) if zone else local if mark else UTC
        return when.replace(tzinfo=where) + timedelta(days=is_midnight)
    except (ValueError, OverflowError):
        return None


def _zone(text: str) -> tzinfo:
    if text == "Z":
        return UTC
    minutes = int(text[1:3]) * 60 + int(text[-2:])
    return timezone(timedelta(minutes=-minutes if text[0] == "-" else minutes))


def _of_mail(text: str, local: tzinfo) -> datetime | None:
    from email.utils import parsedate_to_datetime  # 11 modules that a start with such a store can do without

    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return when if when.tzinfo else when.replace(tzinfo=local)
