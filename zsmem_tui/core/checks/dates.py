"""Dates in running text, in the forms that people write."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner",
            "february feb februar",
            "march mar märz mär mrz",
            "april apr",
            "may mai",
            "june jun juni",
            "july jul juli",
            "august aug",
            "september sep sept",
            "october oct oktober okt",
            "november nov",
            "december dec dezember dez",
        ),
        1,
    )
    for name in names.split()
}
_NAME: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY: Final = "[0-3]?[0-9]"
_YEAR: Final = "(?:19|20)[0-9]{2}"
_SHAPE: Final = re.compile(
    rf"(?<![0-9./-])(?P<iso>{_YEAR}[-/][01]?[0-9][-/]{_DAY})(?![0-9])"
    rf"|(?<![0-9.])(?P<dots>{_DAY}\.[ ]?[01]?[0-9]\.[ ]?{_YEAR})(?![0-9])"
    rf"|(?<![0-9.])(?P<day>{_DAY})(?:st|nd|rd|th|\.)?[ ]+(?:of )?(?P<month>{_NAME})\b\.?,?[ ]+(?P<year>{_YEAR})(?![0-9])"
    rf"|\b(?P<month2>{_NAME})\b\.?[ ]+(?P<day2>{_DAY})(?:st|nd|rd|th)?,?[ ]+(?P<year2>{_YEAR})(?![0-9])"
    rf"|\b(?P<month3>{_NAME})\b\.?,?[ ]+(?P<year3>{_YEAR})(?![0-9])"
    rf"|(?P<ja>{_YEAR})[ ]?年[ ]?(?P<ja_month>[01]?[0-9])[ ]?月(?:[ ]?(?P<ja_day>{_DAY})[ ]?日)?"
    rf"|(?<![0-9./-])(?P<whole>{_YEAR}-[01][0-9])(?![0-9-])",
    re.IGNORECASE,
)
MAY_HOLD: Final = re.compile("(?:19|20)[0-9]{2}")
"""What every date has in it."""


class Found(NamedTuple):
    """A date in a text: where it stands, and its day; of a whole month the last one."""

    start: int
    end: int
    day: date


def dates(text: str) -> Iterator[Found]:
    """The dates of a text, from left to right."""
    for found in _SHAPE.finditer(text):
        day = _day(found)
        if day is not None:
            yield Found(found.start(), found.end(), day)


def _day(found: re.Match[str]) -> date | None:
    if found["iso"]:
        year, month, day = (int(part) for part in re.split("[-/]", found["iso"]))
    elif found["dots"]:
        day, month, year = (int(part) for part in found["dots"].split("."))
    elif found["day"]:
        year, month, day = int(found["year"]), _MONTHS[found["month"].lower()], int(found["day"])
    elif found["day2"]:
        year, month, day = int(found["year2"]), _MONTHS[found["month2"].lower()], int(found["day2"])
    elif found["month3"]:
        year, month, day = int(found["year3"]), _MONTHS[found["month3"].lower()], 0
    elif found["ja"]:
        year, month, day = int(found["ja"]), int(found["ja_month"]), int(found["ja_day"] or 0)
    else:
        year, month, day = int(found["whole"][:4]), int(found["whole"][5:]), 0
    if not 1 <= month <= 12:
        return None
    last = monthrange(year, month)[1]
    return date(year, month, day or last) if day <= last else None
