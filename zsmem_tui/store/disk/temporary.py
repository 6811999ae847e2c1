"""Files in the system's temporary folder, readable by their owner alone."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO


def place() -> str:
    """The system's temporary folder; empty where there is none that can be written to."""
    try:
        return tempfile.gettempdir()
    except OSError:
        return ""


def make_folder(prefix: str) -> str:
    """A new folder whose name begins so. Raises `OSError`."""
    return tempfile.mkdtemp(prefix=prefix)


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
