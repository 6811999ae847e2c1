"""Help: all keys, or one pane explained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    """Shows a page of Markdown until it is closed; `more` are the pages that `tab` goes on to, each made when it is wanted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q,question_mark,f1", "dismiss(None)", "Close"),
        ("tab", "turn(1)"),
        ("shift+tab", "turn(-1)"),
    ]

    def __init__(self, title: str, text: str, more: Sequence[tuple[str, Callable[[], str]]] = ()) -> None:
        super().__init__(classes="dialog-screen")
        self._pages: list[tuple[str, Callable[[], str]]] = [(title, lambda: text), *more]
        self._at = 0

    def compose(self) -> ComposeResult:
        """One page."""
        with Vertical(classes="dialog"):
            yield HelpPage(id="help-page")

    def on_mount(self) -> None:
        """Show it."""
        self.set_focus(self.query_one(HelpPage))
        self._show()

    def action_turn(self, step: int) -> None:
        """Go to the next page or the one before; round and round."""
        self._at = (self._at + step) % len(self._pages)
        self._show()

    def _show(self) -> None:
        title, read = self._pages[self._at]
        following = self._pages[(self._at + 1) % len(self._pages)][0]
        box = self.query_one(".dialog", Vertical)
        box.border_title = Content(title)
        box.border_subtitle = Content("esc close · j k scroll" + (f" · tab {following}" if len(self._pages) > 1 else ""))
        self.call_after_refresh(self.query_one(HelpPage).show, Page(read()))
