"""Mark a history as in use, to tell leftovers of a dead process from files of a live one.

The marker file exists while the repository is open. If it exists but the lock is free, its process is dead.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from zsmem_tui.store.disk import processes
from zsmem_tui.store.disk.replace import is_temporary

_MARKER: Final = "at-work"
_STALE_NS: Final = 3_600 * 10**9
"""Nanoseconds after which one of git's lock files is abandoned: normally it is held for milliseconds."""


@contextmanager
def at_work(home: str, repository: str) -> Iterator[None]:
    """Mark `home`, whose lock is held, as in use; delete what a dead process left in `repository`."""
    marker = os.path.join(home, _MARKER)
    _clear(marker, repository)
    with contextlib.suppress(OSError), open(marker, "wb") as stream:
        stream.write(b"%d" % os.getpid())
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.unlink(marker)


def _clear(marker: str, repository: str) -> None:
    made = _time(marker)
    if made is not None:
        with contextlib.suppress(OSError, ValueError), open(marker, "rb") as stream:
            pid = int(stream.read(20))
            if pid != os.getpid() and processes.owns(pid, made):
                return  # a file system without locks, and the other process is using it now
    died = made is not None
    for folder, folders, names in os.walk(repository):
        if not died and folder == repository:
            folders[:] = [name for name in folders if name == "refs"]
        for name in names:
            is_ours = name.endswith(".lock") or (died and (name.startswith("tmp") or is_temporary(name)))
            place = os.path.join(folder, name)
            if is_ours and (died or time.time_ns() - (_time(place) or 2**62) > _STALE_NS):
                with contextlib.suppress(OSError):
                    os.unlink(place)


def _time(place: str) -> int | None:
    try:
        return os.stat(place).st_mtime_ns
    except OSError:
        return None
