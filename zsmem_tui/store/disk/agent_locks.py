"""Check whether another agent holds one of its own lock files: its memory must not be written then."""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Collection
from typing import Final

from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk.processes import alive

_NUMBER: Final = re.compile(rb"pid[^0-9]{0,4}([0-9]{1,10})|^[^0-9]*([0-9]{1,10})", re.IGNORECASE)
"""The number after "pid", else the first number."""
_READ_BYTES: Final = 4096


def is_held(path: str, programs: Collection[str]) -> bool:
    """Whether a lock file is held: by `flock`, or because it contains the pid of a live process with a name in `programs`.

    A file left by a dead process does not count, nor if its pid now belongs to another program. It is not deleted.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            pass  # a file system without locks: the pid decides
        found = _NUMBER.findall(os.read(handle, _READ_BYTES))
    except OSError:
        return False
    finally:
        os.close(handle)
    named = [int(called) for called, _ in found if called] or [int(first) for _, first in found]
    return bool(named) and alive(named[0]) and _is_one_of(named[0], programs)


def refuse_held(paths: list[str], agent: str, programs: Collection[str]) -> None:
    """Raise `WriteFailed` if one of these lock files is held."""
    for path in paths:
        if is_held(path, programs):
            raise WriteFailed(
                path,
                f"{printable_path(path)}: {agent} is at work on this memory. Nothing was written.",
                "Try again when it is done.",
            )


def _is_one_of(pid: int, programs: Collection[str]) -> bool:
    """Whether a process is one of these programs; True if the system cannot tell.

    A part of a path in its command line, without extension, has to match (`node /usr/lib/ethos/cli.js`).
    """
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as stream:
            command = os.fsdecode(stream.read())
    except OSError:
        return True
    parts = {part.partition(".")[0].lower() for word in command.split("\0") for part in word.split("/")}
    return not command or not parts.isdisjoint(programs)
