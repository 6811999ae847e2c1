"""Choosing from very many things by a few letters: the palette, and opening a file from anywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from zsmem_tui.core.search import Cancelled
from zsmem_tui.ui.overlay import Overlay
from zsmem_tui.ui.widgets.frame import SafeOptionList


class FinderRow(NamedTuple):
    """What is chosen, by an id that no other row has, and what it looks like."""

    id: str
    content: Content


class FinderRows(NamedTuple):
    """The rows for some letters, the best first, and a sentence about them."""

    rows: Sequence[FinderRow]
    said: str


Find = Callable[[str, Callable[[], bool]], FinderRows]
"""SafeOptionList for some letters, in a thread; it may raise `Cancelled` where the second argument says so."""


Prepare = Callable[[Callable[[], bool]], None]
"""Gets ready to find, in a thread; it may raise `Cancelled` where its argument says so."""


class FinderDialog(ModalScreen[str | None], Overlay[str | None]):
    """SafeOptionList with the id of the row that was chosen; None for none. `enter` waits for the rows of what is typed by then."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "close"),
        ("down,ctrl+n", "move(1)"),
        ("up", "move(-1)"),
        ("pagedown", "page(1)"),
        ("pageup", "page(-1)"),
    ]

    def __init__(self, title: str, placeholder: str, find: Find, prepare: Prepare | None) -> None:
        """`prepare` is called at the start; what can be found is looked for again when it is done."""
        super().__init__(classes="dialog-screen")
        self._title = title
        self._placeholder = placeholder
        self._find = find
        self._prepare = prepare
        self._newest = 0
        self._answered: str | None = None
        """The letters of the rows that are shown."""
        self._choose_next = False
        """Whether `enter` waits for the rows of what is typed."""
        self._busy = asyncio.Lock()

    def compose(self) -> ComposeResult:
        """The line, what is said of the rows, the rows."""
        with Vertical(classes="dialog -finder") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = Content("enter choose · ↓ ↑ move · esc close")
            yield Input(placeholder=self._placeholder, id="sought", compact=True)
            yield Static("", id="fitting", markup=False)
            yield SafeOptionList(id="found", markup=False)

    def on_mount(self) -> None:
        """Type at once, unless it went before it came."""
        if not self.query(Input):
            return
        self.set_focus(self.query_one(Input))
        self._look()
        if self._prepare is not None:
            self._get_ready(self._prepare)

    @on(Input.Changed)
    def _typed(self) -> None:
        self._look()

    @on(Input.Submitted)
    def _submitted(self) -> None:
        if self._answered == self.query_one(Input).value:
            self._choose()
        else:
            self._choose_next = True

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)

    def action_move(self, step: int) -> None:
        """Move the cursor of the rows while the line keeps the focus."""
        rows = self.query_one(SafeOptionList)
        rows.action_cursor_down() if step > 0 else rows.action_cursor_up()

    def action_page(self, step: int) -> None:
        """Move it by a page."""
        self.query_one(SafeOptionList).action_page(step)

    def action_close(self) -> None:
        """Drop what is typed, then close."""
        line = self.query_one(Input)
        if line.value:
            line.value = ""
        else:
            self.dismiss(None)

    def _choose(self) -> None:
        rows = self.query_one(SafeOptionList)
        if rows.highlighted is not None:
            self.dismiss(rows.get_option_at_index(rows.highlighted).id)

    def _look(self) -> None:
        self._newest += 1
        self._ask(self._newest, self.query_one(Input).value)

    @work(group="finder")
    async def _ask(self, number: int, query: str) -> None:
        """Show what fits, unless something else was typed meanwhile."""
        async with self._busy:  # the one before stops soon: what it looks for is out of date
            if number != self._newest:
                return
            try:
                found = await asyncio.to_thread(self._find, query, lambda: self.closed or number != self._newest)
            except Cancelled:
                return
        if number != self._newest or self.closed:
            return
        rows = self.query_one(SafeOptionList)
        rows.set_options([Option(row.content, id=row.id) for row in found.rows])
        rows.highlighted = 0 if found.rows else None
        self.query_one("#fitting", Static).update(Content(found.said))
        self._answered = query
        if self._choose_next:
            self._choose_next = False
            self._choose()

    @work(group="prepare")
    async def _get_ready(self, prepare: Prepare) -> None:
        try:
            await asyncio.to_thread(prepare, lambda: self.closed)
        except Cancelled:
            return
        if not self.closed:
            self._look()
