"""What is known of a file at one moment."""

from __future__ import annotations

from typing import NamedTuple


class Fingerprint(NamedTuple):
    """Cheap evidence that a file is the same as before: nanoseconds of its last change, bytes, inode."""

    mtime_ns: int
    size: int
    inode: int
