"""The list of all versions, one line each, in the order in which they were recorded.

It is derived from the commits, can be read in milliseconds, and is rebuilt if it is missing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from zsmem_tui.core.errors import HistoryError, StoreError
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.project_merge import homes_of, moved_path
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import Origin, Version, is_wiped, line_counts
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.replace import replacing
from zsmem_tui.store.history.commit_message import Meta, key_of, meta_of, times_of

if TYPE_CHECKING:
    from zsmem_tui.store.history.repository import Repository


ANOTHER_STORE: Final = "another store"
"""The relation of versions found when another store had been put in the root's place."""

_BACK: Final = ("undoes ", "redoes ")
"""Prefixes of the relation of an undo or redo, whose files existed before."""

_FIELDS: Final = len(Version._fields)
_ORIGIN: Final = Version._fields.index("origin")
_ORIGINS: Final = {each.value: each for each in Origin}

_OURS: Final = (
    *(f',"{each.value}",'.encode() for each in Origin if each.is_step),
    json.dumps(ANOTHER_STORE).encode(),
)
"""Substrings of every line of a step made here, and of versions that no undo crosses; other lines may have them, too."""

_WORD: Final = rb'"((?:[^"\\]|\\.)*)"'
_PATH: Final = 2
_BATCH: Final = 5
"""The number of strings in a line before the path and before the batch: the commit, and the fields of a version except the time,
which is a number.
"""

_FIRST_LINES: Final = 64
_MOST_LINES: Final = 1_024
"""Lines parsed at once, at first and at most: callers that want the latest do not need all."""

_MOST_SEARCHES: Final = 8
"""Searches of the whole list that take no longer than indexing it."""

_LAST_BYTES: Final = 8 * 1024
"""Bytes at the end of the file in which the last line usually fits."""


class Row(NamedTuple):
    """A version and its commit."""

    commit: str
    version: Version


class LogReading:
    """A snapshot of the list, for questions by file and step: one is a search, many are answered from an index."""

    def __init__(self, lines: list[bytes]) -> None:
        self._lines = lines
        self._asked = 0
        self._by: dict[int, dict[bytes, list[bytes]]] = {}
        self._gone: dict[str, list[Version]] = {}
        self._places: dict[str, int] = {}

    def of(self, path: str) -> list[Version]:
        """The versions of one file, newest first."""
        return [version for version in self._at(_PATH, path) if version.path == path]

    def of_step(self, batch: str) -> list[Version]:
        """The versions of a step, newest first."""
        return [version for version in self._at(_BATCH, batch) if version.batch == batch]

    def followed(self, path: str) -> list[Version]:
        """`of`, including the versions that a file had under other paths, with `path` replaced."""
        return self._followed(path, frozenset())

    def _followed(self, path: str, passed: frozenset[str]) -> list[Version]:
        own = self.of(path)
        found = list(own)
        for version in own:
            if not version.batch or not version.after or version.batch in passed or version.relation.startswith(_BACK):
                continue
            homes = homes_of(version.relation)
            if version.before and not homes:
                continue
            for other in self._gone_in(version.batch):
                is_it = other.before == version.after if not homes else moved_path(homes, other.path) == path
                is_it = is_it or (bool(homes) and not version.before and other.before == version.after)
                if other.path == path or not is_it:
                    continue
                there = self._followed(other.path, passed | {version.batch})
                at = next((place for place, each in enumerate(there) if each.id == other.id), len(there))
                found += [each._replace(path=path) for each in there[at + 1 :]]
        if len(found) == len(own):
            return own
        by_id = {version.id: version for version in found}
        return [by_id[id] for id in sorted(by_id, key=self._place)]

    def _gone_in(self, batch: str) -> list[Version]:
        """The files that a step took away, oldest first."""
        if batch not in self._gone:
            self._gone[batch] = [each for each in reversed(self.of_step(batch)) if each.before and not each.after]
        return self._gone[batch]

    def _place(self, id: str) -> int:
        """How many versions are newer."""
        if not self._places:
            self._places = {row.version.id: number for number, row in enumerate(_rows(reversed(self._lines)))}
        return self._places[id]

    def _at(self, number: int, word: str) -> list[Version]:
        """The versions whose lines have `word` as their string with index `number`, newest first; others may be among them."""
        needle = json.dumps(word).encode()
        self._asked += 1
        if self._asked <= _MOST_SEARCHES and number not in self._by:
            own = [line for line in self._lines if needle in line] if word else []
        else:
            if number not in self._by:
                self._by[number] = _by_word(self._lines, number)
            own = self._by[number].get(needle[1:-1], []) if word else []
        return [row.version for row in _rows(reversed(own))]


class VersionLog:
    """The list of versions in the file at `place`."""

    def __init__(self, place: str) -> None:
        self.place = place

    def rows(self) -> Iterator[Row]:
        """All versions, newest first, parsed lazily from the current file."""
        return _rows(reversed(self._lines()))

    def named(self, id: str) -> list[Version]:
        """The versions whose ids start with `id`, newest first."""
        return [row.version for row in self._containing(json.dumps(id)[:-1].encode()) if row.version.id.startswith(id)]

    def reading(self) -> LogReading:
        """A snapshot of all versions, not parsed yet."""
        return LogReading(self._lines())

    def steps(self) -> Iterator[Row]:
        """The versions of steps made here, newest first, without what others did."""
        return _rows(line for line in reversed(self._lines()) if any(word in line for word in _OURS))

    def of_step(self, batch: str) -> list[Row]:
        """The versions of a step and of its undo or redo, newest first; others may be among them."""
        return list(self._containing(json.dumps(batch)[1:-1].encode()))

    def _containing(self, needle: bytes) -> Iterator[Row]:
        """The versions whose lines contain these bytes."""
        return _rows(line for line in reversed(self._lines()) if needle in line)

    def last_commit(self) -> str:
        """The commit of the last version; empty if there is none, or if the last line is incomplete."""
        try:
            raw = files.read_tail(self.place, _LAST_BYTES)
            if raw.count(b"\n") < 2:  # too short for one complete line
                raw = files.read_or_empty(self.place)
        except StoreError:
            return ""
        if not raw.endswith(b"\n"):
            return ""
        row = _row(raw[raw.rfind(b"\n", 0, -1) + 1 :])
        return row.commit if row else ""

    def append(self, rows: Iterable[Row]) -> None:
        """Append rows. Raises `HistoryError`."""
        raw = b"".join(_line(row) for row in rows)
        try:
            with open(self.place, "ab") as stream:
                stream.write(raw)
        except OSError as error:
            raise self._failed(error) from error

    def replace(self, rows: Iterable[Row]) -> None:
        """Replace the list by these rows, oldest first. Raises `HistoryError`."""
        try:
            with replacing(self.place) as stream:
                stream.writelines(_line(row) for row in rows)
        except OSError as error:
            raise self._failed(error) from error

    def _failed(self, error: OSError) -> HistoryError:
        return HistoryError(
            f"{printable_path(self.place)}: {error.strerror}. It is not in the history yet; memory is saved all the same."
        )

    def _lines(self) -> list[bytes]:
        return files.read_or_empty(self.place).split(b"\n")[:-1]


def _by_word(lines: Iterable[bytes], number: int) -> dict[bytes, list[bytes]]:
    """Group lines by their string with index `number`, as written (JSON-escaped), oldest first.

    A regex suffices for most lines; parsing them takes five times as long.
    """
    up_to_it = re.compile(rb"\[" + rb"[^\"]*".join((_WORD.replace(b"(", b"(?:", 1),) * number) + rb"[^\"]*" + _WORD)
    out: dict[bytes, list[bytes]] = {}
    for line in lines:
        if b"\\" in line:
            found = up_to_it.match(line)
            word = found[1] if found else b""
        else:
            words = line.split(b'"', 2 * number + 2)
            word = words[2 * number + 1] if len(words) > 2 * number + 2 else b""
        if word:
            out.setdefault(word, []).append(line)
    return out


def _line(row: Row) -> bytes:
    return json.dumps([row.commit, *row.version], separators=(",", ":")).encode() + b"\n"


def _rows(lines: Iterator[bytes]) -> Iterator[Row]:
    """Parse lines in batches, which takes half the time; damaged lines are skipped."""
    count = _FIRST_LINES
    while some := list(islice(lines, count)):
        count = min(2 * count, _MOST_LINES)
        try:
            found = json_value(b"[%b]" % b",".join(some))
            made = [row for fields in found if (row := _made(fields)) is not None]
        except (ValueError, TypeError, KeyError):
            made = []
        yield from made if len(made) == len(some) else filter(None, map(_row, some))


def _row(line: bytes) -> Row | None:
    """Parse a line; None if it is damaged."""
    try:
        return _made(json_value(line))
    except (ValueError, TypeError, KeyError):
        return None


def _made(fields: Any) -> Row | None:
    commit, *rest = fields
    if len(rest) not in (_FIELDS - 2, _FIELDS - 1, _FIELDS):  # older versions wrote no `dropped` or `written`
        return None
    rest[_ORIGIN] = _ORIGINS[rest[_ORIGIN]]
    return Row(commit, Version(*rest))


Lines = Mapping[str, int]
"""The number of lines of texts by id, as far as already counted."""

NOT_COUNTED: Final[Lines] = MappingProxyType({})


def version_of(
    repo: Repository, number: int, commit: str, path: str, pair: tuple[str, str], meta: Meta, lines: Lines = NOT_COUNTED
) -> Version:
    """The version for a commit's change of the file at `path`, which has index `number` in the commit. Raises `HistoryError`."""
    id = commit[:12] + (f".{number}" if number else "")
    if not pair[0] and pair[1] in lines:
        return Version(id, path, *meta, *pair, lines[pair[1]], 0, False)
    old, new = (repo.text(id) if id else None for id in pair)
    added, removed = line_counts(old, new)
    wiped = not meta.origin.is_ours and meta.relation in ("", ANOTHER_STORE) and is_wiped(old, new)
    return Version(id, path, *meta, *pair, added, removed, wiped)


def made_anew(log: VersionLog, repo: Repository) -> None:
    """Rebuild the list of versions from the commits. Raises `HistoryError`."""
    last = log.last_commit()
    try:
        records = repo.since(last)
        rows = list(log.rows())[::-1] if last else []
    except HistoryError:
        records, rows = repo.since(""), []
    for record in records:
        meta, told = meta_of(record.message), [times_of(record.message, name) for name in ("Dropped", "Written")]
        for number, (path, pair) in enumerate(sorted(record.changes.items())):
            version = version_of(repo, number, record.id, path, pair, meta)
            dropped, written = (times.get(key_of(path), 0) if times else 0 for times in told)
            rows.append(Row(record.id, version._replace(dropped=dropped, written=written)))
        if not record.changes:
            rows.append(Row(record.id, Version("", "", *meta, "", "", 0, 0)))
    log.replace(rows)
