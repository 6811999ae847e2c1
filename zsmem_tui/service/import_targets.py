"""What a file of ours becomes when items of another memory go into it, one after the other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from zsmem_tui.core import checklist
from zsmem_tui.core.append import appended, line_key
from zsmem_tui.core.diff import keep_both
from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import lines
from zsmem_tui.service.plan import Policy

_HEAD: Final = re.compile(rb"(?m)^### [^\n]*")
_ENTRY: Final = re.compile(r"(?m)^(?=### )")


class TargetFile:
    """A file with what was put into it so far. Thousands of items may go into one: nothing of it is copied for each."""

    def __init__(self, raw: bytes | None) -> None:
        self.before = raw
        self._now = None if raw is None else bytearray(raw)
        self._keys: set[str] | None = None
        self._starts: dict[bytes, list[int]] | None = None

    @property
    def is_there(self) -> bool:
        """Whether there is a file by now."""
        return self._now is not None

    @property
    def now(self) -> bytes | None:
        """What it holds now; None: there is no file."""
        return None if self._now is None else bytes(self._now)

    @property
    def problem(self) -> str:
        """Why nothing can be put into it, as a clause; empty when it can."""
        try:
            (self.before or b"").decode()
        except UnicodeDecodeError:
            return "is not valid UTF-8"
        return ""

    def has(self, found: ImportItem) -> bool:
        """Whether the item is in it already."""
        if _is_line(found):
            known = self._known()
            return any(key in known for key in map(line_key, (found.text, found.as_written)))
        if self._now is None:
            return False
        if found.role is Role.LOG:
            return not _missing(found, self._now, self._entries())
        return joined(bytes(self._now), found, Policy.MERGE) == self._now

    def put(self, found: ImportItem, policy: Policy) -> None:
        """Put an item into it that is not in it."""
        if _is_line(found):
            self._append(encoded(found))
            self._known().add(line_key(found.as_written))
        elif found.role is Role.LOG and self._now is not None:
            self._append(_missing(found, self._now, self._entries()))
            self._keys = None
        else:
            self.replace(joined(self.now, found, policy))

    def replace(self, raw: bytes) -> None:
        """Make it hold this."""
        self._now, self._keys, self._starts = bytearray(raw), None, None

    def _append(self, raw: bytes) -> None:
        now = bytearray() if self._now is None else self._now
        if now and not now.endswith(b"\n"):
            now += b"\n"
        before = len(now)
        now += raw if raw.endswith(b"\n") else raw + b"\n"
        self._now = now
        if self._starts is not None:
            _note_entries(self._starts, now, before)

    def _entries(self) -> dict[bytes, list[int]]:
        """Where entries begin, by their headings."""
        if self._starts is None:
            self._starts = {}
            _note_entries(self._starts, self._now or bytearray(), 0)
        return self._starts

    def _known(self) -> set[str]:
        if self._keys is None:
            text = (self.now or b"").decode("utf-8", "surrogateescape")
            self._keys = {key for key in map(line_key, lines(text)) if key}
        return self._keys


def encoded(found: ImportItem) -> bytes:
    """An item as bytes."""
    return found.as_written.encode("utf-8", "surrogateescape")


def joined(now: bytes | None, found: ImportItem, policy: Policy) -> bytes:
    """What a file holds once an item is in it; `now` itself when it is there already."""
    raw = encoded(found)
    if now is None:
        return raw if found.role is not Role.FACTS else appended(b"", raw)
    old = now.decode("utf-8", "surrogateescape")
    match found.role:
        case Role.FACTS if "\n" in found.text:
            return now if _has_lines(now, found.text.encode("utf-8", "surrogateescape")) else appended(now, raw)
        case Role.FACTS:
            known = set(map(line_key, lines(old)))
            return now if {line_key(found.text), line_key(found.as_written)} & known else appended(now, raw)
        case Role.CHECKLIST:
            return _with_items(old, found.text).encode("utf-8", "surrogateescape")
        case Role.LOG:
            missing = _missing(found, now)
            return appended(now, missing) if missing else now
        case _:
            return raw if now == raw or policy is Policy.REPLACE else keep_both(now, raw)


def _is_line(found: ImportItem) -> bool:
    return found.role is Role.FACTS and "\n" not in found.as_written


def _note_entries(starts: dict[bytes, list[int]], raw: bytearray, since: int) -> None:
    for found in list(_HEAD.finditer(raw, since)):
        starts.setdefault(found[0].rstrip(b"\r"), []).append(found.start())


def _missing(found: ImportItem, now: bytes | bytearray, starts: Mapping[bytes, list[int]] | None = None) -> bytes:
    """What of a log's text is not in a file: all of it as it stands, or the entries that are not.

    `starts` is where entries begin in it, where that is known: thousands may go into one day.
    """
    parts = [part.encode("utf-8", "surrogateescape") for part in _ENTRY.split(found.text) if part.strip()]
    missing = [part for part in parts if not _has_entry(now, part.strip(b"\n"), starts)]
    return encoded(found) if len(missing) == len(parts) and parts else b"".join(missing)


def _has_entry(whole: bytes | bytearray, part: bytes, starts: Mapping[bytes, list[int]] | None) -> bool:
    if starts is None or not part.startswith(b"### "):
        return _has_lines(whole, part)
    places = starts.get(part.partition(b"\n")[0].rstrip(b"\r"), ())
    return any(whole[at : at + len(part)] == part and _is_whole(whole, at, part) for at in places)


def _has_lines(whole: bytes | bytearray, part: bytes) -> bool:
    """Whether a part stands in a text as lines of it: not as the beginning of one, nor as its end."""
    at = whole.find(part)
    while at >= 0:
        if _is_whole(whole, at, part):
            return True
        at = whole.find(part, at + 1)
    return False


def _is_whole(whole: bytes | bytearray, at: int, part: bytes) -> bool:
    """Whether a part that stands there begins and ends with lines."""
    end = at + len(part)
    ends = part.endswith(b"\n") or end == len(whole) or whole[end : end + 1] == b"\n" or whole[end : end + 2] == b"\r\n"
    return ends and (at == 0 or whole[at - 1 : at] == b"\n")


def _with_items(old: str, new: str) -> str:
    """A checklist with those blocks of another that it has not."""
    have = {item.text for item in checklist.items(old)}
    top = [item for item in checklist.items(new) if item.depth == 0]
    missing = [item for item in top if item.text not in have]
    for block in checklist.blocks(new, missing):
        old = checklist.added(old, block)
    return old
