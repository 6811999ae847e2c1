"""What a step over several stores would do: every file's fate, and the changes. Nothing is written before it is confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static

from zsmem_tui.core.visible import visible, visible_line
from zsmem_tui.ui.dialogs.plan_rows import APPLY, PlanRow
from zsmem_tui.ui.keys.bindings import bindings, help_bindings
from zsmem_tui.ui.overlay import Layer
from zsmem_tui.ui.widgets.diff_view import DiffView
from zsmem_tui.ui.widgets.row_list import ListRow, RowList


class PlanList(RowList):
    """The files, then those that follow them."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("plan")]


class PlanDiff(DiffView):
    """The file that the one under the cursor lands in."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("planned")]


class PlanDialog(ModalScreen[int | None], Layer[int | None]):
    """Answers with `APPLY`, or a row whose file shall have another name; None: nothing is to be done."""

    BINDINGS: ClassVar[list[BindingType]] = [*help_bindings(), ("escape", "back", "Close")]
    PAGE = "transfer"

    def __init__(self, title: str, rows: Sequence[PlanRow], *, at: int = 0) -> None:
        super().__init__(classes="dialog-screen")
        self._title = title
        self._rows = rows
        self._at = at

    def compose(self) -> ComposeResult:
        """The files, what the one under the cursor means, what it changes."""
        with Vertical(classes="dialog -wide") as box:
            box.border_title = Content(visible_line(f"{self._title}: nothing is written before A"))
            rename = "r other name · " if any(row.name for row in self._rows) else ""
            box.border_subtitle = Content(f"A apply · {rename}enter its changes · esc close")
            yield PlanList(self._draw, id="plan")
            yield Static("", id="plan-detail", markup=False)
            yield PlanDiff(id="planned")

    def on_mount(self) -> None:
        """All rows, the cursor on the one that was asked about last."""
        rows = self.query_one(PlanList)
        rows.nothing = "It is so already: there is nothing to write."
        rows.styles.max_height = max(min(len(self._rows), 8), 1)
        rows.show(range(len(self._rows)), cursor=self._at)
        self.set_focus(rows)

    def action_apply(self) -> None:
        """This is what shall be done."""
        self.dismiss(APPLY)

    def action_rename(self) -> None:
        """Another name for the file under the cursor."""
        number = self.query_one(PlanList).key
        if number is not None and self._rows[number].name:
            self.dismiss(number)
        else:
            self._tell_of("This follows by itself: it has no name to give.")

    def action_back(self) -> None:
        """From the changes to the files, from there away."""
        rows = self.query_one(PlanList)
        if self.focused is rows:
            self.dismiss(None)
        else:
            self.set_focus(rows)

    def on_key(self, event: Key) -> None:
        """A letter that nothing took: say what the keys are."""
        if event.is_printable and event.character and not any(key in self.active_bindings for key in event.aliases):
            event.stop()
            self._tell_of(f"{visible_line(event.character)} does nothing here · A does it, esc leaves all as it is.")

    @on(RowList.Chosen)
    def _to_changes(self) -> None:
        self.set_focus(self.query_one(PlanDiff))

    @on(RowList.Moved)
    def _show(self) -> None:
        number = self.query_one(PlanList).key
        if number is None:
            return
        row = self._rows[number]
        self._tell_of(row.detail)
        self.query_one(PlanDiff).compare(row.before, row.after)

    def _tell_of(self, words: str) -> None:
        self.query_one("#plan-detail", Static).update(Content(visible(words)))

    def _draw(self, key: Any) -> ListRow:
        row: PlanRow = self._rows[key]
        return row.row
