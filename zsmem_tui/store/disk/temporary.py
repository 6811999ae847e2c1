"""Files in the system's temporary folder, readable by their owner alone."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Final

_SETTLED_NS: Final = 60 * 10**9
"""Nanoseconds after which a folder is held, if anybody is going to hold it."""


def place() -> str:
    """The system's temporary folder; empty where there is none that can be written to."""
    try:
        return tempfile.gettempdir()
    except OSError:
        return ""


def make_folder(prefix: str) -> str:
    """A new folder whose name begins so. Raises `OSError`."""
    return tempfile.mkdtemp(prefix=prefix)


def make_held_folder(prefix: str) -> tuple[str, int]:
    """A new folder whose name begins so, and the handle that holds it: others see that it is in use until this process ends.

    Raises `OSError`.
    """
    folder = make_folder(prefix)
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        drop_folder(folder)
        raise
    with contextlib.suppress(OSError):  # some file systems have no locks: then it never counts as left behind
        fcntl.flock(handle, fcntl.LOCK_SH)
    return os.path.realpath(folder), handle


def left_behind(prefix: str) -> list[str]:
    """The folders of `make_held_folder` with this beginning that no process holds any more; none where that cannot be told."""
    form = re.compile(re.escape(prefix) + r"[a-z0-9_]{8}")
    try:
        with os.scandir(place()) as entries:
            own = [each.path for each in entries if form.fullmatch(each.name) and each.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    return sorted(os.path.realpath(each) for each in own if _is_left(each))


def _is_left(folder: str) -> bool:
    """Whether it is ours, no new one, and held by nobody."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        about = os.fstat(handle)
        if about.st_uid != os.getuid() or time.time_ns() - about.st_mtime_ns < _SETTLED_NS:
            return False
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError:
        return False
    finally:
        os.close(handle)


def drop_folder(folder: str) -> None:
    """Delete a folder and all that is in it; what cannot be deleted stays."""
    shutil.rmtree(folder, ignore_errors=True)


def put_copy(name: str, raw: bytes, prefix: str) -> str:
    """A file of this name, with these bytes, in a new folder of its own. Raises `OSError`: nothing is left then."""
    folder = make_folder(prefix)
    copy = os.path.join(folder, name)
    try:
        with open(copy, "wb") as stream:
            stream.write(raw)
    except OSError:
        drop_folder(folder)
        raise
    return copy


def put_file(raw: bytes, prefix: str, suffix: str) -> str:
    """A new file with these bytes. Raises `OSError`."""
    handle, place = tempfile.mkstemp(prefix=prefix, suffix=suffix)
    with os.fdopen(handle, "wb") as stream:
        stream.write(raw)
    return place


def open_nameless() -> IO[bytes]:
    """A new file that has no name, for another program to write to. Raises `OSError`."""
    return tempfile.TemporaryFile()


def last_of(stream: IO[bytes], most: int) -> bytes:
    """The last bytes of a file that can be looked at from its end."""
    stream.seek(max(stream.seek(0, os.SEEK_END) - most, 0))
    return stream.read()


@contextmanager
def held(stream: IO[bytes], suffix: str) -> Iterator[str]:
    """A file with all that a stream holds, while the block lasts. Raises `OSError` before it begins."""
    handle, place = tempfile.mkstemp(suffix=suffix)
    try:
        with os.fdopen(handle, "wb") as copy:
            shutil.copyfileobj(stream, copy)
        yield place
    finally:
        with contextlib.suppress(OSError):
            os.unlink(place)
