"""The lines above the status line in which a tour says what is seen."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import App
from textual.content import Content
from textual.widgets import Static


class TourBar(Static):
    """What the tour says now, asked for when it is put on a screen; not there while there is no tour."""

    def __init__(self, line: Callable[[], str]) -> None:
        super().__init__("", classes="notice tour", markup=False)
        self._line = line

    def on_mount(self) -> None:
        """The tour may be under way when a screen comes."""
        if self._line():
            self.tell()

    def tell(self) -> None:
        """Say what is to be said now."""
        text = self._line()
        self.set_class(bool(text), "-shown")
        parts = text.split("`")  # keys stand between two of them
        self.update(Content.assemble(*((part, "bold $accent" if number % 2 else "") for number, part in enumerate(parts))))


def tell(app: App[None]) -> None:
    """The tour has gone on: every screen says so."""
    for screen in app.screen_stack:
        for bar in screen.query(TourBar):
            bar.tell()
