"""Choosing a heading."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui.layer import Layer
from zsmem_tui.ui.widgets.answers import Answers


class OutlineDialog(ModalScreen[int | None], Layer[int | None]):
    """The headings of a text; answers with the line of the chosen one, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,t", "dismiss(None)", "Close"),
        ("j", "move(1)", "Down"),
        ("k", "move(-1)", "Up"),
    ]

    def __init__(self, outline: list[tuple[int, int, str]], line: int) -> None:
        super().__init__(classes="dialog-screen")
        self._outline = outline
        self._line = line

    def compose(self) -> ComposeResult:
        """One list."""
        with Vertical(classes="dialog -list") as box:
            box.border_title = Content("Outline")
            box.border_subtitle = Content("enter go there · esc close")
            rows = [
                Option(Content(f"{'  ' * (level - 1)}{visible_line(words) or '(no words)'}"), id=str(line))
                for line, level, words in self._outline
            ]
            yield Answers(*rows, markup=False)

    def on_mount(self) -> None:
        """Start at the heading that is on the screen."""
        here = [place for place, (line, _, _) in enumerate(self._outline) if line <= self._line]
        self.query_one(OptionList).highlighted = here[-1] if here else 0

    def action_move(self, step: int) -> None:
        """Move the cursor."""
        rows = self.query_one(OptionList)
        rows.action_cursor_down() if step > 0 else rows.action_cursor_up()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(int(event.option.id or 0))
