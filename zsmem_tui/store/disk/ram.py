"""The machine's memory: check whether it is scarce, and return freed memory to the system."""

from __future__ import annotations

import contextlib
from typing import Final

_MEMINFO: Final = "/proc/meminfo"
_PRESSURE: Final = "/proc/pressure/memory"

_LEAST_SHARE: Final = 1 / 16
"""The share of memory that must be left for other programs."""

_STALLED_PERCENT: Final = 10.0
"""Percentage of the last ten seconds in which some process waited for memory, from which on memory is scarce."""


def is_scarce(meminfo: str = _MEMINFO, pressure: str = _PRESSURE) -> bool:
    """Whether other programs need the memory; False if the system does not tell."""
    sizes = {words[0]: int(words[1]) for words in _words(meminfo) if len(words) > 1 and words[1].isdecimal()}
    total, left = sizes.get("MemTotal:", 0), sizes.get("MemAvailable:", 0)
    if total and "MemAvailable:" in sizes and left < total * _LEAST_SHARE:
        return True
    for words in _words(pressure):
        if words[0] == "some":
            shares = [word.removeprefix("avg10=") for word in words if word.startswith("avg10=")]
            return any(share.replace(".", "", 1).isdecimal() and float(share) >= _STALLED_PERCENT for share in shares)
    return False


def trim() -> None:
    """Return freed memory to the system, if the C library can."""
    import ctypes  # deferred: 5 ms, rarely needed

    with contextlib.suppress(OSError):  # a C library other than glibc
        trims = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trims is not None:
            trims(0)


def trim_if_grown(statm: str = "/proc/self/statm") -> None:
    """Return freed memory to the system if the process has grown much since the last time; a large text leaves much behind."""
    if _resident(statm) > _after_trim[0] + _GROWN_PAGES:
        trim()
        _after_trim[0] = _resident(statm)


def _resident(statm: str) -> int:
    return next((int(words[1]) for words in _words(statm) if len(words) > 1 and words[1].isdecimal()), 0)


_GROWN_PAGES: Final = 64 * 1024 * 1024 // 4096
_after_trim: Final = [0]
"""The resident pages after the last time."""


def _words(path: str) -> list[list[str]]:
    """The lines of a system file, split into words; empty if it does not exist."""
    try:
        with open(path, encoding="ascii", errors="replace") as lines:
            return [words for line in lines if (words := line.split())]
    except OSError:
        return []
