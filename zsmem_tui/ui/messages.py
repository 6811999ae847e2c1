"""The messages between panes and screens, each for one event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.message import Message

from zsmem_tui.core.refs import MemRef
from zsmem_tui.ui.open_store import At


@dataclass(eq=False, repr=False, match_args=False)  # unused, and each costs a start 0.1 ms
class FileChosen(Message):
    """The cursor is on a file, or with `enter`, the person wants to read it.

    Show `line` (0-based), at screen row `row` if given, with `terms` (folded) highlighted. `back` is called when the viewer is
    left, if the person did not come from a pane of the main screen.
    """

    ref: MemRef
    enter: bool = False
    line: int | None = None
    terms: tuple[bytes, ...] = ()
    row: int | None = None
    store: str = ""
    """The key of the file's store; empty: the current store."""
    back: Callable[[], object] | None = None
    whole_words: bool = False
    """Whether to highlight only whole words."""
    in_tree: bool = False
    """Whether the tree's cursor is on the file; if so, it need not be moved there."""


@dataclass(eq=False, repr=False, match_args=False)
class GroupChosen(Message):
    """The tree's cursor is on a group, a folder or a store."""

    at: At


@dataclass(eq=False, repr=False, match_args=False)
class Said(Message):
    """A text for the status line; `warning` highlights it. `passes`: whether the next key drops it; None: if it is a warning."""

    text: str
    warning: bool = False
    passes: bool | None = None


@dataclass(eq=False, repr=False, match_args=False)
class Told(Message):
    """The status line shows this text now."""

    text: str
    warning: bool


class Checked(Message):
    """The doctor has found something else in a store."""


class Selected(Message):
    """What is selected has changed, or the text or hits to select from."""

    def can_replace(self, message: Message) -> bool:
        """Drop pending messages of this type, since handlers look at the current selection."""
        return isinstance(message, Selected)
