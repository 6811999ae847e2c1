"""Check whether a process is still running, so that what a dead one left behind can be cleaned up."""

from __future__ import annotations

import itertools
import os
import time
from typing import Final

_SLACK_NS: Final = 2 * 10**9
"""Tolerance in nanoseconds when comparing a file's time with a process's start, which come from different clocks."""
_counter = itertools.count()


def unique_name() -> str:
    """A unique name with the time and this process's pid; names sort by time."""
    return f"{time.time_ns():020d}-{os.getpid()}-{next(_counter)}"


def is_of_living(name: str) -> bool:
    """Whether the process that made such a name may still be running; False for other names."""
    match name.split("-"):
        case [made, pid, *_] if made.isdecimal() and pid.isdecimal():
            return owns(int(pid), int(made))
    return False


def alive(pid: int) -> bool:
    """Whether a process with this pid exists, whoever owns it. An impossible pid does not."""
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
    """Whether the process `pid` may be the one that created something at `made_ns` (nanoseconds since 1970).

    False if it is gone or, where the system tells start times (Linux), if the pid was reused by a later process.
    """
    if not alive(pid):
        return False
    begun = _begun(pid)
    return begun is None or begun <= made_ns + _SLACK_NS


def _begun(pid: int) -> int | None:
    """The start time of a process in nanoseconds since 1970; None if unknown."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            ticks = int(stream.read().rpartition(b")")[2].split()[19])
        since_boot = ticks * 10**9 // os.sysconf("SC_CLK_TCK")
        return time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME) + since_boot
    except (OSError, ValueError, IndexError):
        return None
