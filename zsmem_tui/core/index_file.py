"""Files that describe other files, such as an index: how to keep them up to date, and checks for mismatches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from zsmem_tui.core.notice import Notice
    from zsmem_tui.core.tree import Tree

Rewrite = Callable[[bytes | None], bytes | None]
"""A function from the bytes of a file (None: no file) to its new bytes (None: leave it alone)."""


class About(NamedTuple):
    """What a line of an index says about the file at `path`: its title, and the rest of the line."""

    path: str
    title: str
    rest: str


class Lists:
    """A kind of store's rules for files that describe others; by default, none do. All paths are relative to the store."""

    def companions(
        self, tree: Tree, before: str | None, after: str | None, text: bytes, free: int = 0, about: str = ""
    ) -> dict[str, Rewrite]:
        """The edits to other files, by path, when a file is created (`before` None), renamed or moved, or deleted (`after` None).

        `text` is the file's content; `tree` may show the state before or after the change. `free` is a line of the index (1-based)
        that comes free, where its line may go; `about` the file's description where `text` is without it.
        """
        return {}

    def findings(self, tree: Tree, group: str) -> list[Notice]:
        """Problems between the files of a group and the index that lists them."""
        return []

    def names(self, path: str, raw: bytes) -> tuple[str, ...]:
        """Further names by which `[[links]]` may refer to a file."""
        return ()

    def own_words(self, tree: Tree, path: str, raw: bytes) -> bytes:
        """The text of an index that is not about an existing file; empty if there is none."""
        return raw

    def told(self, tree: Tree, path: str, raw: bytes) -> Mapping[int, About]:
        """Map line number (1-based) to content for the lines of an index that describe one existing file."""
        return {}

    def without_words(self, tree: Tree, path: str, raw: bytes, words: bytes) -> bytes | None:
        """The index with these words of its own removed; None if nothing would be left."""
        return None


NO_LISTS: Final = Lists()
