"""Help: all keys, or one pane explained."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

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
    """Shows a page of Markdown until it is closed."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,q,question_mark,f1", "dismiss(None)", "Close")]

    def __init__(self, title: str, text: str) -> None:
        super().__init__(classes="dialog-screen")
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        """One page."""
        with Vertical(classes="dialog") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = Content("esc close · j k scroll")
            yield HelpPage(id="help-page")

    def on_mount(self) -> None:
        """Show it."""
        page = self.query_one(HelpPage)
        self.set_focus(page)
        self.call_after_refresh(page.show, Page(self._text))
