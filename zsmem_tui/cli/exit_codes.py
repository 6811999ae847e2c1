"""Standard error and exit codes."""

from __future__ import annotations

import sys
from enum import IntEnum

from zsmem_tui.core.errors import (
    BadContent,
    BadName,
    BadTarget,
    ConfigError,
    Conflict,
    MemError,
    Missing,
    NotExactlyOnce,
    NotKept,
    OutsideStore,
    RuleBroken,
    WriteConflict,
)


class Exit(IntEnum):
    """What the shell is told. The numbers are an interface (specification, section 17)."""

    DONE = 0
    NOTHING = 1
    USAGE = 2
    REFUSED = 3
    FILE = 4
    CONFLICT = 5
    INTERRUPTED = 130


def say(text: str) -> None:
    """A sentence for the person, on standard error."""
    from zsmem_tui.core.visible import visible  # most runs have nothing to say

    print(f"zsmem: {visible(text)}", file=sys.stderr)


def report(error: MemError) -> Exit:
    """Say what went wrong and what helps; return the exit code for it."""
    say(error.message)
    if error.hint:
        say(error.hint)
    return exit_code(error)


def exit_code(error: MemError) -> Exit:
    """Which exit code an error has."""
    match error:
        case BadName() | BadTarget() | RuleBroken() | OutsideStore():
            return Exit.REFUSED
        case BadContent() | ConfigError():
            return Exit.USAGE
        case NotExactlyOnce() | Missing():
            return Exit.NOTHING
        case WriteConflict() | NotKept() | Conflict():
            return Exit.CONFLICT
        case _:
            return Exit.FILE
