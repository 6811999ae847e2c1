"""A few sentences over a list, in as many rows as there is room for: where they are more, the last says how to read on."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from zsmem_tui.core.visible import visible
from zsmem_tui.ui.widgets.row_lines import wrapped

MOST_ROWS = 8
NARROW_ROWS = 1
"""Rows where the screen has its panes one over the other: the list below has few itself."""


class Notice(Widget):
    """Sentences, one a line. `more` says where all of them can be read; without it, they are all here."""

    text = reactive("", layout=True)

    def __init__(self, more: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id, classes="notice")
        self._more = more

    def show(self, text: str) -> None:
        """Show these; nothing is no row."""
        self.text = visible(text)
        self.set_class(bool(text), "-shown")

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """As wide as there is room."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """What they need, up to what a list can spare."""
        return min(self._most, len(wrapped(self.text, width))) if self.text else 0

    @property
    def _most(self) -> int:
        if not self._more:
            return max(len(self.text), 1)
        is_narrow = self.screen.has_class("-narrow") or self.screen.has_class("-low")
        return NARROW_ROWS if is_narrow else MOST_ROWS

    def render(self) -> Content:
        """The rows; the end of what does not fit is `…`."""
        width = max(self.size.width, 1)
        rows = wrapped(self.text, width)
        most = max(self.size.height, 1)
        if len(rows) > most:
            count = self.text.count("\n") + 1
            end = f"… {f'1 of {count}, ' if most == 1 and count > 1 else ''}{self._more}"
            last = " ".join(rows[most - 1 :]) if most > 1 else self.text.partition("\n")[0]
            rows = [*rows[: most - 1], f"{set_cell_size(last, max(width - cell_len(end), 0))}{end}"]
        return Content("\n".join(rows))
