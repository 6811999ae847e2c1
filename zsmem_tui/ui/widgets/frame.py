"""Widgets whose lines are mostly alike: those that say nothing are drawn once a frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.style import Style
from rich.text import Text, TextType
from textual._styles_cache import StylesCache
from textual.containers import Vertical
from textual.css.styles import StylesBase
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Tree
from textual.widgets._tree import TreeDataType


class DrawnOnce(StylesCache):
    """Draws the first of the lines of a widget that `says_nothing` of; the others are this one."""

    def __init__(self, says_nothing: Callable[[int], bool]) -> None:
        """`says_nothing` tells it of a line of the widget, counted from its upper edge."""
        super().__init__()
        self._says_nothing = says_nothing
        self._nothing: Strip | None = None

    def render_widget(self, widget: Widget, crop: Region) -> list[Strip]:
        """As Textual's own."""
        self._nothing = None
        return super().render_widget(widget, crop)

    def render_line(self, styles: StylesBase, y: int, size: Size, *how: Any) -> Strip:
        """As Textual's own, but for a line that says nothing after the first."""
        if not self._says_nothing(y):
            return super().render_line(styles, y, size, *how)
        if self._nothing is None:
            self._nothing = super().render_line(styles, y, size, *how)
        return self._nothing


class Pane(Vertical):
    """Holds widgets one below the other, in a frame with its titles. Its own lines lie below these: most of them are never seen."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self._styles_cache = DrawnOnce(lambda y: 0 < y < self.size.height + self.gutter.height - 1)


class QuickTree(Tree[TreeDataType]):
    """A tree whose rows are drawn by its `render_label` alone."""

    def __init__(self, *, id: str) -> None:
        super().__init__("", id=id)
        self._own_style: Style | None = None
        self._styles_cache = DrawnOnce(lambda y: not self.gutter.height and y + self.scroll_offset.y > self.last_line)

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
