"""Facts that cross the border of a pane. Past tense, one fact each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.message import Message

from zsmem_tui.core.refs import MemRef
from zsmem_tui.ui.open_store import At


@dataclass(eq=False, repr=False, match_args=False)  # which nobody asks for, and each takes a start 0.1 ms
class FileChosen(Message):
    """The cursor came to rest on a file, or with `enter`, the person wants to read it.

    `line` (from 0) is where to start, or which one to show on `row` of the screen; `terms` (folded) are to be marked. `back`
    leads to where the person came from, when that is no pane of the main screen.
    """

    ref: MemRef
    enter: bool = False
    line: int | None = None
    terms: tuple[bytes, ...] = ()
    row: int | None = None
    store: str = ""
    """The key of the store that it is in; empty: the one in use."""
    back: Callable[[], object] | None = None
    whole_words: bool = False
    """Whether the terms count only where they are words of their own."""
    in_tree: bool = False
    """Whether it is the tree's cursor that came there: it may be elsewhere by now."""


@dataclass(eq=False, repr=False, match_args=False)
class GroupChosen(Message):
    """The cursor came to rest on a group, a folder or a store."""

    at: At


@dataclass(eq=False, repr=False, match_args=False)
class Said(Message):
    """Something happened that the status line should tell. `warning` makes it stand out."""

    text: str
    warning: bool = False


@dataclass(eq=False, repr=False, match_args=False)
class Told(Message):
    """The status line says something now."""

    text: str


class Selected(Message):
    """Something else is selected in the viewer, or there is another text."""

    def can_replace(self, message: Message) -> bool:
        """Whoever hears of it looks at what is selected by then."""
        return isinstance(message, Selected)
