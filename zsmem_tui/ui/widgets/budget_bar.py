"""The budget of the prompt across the top of a screen: a sentence, a stacked bar, its legend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from zsmem_tui.core.preview import Preview
from zsmem_tui.ui.widgets import budget_words as budget

STYLES: Final[Mapping[str, str]] = {
    "MEMORY": "$primary",
    "scratchpad": "$accent",
    "logs": "$success",
    budget.OTHER: "$secondary",
    "lost": "$error",
    "free": "$text-muted",
    "edge": "bold $warning",
    "words": "",
    "quiet": "$text-muted",
}


class BudgetBar(Widget):
    """What of the cap each kind of memory takes, and what is lost. As many of its three rows as its height has."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._seen: Preview | None = None
        self._names: Mapping[str, str] = {}

    def show(self, seen: Preview, names: Mapping[str, str]) -> None:
        """Show the budget of this prompt; `names` says what the section of a path is called."""
        self._seen, self._names = seen, names
        self.refresh()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """As wide as there is room."""
        return container.width

    def render(self) -> Content:
        """Sentence, bar, legend."""
        if self._seen is None:
            return Content("")
        width = self.size.width
        found = budget.parts(self._seen, self._names)
        style = "bold $warning" if self._seen.lost else "bold"
        drawn = (budget.bar(found, width), budget.legend(found, width))
        rows = [Content.assemble(*((words, STYLES.get(name, "$primary")) for words, name in pieces)) for pieces in drawn]
        said = budget.sentence(self._seen)
        if cell_len(said) > width:
            said = f"{set_cell_size(said, max(width - 1, 0))}…"
        tokens = f" · {self._seen.tokens} tokens"
        first = Content.assemble((said, style), (tokens if len(said) + len(tokens) <= width else "", "$text-muted"))
        return Content("\n").join([first, *rows][: max(self.size.height, 1)])
