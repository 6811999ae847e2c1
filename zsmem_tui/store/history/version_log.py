"""The list of all versions, one line each, in the order in which they were recorded.

It says again what the commits say, in a form that is read in milliseconds, and is made anew from them when it is missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from zsmem_tui.core.errors import HistoryError, StoreError
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import Origin, Version
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.replace import replacing

_FIELDS: Final = len(Version._fields)


class Row(NamedTuple):
    """A version and the commit that holds it."""

    commit: str
    version: Version


class VersionLog:
    """The file at `place`."""

    def __init__(self, place: str) -> None:
        self.place = place

    def rows(self) -> Iterator[Row]:
        """All versions, the newest first."""
        for line in reversed(self._lines()):
            if (row := _row(line)) is not None:
                yield row

    def of(self, path: str) -> list[Version]:
        """The versions of one file, the newest first."""
        needle = json.dumps(path).encode()
        found = (_row(line) for line in reversed(self._lines()) if needle in line)
        return [row.version for row in found if row is not None and row.version.path == path]

    def last_commit(self) -> str:
        """The commit of the last version; empty when there is none, or when the last line was cut short."""
        raw = self._raw()
        if not raw or not raw.endswith(b"\n"):
            return ""
        row = _row(raw[raw.rfind(b"\n", 0, -1) + 1 :])
        return row.commit if row else ""

    def append(self, rows: Iterable[Row]) -> None:
        """Add rows at the end. Raises `HistoryError`."""
        raw = b"".join(_line(row) for row in rows)
        try:
            with open(self.place, "ab") as stream:
                stream.write(raw)
        except OSError as error:
            raise HistoryError(f"{printable_path(self.place)}: {error.strerror}.") from error

    def replace(self, rows: Iterable[Row]) -> None:
        """Hold these rows, oldest first, and nothing else. Raises `HistoryError`."""
        try:
            with replacing(self.place) as stream:
                stream.writelines(_line(row) for row in rows)
        except OSError as error:
            raise HistoryError(f"{printable_path(self.place)}: {error.strerror}.") from error

    def _lines(self) -> list[bytes]:
        return self._raw().split(b"\n")[:-1]

    def _raw(self) -> bytes:
        try:
            return files.read(self.place)[0]
        except StoreError:
            return b""


def _line(row: Row) -> bytes:
    return json.dumps([row.commit, *row.version], separators=(",", ":")).encode() + b"\n"


def _row(line: bytes) -> Row | None:
    try:
        commit, *fields = json.loads(line)
        if len(fields) != _FIELDS:
            return None
        version = Version(*fields)
        return Row(commit, version._replace(origin=Origin(version.origin)))
    except (ValueError, TypeError):
        return None
