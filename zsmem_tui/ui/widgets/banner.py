"""One line over everything, for what must not be missed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui import wording

if TYPE_CHECKING:
    from zsmem_tui.service.reviewing import Wipe
    from zsmem_tui.service.session import Session


class Banner(Static):
    """Says that a text was wiped, else that undo is off, for as long as it is so."""

    def __init__(self, *, id: str) -> None:
        super().__init__("", id=id, classes="notice", markup=False)
        self._wiped = ""
        self._problem = ""

    def show_wipes(self, wipes: Sequence[Wipe], session: Session) -> None:
        """These texts of a store are gone."""
        self._wiped = wording.wiped(wipes, session)
        self._tell()

    def show_problem(self, problem: str) -> None:
        """Why undo and history are off; empty: they are not."""
        if problem != self._problem:
            self._problem = problem
            self._tell()

    def _tell(self) -> None:
        text = self._wiped or (f"! Undo and history are off. {self._problem}" if self._problem else "")
        self.set_class(bool(text), "-shown")
        self.update(Content(visible_line(text)))
