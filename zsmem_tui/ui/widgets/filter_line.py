"""The line for words that rows must hold, or that are looked for in a text."""

from __future__ import annotations

from textual import on
from textual.widgets import Input

from zsmem_tui.core.text import trim


class FilterLine(Input):
    """Shown while it is in use; `enter` goes back to the widget that it is about, whose id is `rows`.

    `keeps` says that its words are offered again the next time.
    """

    def __init__(self, placeholder: str, *, id: str, rows: str, keeps: bool = False) -> None:
        super().__init__(placeholder=placeholder, id=id, classes="line-input")
        self._rows = rows
        self._keeps = keeps

    @property
    def is_shown(self) -> bool:
        """Whether it is in use."""
        return self.has_class("-shown")

    @property
    def words(self) -> str:
        """What is typed; empty while nothing is."""
        return trim(self.value)

    def begin(self) -> None:
        """Type words."""
        self.add_class("-shown")
        self.focus()

    def close(self) -> bool:
        """Be in use no more; False when it was not."""
        if not self.is_shown:
            return False
        self.drop()
        self._go_back()
        return True

    def drop(self) -> None:
        """The same, and leave the focus where it is."""
        if not self._keeps:
            self.value = ""
        self.remove_class("-shown")

    @on(Input.Submitted)
    def _go_back(self) -> None:
        self.screen.query_one(f"#{self._rows}").focus()
