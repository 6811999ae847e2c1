"""What conversations know of the screen that they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from textual.app import App

    from zsmem_tui.service.session import Session
    from zsmem_tui.ui.app import ZsmemApp


class Speaker(Protocol):
    """Where a result is told."""

    def say(self, text: str, *, warning: bool = False) -> None:
        """Tell a result."""


class Place(Speaker, Protocol):
    """A screen that a conversation is about."""

    session: Session
    host: ZsmemApp

    @property
    def app(self) -> App[object]:
        """The program, as Textual knows it: dialogs, clipboard, terminal."""
