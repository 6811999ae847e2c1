"""Whether a process still runs, so that what a dead one left behind can be cleared away."""

from __future__ import annotations

import os
import time
from typing import Final

_SLACK_NS: Final = 2 * 10**9
"""Nanoseconds that the times of a file and a process may disagree: one comes off a coarse clock, the other is counted in ticks."""


def alive(pid: int) -> bool:
    """Whether there is such a process. One that belongs to somebody else is alive; a number that no process can have is not."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def owns(pid: int, made_ns: int) -> bool:
    """Whether the process `pid` may be the one that made something at `made_ns` (nanoseconds since 1970).

    False once it is gone, and where the system tells when a process began (Linux), also when another one has its number now.
    """
    if not alive(pid):
        return False
    begun = _begun(pid)
    return begun is None or begun <= made_ns + _SLACK_NS


def _begun(pid: int) -> int | None:
    """When a process began, in nanoseconds since 1970; None where that cannot be told."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            ticks = int(stream.read().rpartition(b")")[2].split()[19])
        since_boot = ticks * 10**9 // os.sysconf("SC_CLK_TCK")
        return time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME) + since_boot
    except (OSError, ValueError, IndexError):
        return None
