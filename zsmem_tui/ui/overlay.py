"""Base of the screens that lie over another one. Closing is idempotent; messages that arrive after it are dropped."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.await_complete import AwaitComplete
from textual.events import Event, InputEvent, Paste
from textual.message import Message
from textual.screen import ScreenResultType
from textual.worker import Worker

from zsmem_tui.ui.keys.typed_ahead import KeyDone
from zsmem_tui.ui.textual_private import ForgettingScreen
from zsmem_tui.ui.widgets.row_list import AtRow


class Overlay(ForgettingScreen[ScreenResultType]):
    """A tool, a question, the palette. Its answer counts once; a key that comes while it goes does nothing more.

    Textual's own `dismiss` takes the topmost screen away, whichever that is, and a second one takes the next: two quick `enter`
    would close two screens, or end the program where only one is left.
    """

    CSS_PATH = f"{__file__.rpartition('/')[0]}/styles/layers.tcss"

    PAGE: ClassVar[str] = ""
    """The page of help about it; empty: it needs none."""

    closed = False
    """Whether it has been answered or left. It may still be on its way off the screen."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Answer with `result` and go, with whatever lies over this; the second time, nothing."""
        if self.closed or self not in self.app.screen_stack:
            return AwaitComplete()
        while self.app.screen is not self:
            self.app.screen.dismiss(None)
        self.closed = True
        self.workers.cancel_node(self)
        gone: AwaitComplete = super().dismiss(result)
        return gone

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """An action on a screen that has not come yet, or is going, is not run."""
        return self.is_mounted and not self.closed and super().check_action(action, parameters)

    def run_worker(self, work: Any, *rest: Any, **named: Any) -> Worker[Any]:
        """As always; of a screen that is closed nothing begins any more."""
        return super().run_worker(_nothing if self.closed else work, *rest, **named)

    def is_wanted(self, message: Message) -> bool:
        """Nobody waits for input for a screen that is closed, nor for news of rows that are no longer listed."""
        if self.closed and _is_news(message):
            return False
        return not isinstance(message, AtRow) or message.is_listed

    @property
    def is_gone(self) -> bool:
        """Once it is closed, its widgets go."""
        return self.closed


def _is_news(message: Message) -> bool:
    """Whether a message is about what a person or a widget did; the others are Textual's, which it needs to clear up."""
    if isinstance(message, Event):
        return isinstance(message, InputEvent | Paste)
    return not isinstance(message, KeyDone) and not type(message).__module__.startswith("textual.messages")


async def _nothing() -> None:
    return None
