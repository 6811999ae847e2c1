"""What tells one text or file from every other."""

from __future__ import annotations

import hashlib
from typing import Final

NO_FILE: Final = ""
"""The digest of a place where no file is."""


def digest_of(raw: bytes | None) -> str:
    """The digest of a text; `NO_FILE` for none."""
    return NO_FILE if raw is None else hashlib.sha256(raw).hexdigest()


def digest_of_file(place: str) -> str:
    """The digest of a file of any size, as `digest_of` has it. Raises `OSError`."""
    with open(place, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
