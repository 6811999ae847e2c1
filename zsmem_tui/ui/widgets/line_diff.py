"""Diff widgets: one with a current hunk, one with a cursor and marks on changed lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.events import Click
from textual.message import Message
from textual.strip import Strip

from zsmem_tui.core.diff import CONTEXT_LINES, DiffRow, Side, diff
from zsmem_tui.core.line_changes import LineKey
from zsmem_tui.service import review_lines
from zsmem_tui.service.review_lines import ReviewLine
from zsmem_tui.ui import signs
from zsmem_tui.ui.reading.page import Page
from zsmem_tui.ui.reading.rows import Drawn, break_line, clean
from zsmem_tui.ui.widgets.cursored import Cursored
from zsmem_tui.ui.widgets.page_view import PageView

_NOTHING: Mapping[str, str] = MappingProxyType({})
_STYLE = {Side.SAME: "text", Side.ADDED: "added", Side.REMOVED: "removed", Side.GAP: "mark"}


class RowPage(Page):
    """A page of rows without headings or joined paragraphs, one of which (or a group of which) is the current one."""

    def __init__(self, lines: Sequence[str], current: int) -> None:
        super().__init__("")
        self.lines = list(lines)
        self.current = current

    @property
    def outline(self) -> list[tuple[int, int, str]]:
        """Empty: there are no headings."""
        return []

    def leader(self, line: int) -> int:
        """The line itself, since no lines are joined."""
        return line

    def select(self, place: int) -> None:
        """Make a row, or group of rows, the current one."""
        self.current = place
        self._drawn.cache_clear()

    def _rows(self, line: int) -> int:
        return len(self._draw(line)[1])


class DiffPage(RowPage):
    """The rows of a diff; one hunk can be the current one."""

    def __init__(self, rows: Sequence[DiffRow], hidden: Mapping[str, str] = _NOTHING) -> None:
        """`hidden` has the lines that are shown in another form, with their credentials masked."""
        super().__init__([hidden.get(row.text, row.text) for row in rows], -1)
        self.diff = list(rows)
        self._edges: Mapping[int, str] | None = None

    @property
    def changes(self) -> int:
        """The number of hunks."""
        return max((row.hunk for row in self.diff), default=-1) + 1

    def start_of(self, hunk: int) -> int:
        """The index of the first row of a hunk."""
        return next((place for place, row in enumerate(self.diff) if row.hunk == hunk), 0)

    def rows_of(self, hunk: int) -> int:
        """The number of rows of a hunk."""
        return sum(self._rows(line) for line, row in enumerate(self.diff) if row.hunk == hunk)

    def show_edges(self, edges: Mapping[int, str]) -> None:
        """Reserve two cells before each row, filled from `edges` by change number, instead of marking the current hunk."""
        self._edges = edges
        self._drawn.cache_clear()

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
            is_first = line == 0 or self.diff[line - 1].hunk != row.hunk  # one cursor, however long the change is
            edge = signs.CURSOR if row.hunk >= 0 and row.hunk == self.current and is_first else " "
        else:
            edge = self._edges.get(row.change, "  ") if row.change >= 0 else "  "
        text = clean(self.lines[line])
        spans = _word_spans(text, row.marks, style) if text == row.text else [(text, style)]
        fill = style if row.side is not Side.SAME else ""
        start, more = (f"{edge}{sign}{signs.COLUMN} " for sign in (row.side.value, " "))
        drawn = Drawn(spans, start, more, style if row.hunk >= 0 else "mark", fill)
        return drawn, break_line(drawn, self.width)


def _word_spans(text: str, marks: Sequence[tuple[int, int]], style: str) -> list[tuple[str, str]]:
    spans: list[tuple[str, str]] = []
    at = 0
    for start, stop in marks:
        spans += [(text[at:start], style), (text[start:stop], f"{style}-word")]
        at = stop
    return [*spans, (text[at:], style)]


class DiffView(PageView):
    """Shows the diff between two texts, with one hunk as the current one."""

    page: DiffPage

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.page = DiffPage([])

    def compare(self, old: bytes | None, new: bytes | None, *, keep: bool = False, hidden: Mapping[str, str] = _NOTHING) -> None:
        """Show the diff of two texts at its first hunk, or the text if both are the same.

        With `keep`, keep the current hunk and the scroll position.
        """
        before = self.page.current if keep else 0
        page = DiffPage(diff(old or b"", new or b"", context=CONTEXT_LINES if old != new else None), hidden)
        page.select(min(before, page.changes - 1))
        self.show(page, keep=keep)
        self.go_to(page.start_of(page.current))

    async def action_next(self, step: int) -> None:
        """Go to the next or previous hunk, wrapping around."""
        page = self.page
        if page.changes:
            page.select((page.current + step) % page.changes)
            self.go_to(page.start_of(page.current))
            self.refresh()


class LineDiff(Cursored, DiffView):
    """Shows the diff between two texts, with a cursor and marks on the changed lines."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"lines--cursor", "lines--cursor-blurred"}
    DEFAULT_CSS = """
    LineDiff {
        .lines--cursor { background: $primary 20%; text-style: bold; }
        &:ansi .lines--cursor { background: ansi_default; text-style: bold reverse; }
        .lines--cursor-blurred { text-style: bold; }
    }
    """

    class Changed(Message):
        """Posted when the cursor moved or the marks changed."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.keys: list[LineKey] = []
        """The keys of the changed lines, top to bottom; they stay valid for other versions of the text."""
        self.stops: list[int] = []
        """The line that the cursor stops at for each of them."""
        self._markable: set[LineKey] = set()
        self.marked: set[LineKey] = set()
        self.at = 0
        """The index in `keys` of the line under the cursor."""
        self.shown_name = ""
        """The name of what is compared."""
        self._gone: list[LineKey] = []
        """Keys that disappeared under the cursor since it last moved: if one reappears, as after undo, the cursor goes there."""

    def on_click(self, event: Click) -> None:
        """Move the cursor to the clicked line."""
        row = event.get_content_offset_capture(self).y + self.scroll_offset.y
        if row < self.page.row_count:
            self.go(self.page.diff[self.page.line_of(row)].change)

    def on_focus(self) -> None:
        """Redraw the cursor, which looks different with focus."""
        self.seen = None
        self.refresh()

    on_blur = on_focus

    def render_line(self, y: int) -> Strip:
        """Render one row, highlighted if it belongs to the line under the cursor."""
        strip = super().render_line(y)
        page, row = self.page, self.scroll_offset.y + y
        change = page.diff[page.line_of(row)].change if row < page.row_count and self.keys else -1
        if change < 0 or self.stops[change] != self.at:
            return strip
        name = "lines--cursor" if self.has_focus else "lines--cursor-blurred"
        over = self.get_component_rich_style(name, partial=True)
        words: set[RichColor | None] = set()
        if over.bgcolor is not None:  # Textual blends a translucent background only in a full style
            over += Style(bgcolor=self.get_component_rich_style(name).bgcolor)
            words = {self._style(f"{kind}-word").bgcolor for kind in ("added", "removed")} if not over.reverse else words
        styles = [style or Style() for _, style, _ in strip]
        keeps = [Style(bgcolor=style.bgcolor) if style.bgcolor in words else Style() for style in styles]  # of changed words
        segments = (Segment(each.text, style + over + keep) for each, style, keep in zip(strip, styles, keeps, strict=True))
        return Strip(segments, strip.cell_length)

    @property
    def key(self) -> LineKey | None:
        """The key of the changed line under the cursor, or None."""
        return self.keys[self.at] if self.at < len(self.keys) else None

    def show_lines(
        self, name: str, old: bytes | None, new: bytes | None, lines: Sequence[ReviewLine], hidden: Mapping[str, str] = _NOTHING
    ) -> None:
        """Show a diff with its changed lines. If `name` is the same as before, keep cursor, marks and scroll position.

        The cursor stops only at the lines that others are judged with.
        """
        keys, stops = [line.key for line in lines], review_lines.stops(lines)
        is_same, following, before = name == self.shown_name, self.keys[self.at :], self.key
        self.shown_name, self.keys, self.stops = name, keys, stops
        self._markable = {keys[stop] for stop in stops}
        places = {key: place for place, key in enumerate(keys)}
        self.marked = self.marked & self._markable if is_same else set()
        self.compare(old, new, keep=is_same, hidden=hidden)
        self._gone = self._gone if is_same else []
        back = next((key for key in reversed(self._gone) if key in places), None)
        if back is not None:
            self._gone.remove(back)
            self.at = places[back]
        elif is_same:  # the judged lines are gone: go to the next one that remains
            self._gone += [key for key in following[:1] if key not in places]
            self.at = next((places[key] for key in following if key in places), self.at)
        else:
            self.at = 0
        self.at = stops[min(self.at, len(keys) - 1)] if keys else 0
        self.note_arrival(before)
        self._put(self.at)

    def show_nothing(self) -> None:
        """Show no texts."""
        self.show_lines("", b"", b"", [])

    def go(self, number: int) -> None:
        """Put the cursor on the changed line with this index; if negative, only redraw."""
        self._gone.clear()
        self.seen = None
        self._put(number)
        self.extend()

    def _put(self, number: int) -> None:
        if number >= 0 and self.keys:
            self.at = self.stops[min(number, len(self.keys) - 1)]
            place = next(place for place, row in enumerate(self.page.diff) if row.change == self.at)
            self.page.select(self.page.diff[place].hunk)
            self.go_to(place)
        self.marks_changed()

    def chosen(self) -> list[LineKey]:
        """The marked lines, else the one under the cursor."""
        return [key for key in self.keys if key in self.marked] or self.keys[self.at : self.at + 1]

    def numbers(self) -> frozenset[int]:
        """The indexes of these, each with the lines that go with it."""
        keys = set(self.chosen())
        return frozenset(number for number, stop in enumerate(self.stops) if self.keys[stop] in keys)

    def go_to_line(self, text: str) -> None:
        """Go to the first changed line with this text."""
        self.go(next((row.change for row in self.page.diff if row.change >= 0 and row.text.strip() == text.strip()), -1))

    def line(self) -> int:
        """The line of the new text at the cursor."""
        rows = [row for row in self.page.diff if row.change == self.at]
        return next((row.line for row in rows if row.side is Side.ADDED), rows[0].line if rows else 0)

    def cursor_row(self) -> int | None:
        """The screen row of the cursor's line in the new text; None if not visible."""
        places = [place for place, row in enumerate(self.page.diff) if row.change == self.at]
        added = [place for place in places if self.page.diff[place].side is Side.ADDED]
        return self.screen_row((added or places)[0]) if places else None

    def action_move(self, step: int) -> None:
        """Move the cursor by changed lines; in a text without any, scroll."""
        if not self.keys:
            self.scroll_relative(y=step)
            return
        places = sorted(set(self.stops)) or [0]
        self.go(places[max(0, min(places.index(self.at) + step, len(places) - 1))])

    async def action_next(self, step: int) -> None:
        """Go to the first changed line of the next or previous hunk, wrapping around."""
        own = set(self.stops)
        firsts = {row.hunk: row.change for row in reversed(self.page.diff) if row.change in own}
        if firsts:
            hunks = sorted(firsts)
            self.go(firsts[hunks[(hunks.index(self.page.current) + step) % len(hunks)]])

    def can_mark(self, key: LineKey) -> bool:
        """Whether the cursor stops at the line."""
        return key in self._markable

    def action_mark_all(self, which: str = "all") -> None:
        """Mark all lines or those of the current hunk; if all of these are marked, unmark them."""
        rows = [row for row in self.page.diff if row.change >= 0 and (which == "all" or row.hunk == self.page.current)]
        self.toggle({self.keys[row.change] for row in rows} & self._markable)

    def action_page(self, step: int) -> None:
        """Move the cursor by about a screen of changed lines."""
        self.action_move(step * max(self.scrollable_content_region.height - 1, 1))

    def action_edge(self, step: int) -> None:
        """Move the cursor to the first or last changed line."""
        self.action_move(step * len(self.page.lines))

    def marks_changed(self) -> None:
        """Show mark and cursor, in two cells before each change's rows."""
        edges = {number: f"{signs.MARKED} " for number, stop in enumerate(self.stops) if self.keys[stop] in self.marked}
        if self.keys:
            edges[self.at] = edges.get(self.at, " ")[0] + signs.CURSOR
        self.page.show_edges(edges)
        self.refresh()
        self.post_message(self.Changed())
