"""The state of sync in a few words for the status line, read from one file without loading git code."""

from __future__ import annotations

from typing import Final, NamedTuple

from zsmem_tui.core.errors import ConfigError
from zsmem_tui.core.text import counted
from zsmem_tui.store.sync import remembered

_MINUTE_NS: Final = 60 * 10**9
_HOUR: Final = 60
_DAY: Final = 24 * _HOUR


class Standing(NamedTuple):
    """Whether sync is set up, and the words to show."""

    is_on: bool = False
    words: str = ""


def standing(now_ns: int) -> Standing:
    """The current state: when the last sync was, or what needs attention."""
    try:
        setup = remembered.load()
    except ConfigError:
        return Standing(False, "sync: its setup is damaged")
    if not setup.is_on:
        return Standing()
    if setup.problem:
        return Standing(True, "not synced")
    if setup.both:
        return Standing(True, f"{counted(len(setup.both), 'line')} both changed")
    if not setup.last:
        return Standing(True, "never synced")
    minutes = max(0, now_ns - setup.last) // _MINUTE_NS
    for size, unit in ((_DAY, "d"), (_HOUR, "h"), (1, "min")):
        if minutes >= size:
            return Standing(True, f"synced {minutes // size} {unit} ago")
    return Standing(True, "synced just now")
