"""Daily logs: format an entry, count entries, recognize log file names (specification, sections 8, 12 and 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.text import lines, trim

if TYPE_CHECKING:
    from datetime import datetime

_LOG_NAME: Final = Pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\.md\Z")


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
    return _LOG_NAME.match(file_name) is not None
