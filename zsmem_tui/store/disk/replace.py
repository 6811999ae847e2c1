"""Write our own files atomically, and delete temporary files left by dead processes.

Every file we write outside a store goes through `replacing`: readers see the old content or the new one, complete, and two
processes that write at once do not interfere. Files in a store are written by `writing` instead.
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
from zsmem_tui.store.disk.folders import delete_if_possible, sync_folder

_NAME_BYTES: Final = 180
"""The most bytes of the real name used in a temporary one, so that pid and counter fit into 255."""

TEMP: Final = re.compile(r"^\.(.*)\.zsmem-(\d+)-\d+$", re.DOTALL)
"""The form of `temp_name`: the real name, and the pid."""
_OLD: Final = ".part"
"""Suffix of the temporary files of the first release, which had no pid in their names."""

_OLD_NS: Final = 3_600 * 10**9
"""Nanoseconds after which a temporary file without a pid is abandoned: writing one takes milliseconds."""

_counter = itertools.count()


class NotSynced(OSError):
    """The file is in place, but its directory entry may be lost in a power cut."""


_swept: set[str] = set()


def temp_name(name: str, prefix: str = ".") -> str:
    """A unique hidden name for a temporary file for `name`, which contains the pid."""
    return f"{prefix}{os.fsdecode(os.fsencode(name)[:_NAME_BYTES])}.zsmem-{os.getpid()}-{next(_counter)}"


@contextmanager
def replacing(place: str, *, mode: int = 0o600, durable: bool = True, prefix: str = ".") -> Iterator[IO[bytes]]:
    """Yield a stream whose bytes replace the file at `place` if the block succeeds, and are discarded if it raises.

    A new file gets the permission bits `mode`, minus the umask. With `durable`, the file is synced. `prefix` starts the temporary
    name; files with an unusual prefix are not swept here. Raises `OSError`; nothing has changed then, unless it is `NotSynced`.
    """
    folder, name = os.path.split(place)
    temp = os.path.join(folder, temp_name(name, prefix))
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
            delete_if_possible(temp)
    if durable:
        _sync(folder)


def put_over(made: str, place: str) -> None:
    """Replace a file by an already complete one, and sync. Raises `OSError`; nothing has changed then, unless it is `NotSynced`."""
    os.replace(made, place)
    _sync(os.path.dirname(place))


def _sync(folder: str) -> None:
    try:
        sync_folder(folder or ".")
    except OSError as error:
        raise NotSynced(error.errno, error.strerror) from error


def is_temporary(name: str) -> bool:
    """Whether a file name is that of a temporary file of `replacing`."""
    return TEMP.match(name) is not None


def sweep(folder: str, *, again: bool = False) -> None:
    """Delete the temporary files that dead processes left in a folder; only once per folder and process, unless `again`."""
    if folder in _swept and not again:
        return
    _swept.add(folder)
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            found = TEMP.match(name)
            if not found and not name.endswith(_OLD):
                continue
            place = os.path.join(folder, name)
            with contextlib.suppress(OSError):
                made = os.stat(place, follow_symlinks=False).st_mtime_ns
                dead = not processes.owns(int(found[2]), made) if found else time.time_ns() - made > _OLD_NS
                if dead:
                    os.unlink(place)
