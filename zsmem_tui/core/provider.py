"""The memory of an agent as a program uses it: what goes into a prompt, and updates to what is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

MemoryAction = Literal["add", "replace", "remove", "delete"]
MemoryStore = Literal["memory", "user"]


class MemoryUpdate(NamedTuple):
    """One change: `content` for add and replace, `substring` for remove (every line that holds it goes).

    `store` says whether it is about the work or about the person; a `key` names another file instead.
    """

    action: MemoryAction
    content: str = ""
    store: MemoryStore = "memory"
    key: str = ""
    substring: str = ""


class MemoryEntry(NamedTuple):
    """One file of a memory with its first paragraph; None where it holds nothing."""

    key: str
    summary: str | None


class SyncReport(NamedTuple):
    """What `sync` did: the files that changed, and whether that lasts (False: another program keeps writing over one of them).

    `problem` says why it cannot be undone, as a sentence; empty when it can.
    """

    changed: tuple[str, ...] = ()
    confirmed: bool = True
    problem: str = ""


class MemoryProvider(Protocol):
    """What a program that gives an agent a memory needs of it, whichever agent's files stand behind it."""

    def prefetch(self, message: str = "") -> str | None:
        """What goes into the prompt for the person's message; None when nothing does. Raises `MemError`."""

    def sync(self, updates: Sequence[MemoryUpdate]) -> SyncReport:
        """Make these changes, all of them or none. Raises `MemError`; the sentence says what was not written."""

    def read(self, key: str) -> str | None:
        """The text of a file; None when there is no such file. Raises `MemError`."""

    def search(self, query: str, limit: int | None = None) -> list[str]:
        """The keys of the files that hold the query. Raises `MemError`."""

    def list(self, limit: int | None = None) -> list[MemoryEntry]:
        """The files of this memory. Raises `MemError`."""
