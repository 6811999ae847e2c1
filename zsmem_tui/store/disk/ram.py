"""The memory of the machine: whether others need it, and giving back what was freed."""

from __future__ import annotations

import contextlib
from typing import Final

_MEMINFO: Final = "/proc/meminfo"
_PRESSURE: Final = "/proc/pressure/memory"

_LEAST_SHARE: Final = 1 / 16
"""What must be left for others of the machine's memory."""

_STALLED_PERCENT: Final = 10.0
"""Share of the last ten seconds in which some process waited for memory, from which on it is scarce."""


def is_scarce(meminfo: str = _MEMINFO, pressure: str = _PRESSURE) -> bool:
    """Whether other programs need the memory; False where the system does not say."""
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
    """Give freed memory back to the system now, where its library can."""
    import ctypes  # 5 ms that only who gives back needs

    with contextlib.suppress(OSError):  # another library than glibc's
        trims = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trims is not None:
            trims(0)


def _words(path: str) -> list[list[str]]:
    """The lines of a file of the system, word by word; none where there is no such file."""
    try:
        with open(path, encoding="ascii", errors="replace") as lines:
            return [words for line in lines if (words := line.split())]
    except OSError:
        return []
