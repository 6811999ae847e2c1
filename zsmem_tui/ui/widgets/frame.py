"""Building blocks of screens: panes, the movable edge between them, filter lines, notices, and background work."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from rich.cells import cell_len, set_cell_size
from textual import on
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.dom import DOMNode
from textual.events import Click, MouseDown, MouseMove, MouseUp
from textual.geometry import Size
from textual.reactive import reactive, var
from textual.widget import Widget
from textual.widgets import Input, Static

from zsmem_tui.core.search import fold_term
from zsmem_tui.core.text import lines, trim
from zsmem_tui.core.visible import visible
from zsmem_tui.service import view_state
from zsmem_tui.ui.keys.bindings import Keyed
from zsmem_tui.ui.messages import Said
from zsmem_tui.ui.perform import attempt
from zsmem_tui.ui.widgets.row_lines import wrapped
from zsmem_tui.ui.widgets.row_list import RowList
from zsmem_tui.ui.wording import is_typed, short_path


def pane(kind: str, title: str, *widgets: Widget, id: str | None = None) -> Vertical:
    """A pane with a title; `kind` is "list" or "side"."""
    made = Vertical(*widgets, classes=f"pane tool-{kind}", id=id)
    made.border_title = Content(title)
    return made


class Detail(Static):
    """What is known of a row, below a rule with its place."""

    def __init__(self, *, id: str) -> None:
        super().__init__("", id=id, markup=False)

    def tell(self, words: str) -> None:
        """Show these words; their first line is the place."""
        place, _, rest = visible(words).partition("\n")
        self.border_title = Content(short_path(place, self.size.width - 4))
        self.update(Content(rest), layout=False)  # the size is fixed


def begin(node: DOMNode, work: Callable[[], Awaitable[None]], *, group: str, exclusive: bool = False) -> None:
    """Run `work` as a worker of the node. It is never called if it is cancelled before it starts.

    With `exclusive`, running workers of the group are cancelled first.
    """
    node.run_worker(work, group=group, exclusive=exclusive)


class Pane(Vertical):
    """A bordered container with titles. Its own background is drawn below its children's and mostly hidden."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self._empty: Static | None = None

    def say_empty(self, text: str) -> None:
        """Show a text above the last widget saying why that is empty; an empty text hides it."""
        if self._empty is None and text:
            self._empty = Static("", classes="empty", markup=False)
            self.mount(self._empty, before=-1)
        if self._empty is not None:
            self._empty.update(text)
            self._empty.set_class(bool(text), "-shown")


class FilterLine(Keyed, Input, keys="line"):
    """An input shown only while in use. Enter focuses the widget `rows`. With `keeps`, its text stays for next time."""

    def __init__(self, placeholder: str, *, id: str, rows: str, keeps: bool = False) -> None:
        super().__init__(placeholder=placeholder, id=id, classes="line-input")
        self._rows = rows
        self._keeps = keeps
        self.start: Any = None
        """The key that the rows had under the cursor when it was opened; None once it was left for them."""

    @property
    def is_shown(self) -> bool:
        """Whether it is shown."""
        return self.has_class("-shown")

    @property
    def words(self) -> str:
        """The trimmed text."""
        return trim(self.value)

    def begin(self) -> None:
        """Show and focus it."""
        self.start = getattr(self.screen.query_one(f"#{self._rows}"), "key", None)
        self.add_class("-shown")
        self.focus()

    def close(self) -> bool:
        """Hide it and return the focus; False if it was not shown."""
        if not self.is_shown:
            return False
        if not self._keeps:
            self.value = ""
        self.remove_class("-shown")
        self._go_back()
        return True

    def on_blur(self) -> None:
        """The person goes on with the rows that were found."""
        self.start = None

    @on(Input.Changed)
    def _seek(self) -> None:
        """Put the cursor of a list on the first row that fits; without words, where it was."""
        rows = self.screen.query_one(f"#{self._rows}")
        if isinstance(rows, RowList) and (self.words or self.start is not None):
            rows.seek(None if self.words else self.start)

    def action_move(self, step: int) -> None:
        """Move the cursor of a list while the words are typed."""
        if isinstance(rows := self.screen.query_one(f"#{self._rows}"), RowList):
            rows.action_move(step)

    @on(Input.Submitted)
    def _go_back(self) -> None:
        self.screen.query_one(f"#{self._rows}").focus()


class Findable(Widget):
    """A mixin for panes with a text and a line for words to find in it: all matches are marked, and one is the current one."""

    FIND_IN: ClassVar[str] = ""
    """Where words are found, for messages."""
    view: Any
    """The `PageView` with the text."""
    terms: tuple[bytes, ...] = ()
    matches: Sequence[int] = ()
    """The lines with a match, as often as there are any."""
    at = -1
    """The index of the current match."""
    _start = 0
    """The line from which on words are found."""

    @property
    def here(self) -> int:
        """The line at which the person is."""
        return int(self.view.top_line)

    def show_line(self, line: int, *, is_match: bool) -> None:
        """Show a line: that of a match, or where the person was before."""
        raise LookupError("every text goes to a line in its own way")

    def tell_found(self) -> None:
        """Show `found_words`."""

    @property
    def found_words(self) -> str:
        """Which match is the current one; empty if nothing is sought."""
        return (f"{self.at + 1:,} of {len(self.matches):,}" if self.matches else "no match") if self.terms else ""

    def action_open_find(self) -> None:
        """Open the find line."""
        self._start = self.here
        self.query_one(FilterLine).begin()

    def close_find(self) -> bool:
        """Close the find line and remove its marks; False if it was not open."""
        if not any(line.close() for line in self.query(FilterLine)):
            return False
        self.terms, self.matches, self.at = (), (), -1
        self.view.mark(())
        self.tell_found()
        return True

    def action_next(self, step: int) -> None:
        """Go to the next or previous match."""
        if not self.terms:
            self.post_message(Said(f"Nothing to find yet: / finds words in {self.FIND_IN}.", warning=True))
        elif not self.matches:
            self.post_message(Said(f"No match in {self.FIND_IN}.", warning=True))
        else:
            self._go(self.next_place(step))

    def next_place(self, step: int) -> int:
        """The index of the next or previous match, past the ends, too."""
        return self.at + step

    @on(Input.Changed)
    def _find_changed(self, event: Input.Changed) -> None:
        text, self.view.whole_words = trim(event.value), False
        self.find_all((fold_term(text),) if text else (), self._start)

    def find_all(self, terms: tuple[bytes, ...], line: int, *, stays: bool = False) -> None:
        """Mark what fits these folded terms, and go to the first match from a line on; if it `stays` there, count the nearest."""
        before, self.terms, self.at = self.at, terms, -1
        self.matches = self.view.page.find(list(terms), whole_words=self.view.whole_words) if terms else ()
        if self.matches:
            places = range(len(self.matches))
            if stays:
                self._go(min(places, key=lambda place: (abs(self.matches[place] - line), abs(place - before))), shows=False)
            else:
                self._go(next((place for place in places if self.matches[place] >= line), 0))
            return
        self.view.mark(terms)
        if any(each.is_shown for each in self.query(FilterLine)):
            self.show_line(self._start, is_match=False)
        self.tell_found()

    def _go(self, place: int, *, shows: bool = True) -> None:
        self.at = place % len(self.matches)
        self.view.mark(self.terms, self.matches[self.at])
        if shows:
            self.show_line(self.matches[self.at], is_match=True)
        self.tell_found()


Room = Sequence[tuple[str, int]]
"""The maximum number of rows by CSS class of the screen; the first matching class counts, "" matches any screen."""

ROOM: Final[Room] = (("-narrow", 1), ("-low", 1), ("", 8))
"""The default: few rows on small screens, where the list below is short."""


class Notice(Widget):
    """Sentences above a list, one per line. With `more`, which says where to read the rest, they are limited to `room` rows."""

    text = reactive("", layout=True)

    def __init__(self, more: str = "", *, id: str | None = None, room: Room = ROOM) -> None:
        super().__init__(id=id, classes="notice")
        self._more = more
        self._room = room

    def show(self, text: str) -> None:
        """Show a text; an empty one hides the notice."""
        self.text = visible(text)
        self.set_class(bool(text), "-shown")

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The rows needed, up to the limit."""
        needed = len(wrapped(self.text, width)) if self.text else 0
        room = (rows for name, rows in self._room if not name or self.screen.has_class(name))
        return min(next(room), needed) if self._more else needed

    def render(self) -> Content:
        """The wrapped rows; if cut, the last ends with `…`."""
        width = max(self.size.width, 1)
        rows = wrapped(self.text, width)
        most = max(self.size.height, 1)
        if len(rows) > most:
            count = self.text.count("\n") + 1
            end = f" … {f'1 of {count}, ' if most == 1 and count > 1 else ''}{self._more}"
            last = run_on(self.text, width, most - 1) if most > 1 else self.text.partition("\n")[0]
            rows = [*rows[: most - 1], f"{set_cell_size(last, max(width - cell_len(end), 0))}{end}"]
        return Content("\n".join(rows))


def run_on(text: str, width: int, start: int) -> str:
    """The wrapped rows of a text from index `start` on as one; a line of it that ends as no sentence does is set off."""
    rows = [row for line in lines(text) for row in (*wrapped(line, width), "\n")][:-1]
    places = [at for at, row in enumerate(rows) if row != "\n"]
    joined = " ".join(rows[places[start] :])
    return re.sub(r"(?<=[.:]) \n", "", joined).replace("\n", "·")


class KeyNotice(Notice):
    """A notice whose text names keys: `words` is called on focus changes with whether letters are typed."""

    words: var[Callable[[bool], str]] = var(lambda: lambda _: "")

    def on_mount(self) -> None:
        """Update the text when the focus moves."""
        self.watch(self.screen, "focused", self.watch_words, init=False)

    def watch_words(self) -> None:
        """Update the text."""
        self.show(self.words(is_typed(self.screen)))


STEP: Final = 4
"""Cells by which a key moves the edge."""

STEP_ROWS: Final = 2
"""Rows by which a key moves the edge between stacked panes."""

LEAST: Final = 20
"""The minimum width of a pane in cells."""

LEAST_ROWS: Final = 5
"""The minimum height of a stacked pane in rows, including its border."""

_NARROW, _TINY, _SHORT = 100, 60, 18
"""Two widths and a height below which the layout changes; they must be among the breakpoints of `ZsmemApp`."""


def bounded(first: int, room: int, least: int) -> int:
    """Limit the size of the first of two panes in `room`, so that each keeps `least`, or half of the room if that is smaller."""
    least = min(least, room // 2)
    return max(least, min(first, room - least))


class SplitBody(Horizontal):
    """The two panes of a screen with a movable edge, stacked on narrow ones. `kind` is the name under which the split is saved.

    `say` shows messages.
    """

    ALLOW_SELECT = False
    BLANK = True  # its panes cover it, so its own background need not be drawn

    def __init__(self, kind: str, say: Callable[..., None], *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._kind = kind
        self._say = say
        self._shares: dict[str, float] = {}
        self._wish = self._most = self._leaves = 0
        self._drag = False

    def on_mount(self) -> None:
        """Restore the saved split."""
        self._shares = view_state.splits()
        self.divide()

    def on_resize(self) -> None:
        """Apply the split to the new size."""
        self.divide()

    def fit(self, wish: int) -> None:
        """Without a chosen split, give the first pane `wish` cells, up to 45 % as long as the second keeps 60."""
        if wish != self._wish:
            self._wish = wish
            self.divide()

    def needs(self, rows: int, *, leaves: int = 0) -> None:
        """Without a chosen split, give the first of two panes above each other these rows at most; the second has `leaves`."""
        if (rows, leaves) != (self._most, self._leaves):
            self._most, self._leaves = rows, leaves
            self.divide()

    def step(self, step: int) -> None:
        """Move the edge by `step` key presses, backwards if negative; 0 resets it."""
        panes = self._two_panes()
        if panes is None:
            self._say("One pane is on the screen: there is no edge to move.", warning=True, refused=True)
            return
        if not step:
            self._set_share(None)
            self._say("The panes are divided as at first.")
            return
        before = self._extent(panes[0])
        after = bounded(before + step * (STEP_ROWS if self._is_stacked else STEP), self._room(panes), self._least_size)
        if after == before:
            what = f"{LEAST_ROWS} rows" if self._is_stacked else f"{LEAST} cells"
            self._say(f"No further: either pane keeps {what}.", warning=True, refused=True)
        else:
            self._set_share(after / max(self._room(panes), 1))

    def on_mouse_down(self, event: MouseDown) -> None:
        """Start to drag the edge."""
        if self._is_edge(event):
            event.stop()
            self.screen.clear_selection()
            self._drag = True
            self.capture_mouse()

    def on_mouse_move(self, event: MouseMove) -> None:
        """Move the dragged edge."""
        panes = self._two_panes()
        if not self._drag or panes is None:
            return
        event.stop()
        start = panes[0].region.y if self._is_stacked else panes[0].region.x
        at = event.screen_y if self._is_stacked else event.screen_x
        room = self._room(panes)
        self._shares[self._division] = bounded(at - start + 1, room, self._least_size) / max(room, 1)
        self.divide()

    def on_mouse_up(self, event: MouseUp) -> None:
        """Save the new split."""
        if self._drag:
            event.stop()
            self._drag = False
            self.release_mouse()
            if self._division in self._shares:
                self._set_share(self._shares[self._division])

    def on_click(self, event: Click) -> None:
        """Reset the edge on a double click."""
        if event.chain == 2 and self._is_edge(event):
            self.step(0)

    @property
    def _is_stacked(self) -> bool:
        return self.app.size.width < _NARROW

    @property
    def _division(self) -> str:
        """The name under which the split is saved; narrow screens have their own."""
        return f"{self._kind} narrow" if self._is_stacked else self._kind

    @property
    def _least_size(self) -> int:
        return LEAST_ROWS if self._is_stacked else LEAST

    def _two_panes(self) -> tuple[Widget, Widget] | None:
        """The two panes, or None unless both are shown."""
        shown = [pane for pane in self.children if pane.display]
        return (shown[0], shown[1]) if len(shown) == 2 else None

    def _extent(self, pane: Widget) -> int:
        return pane.outer_size.height if self._is_stacked else pane.outer_size.width

    def _room(self, panes: tuple[Widget, Widget]) -> int:
        return sum(self._extent(pane) for pane in panes)

    def _is_edge(self, event: MouseDown | Click) -> bool:
        """Whether the mouse is on the borders between the panes; False if the panes have none."""
        panes = self._two_panes()
        if panes is None:
            return False
        first, second = panes
        if self._is_stacked:
            return first.gutter.bottom > 0 and first.region.bottom - 1 <= event.screen_y <= second.region.y
        return first.gutter.right > 0 and first.region.right - 1 <= event.screen_x <= second.region.x

    def divide(self) -> None:
        """Set the panes' sizes by the split; without one, by the style sheet.

        Sizes are set as fractions, so that a single visible pane takes all of the room.
        """
        if len(self.children) < 2:
            return
        share = self._shares.get(self._division) if self.app.size.width >= _TINY else None
        room = (self.size or self.app.size)[self._is_stacked]  # the app's before the first layout, so that the first frame fits
        wish = min(self._wish, room * 45 // 100, room - 60)
        self.children[0].styles.min_width = wish if share is None and wish > 0 and self.app.size.width >= _NARROW else None
        is_both = self._is_stacked and share is None and self.app.size.width >= _TINY and self.app.size.height >= _SHORT
        most = min(self._most, max(room - self._leaves, LEAST_ROWS))
        is_both = is_both and not self.screen.has_class("-max")
        self.children[0].styles.max_height = most if is_both and most else None
        first = bounded(round(room * (share or 0.5)), room, self._least_size)
        for pane, part in zip(self.children[:2], (first, room - first), strict=True):
            wanted = None if share is None or part < 1 else f"{part}fr"
            pane.styles.width = None if self._is_stacked else wanted
            pane.styles.height = wanted if self._is_stacked else None

    def _set_share(self, share: float | None) -> None:
        """Apply and save a split; None resets it."""
        if share is None:
            self._shares.pop(self._division, None)
        else:
            self._shares[self._division] = round(share, 4)
        self.divide()
        name = self._division
        keep_view(self, "splits", lambda: {name: self._shares.get(name)}, self._say)


def keep_view(widget: Widget, kind: str, values: Callable[[], Mapping[str, Any]], say: Callable[..., None]) -> None:
    """Store how the person arranged something; `values` are read when written, so that the last of several quick keys counts."""

    async def keep() -> None:
        await attempt(asyncio.to_thread(lambda: view_state.keep(kind, values())), lambda words: say(words, warning=True))

    begin(widget, keep, group="view")
