"""The line for words that rows must hold."""

from __future__ import annotations

from textual import on
from textual.widgets import Input

from zsmem_tui.core.text import trim


class FilterLine(Input):
    """Shown while it filters; `enter` goes back to the widget that it filters, whose id is `rows`."""

    def __init__(self, placeholder: str, *, id: str, rows: str) -> None:
        super().__init__(placeholder=placeholder, id=id, classes="line-input")
        self._rows = rows

    @property
    def words(self) -> str:
        """What is typed; empty while nothing is."""
        return trim(self.value)

    def begin(self) -> None:
        """Type words."""
        self.add_class("-shown")
        self.focus()

    def close(self) -> bool:
        """Filter no more; False when it was not there."""
        if not self.has_class("-shown"):
            return False
        self.drop()
        self._go_back()
        return True

    def drop(self) -> None:
        """Filter no more, and leave the focus where it is."""
        self.value = ""
        self.remove_class("-shown")

    @on(Input.Submitted)
    def _go_back(self) -> None:
        self.screen.query_one(f"#{self._rows}").focus()
