"""The headings of many files, read once each and held as words: what a person looks for by a heading is not searched in full."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Final, NamedTuple

from zsmem_tui.core.catalog import FileEntry, Fingerprint
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.store.disk import files

MOST_BYTES: Final = 64 * 1024
"""Bytes of a file that are looked at; a file of ten times the size would keep all others waiting."""

MOST_A_FILE: Final = 40
"""Headings held of one file."""

_LINE: Final = re.compile(rb"^ {0,3}(?:(```|~~~)|#{1,6}[ \t]+([^\r\n]*[^\s#]))", re.MULTILINE)


class Heading(NamedTuple):
    """A heading of a file, and its line, from 0."""

    line: int
    words: str


class Headings:
    """Holds the headings of files by their paths. What the fingerprint says is unchanged is not read again."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[Fingerprint, tuple[Heading, ...]]] = {}

    def read(self, root: str, entries: Iterable[FileEntry], *, cancelled: Callable[[], bool] = never) -> None:
        """Read those of `entries` that are new or have changed. Raises `Cancelled` between two files; what was read stays."""
        for entry in entries:
            if cancelled():
                raise Cancelled
            path = os.path.join(root, entry.ref.path)
            known = self._held.get(path)
            if entry.fingerprint is None or (known and known[0] == entry.fingerprint):
                continue
            try:
                raw = _start_of(path)
            except StoreError:
                self._held.pop(path, None)  # it went away, or is not for us: it is found by its name
                continue
            self._held[path] = (entry.fingerprint, tuple(_headings(raw)))

    def of(self, root: str, entry: FileEntry) -> tuple[Heading, ...]:
        """What is known of one file by now."""
        return self._held.get(os.path.join(root, entry.ref.path), (None, ()))[1]


def _start_of(path: str) -> bytes:
    """As much of a file as is looked at. Raises `Missing` or `Unreadable`."""
    raw = b""
    with closing(files.pieces(path)) as pieces:
        for piece in pieces:
            raw += piece
            if len(raw) >= MOST_BYTES:
                break
    return raw[:MOST_BYTES]


def _headings(raw: bytes) -> list[Heading]:
    """The headings of a text in order, code aside."""
    found: list[Heading] = []
    in_code = b""
    line = last = 0
    for each in _LINE.finditer(raw):
        line += raw.count(b"\n", last, each.start())
        last = each.start()
        fence, words = each.groups()
        if fence:
            in_code = b"" if in_code == fence else in_code or fence
        elif not in_code and len(found) < MOST_A_FILE:
            found.append(Heading(line, words.decode("utf-8", "replace")))
    return found
