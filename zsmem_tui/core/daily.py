"""Daily logs: the form of an entry, and what counts as one (specification, sections 8, 12 and 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.text import lines, trim

if TYPE_CHECKING:
    from datetime import datetime


def entry(heading: str, body: str, now: datetime) -> str:
    """One timestamped entry, an empty line in front, the body trimmed. `now` is local time."""
    return f"\n### {now:%H:%M} — {heading}\n{trim(body)}\n"


def day_before(day: str) -> str:
    """The day before one, as `YYYY-MM-DD`; empty where there is none."""
    from datetime import date, timedelta  # 2 ms that a search can do without

    try:
        return (date.fromisoformat(day) - timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return ""


def entry_count(text: str) -> int:
    """How many lines start an entry."""
    return sum(line.startswith("### ") for line in lines(text))


def is_log_name(file_name: str) -> bool:
    """True for four, two and two ASCII digits joined by hyphens, plus `.md`. No calendar is consulted."""
    stem = file_name.removesuffix(EXTENSION)
    if stem == file_name or len(stem) != 10:
        return False
    return all(char == "-" if place in (4, 7) else char in "0123456789" for place, char in enumerate(stem))
