"""Whether another agent holds a lock file of its own: its memory is not written then."""

from __future__ import annotations

import fcntl
import os
import re
from typing import Final

from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk.processes import alive

_NUMBER: Final = re.compile(rb"[^0-9]*([0-9]{1,10})")
_READ_BYTES: Final = 4096


def is_held(path: str, agent: str) -> bool:
    """Whether a lock file is held: somebody has its `flock`, or the process whose number is in it lives and is `agent`.

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
        found = _NUMBER.match(os.read(handle, _READ_BYTES))
    except OSError:
        return False
    finally:
        os.close(handle)
    return found is not None and alive(int(found[1])) and _is_called(int(found[1]), agent)


def refuse_held(paths: list[str], agent: str) -> None:
    """Raises `WriteFailed` where one of these lock files is held."""
    for path in paths:
        if is_held(path, agent):
            raise WriteFailed(
                path,
                f"{printable_path(path)}: {agent} is at work on this memory. Nothing was written.",
                "Try again when it is done.",
            )


def _is_called(pid: int, agent: str) -> bool:
    """Whether a process is the agent's, where the system tells; where it does not, it is taken for it."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as stream:
            command = stream.read().lower()
    except OSError:
        return True
    return not command or agent.lower().encode() in command
