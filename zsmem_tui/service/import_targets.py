"""What a file of ours becomes when items of another memory go into it, one after the other."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from zsmem_tui.core import checklist
from zsmem_tui.core.append import appended, line_key
from zsmem_tui.core.diff import keep_both
from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import lines

_ENTRY: Final = re.compile(r"(?m)^(?=### )")


class Policy(StrEnum):
    """What becomes of a note whose name is taken by another text."""

    SKIP = "skip"
    RENAME = "rename"
    REPLACE = "replace"
    MERGE = "merge"


class TargetFile:
    """A file with what was put into it so far. Thousands of facts may go into one: each is compared with a set of lines."""

    def __init__(self, raw: bytes | None) -> None:
        self.before = raw
        self._now = raw
        self._added = bytearray()
        self._keys: set[str] | None = None

    @property
    def now(self) -> bytes | None:
        """What it holds now; None: there is no file."""
        if self._added:
            self._now = (self._now or b"") + bytes(self._added)
            self._added.clear()
        return self._now

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
        return self.now is not None and joined(self.now, found, Policy.MERGE) == self.now

    def put(self, found: ImportItem, policy: Policy) -> None:
        """Put an item into it that is not in it."""
        if not _is_line(found):
            self.replace(joined(self.now, found, policy))
            return
        end = self._added or self._now or b"\n"
        if not end.endswith(b"\n"):
            self._added += b"\n"
        self._added += encoded(found) + b"\n"
        self._known().add(line_key(found.as_written))

    def replace(self, raw: bytes) -> None:
        """Make it hold this."""
        self._added.clear()
        self._now, self._keys = raw, None

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
            return now if found.text in old else appended(now, raw)
        case Role.FACTS:
            known = set(map(line_key, lines(old)))
            return now if {line_key(found.text), line_key(found.as_written)} & known else appended(now, raw)
        case Role.CHECKLIST:
            return _with_items(old, found.text).encode("utf-8", "surrogateescape")
        case Role.LOG:
            parts = [part for part in _ENTRY.split(found.text) if part.strip()]
            missing = [part for part in parts if part.strip() not in old]
            if len(missing) == len(parts):
                return appended(now, raw) if missing else now
            return appended(now, "".join(missing).encode("utf-8", "surrogateescape")) if missing else now
        case _:
            return raw if now == raw or policy is Policy.REPLACE else keep_both(now, raw)


def _is_line(found: ImportItem) -> bool:
    return found.role is Role.FACTS and "\n" not in found.as_written


def _with_items(old: str, new: str) -> str:
    """A checklist with those blocks of another that it has not."""
    have = {item.text for item in checklist.items(old)}
    top = [item for item in checklist.items(new) if item.depth == 0]
    missing = [item for item in top if item.text not in have]
    for block in checklist.blocks(new, missing):
        old = checklist.added(old, block)
    return old
