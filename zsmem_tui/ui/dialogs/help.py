"""Help: all keys, or one pane explained."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from zsmem_tui.service import help
from zsmem_tui.ui.layer import Layer
from zsmem_tui.ui.reading.page import Page
from zsmem_tui.ui.widgets.page_view import PageView


class HelpPage(PageView):
    """A page of help with the keys every page has."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("j,down", "scroll_down"),
        ("k,up", "scroll_up"),
        ("space,pagedown", "page_down"),
        ("b,pageup", "page_up"),
        ("g,home", "scroll_home"),
        ("G,end", "scroll_end"),
    ]


class HelpDialog(ModalScreen[None], Layer[None]):
    """Shows a page of Markdown until it is closed; `more` are names and titles of the pages that `tab` goes on to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q,question_mark,f1", "dismiss(None)", "Close"),
        ("tab", "turn(1)"),
        ("shift+tab", "turn(-1)"),
    ]

    def __init__(self, title: str, text: str, more: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(classes="dialog-screen")
        self._title = title
        self._text = text
        self._more = more
        self._at = 0

    def compose(self) -> ComposeResult:
        """One page."""
        with Vertical(classes="dialog") as box:
            box.border_subtitle = Content("esc close · j k scroll" + (" · tab more pages" if self._more else ""))
            yield HelpPage(id="help-page")

    def on_mount(self) -> None:
        """Show it."""
        self.set_focus(self.query_one(HelpPage))
        self._show()

    def action_turn(self, step: int) -> None:
        """Go to the next page or the one before; round and round."""
        if self._more:
            self._at = (self._at + step) % (len(self._more) + 1)
            self._show()

    def _show(self) -> None:
        name, title = [("", self._title), *self._more.items()][self._at]
        self.query_one(".dialog", Vertical).border_title = Content(title)
        page = Page(help.read(name) if name else self._text)
        self.call_after_refresh(self.query_one(HelpPage).show, page)
