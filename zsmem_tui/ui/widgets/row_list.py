"""A list widget for thousands of rows; only visible rows are rendered.

A row can take several lines. Since only the heights of visible rows are known, the list scrolls by rows, not lines:
`scroll_offset.y` is the index of the first visible row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, NamedTuple, Self, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual import on
from textual.content import Content
from textual.events import Blur, Click, Focus
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui import signs
from zsmem_tui.ui.keys.bindings import Keyed
from zsmem_tui.ui.widgets.cursored import Cursored
from zsmem_tui.ui.widgets.row_lines import MOST_LINES, Piece, row_lines, wrapped

READING_SECONDS: Final = 0.2
"""Seconds after which a list that has not been filled says that it is being read."""

LOOK_SECONDS: Final = 0.2
"""Seconds between checks whether restored rows have appeared."""

_STYLES = ("text", "head", "quiet", "warn", "done", "added", "removed", "mark", "strike", "cursor", "cursor-blurred")


class ListRow(NamedTuple):
    """The content of a row: (text, style) pieces at the left, facts at the right. The cursor skips headings.

    Wrapped lines are indented by `hang` cells, for instance by the width of a table's numbers; 0 means the width of the leading
    signs.
    """

    pieces: Sequence[tuple[str, str]]
    facts: str = ""
    heading: bool = False
    hang: int = 0


class AtRow(Message):
    """A message about the row with `key`."""

    def __init__(self, rows: RowList, key: Any) -> None:
        super().__init__()
        self.rows, self.key = rows, key

    @property
    def is_listed(self) -> bool:
        """Whether the list still has the row."""
        return self.key in self.rows.keys


class RowList(Keyed, Cursored, ScrollView, can_focus=True):
    """A list of rows with a cursor. Rows are identified by keys; if they change, the cursor stays at its key or near it."""

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
        .rows--cursor { background: $primary 20%; text-style: bold; }
        .rows--cursor-blurred { background: $panel; }
        &:ansi .rows--cursor { background: ansi_default; text-style: bold reverse; }
        &:ansi .rows--cursor-blurred { background: ansi_default; text-style: underline; }
    }
    """

    class Moved(AtRow):
        """Posted when the cursor has moved to another row."""

        def can_replace(self, message: Message) -> bool:
            """Drop pending messages of this list in favour of the last one."""
            return isinstance(message, RowList.Moved) and message.rows is self.rows

    class Shown(Message):
        """Posted when the rows were replaced."""

    class Chosen(AtRow):
        """Posted when enter was pressed on a row."""

    CLICKS: ClassVar[int] = 2
    """How many clicks choose a row."""

    waits: reactive[str] = reactive("")
    """Shown until the first rows come, after a delay."""

    def __init__(self, draw: Callable[[Any], ListRow], *, id: str | None = None) -> None:
        self._known: dict[int, list[list[Piece]]] = {}
        """Cached lines of rows, by row index."""
        self._top = -1
        self._seen: list[tuple[int, int]] = []
        super().__init__(id=id)
        self._draw = draw
        self.keys: Sequence[Any] = ()
        self.marked: set[Any] = set()
        self.cursor = 0
        self.nothing = ""
        """The text for an empty list."""
        self.before_undo: Counter[Any] | None = None
        """A count of the rows before an undo whose rows are still to appear; None if none is pending."""
        self._gone: set[Any] = set()
        """What went along with the row under the cursor: an undo may bring that back."""
        self.is_filled = False
        self._sought: tuple[Any] | None = None
        """Where the cursor goes with the next rows: a key, None for the first row; None: it stays."""

    def on_mount(self) -> None:
        """Show a text if filling the list takes long."""
        self.set_timer(READING_SECONDS, lambda: setattr(self, "waits", "Reading …"))

        def measure() -> None:  # the scroll bar takes a column
            self.call_after_refresh(self._measure)

        self.watch(self, "show_vertical_scrollbar", measure, init=False)

    @property
    def key(self) -> Any:
        """The key of the row under the cursor, or None."""
        return self.keys[self.cursor] if self.cursor < len(self.keys) else None

    @property
    def is_empty(self) -> bool:
        """Whether the list was filled, with no rows."""
        return self.is_filled and not self.keys

    def rows_of(self, pane: Widget) -> int:
        """The rows that the pane around it needs to show all of its rows, of many the first 40."""
        return sum(len(self._lines_of(place)) for place in range(min(len(self.keys), 40))) + self.region.y - pane.region.y + 1

    @property
    def screen_row(self) -> int:
        """The screen row of the cursor."""
        seen = self._in_sight()
        return self.content_region.y + (seen.index((self.cursor, 0)) if (self.cursor, 0) in seen else 0)

    @property
    def awaits_rows(self) -> bool:
        """Whether its first rows, or with the focus those of a filter, are still to come."""
        return not self.is_filled or (self._sought is not None and self.screen.focused is self)

    def hold(self, screen_row: int) -> None:
        """Scroll so that the cursor is on this row of the screen, as far as there are rows for that."""
        top, left = self.cursor, screen_row - self.content_region.y
        while top and (left := left - len(self._lines_of(top - 1))) >= 0:
            top -= 1
        self.scroll_to(y=top, animate=False, immediate=True, force=True)

    def seek(self, key: Any) -> None:
        """Put the cursor on this key with the next rows, which the person asked for; if it is None, on the first row."""
        self._sought, self.before_undo = (key,), None

    def show(self, keys: Sequence[Any], *, cursor: Any = None, stays: Any = None) -> None:
        """Replace the rows. Put the cursor on the key `cursor`, or keep it on its row, whose new key is `stays`.

        If that row is gone, `stays` may be another one that was there before.
        """
        before, wanted = self.key, cursor if cursor is not None else stays if stays is not None else self.key
        if self._sought is not None:
            (sought,), self.seen, self._sought = self._sought, None, None
            wanted = next(iter(keys), None) if sought is None else sought
        if self.before_undo is not None and cursor is None:
            came = self._first_new(keys, self.before_undo)
            wanted, self.before_undo = (wanted, self.before_undo) if came is None else (came, None)
        self.seen = stays if stays is not None and self.seen == self.key and stays not in self.keys else self.seen
        self.cursor = keys.index(wanted) if wanted in keys else self._next_left(keys)
        self.keys = keys
        self.is_filled = True
        if every := self.marked | self.hidden:
            self.marked = every.intersection(keys)
            self.hidden = frozenset(filter(self.keeps_mark, every - self.marked))
        self._skip_headings(1)
        self.note_arrival(before)
        self._measure()
        self._reveal()
        self.refresh()
        self.post_message(self.Shown())
        self._tell()

    def _next_left(self, keys: Sequence[Any]) -> int:
        """The new index of the cursor if its row was removed: of the row now in its place, else of the next that remains."""
        old, left = set(map(self.same, self.keys)), set(map(self.same, keys))
        self._gone = old - left
        after = next((kept for key in self.keys[self.cursor :] if (kept := self.same(key)) in left), None)
        if after is None:
            return min(self.cursor, max(len(keys) - 1, 0))
        places = (at for at, key in enumerate(keys) if self.same(key) == after)
        place = min(places, key=lambda at: abs(at - self.cursor))
        is_gone = after != self.same(self.key)
        return place - (is_gone and place > 0 and self.same(keys[place - 1]) not in old)

    def _first_new(self, keys: Sequence[Any], before: Counter[Any]) -> Any:
        """The first new row that is no heading, preferably one that had disappeared earlier; None if there is none."""
        left, came = before.copy(), []
        for key in keys:
            left[kept := self.same(key)] -= 1
            came += [key] if left[kept] < 0 and not self._draw(key).heading else []
        return min(came, key=lambda key: self.same(key) not in self._gone, default=None)

    def seek_new(self, over: Callable[[], bool]) -> None:
        """Move the cursor to the first row that appears from now on, until `over` returns True.

        Does nothing once the person has moved the cursor.
        """
        before = self.before_undo = Counter(map(self.same, self.keys))

        def look() -> None:
            if self.before_undo is not before:
                looks.stop()
            elif over():
                looks.stop()
                self.before_undo = None

        looks = self.set_interval(LOOK_SECONDS, look)

    def action_move(self, step: int) -> None:
        """Move the cursor by rows."""
        self._go(self.cursor + step, step)

    def action_page(self, step: int) -> None:
        """Move the cursor by pages."""
        seen = self._in_sight()
        self._go(self.cursor + step * max(seen[-1][0] - seen[0][0] if seen else 0, 1), step)

    def action_edge(self, step: int) -> None:
        """Move the cursor to the first or last row."""
        self._go(0 if step < 0 else len(self.keys) - 1, -step)
        if step < 0:
            self.scroll_to(y=0, animate=False, immediate=True, force=True)  # also show a heading above the first row
            self.refresh()

    def action_choose(self) -> None:
        """Post that the row under the cursor was chosen."""
        if self.key is not None:
            self.post_message(self.Chosen(self, self.key))

    def on_click(self, event: Click) -> None:
        """Move the cursor to the clicked row; by default, a double click chooses it."""
        seen, line = self._in_sight(), event.get_content_offset_capture(self).y
        if 0 <= line < len(seen):
            row = seen[line][0]
            is_chosen = self.CLICKS == 1 or (row == self.cursor and event.chain > 1)
            self._go(row, 1)
            if is_chosen:
                self.action_choose()

    def tick(self) -> None:
        """Redraw the rows if a time shown in one has changed."""
        if any(self._lines(place) != lines for place, lines in self._known.items()):
            self.refresh()

    def on_resize(self) -> None:
        """Measure again, keeping the cursor visible."""
        self._measure()
        self._reveal()
        self.refresh()  # what was drawn before had the rows of another height

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Repaint all rows without the cache; with `regions`, only those."""
        if not regions:
            self._forget()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    @on(Focus)
    @on(Blur)
    def _look_otherwise(self) -> None:
        """Redraw the cursor, which looks different with focus."""
        self.seen = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Render one line."""
        width = self.scrollable_content_region.width
        if not self.keys:
            words = wrapped(self.nothing or ("" if self.is_filled else self.waits), width - 4)
            text = words[y - 1] if 0 < y <= len(words) else ""
            return Strip([Segment(f"  {text}", self._style("quiet"))]).adjust_cell_length(width, self._style("text"))
        seen = self._in_sight()
        if y >= len(seen):
            return Strip.blank(width, self._style("text"))
        place, line = seen[y]
        over = Style()
        if place == self.cursor and not self._content_of(self.keys[place]).heading:
            own = self._style("cursor" if self.has_focus else "cursor-blurred")
            colourless = Style(bgcolor=own.bgcolor, bold=own.bold, underline=own.underline)  # text keeps its colour
            over = own if own.reverse else colourless
        segments = [Segment(text, self._style(style) + over) for text, style in self._lines_of(place)[line]]
        return Strip(segments).adjust_cell_length(width, self._style("text") + over)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"rows--{name}")

    def _lines_of(self, place: int) -> list[list[Piece]]:
        if place not in self._known:
            self._known[place] = self._lines(place)
        return self._known[place]

    def _in_sight(self) -> list[tuple[int, int]]:
        """The (row index, line index within the row) of each visible line."""
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if self._top != top:
            every = ((place, line) for place in range(top, len(self.keys)) for line in range(len(self._lines_of(place))))
            self._top, self._seen = top, [*islice(every, height)]
        return self._seen

    def _forget(self, *places: int) -> None:
        """Remove rows from the cache; without arguments, all."""
        for place in places or list(self._known):
            self._known.pop(place, None)
        self._top = -1

    def _top_row_for(self, last: int) -> int:
        """The first visible row if the row `last` is fully visible at the bottom."""
        left, place = self.scrollable_content_region.height, last
        while place >= 0 and (left := left - len(self._lines_of(place))) >= 0:
            place -= 1
        return min(place + 1, last)

    def _lines(self, place: int) -> list[list[Piece]]:
        """The rendered lines of a row; the cursor's row may take up to half of the list, others fewer."""
        height = self.scrollable_content_region.height
        half = max(height // 2, 1)
        return self._laid_out(self.keys[place], half if place == self.cursor else min(MOST_LINES, half))[: max(height, 1)]

    def lines_wanted(self, most: int) -> int:
        """The number of lines that the rows take where there is room for all of them; of no more rows than `most`."""
        return sum(len(self._laid_out(key, MOST_LINES)) for key in self.keys[:most])

    def _laid_out(self, key: Any, most: int) -> list[list[Piece]]:
        """A row in the width of the list, on `most` lines at most."""
        row = self._content_of(key)
        pieces = [(signs.MARKED, "mark") if key in self.marked else (" ", "text"), *row.pieces]
        edge = 0 if self.show_vertical_scrollbar else 1  # keep the column of the scroll bar blank
        hang = row.hang + 1 if row.hang else 0  # plus the mark's column
        return row_lines(pieces, row.facts, max(self.scrollable_content_region.width - edge, 1), most, hang)

    def _measure(self) -> None:
        """Set the scrollable height so that the list ends with its last row fully visible."""
        self._forget()
        height, count = self.scrollable_content_region.height, len(self.keys)
        top = self._top_row_for(count - 1) if height and count else 0
        self.virtual_size = Size(self.size.width, top + height if top else min(count, height) if height else count)

    def _go(self, place: int, step: int) -> None:
        self.before_undo = self.seen = None
        before, top = self.cursor, self.scroll_offset.y
        self.cursor = max(0, min(place, len(self.keys) - 1))
        self._skip_headings(step)
        was = [len(self._known.get(each, ())) for each in (before, self.cursor)]
        self._forget(before, self.cursor)
        self._reveal()
        if self.cursor != before:
            is_as_high = [len(self._lines_of(each)) for each in (before, self.cursor)] == was
            if self.scroll_offset.y == top and is_as_high:
                seen = [place for place, _ in self._in_sight()]
                for place in {before, self.cursor}.intersection(seen):
                    super().refresh(Region(0, seen.index(place), self.size.width, seen.count(place)))
            else:
                self.refresh()
            self._tell()
            self.extend()

    def _reveal(self) -> None:
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if not height or not self.keys:
            return
        least = self._top_row_for(self.cursor)
        wanted = max(0, self.cursor - 1) if self.cursor < top + 1 else top
        wanted = max(least, min(wanted, self._top_row_for(len(self.keys) - 1)))  # do not scroll past the last row
        if wanted > self.max_scroll_y:  # the cursor's row takes more lines than when the list was measured
            self.virtual_size = Size(self.size.width, wanted + height)
        if wanted != top:
            # forced: a new list has no scroll bar yet, and would not scroll without it
            self.scroll_to(y=wanted, animate=False, immediate=True, force=True)

    def _tell(self) -> None:
        if self.key is not None:
            self.post_message(self.Moved(self, self.key))

    def _content_of(self, key: Any) -> ListRow:
        """The content of a row; empty if its owner has replaced its data but not yet the rows."""
        try:
            return self._draw(key)
        except LookupError:
            return ListRow([])

    def _skip_headings(self, step: int) -> None:
        """Move the cursor on to the next row that is not a heading, or in the other direction if there is none."""
        on, back = range(self.cursor, len(self.keys)), range(min(self.cursor, len(self.keys) - 1), -1, -1)
        every = chain(on, back) if step >= 0 else chain(back, on)
        self.cursor = next((at for at in every if not self._content_of(self.keys[at]).heading), self.cursor)


Item = TypeVar("Item")

HEADING: Final = "\0"
PROBLEM: Final = "\1"


class MarkList(RowList, Generic[Item]):
    """Rows of items that can be marked; headings separate groups.

    The key of a heading is its text after a NUL, that of an unreadable source its reason after a byte 1.
    """

    HEADINGS: ClassVar[tuple[str, ...]] = (HEADING, PROBLEM)
    """The first characters of keys that are drawn by this class."""

    def __init__(self, draw: Callable[[Any], ListRow], *, id: str | None = None) -> None:
        super().__init__(
            lambda key: self.draw_heading(key) if isinstance(key, str) and key[:1] in self.HEADINGS else draw(key), id=id
        )

    items: Mapping[Any, Item] = MappingProxyType({})
    """All items by key, including those not shown."""
    title: reactive[str] = reactive("")
    """The title of the pane around the list, without the number of marked rows."""

    def watch_title(self) -> None:
        """Show the title, after the number of marked rows: a long title is cut at its end."""
        title = Content(" · ".join(filter(None, (self.count_marks(), self.title))))
        pane = next((each for each in self.ancestors if isinstance(each, Widget) and each.has_class("pane")), None)
        if pane is not None and self.title and pane.border_title != title.markup:  # to set it draws the whole pane
            pane.border_title = title

    def _tell(self) -> None:
        self.watch_title()
        super()._tell()

    def draw_heading(self, key: str) -> ListRow:
        """The row for a heading, or for a source that cannot be read."""
        words = visible_line(printable_path(key[1:]))
        return ListRow([(f"! {words}. It is left alone.", "warn") if key[0] == PROBLEM else (words, "head")], heading=True)

    def at_cursor(self) -> Item | None:
        """The item under the cursor, or None."""
        return self.items.get(self.key)

    def meant(self, *, at_cursor: bool = False) -> list[Item]:
        """The chosen items, or only the one `at_cursor`. Raises `Conflict` if that came there unseen."""
        self.check_seen()
        here = self.at_cursor()
        return self.chosen() if not at_cursor else [here] if here is not None else []

    def chosen(self) -> list[Item]:
        """The marked items, else the one under the cursor."""
        keys = [key for key in self.keys if key in self.marked] if self.marked else [self.key]
        return [self.items[key] for key in keys or [self.key] if key in self.items]

    def offers(self, action: str) -> bool:
        """Whether the action with this id applies to the chosen items, as far as the list knows."""
        return True

    def can_mark(self, key: Any) -> bool:
        """Whether it is a row with an item."""
        return key in self.items

    keeps_mark = can_mark  # as long as its item is there

    def marks_changed(self) -> None:
        """Show the marks, and how many there are."""
        self.refresh()
        self._tell()

    def action_mark_all(self, which: str = "all") -> None:
        """Mark all rows or the cursor's `group`; if all of these are marked, unmark them."""
        keys = list(self.keys)
        if which == "group":
            heads = [place for place, key in enumerate(keys) if isinstance(key, str) and key.startswith("\0")]
            first = max((place for place in heads if place <= self.cursor), default=-1)
            keys = keys[first + 1 : min((place for place in heads if place > self.cursor), default=len(keys))]
        self.toggle(set(filter(self.can_mark, keys)))
