"""Daily logs: format an entry, count entries, recognize log file names (specification, sections 8, 12 and 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.text import lines, trim

if TYPE_CHECKING:
    from datetime import datetime


def entry(heading: str, body: str, now: datetime) -> str:
    """Format one timestamped entry with an empty line in front and a trimmed body. `now` is local time."""
    return f"\n### {now:%H:%M} — {heading}\n{trim(body)}\n"


def day_before(day: str) -> str:
    """The day before `day`, as `YYYY-MM-DD`; empty if `day` is not a date or is the first one."""
    from datetime import date, timedelta  # deferred: importing takes 2 ms that a search does not need

    try:
        return (date.fromisoformat(day) - timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return ""


def entry_count(text: str) -> int:
    """Count the lines that start an entry."""
    return sum(line.startswith("### ") for line in lines(text))


def is_log_name(file_name: str) -> bool:
    """Whether a name is four, two and two ASCII digits joined by hyphens, plus `.md`. The date need not exist."""
    stem = file_name.removesuffix(EXTENSION)
    if stem == file_name or len(stem) != 10:
        return False
    return all(char == "-" if place in (4, 7) else char in "0123456789" for place, char in enumerate(stem))
