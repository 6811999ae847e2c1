"""Files and folders in the system's temporary folder, accessible to the owner only."""

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

from zsmem_tui.store.disk.folders import delete_if_possible

_SETTLED_NS: Final = 60 * 10**9
"""Nanoseconds after which a new folder is surely locked, if anybody is going to lock it."""


def place() -> str:
    """The system's temporary folder; empty if there is none that is writable."""
    try:
        return tempfile.gettempdir()
    except OSError:
        return ""


def make_folder(prefix: str) -> str:
    """Create a folder whose name starts with `prefix`. Raises `OSError`."""
    return tempfile.mkdtemp(prefix=prefix)


def make_held_folder(prefix: str) -> tuple[str, int]:
    """Create a folder and lock it; return it and the descriptor, by which others see that it is in use until this process ends.

    Raises `OSError`.
    """
    folder = make_folder(prefix)
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        drop_folder(folder)
        raise
    with contextlib.suppress(OSError):  # without locks, such a folder never counts as abandoned
        fcntl.flock(handle, fcntl.LOCK_SH)
    return os.path.realpath(folder), handle


def left_behind(prefix: str) -> list[str]:
    """The folders of `make_held_folder` with this prefix that no process holds any more; empty if that cannot be told."""
    form = re.compile(re.escape(prefix) + r"[a-z0-9_]{8}")
    try:
        with os.scandir(place()) as entries:
            own = [each.path for each in entries if form.fullmatch(each.name) and each.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    return sorted(os.path.realpath(each) for each in own if _is_left(each))


def _is_left(folder: str) -> bool:
    """Whether the folder is ours, not new, and not locked."""
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
    """Delete a folder recursively; what cannot be deleted stays."""
    shutil.rmtree(folder, ignore_errors=True)


def put_copy(name: str, raw: bytes, prefix: str) -> str:
    """Create a file with this name and content in a new folder of its own. Raises `OSError`; nothing is left then."""
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
    """Create a file with this content; return its path. Raises `OSError`."""
    handle, place = tempfile.mkstemp(prefix=prefix, suffix=suffix)
    with os.fdopen(handle, "wb") as stream:
        stream.write(raw)
    return place


def open_nameless() -> IO[bytes]:
    """Create a file without a name, as output of another program. Raises `OSError`."""
    return tempfile.TemporaryFile()


def last_of(stream: IO[bytes], most: int) -> bytes:
    """The last `most` bytes of a seekable stream."""
    stream.seek(max(stream.seek(0, os.SEEK_END) - most, 0))
    return stream.read()


@contextmanager
def held(stream: IO[bytes], suffix: str) -> Iterator[str]:
    """A temporary file with the content of a stream, for the duration of the block. Raises `OSError` before the block begins."""
    handle, place = tempfile.mkstemp(suffix=suffix)
    try:
        with os.fdopen(handle, "wb") as copy:
            shutil.copyfileobj(stream, copy)
        yield place
    finally:
        delete_if_possible(place)
