"""A diff as a page: the same rows, scrolling and selection as any other text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zsmem_tui.core.diff import DiffRow, Side
from zsmem_tui.ui import signs
from zsmem_tui.ui.reading.page import Page
from zsmem_tui.ui.reading.rows import Drawn, break_line, clean

_STYLE = {Side.SAME: "text", Side.ADDED: "added", Side.REMOVED: "removed", Side.GAP: "mark"}


class DiffPage(Page):
    """Rows of a diff. One of the changes can be the current one."""

    def __init__(self, rows: Sequence[DiffRow]) -> None:
        super().__init__("")
        self.diff = list(rows)
        self.lines = [row.text for row in rows]
        self.current = -1
        self._edges: Mapping[int, str] | None = None

    @property
    def outline(self) -> list[tuple[int, int, str]]:
        """A diff has no headings."""
        return []

    @property
    def changes(self) -> int:
        """How many changes there are."""
        return max((row.hunk for row in self.diff), default=-1) + 1

    def start_of(self, hunk: int) -> int:
        """The line on which a change begins."""
        return next((place for place, row in enumerate(self.diff) if row.hunk == hunk), 0)

    def place_of(self, hunk: int) -> int:
        """The line on which a change begins in the new text; where it only takes away, its first line."""
        added = (place for place, row in enumerate(self.diff) if row.hunk == hunk and row.side is Side.ADDED)
        return next(added, self.start_of(hunk))

    def select(self, hunk: int) -> None:
        """Make a change the current one."""
        self.current = hunk
        self._drawn.cache_clear()

    def show_edges(self, edges: Mapping[int, str]) -> None:
        """Put two cells before every row, these before those of these line changes, and no sign of the current change."""
        self._edges = edges
        self._drawn.cache_clear()

    def leader(self, line: int) -> int:
        """Every row stands for itself."""
        return line

    def _draw(self, line: int) -> tuple[Drawn, list[int]]:
        row = self.diff[line]
        if row.side is Side.GAP:
            is_current = row.hunk >= 0 and row.hunk == self.current
            words = (
                (f"{signs.CURSOR} {clean(row.text)} ", "current")
                if is_current
                else (f"{signs.GAP} {clean(row.text)} {signs.GAP}", "mark")
            )
            return Drawn([words], whole=True), [0]
        style = _STYLE[row.side]
        if self._edges is None:
            edge = signs.CURSOR if row.hunk >= 0 and row.hunk == self.current else " "
        else:
            edge = self._edges.get(row.change, "  ") if row.change >= 0 else "  "
        text = clean(row.text)
        spans = _marked(text, row.marks, style) if text == row.text else [(text, style)]
        fill = style if row.side is not Side.SAME else ""
        drawn = Drawn(spans, f"{edge}{row.side.value} ", f"{edge}  ", style if row.hunk >= 0 else "mark", fill)
        return drawn, break_line(drawn, self.width)

    def _rows(self, line: int) -> int:
        return len(self._draw(line)[1])


def _marked(text: str, marks: Sequence[tuple[int, int]], style: str) -> list[tuple[str, str]]:
    spans: list[tuple[str, str]] = []
    at = 0
    for start, stop in marks:
        if start > at:
            spans.append((text[at:start], style))
        spans.append((text[start:stop], f"{style}-word"))
        at = stop
    if at < len(text) or not spans:
        spans.append((text[at:], style))
    return spans
