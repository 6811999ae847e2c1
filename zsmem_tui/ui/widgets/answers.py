"""A list of options that a key may reach at any moment, also before it is drawn."""

from __future__ import annotations

from typing import Literal

from textual.widgets import OptionList


class Answers(OptionList):
    """`OptionList`, for which paging through options that have no lines yet is nothing, not an error."""

    def turn(self, step: Literal[-1, 1]) -> None:
        """Move the cursor by a page."""
        self._move_page(step)

    def _move_page(self, direction: Literal[-1, 1]) -> None:
        if laid_out(self):
            super()._move_page(direction)


def laid_out(rows: OptionList) -> bool:
    """Whether the options of a list have their lines; they get them now where there is room for any."""
    rows._update_lines()
    return rows.highlighted is None or rows.highlighted in rows._index_to_line
