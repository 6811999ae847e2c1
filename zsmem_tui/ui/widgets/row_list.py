"""A list of rows drawn one by one: only what is visible is ever made into cells, so that thousands cost nothing.

A row whose words are long takes several lines. How many is known of those in sight only, so the list scrolls by rows, not by lines:
the offset is the number of the first row that is seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, NamedTuple, Self, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual import on
from textual.events import Blur, Click, Focus
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer

from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui import signs
from zsmem_tui.ui.keys.bindings import Keyed
from zsmem_tui.ui.widgets.row_lines import MOST_LINES, Piece, row_lines, wrapped

REST_SECONDS: Final = 0.2
"""Seconds without a key after which the cursor rests."""

READING_SECONDS: Final = 0.2
"""Seconds after which a list that nobody has filled yet says that it is being read."""

LOOK_SECONDS: Final = 0.2
"""Seconds between two looks at whether what is brought back is on the screen by now."""

_STYLES = ("text", "head", "quiet", "warn", "done", "added", "removed", "mark", "strike", "cursor", "cursor-blurred")


class ListRow(NamedTuple):
    """What a row looks like: pieces with their styles at the left, facts at the right. A heading cannot have the cursor.

    What goes on below begins behind `hang` cells: behind the numbers of a table, say; 0 is behind the signs at the front.
    """

    pieces: Sequence[tuple[str, str]]
    facts: str = ""
    heading: bool = False
    hang: int = 0


class AtRow(Message):
    """Something happened at a row."""

    def __init__(self, rows: RowList, key: Any) -> None:
        super().__init__()
        self.rows, self.key = rows, key

    @property
    def control(self) -> RowList:
        """The list it happened in."""
        return self.rows

    @property
    def is_listed(self) -> bool:
        """Whether the row is still there."""
        return self.key in self.rows.keys


class RowList(Keyed, ScrollView, can_focus=True):
    """Rows with a cursor. A row is known by its key; the cursor stays on its key, or near it, when the rows change."""

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
        """The cursor came to another row."""

        def can_replace(self, message: Message) -> bool:
            """Only the last of many moves counts."""
            return isinstance(message, RowList.Moved) and message.rows is self.rows

    class Shown(Message):
        """The rows are others, or there are none."""

    class Chosen(AtRow):
        """The person pressed enter on a row."""

    same: Callable[[Any], Any] = staticmethod(lambda key: key)
    """What of a key stays when rows above it come and go."""

    waits: reactive[str] = reactive("")
    """What is shown until rows come, where that takes a while."""

    def __init__(self, draw: Callable[[Any], ListRow], *, id: str | None = None) -> None:
        self._known: dict[int, list[list[Piece]]] = {}
        """The lines of rows, by their places."""
        self._top = -1
        self._seen: list[tuple[int, int]] = []
        super().__init__(id=id)
        self._draw = draw
        self.keys: Sequence[Any] = ()
        self.marked: set[Any] = set()
        self.cursor = 0
        self.nothing = ""
        """What is shown where there is no row."""
        self._before: Counter[Any] | None = None
        """The rows before something was brought back; None while nothing is."""
        self._is_filled = False
        self._at_rest: Timer | None = None

    def on_mount(self) -> None:
        """Whoever fills it may need a while: then it says so."""
        self.set_timer(READING_SECONDS, lambda: setattr(self, "waits", "Reading …"))

        def measure() -> None:  # it takes a cell of every line, or gives it back
            self.call_after_refresh(self._measure)

        self.watch(self, "show_vertical_scrollbar", measure, init=False)

    @property
    def key(self) -> Any:
        """The key of the row under the cursor."""
        return self.keys[self.cursor] if self.cursor < len(self.keys) else None

    @property
    def is_empty(self) -> bool:
        """Whether it was filled, with nothing."""
        return self._is_filled and not self.keys

    @property
    def screen_row(self) -> int:
        """The row of the screen that the cursor is on."""
        seen = self._in_sight()
        return self.content_region.y + (seen.index((self.cursor, 0)) if (self.cursor, 0) in seen else 0)

    def show(self, keys: Sequence[Any], *, cursor: Any = None, stays: Any = None) -> None:
        """Show these rows; the cursor goes to the key `cursor`, or stays where it was: `stays` is what that row is called now."""
        wanted = cursor if cursor is not None else stays if stays is not None else self.key
        if self._before is not None and cursor is None:
            came = _first_new(keys, self._before, self.same)
            wanted, self._before = (wanted, self._before) if came is None else (came, None)
        self.keys = keys
        self._is_filled = True
        if self.marked:
            self.marked &= set(keys)
        self.cursor = keys.index(wanted) if wanted in keys else min(self.cursor, max(len(keys) - 1, 0))
        self.cursor = _off_heading(self._draw, keys, self.cursor, 1)
        self._measure()
        self._reveal()
        self.refresh()
        self.post_message(self.Shown())
        self._tell()

    def seek_new(self, over: Callable[[], bool]) -> None:
        """Something is brought back: the cursor goes to the first row that comes before it is `over`.

        Unless the person moves it meanwhile.
        """
        before = self._before = Counter(map(self.same, self.keys))

        def look() -> None:
            if self._before is not before:
                looks.stop()
            elif over():
                looks.stop()
                self._before = None

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
            self.scroll_to(y=0, animate=False, immediate=True, force=True)  # also to what stands above the first row to act on
            self.refresh()

    def action_choose(self) -> None:
        """Say that this row is meant."""
        if self.key is not None:
            self.post_message(self.Chosen(self, self.key))

    def on_click(self, event: Click) -> None:
        """The mouse moves the cursor; twice chooses."""
        seen, line = self._in_sight(), event.get_content_offset_capture(self).y
        if 0 <= line < len(seen):
            row = seen[line][0]
            again = row == self.cursor and event.chain > 1
            self._go(row, 1)
            if again:
                self.action_choose()

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self._measure()
        self._reveal()

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Paint the rows as they are now; with `regions`, only what is there."""
        if not regions:
            self._forget()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    @on(Focus)
    @on(Blur)
    def _look_otherwise(self) -> None:
        """The cursor looks different."""
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One row of cells."""
        width = self.scrollable_content_region.width
        if not self.keys:
            words = wrapped(self.nothing or ("" if self._is_filled else self.waits), width - 4)
            text = words[y - 1] if 0 < y <= len(words) else ""
            return Strip([Segment(f"  {text}", self._style("quiet"))]).adjust_cell_length(width, self._style("text"))
        seen = self._in_sight()
        if y >= len(seen):
            return Strip.blank(width, self._style("text"))
        place, line = seen[y]
        over = Style()
        if place == self.cursor and not _row(self._draw, self.keys[place]).heading:
            over = _behind(self._style("cursor" if self.has_focus else "cursor-blurred"))
        segments = [Segment(text, self._style(style) + over) for text, style in self._lines_of(place)[line]]
        return Strip(segments).adjust_cell_length(width, self._style("text") + over)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"rows--{name}")

    def _lines_of(self, place: int) -> list[list[Piece]]:
        if place not in self._known:
            self._known[place] = self._lines(place)
        return self._known[place]

    def _in_sight(self) -> list[tuple[int, int]]:
        """Of each line in sight, its row and which of that row's lines it is."""
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if self._top != top:
            seen: list[tuple[int, int]] = []
            place = top
            while len(seen) < height and place < len(self.keys):
                seen += [(place, line) for line in range(len(self._lines_of(place)))]
                place += 1
            self._top, self._seen = top, seen[:height]
        return self._seen

    def _forget(self, *places: int) -> None:
        """These rows are to be drawn anew; without any, all."""
        for place in places or list(self._known):
            self._known.pop(place, None)
        self._top = -1

    def _top_for(self, last: int) -> int:
        """The first row in sight where all of the row `last` is to be seen at the bottom."""
        left, place = self.scrollable_content_region.height, last
        while place >= 0 and (left := left - len(self._lines_of(place))) >= 0:
            place -= 1
        return min(place + 1, last)

    def _lines(self, place: int) -> list[list[Piece]]:
        """The lines of a row: of the cursor's all there are, as far as half of the list holds them."""
        key, region = self.keys[place], self.scrollable_content_region
        row = _row(self._draw, key)
        half = max(region.height // 2, 1)
        most = half if place == self.cursor else min(MOST_LINES, half)
        pieces = [(signs.MARKED, "mark") if key in self.marked else (" ", "text"), *row.pieces]
        edge = 0 if self.show_vertical_scrollbar else 1  # a blank where the scroll bar would be
        hang = row.hang + 1 if row.hang else 0  # behind the sign of a marked row
        return row_lines(pieces, row.facts, max(region.width - edge, 1), most, hang)[: max(region.height, 1)]

    def _measure(self) -> None:
        """Say how far the list scrolls: until all of its last row is in sight, and not farther."""
        self._forget()
        height, count = self.scrollable_content_region.height, len(self.keys)
        top = self._top_for(count - 1) if height and count else 0
        self.virtual_size = Size(self.size.width, top + height if top else min(count, height) if height else count)

    def _go(self, place: int, step: int) -> None:
        self._before = None
        before, top = self.cursor, self.scroll_offset.y
        self.cursor = max(0, min(place, len(self.keys) - 1))
        self.cursor = _off_heading(self._draw, self.keys, self.cursor, step)
        was = [len(self._known.get(each, ())) for each in (before, self.cursor)]
        self._forget(before, self.cursor)
        self._reveal()
        if self.cursor != before:
            is_as_high = [len(self._lines_of(each)) for each in (before, self.cursor)] == was
            if self.scroll_offset.y == top and is_as_high:
                self._repaint(before, self.cursor)
            else:
                self.refresh()
            self._tell()

    def _repaint(self, *places: int) -> None:
        """Paint these rows at once, and all once the cursor rests: what they say of time has gone on."""
        self._forget(*places)
        seen = self._in_sight()
        for place in places:
            lines = [line for line, (each, _) in enumerate(seen) if each == place]
            if lines:
                super().refresh(Region(0, lines[0], self.size.width, len(lines)))
        if self._at_rest is not None:
            self._at_rest.stop()
        self._at_rest = self.set_timer(REST_SECONDS, self.refresh)

    def _reveal(self) -> None:
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if not height or not self.keys:
            return
        least = self._top_for(self.cursor)
        wanted = max(0, self.cursor - 1) if self.cursor < top + 1 else top
        wanted = max(least, min(wanted, self._top_for(len(self.keys) - 1)))  # nothing is scrolled past the last row
        if wanted > self.max_scroll_y:  # the cursor's row has more lines than it had when the list was measured
            self.virtual_size = Size(self.size.width, wanted + height)
        if wanted != top:
            # forced: rows that were shown just now have no scrollbar yet, and without one nothing would move
            self.scroll_to(y=wanted, animate=False, immediate=True, force=True)

    def _tell(self) -> None:
        if self.key is not None:
            self.post_message(self.Moved(self, self.key))


def _row(draw: Callable[[Any], ListRow], key: Any) -> ListRow:
    """What a row looks like; nothing, where its owner has other rows already and has not shown them yet."""
    try:
        return draw(key)
    except LookupError:
        return ListRow([])


def _first_new(keys: Sequence[Any], before: Counter[Any], same: Callable[[Any], Any]) -> Any:
    """The key of the first row that there were fewer of before; None when there is none."""
    left = before.copy()
    for key in keys:
        left[kept := same(key)] -= 1
        if left[kept] < 0:
            return key
    return None


def _off_heading(draw: Callable[[Any], ListRow], keys: Sequence[Any], place: int, step: int) -> int:
    """The next row from a place that is no heading; the other way at the end."""
    for way in (1 if step >= 0 else -1, -1 if step >= 0 else 1):
        at = place
        while 0 <= at < len(keys) and _row(draw, keys[at]).heading:
            at += way
        if 0 <= at < len(keys):
            return at
    return place


def _behind(style: Style) -> Style:
    """What a style puts behind words, which keep their colours; unless front and back change places."""
    return style if style.reverse else Style(bgcolor=style.bgcolor, bold=style.bold, underline=style.underline)


Item = TypeVar("Item")

HEADING: Final = "\0"
PROBLEM: Final = "\1"


class MarkList(RowList, Generic[Item]):
    """Rows of items that can be marked, drawn by their keys; a group is what stands below a heading.

    A heading is its words behind a NUL, what cannot be read is its reason behind a 1.
    """

    HEADINGS: ClassVar[tuple[str, ...]] = (HEADING, PROBLEM)
    """With what keys begin that its owner does not draw."""

    def __init__(self, draw: Callable[[Any], ListRow], *, id: str | None = None) -> None:
        super().__init__(
            lambda key: self.draw_heading(key) if isinstance(key, str) and key[:1] in self.HEADINGS else draw(key), id=id
        )

    items: Mapping[Any, Item] = MappingProxyType({})
    """Every item by its key, also those that are not shown."""
    _anchor: Any = None

    def draw_heading(self, key: str) -> ListRow:
        """What stands over a group, or in the place of what cannot be read."""
        words = visible_line(printable_path(key[1:]))
        return ListRow([(f"! {words}. It is left alone.", "warn") if key[0] == PROBLEM else (words, "head")], heading=True)

    def at_cursor(self) -> Item | None:
        """The item under the cursor."""
        return self.items.get(self.key)

    def chosen(self) -> list[Item]:
        """The marked items, else the one under the cursor."""
        keys = [key for key in self.keys if key in self.marked] if self.marked else [self.key]
        return [self.items[key] for key in keys or [self.key] if key in self.items]

    def offers(self, action: str) -> bool:
        """Whether the action of this id can do something with the items chosen, as far as the list knows."""
        return True

    def mark(self) -> None:
        """Mark the row under the cursor, or not, and go on; a range begins there."""
        self._anchor = self.key
        if self.key is not None:
            self.marked ^= {self.key}
            self._repaint(self.cursor)
            self.action_move(1)

    def unmark(self) -> None:
        """Mark nothing."""
        self.marked.clear()
        self.refresh()
        self._tell()

    def action_mark_range(self) -> None:
        """Mark everything from the row marked last to this one."""
        keys = list(self.keys)
        if not keys:
            return
        if self._anchor not in keys:
            self._anchor = self.key
        first, last = sorted((keys.index(self._anchor), self.cursor))
        self.marked |= {key for key in keys[first : last + 1] if key in self.items}
        self.refresh()
        self._tell()

    def action_mark_all(self, which: str = "all") -> None:
        """Mark all that are shown, or the group of the cursor; or none when all are marked."""
        keys = list(self.keys)
        if which == "group":
            heads = [place for place, key in enumerate(keys) if isinstance(key, str) and key.startswith("\0")]
            first = max((place for place in heads if place <= self.cursor), default=-1)
            keys = keys[first + 1 : min((place for place in heads if place > self.cursor), default=len(keys))]
        wanted = {key for key in keys if key in self.items}
        self.marked = self.marked - wanted if wanted <= self.marked else self.marked | wanted
        self.refresh()
        self._tell()
