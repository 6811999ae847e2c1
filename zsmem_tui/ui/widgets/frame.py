"""What screens are put together from: panes, the lines over their lists, and work in their background."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from rich.cells import cell_len, set_cell_size
from textual import on
from textual.containers import Vertical
from textual.content import Content
from textual.dom import DOMNode
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from zsmem_tui.core.text import trim
from zsmem_tui.core.visible import visible
from zsmem_tui.ui.widgets.row_lines import wrapped


def begin(node: DOMNode, work: Callable[[], Awaitable[None]], *, group: str, exclusive: bool = False) -> None:
    """Do something in the background of the app, a screen or a widget. What is cancelled before it began is never called.

    What goes on in a group is cancelled for one that is `exclusive` there.
    """
    node.run_worker(work, group=group, exclusive=exclusive)


class Pane(Vertical):
    """Holds widgets one below the other, in a frame with its titles. Its own lines lie below these: most of them are never seen."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self._empty: Static | None = None

    def say_empty(self, text: str) -> None:
        """Say above the last widget, which stays for the focus, why there is nothing in it; without words, there is something."""
        if self._empty is None and text:
            self._empty = Static("", classes="empty", markup=False)
            self.mount(self._empty, before=-1)
        if self._empty is not None:
            self._empty.update(text)
            self._empty.set_class(bool(text), "-shown")


class SafeOptionList(OptionList):
    """`OptionList`, for which paging through options that have no lines yet is nothing, not an error."""

    def action_page(self, step: int) -> None:
        """Move the cursor by a page."""
        self.action_page_down() if step > 0 else self.action_page_up()

    def action_page_down(self) -> None:
        """A page down."""
        inherited: Any = super()
        with suppress(KeyError):
            inherited.action_page_down()

    def action_page_up(self) -> None:
        """A page up."""
        inherited: Any = super()
        with suppress(KeyError):
            inherited.action_page_up()


class FilterLine(Input):
    """Shown while it is in use; `enter` goes back to the widget that it is about, whose id is `rows`.

    `keeps` says that its words are offered again the next time.
    """

    def __init__(self, placeholder: str, *, id: str, rows: str, keeps: bool = False) -> None:
        super().__init__(placeholder=placeholder, id=id, classes="line-input")
        self._rows = rows
        self._keeps = keeps

    @property
    def is_shown(self) -> bool:
        """Whether it is in use."""
        return self.has_class("-shown")

    @property
    def words(self) -> str:
        """What is typed; empty while nothing is."""
        return trim(self.value)

    def begin(self) -> None:
        """Type words."""
        self.add_class("-shown")
        self.focus()

    def close(self) -> bool:
        """Be in use no more; False when it was not."""
        if not self.is_shown:
            return False
        self.drop()
        self._go_back()
        return True

    def drop(self) -> None:
        """The same, and leave the focus where it is."""
        if not self._keeps:
            self.value = ""
        self.remove_class("-shown")

    @on(Input.Submitted)
    def _go_back(self) -> None:
        self.screen.query_one(f"#{self._rows}").focus()


Room = Sequence[tuple[str, int]]
"""Rows by classes of the screen, the first that it has counts; "" is for any other."""

ROOM: Final[Room] = (("-narrow", 1), ("-low", 1), ("", 8))
"""Where the screen has its panes one over the other, the list below has few itself."""


class Notice(Widget):
    """Sentences, one a line. `more` says where all of them can be read, those beyond its `room`; without it, they are all here."""

    text = reactive("", layout=True)

    def __init__(self, more: str = "", *, id: str | None = None, room: Room = ROOM) -> None:
        super().__init__(id=id, classes="notice")
        self._more = more
        self._room = room

    def show(self, text: str) -> None:
        """Show these; nothing is no row."""
        self.text = visible(text)
        self.set_class(bool(text), "-shown")

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """What they need, up to what a list can spare."""
        needed = len(wrapped(self.text, width)) if self.text else 0
        room = (rows for name, rows in self._room if not name or self.screen.has_class(name))
        return min(next(room), needed) if self._more else needed

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
