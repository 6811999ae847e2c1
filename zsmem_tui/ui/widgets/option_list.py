"""A list of options that a key may reach at any moment, also before it is drawn."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from textual.widgets import OptionList


class SafeOptionList(OptionList):
    """`OptionList`, for which paging through options that have no lines yet is nothing, not an error."""

    def turn(self, step: int) -> None:
        """Move the cursor by a page."""
        self.action_page_down() if step > 0 else self.action_page_up()

    def action_page_down(self) -> None:
        """A page down."""
        inherited: Any = super()
        with suppress(KeyError):
            inherited.action_page_down()

    def action_page_up(self) -> None:
        """A page up."""
        inherited: Any = super()
        with suppress(KeyError):
            inherited.action_page_up()
