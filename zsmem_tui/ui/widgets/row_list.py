"""A list of rows drawn one by one: only what is visible is ever made into cells, so that thousands cost nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import on
from textual.binding import BindingType
from textual.events import Blur, Click, Focus
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer

from zsmem_tui.core.text import raw_lines

REST_SECONDS: Final = 0.2
"""Seconds without a key after which the cursor rests."""

READING_SECONDS: Final = 0.2
"""Seconds after which a list that nobody has filled yet says that it is being read."""

_STYLES = ("text", "head", "quiet", "warn", "done", "added", "removed", "mark", "strike", "cursor", "cursor-blurred")


class ListRow(NamedTuple):
    """What a row looks like: pieces with their styles at the left, facts at the right. A heading cannot have the cursor."""

    pieces: Sequence[tuple[str, str]]
    facts: str = ""
    heading: bool = False


class RowList(ScrollView, can_focus=True):
    """Rows with a cursor. A row is known by its key; the cursor stays on its key, or near it, when the rows change."""

    BINDINGS: ClassVar[list[BindingType]] = []
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"rows--{name}" for name in _STYLES}
    DEFAULT_CSS = """
    RowList {
        overflow-x: hidden;
        .rows--head { text-style: bold; color: $primary; }
        .rows--quiet { color: $text-muted; }
        .rows--warn { color: $warning; text-style: bold; }
        .rows--done { color: $text-muted; }
        .rows--added { color: $success; }
        .rows--removed { color: $error; }
        .rows--mark { color: $accent; text-style: bold; }
        .rows--strike { text-style: strike; color: $text-muted; }
        .rows--cursor { background: $primary 35%; text-style: bold; }
        .rows--cursor-blurred { background: $panel; }
        &:ansi .rows--cursor { background: ansi_default; text-style: bold reverse; }
        &:ansi .rows--cursor-blurred { background: ansi_default; text-style: underline; }
    }
    """

    @dataclass
    class Moved(Message):
        """The cursor came to another row."""

        rows: RowList
        key: Any

        @property
        def control(self) -> RowList:
            """The list it happened in."""
            return self.rows

        def can_replace(self, message: Message) -> bool:
            """Only the last of many moves counts."""
            return isinstance(message, RowList.Moved) and message.rows is self.rows

    @dataclass
    class Chosen(Message):
        """The person pressed enter on a row."""

        rows: RowList
        key: Any

        @property
        def control(self) -> RowList:
            """The list it happened in."""
            return self.rows

    waits: reactive[str] = reactive("")
    """What is shown until rows come, where that takes a while."""

    def __init__(self, draw: Callable[[Any], ListRow], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._draw = draw
        self.keys: Sequence[Any] = ()
        self.marked: set[Any] = set()
        self.cursor = 0
        self.nothing = ""
        """What is shown where there is no row."""
        self._is_filled = False
        self._styles_at: dict[str, Style] = {}
        self._at_rest: Timer | None = None

    def on_mount(self) -> None:
        """Whoever fills it may need a while: then it says so."""
        self.set_timer(READING_SECONDS, lambda: setattr(self, "waits", "Reading …"))

    @property
    def key(self) -> Any:
        """The key of the row under the cursor."""
        return self.keys[self.cursor] if self.cursor < len(self.keys) else None

    @property
    def screen_row(self) -> int:
        """The row of the screen that the cursor is on."""
        return self.content_region.y + self.cursor - self.scroll_offset.y

    def show(self, keys: Sequence[Any], *, cursor: Any = None) -> None:
        """Show these rows; the cursor goes to the key `cursor`, or stays where it was."""
        wanted = self.key if cursor is None else cursor
        self.keys = keys
        self._is_filled = True
        if self.marked:
            self.marked &= set(keys)
        self.virtual_size = Size(self.size.width, len(keys))
        place = self._place_of(wanted)
        self.cursor = min(self.cursor, max(len(keys) - 1, 0)) if place is None else place
        self._settle(1)
        self.refresh()
        self._tell()

    def action_move(self, step: int) -> None:
        """Move the cursor by rows."""
        self._go(self.cursor + step, step)

    def action_page(self, step: int) -> None:
        """Move the cursor by pages."""
        self._go(self.cursor + step * max(self.scrollable_content_region.height - 1, 1), step)

    def action_edge(self, step: int) -> None:
        """Move the cursor to the first or last row."""
        self._go(0 if step < 0 else len(self.keys) - 1, -step)
        if step < 0:
            self.scroll_to(y=0, animate=False, immediate=True, force=True)  # also to what stands above the first row to act on
            self.refresh()

    def action_choose(self) -> None:
        """Say that this row is meant."""
        if self.key is not None:
            self.post_message(self.Chosen(self, self.key))

    def toggle_mark(self) -> None:
        """Mark the row under the cursor, or not, and go on."""
        if self.key is not None:
            self.marked ^= {self.key}
            self._repaint(self.cursor)
            self.action_move(1)

    def on_click(self, event: Click) -> None:
        """The mouse moves the cursor; twice chooses."""
        row = event.get_content_offset_capture(self).y + self.scroll_offset.y
        if row < len(self.keys):
            again = row == self.cursor and event.chain > 1
            self._go(row, 1)
            if again:
                self.action_choose()

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.virtual_size = Size(self.size.width, len(self.keys))
        self._reveal()

    @on(Focus)
    @on(Blur)
    def _look_otherwise(self) -> None:
        """The cursor looks different."""
        self.refresh()

    def notify_style_update(self) -> None:
        """Another theme: forget the styles."""
        super().notify_style_update()
        self._styles_at.clear()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One row of cells."""
        width = self.scrollable_content_region.width
        place = self.scroll_offset.y + y
        if not self.keys:
            words = wrapped(self.nothing or ("" if self._is_filled else self.waits), width - 4)
            text = words[place - 1] if 0 < place <= len(words) else ""
            return Strip([Segment(f"  {text}", self._style("quiet"))]).adjust_cell_length(width, self._style("text"))
        if place >= len(self.keys):
            return Strip.blank(width, self._style("text"))
        key = self.keys[place]
        row = self._row(key)
        over = Style()
        if place == self.cursor and not row.heading:
            over = self._style("cursor" if self.has_focus else "cursor-blurred")
        room = width - (cell_len(row.facts) + 1 if row.facts and cell_len(row.facts) + 12 < width else 0)
        pieces = [("●", "mark") if key in self.marked else (" ", "text"), *row.pieces]
        segments = [Segment(text, self._style(style) + over) for text, style in _fitted(pieces, room)]
        if room < width:
            segments.append(Segment(f" {row.facts}", self._style("quiet") + over))
        return Strip(segments).adjust_cell_length(width, self._style("text") + over)

    def _row(self, key: Any) -> ListRow:
        """What a row looks like; nothing, where its owner has other rows already and has not shown them yet."""
        try:
            return self._draw(key)
        except LookupError:
            return ListRow([])

    def _place_of(self, key: Any) -> int | None:
        try:
            return self.keys.index(key)
        except ValueError:
            return None

    def _go(self, place: int, step: int) -> None:
        before, top = self.cursor, self.scroll_offset.y
        self.cursor = max(0, min(place, len(self.keys) - 1))
        self._settle(step)
        if self.cursor != before:
            if self.scroll_offset.y == top:
                self._repaint(before, self.cursor)
            else:
                self.refresh()
            self._tell()

    def _repaint(self, *places: int) -> None:
        """Paint these rows at once, and all once the cursor rests: what they say of time has gone on."""
        for place in places:
            self.refresh_line(place)
        if self._at_rest is not None:
            self._at_rest.stop()
        self._at_rest = self.set_timer(REST_SECONDS, self.refresh)

    def _settle(self, step: int) -> None:
        """Off a heading, onto the next row; the other way at the end."""
        for way in (1 if step >= 0 else -1, -1 if step >= 0 else 1):
            at = self.cursor
            while 0 <= at < len(self.keys) and self._row(self.keys[at]).heading:
                at += way
            if 0 <= at < len(self.keys):
                self.cursor = at
                break
        self._reveal()

    def _reveal(self) -> None:
        height = self.scrollable_content_region.height
        top = self.scroll_offset.y
        if self.cursor < top + 1:
            self._scroll_to_row(max(0, self.cursor - 1))
        elif height and self.cursor >= top + height:
            self._scroll_to_row(self.cursor - height + 1)

    def _scroll_to_row(self, row: int) -> None:
        # forced: rows that were shown just now have no scrollbar yet, and without one nothing would move
        self.scroll_to(y=row, animate=False, immediate=True, force=True)

    def _tell(self) -> None:
        if self.key is not None:
            self.post_message(self.Moved(self, self.key))

    def _style(self, name: str) -> Style:
        if name not in self._styles_at:
            self._styles_at[name] = self.get_component_rich_style(f"rows--{name}")
        return self._styles_at[name]


def _fitted(pieces: Sequence[tuple[str, str]], room: int) -> list[tuple[str, str]]:
    """The pieces in just `room` cells; what does not fit ends in `…`."""
    out: list[tuple[str, str]] = []
    left = room
    for text, style in pieces:
        size = cell_len(text)
        if size > left:
            out.append((set_cell_size(text, max(left - 1, 0)) + ("…" if left > 0 else ""), style))
            left = 0
            break
        out.append((text, style))
        left -= size
    if left > 0:
        out.append((" " * left, "text"))
    return out


def wrapped(text: str, width: int) -> list[str]:
    """A text of a few sentences in rows of at most `width` cells."""
    rows: list[str] = []
    for line in raw_lines(text):
        row = ""
        for word in line.split(" "):
            if row and cell_len(row) + 1 + cell_len(word) > width:
                rows.append(row)
                row = word
            else:
                row = f"{row} {word}" if row else word
        rows.append(row)
    return rows
