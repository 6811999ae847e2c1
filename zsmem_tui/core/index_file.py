"""Files that speak of others, such as an index: how they follow those, and what is wrong between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from zsmem_tui.core.notice import Notice
    from zsmem_tui.core.tree import Tree

Rewrite = Callable[[bytes | None], bytes | None]
"""From the bytes that a file has (None: no file) to those it shall have (None: leave it alone)."""


class About(NamedTuple):
    """What a line of an index says of the file at `path`: what it calls it, and the rest."""

    path: str
    title: str
    rest: str


class Lists(Protocol):
    """What a kind of store knows of files that speak of others. All paths are those of the store."""

    def companions(self, tree: Tree, before: str | None, after: str | None, text: bytes) -> dict[str, Rewrite]:
        """How other files follow one that is made (`before` None), renamed or moved, or deleted (`after` None), by path.

        `text` is what the file holds; it is still, or not yet, where `tree` has it.
        """

    def findings(self, tree: Tree, group: str) -> list[Notice]:
        """What is wrong between the files of a group and what lists them."""

    def names(self, path: str, raw: bytes) -> tuple[str, ...]:
        """What links in double brackets may call a file, beside its own name."""

    def own_words(self, tree: Tree, path: str, raw: bytes) -> bytes:
        """What an index says itself, beside what it says of files that are there; empty for nothing."""

    def told(self, tree: Tree, path: str, raw: bytes) -> Mapping[int, About]:
        """The lines of an index that are about one file which is there, by their numbers from 1."""

    def without_words(self, tree: Tree, path: str, raw: bytes, words: bytes) -> bytes | None:
        """An index without these words of its own; None where nothing of it would be left."""


class NoLists:
    """Of a kind whose files do not speak of each other."""

    def companions(self, tree: Tree, before: str | None, after: str | None, text: bytes) -> dict[str, Rewrite]:
        """None."""
        return {}

    def findings(self, tree: Tree, group: str) -> list[Notice]:
        """None."""
        return []

    def names(self, path: str, raw: bytes) -> tuple[str, ...]:
        """None."""
        return ()

    def own_words(self, tree: Tree, path: str, raw: bytes) -> bytes:
        """All of it."""
        return raw

    def told(self, tree: Tree, path: str, raw: bytes) -> Mapping[int, About]:
        """None is."""
        return {}

    def without_words(self, tree: Tree, path: str, raw: bytes, words: bytes) -> bytes | None:
        """Nothing is left."""
        return None


NO_LISTS: Final = NoLists()
