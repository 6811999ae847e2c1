"""What an import did, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted

_SHARED: Final = frozenset({Role.LOG, Role.CHECKLIST})
"""What is counted by its file, which holds several items: a day, a task list."""

_MOST_NAMED: Final = 5
"""Files that are named where a step ended early; they are all in the history."""


class Landed(Protocol):
    """An item that was brought in; no other has its `key`."""

    @property
    def key(self) -> str:
        """What tells it from every other."""

    @property
    def incoming(self) -> ImportItem:
        """What it says."""


def what_came(by_path: Mapping[str, Sequence[Landed]]) -> str:
    """How many of each landed in these files, in words."""
    every = ((path, item) for path, own in by_path.items() for item in own)
    came = {(item.incoming.role, path if item.incoming.role in _SHARED else item.key) for path, item in every}
    words = {Role.FACTS: "fact", Role.NOTE: "note", Role.LOG: "day", Role.CHECKLIST: "task list"}
    there = Counter(words.get(role, "item") for role, _ in came)
    parts = [counted(there[word], word) for word in (*words.values(), "item") if there[word]]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts) or "nothing"
