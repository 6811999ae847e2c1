"""The tour: a key that goes from screen to screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from textual.app import App
from textual.screen import ModalScreen

from zsmem_tui.ui.widgets import tour_bar

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.tour import Stop


class TourCommands:
    """Where the tour is."""

    def __init__(self, host: ZsmemApp, app: App[None], act: Callable[..., object]) -> None:
        """`act` does what an action names."""
        self._host = host
        self._app = app
        self._act = act
        self._ahead: list[Stop] | None = None

    def by_name(self) -> Mapping[str, Callable[..., object]]:
        """What the actions of `ui.keys` call."""
        return {"tour": self._go_on}

    def _go_on(self) -> None:
        """To the next stop; behind the last one the tour is over."""
        if isinstance(self._app.screen, ModalScreen):
            self._host.say("The tour goes on once this is answered.", warning=True)
            return
        if self._ahead is None:
            from zsmem_tui.ui.tour import stops  # with its page; a first frame tours nothing

            self._ahead = stops()
        if not self._ahead:
            self._ahead, self._host.tour_line = None, ""
            self._host.say("That was the tour. ? has every key of what you see, F1 explains it.")
        else:
            stop = self._ahead.pop(0)
            self._host.tour_line = stop.text
            self._act(*stop.opens)
        tour_bar.tell(self._app)
