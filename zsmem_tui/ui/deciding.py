"""Going through a list, one row after another."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Generic, TypeVar

Name = TypeVar("Name", bound=Hashable)


class Run(Generic[Name]):
    """Deciding one item after another. What is `decided` lasts longer than the screen; `keys` says which keys decide."""

    def __init__(self, decided: set[Name], keys: str) -> None:
        self.on = False
        self._decided = decided
        self._keys = keys
        self._total = 0

    def begin(self, keys: Sequence[Name]) -> Name | None:
        """The item to begin with; from the first again when all are decided; None: there is none."""
        left = self._left(keys)
        if not left:
            self._decided.clear()
            left = list(keys)
        self._total = len(left)
        self.on = bool(left)
        return left[0] if left else None

    def decide(self, keys: Iterable[Name]) -> None:
        """These need no decision any more."""
        self._decided.update(keys)

    def next(self, keys: Sequence[Name]) -> Name | None:
        """The next item to decide; None: there is none left."""
        left = self._left(keys)
        return left[0] if left else None

    def words(self, keys: Sequence[Name]) -> str:
        """How far it is, and the keys that help."""
        place = self._total - len(self._left(keys)) + 1
        return f"{place} of {self._total} · {self._keys} · esc stop"

    def _left(self, keys: Sequence[Name]) -> list[Name]:
        return [key for key in keys if key not in self._decided]
