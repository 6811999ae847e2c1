"""Writing a file of our own in one step, and clearing away what a dead process left of such a step.

Every file outside a store that we write goes through `replacing`: whoever reads it sees the old text or the new one, whole, and two
processes that write it at once do not write into each other's. Files in a store go through `writing` instead.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Final

from zsmem_tui.store.disk import processes
from zsmem_tui.store.disk.folders import sync_folder

_NAME_BYTES: Final = 180
"""Bytes of the real name kept in a temporary one, so that process id and counter fit into 255."""

_TEMP: Final = re.compile(r"^\..*\.zsmem-(\d+)-\d+$", re.DOTALL)
_OLD: Final = ".part"
"""Ending of the temporary files of the first release, which did not say whose they were."""

_OLD_NS: Final = 3_600 * 10**9
"""Nanoseconds after which a temporary file that does not say whose it is belongs to nobody: writing one takes milliseconds."""

_counter = itertools.count()


class NotSynced(OSError):
    """The file is in its place, but its name may not survive a power cut."""


_swept: set[str] = set()


@contextmanager
def replacing(place: str, *, mode: int = 0o600, durable: bool = True, prefix: str = ".") -> Iterator[IO[bytes]]:
    """A stream whose bytes take the place of the file at `place` when the block ends well, and vanish when it does not.

    A new file gets the permission bits `mode`, less the umask. With `durable`, they are on disk then. `prefix` begins the name that
    it has until then; one with another than the usual is not swept away here.
    Raises `OSError`: nothing has changed then, unless it is `NotSynced`.
    """
    folder, name = os.path.split(place)
    temp = os.path.join(folder, f"{prefix}{os.fsdecode(os.fsencode(name)[:_NAME_BYTES])}.zsmem-{os.getpid()}-{next(_counter)}")
    handle = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
    is_whole = False
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
        os.replace(temp, place)
        is_whole = True
    finally:
        if not is_whole:
            with contextlib.suppress(OSError):
                os.unlink(temp)
    if durable:
        _sync(folder)


def put_over(made: str, place: str) -> None:
    """Give a file that is whole already the place of another, durably. Raises `OSError`: nothing has changed then, unless it is
    `NotSynced`."""
    os.replace(made, place)
    _sync(os.path.dirname(place))


def _sync(folder: str) -> None:
    try:
        sync_folder(folder or ".")
    except OSError as error:
        raise NotSynced(error.errno, error.strerror) from error


def is_temporary(name: str) -> bool:
    """Whether a file is called what `replacing` calls the ones that it has not put in their place yet."""
    return _TEMP.match(name) is not None


def sweep(folder: str, *, again: bool = False) -> None:
    """Once per folder and process, or `again`: clear away the temporary files that dead processes left there."""
    if folder in _swept and not again:
        return
    _swept.add(folder)
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            found = _TEMP.match(name)
            if not found and not name.endswith(_OLD):
                continue
            place = os.path.join(folder, name)
            with contextlib.suppress(OSError):
                made = os.stat(place, follow_symlinks=False).st_mtime_ns
                dead = not processes.owns(int(found[1]), made) if found else time.time_ns() - made > _OLD_NS
                if dead:
                    os.unlink(place)
