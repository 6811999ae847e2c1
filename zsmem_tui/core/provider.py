"""The interface for programs that give an agent memory: text for the prompt, and updates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, runtime_checkable

MemoryAction = Literal["add", "replace", "remove", "delete"]
MemoryStore = Literal["memory", "user"]


class MemoryUpdate(NamedTuple):
    """One update: `content` for add and replace, `substring` for remove (deletes all lines that contain it).

    `store` is `memory` for the work or `user` for the person; a `key` names another file instead.
    """

    action: MemoryAction
    content: str = ""
    store: MemoryStore = "memory"
    key: str = ""
    substring: str = ""


class MemoryEntry(NamedTuple):
    """One file of a memory with its first paragraph (None if it is empty)."""

    key: str
    summary: str | None


class SyncReport(NamedTuple):
    """The result of `sync`: the changed files, and `confirmed` (False: another program keeps overwriting one of them).

    `problem` is a sentence on why it cannot be undone; empty if it can.
    """

    changed: tuple[str, ...] = ()
    confirmed: bool = True
    problem: str = ""


@runtime_checkable
class MemoryProvider(Protocol):
    """The interface for any agent's memory, implemented on that agent's files."""

    def prefetch(self, message: str = "") -> str | None:
        """The text for the prompt in reply to the person's message; None if there is none. Raises `MemError`."""

    def sync(self, updates: Sequence[MemoryUpdate]) -> SyncReport:
        """Apply all updates or none. Raises `MemError`; its message says what was not written."""

    def read(self, key: str) -> str | None:
        """The text of a file; None when there is no such file. Raises `MemError`."""

    def search(self, query: str, limit: int | None = None) -> list[str]:
        """The keys of the files that contain the query. Raises `MemError`."""

    def list(self, limit: int | None = None) -> list[MemoryEntry]:
        """The files of this memory. Raises `MemError`."""
