"""Panes, and what is common to the lists and trees in them."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, ClassVar

from rich.style import Style
from rich.text import Text, TextType
from textual.containers import Vertical
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import OptionList, Static, Tree
from textual.widgets.tree import TreeDataType


class Pane(Vertical):
    """Holds widgets one below the other, in a frame with its titles. Its own lines lie below these: most of them are never seen."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self._empty: Static | None = None

    def say_empty(self, text: str) -> None:
        """Say above the last widget, which stays for the focus, why there is nothing in it; without words, there is something."""
        if self._empty is None and text:
            self._empty = Static("", classes="empty", markup=False)
            self.mount(self._empty, before=-1)
        if self._empty is not None:
            self._empty.update(text)
            self._empty.set_class(bool(text), "-shown")


class PartsOnce(Widget):
    """The style of each part is found once, until the theme is another one."""

    PARTS: ClassVar[str]
    """What the names of its parts begin with."""

    _known: dict[str, Style] | None = None

    def notify_style_update(self) -> None:
        """Another theme: forget the styles."""
        super().notify_style_update()
        self._known = None
        self.refresh()

    def _style(self, name: str) -> Style:
        known = self._known = self._known if self._known is not None else {}
        if name not in known:
            known[name] = self.get_component_rich_style(f"{self.PARTS}--{name}")
        return known[name]


class QuickTree(Tree[TreeDataType]):
    """A tree whose rows are drawn by its `render_label` alone."""

    def __init__(self, *, id: str) -> None:
        super().__init__("", id=id)
        self._own_style: Style | None = None

    def action_move(self, step: int) -> None:
        """Move the cursor by a row."""
        self.action_cursor_down() if step > 0 else self.action_cursor_up()

    def action_page(self, step: int) -> None:
        """Move the cursor by a page."""
        self.action_page_down() if step > 0 else self.action_page_up()

    def action_edge(self, step: int) -> None:
        """Move the cursor to the first or last row."""
        self.action_scroll_home() if step < 0 else self.action_scroll_end()

    def action_choose(self) -> None:
        """Open what the cursor is on."""
        self.action_select_cursor()

    @property
    def rich_style(self) -> Style:
        """The style of the tree; while its rows are drawn it is found once, not on the way up to the screen for each of them."""
        return self._own_style or super().rich_style

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows that are seen."""
        self._own_style = super().rich_style
        try:
            return super().render_lines(crop)
        finally:
            self._own_style = None

    def process_label(self, label: TextType) -> Text:
        """A `str` is never markup, and need not load the names of all emojis."""
        return Text(label) if isinstance(label, str) else label


class SafeOptionList(OptionList):
    """`OptionList`, for which paging through options that have no lines yet is nothing, not an error."""

    def turn(self, step: int) -> None:
        """Move the cursor by a page."""
        self.action_page_down() if step > 0 else self.action_page_up()

    def action_page_down(self) -> None:
        """A page down."""
        inherited: Any = super()
        with suppress(KeyError):
            inherited.action_page_down()

    def action_page_up(self) -> None:
        """A page up."""
        inherited: Any = super()
        with suppress(KeyError):
            inherited.action_page_up()
