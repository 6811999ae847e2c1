"""The prompt block as a page: what stands in it, and struck out, what does not."""

from __future__ import annotations

from collections.abc import Sequence

from zsmem_tui.core.preview import BlockRow
from zsmem_tui.ui import signs
from zsmem_tui.ui.reading.page import Page
from zsmem_tui.ui.reading.rows import Drawn, break_line, clean


class BlockPage(Page):
    """Rows of a preview, one of them under the cursor."""

    def __init__(self, rows: Sequence[BlockRow]) -> None:
        super().__init__("")
        self.block = list(rows)
        self.lines = [row.whole for row in rows]
        self.current = 0

    @property
    def outline(self) -> list[tuple[int, int, str]]:
        """The sections are listed beside the block."""
        return []

    @property
    def row(self) -> BlockRow | None:
        """The row under the cursor."""
        return self.block[self.current] if self.current < len(self.block) else None

    def select(self, place: int) -> int:
        """Put the cursor on a row, within the page; where it is now."""
        self.current = max(0, min(place, len(self.block) - 1))
        self._drawn.cache_clear()
        return self.current

    def place_of(self, path: str, line: int) -> int:
        """The row that shows a line of a file; the first of all when none does."""
        return next((place for place, row in enumerate(self.block) if row.path == path and row.line == line), 0)

    def start_of(self, section: int) -> int:
        """The first row of a section."""
        return next((place for place, row in enumerate(self.block) if row.section == section), 0)

    def leader(self, line: int) -> int:
        """Every row stands for itself."""
        return line

    def _draw(self, line: int) -> tuple[Drawn, list[int]]:
        row = self.block[line]
        mark = signs.LOST if row.lost and not row.text else signs.CUT if row.lost else " "
        style = "head" if row.text.startswith("## ") and not row.path else "text" if row.path else "mark"
        spans = [(clean(row.text), style)] if row.text else []
        if row.lost:
            spans.insert(0 if row.is_end else len(spans), (clean(row.lost), "cut"))
        edge = signs.CURSOR if line == self.current else " "
        drawn = Drawn(spans or [("", "text")], f"{edge}{mark} ", f"{edge}  ", "key" if line == self.current else "mark")
        return drawn, break_line(drawn, self.width)

    def _rows(self, line: int) -> int:
        text = self.lines[line]
        return 1 if len(text) * 2 + 3 <= self.width else len(self._draw(line)[1])
