"""Whether another agent holds a lock file of its own: its memory is not written then."""

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
"""The number that is called the process's, else the first one."""
_READ_BYTES: Final = 4096


def is_held(path: str, programs: Collection[str]) -> bool:
    """Whether a lock file is held: somebody has its `flock`, or the process whose number is in it lives and is one of
    the agent's `programs`.

    One that a dead process left is not, and neither is one whose number a program of another name has now. It is left alone.
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
            pass  # a file system without locks: the number decides
        found = _NUMBER.findall(os.read(handle, _READ_BYTES))
    except OSError:
        return False
    finally:
        os.close(handle)
    named = [int(called) for called, _ in found if called] or [int(first) for _, first in found]
    return bool(named) and alive(named[0]) and _is_one_of(named[0], programs)


def refuse_held(paths: list[str], agent: str, programs: Collection[str]) -> None:
    """Raises `WriteFailed` where one of these lock files is held."""
    for path in paths:
        if is_held(path, programs):
            raise WriteFailed(
                path,
                f"{printable_path(path)}: {agent} is at work on this memory. Nothing was written.",
                "Try again when it is done.",
            )


def _is_one_of(pid: int, programs: Collection[str]) -> bool:
    """Whether a process is one of these programs, where the system tells; where it does not, it is taken for one.

    It is when a part of its command's paths is called so (`node /usr/lib/ethos/cli.js`), without an extension.
    """
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as stream:
            command = os.fsdecode(stream.read())
    except OSError:
        return True
    parts = {part.partition(".")[0].lower() for word in command.split("\0") for part in word.split("/")}
    return not command or not parts.isdisjoint(programs)
