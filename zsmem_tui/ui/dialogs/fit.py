"""The moves that make memory fit: untick what is not wanted, see the block before and after, apply."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.fit import FitMove
from zsmem_tui.core.text import raw_lines
from zsmem_tui.core.visible import visible, visible_line
from zsmem_tui.service.fit import Proposal
from zsmem_tui.ui.dialogs import fit_rows as format_fit
from zsmem_tui.ui.keys.bindings import bindings, help_bindings
from zsmem_tui.ui.overlay import Layer
from zsmem_tui.ui.widgets.row_list import ListRow, RowList
from zsmem_tui.ui.wording import refusal

Propose = Callable[[frozenset[str]], Proposal]
"""The moves without those that have these ids."""


class MoveList(RowList):
    """The proposed moves, and those that were unticked."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("moves")]


class FitDialog(ModalScreen[Proposal | None], Layer[Proposal | None]):
    """Answers with the proposal to apply; None: nothing is to be moved. What is unticked makes room for other moves.

    It is about the memory of `whose`. `read` shows a page, by its title and text.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*help_bindings(), ("escape", "dismiss(None)", "Close")]
    PAGE = "fit"

    def __init__(self, whose: str, proposal: Proposal, propose: Propose, read: Callable[[str, str], None]) -> None:
        super().__init__(classes="dialog-screen")
        self._whose = whose
        self._proposal = proposal
        self._propose = propose
        self._read = read
        self._moves: dict[str, FitMove] = {}
        self._left_out: frozenset[str] = frozenset()
        self._settled = True

    def compose(self) -> ComposeResult:
        """Before and after, the moves, what the one under the cursor means."""
        with Vertical(classes="dialog -wide") as box:
            box.border_title = Content(format_fit.title(self._whose, self._proposal))
            box.border_subtitle = Content("A apply · space leave out · enter its lines · esc close")
            yield Static("", id="fit-summary", markup=False)
            yield MoveList(self._draw, id="moves")
            yield Static("", id="fit-detail", markup=False)

    def on_mount(self) -> None:
        """The first proposal."""
        self.set_focus(self.query_one(MoveList))
        self._show(self._proposal)

    def action_tick(self) -> None:
        """Leave a move out, or take it again; others may come in its place."""
        id = self.query_one(MoveList).key
        if id is not None:
            self._left_out ^= {id}
            self._settled = False
            self._propose_again(self._left_out)

    def on_key(self, event: Key) -> None:
        """A letter that nothing took: say what the keys are."""
        if event.is_printable and event.character and not any(key in self.active_bindings for key in event.aliases):
            event.stop()
            self.query_one("#fit-detail", Static).update(Content(format_fit.no_such_key(visible_line(event.character))))

    @on(RowList.Chosen)
    def _look(self, event: RowList.Chosen) -> None:
        move = self._moves[event.key]
        texts = raw_lines(self._proposal.store.texts.get(move.path, ""))
        taken = [texts[number] for start, stop in move.ranges for number in range(start, min(stop, len(texts)))]
        self._read("What moves", format_fit.move_page(move, taken))

    def action_apply(self) -> None:
        """These moves, once they are those that are shown."""
        if self._settled:
            self.dismiss(self._proposal)

    @work(exclusive=True, group="propose")
    async def _propose_again(self, left_out: frozenset[str]) -> None:
        try:
            found = await asyncio.to_thread(self._propose, left_out)
        except MemError as error:
            self.query_one("#fit-summary", Static).update(Content(visible(f"! {refusal(error)}")))
            return
        if left_out == self._left_out:
            self._settled = True
            self._show(found)

    def _show(self, proposal: Proposal) -> None:
        self._proposal = proposal
        self.query_one(".dialog").border_title = Content(format_fit.title(self._whose, proposal))
        proposed = {move.id: move for move in proposal.fit.moves}
        known = {id: move for id, move in self._moves.items() if id in proposed or id in self._left_out}
        self._moves = known | proposed
        rows = self.query_one(MoveList)
        rows.nothing = format_fit.nothing(proposal)
        rows.show(list(self._moves))
        self.query_one("#fit-summary", Static).update(Content(visible(format_fit.summary(proposal, len(self._left_out)))))

    def _draw(self, key: Any) -> ListRow:
        return format_fit.move_row(self._moves[key], taken=key not in self._left_out)

    @on(RowList.Moved)
    def _tell(self) -> None:
        move = self._moves.get(str(self.query_one(MoveList).key))
        self.query_one("#fit-detail", Static).update(Content(visible(format_fit.move_detail(move)) if move else ""))
