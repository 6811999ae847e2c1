"""Two texts that changed the same lines: mine, theirs, and a result that can be edited."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from zsmem_tui.ui.layer import Layer
from zsmem_tui.ui.reading.side_page import Sides, sides
from zsmem_tui.ui.widgets.diff_view import DiffView
from zsmem_tui.ui.widgets.markdown_area import MarkdownArea


class SideView(DiffView):
    """One side. Both go to the next conflict together."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("j,down", "scroll_down"),
        ("k,up", "scroll_up"),
        ("space,pagedown", "page_down"),
        ("b,pageup", "page_up"),
        ("g,home", "scroll_home"),
        ("G,end", "scroll_end"),
        ("n", "screen.next_conflict(1)"),
        ("N", "screen.next_conflict(-1)"),
    ]


class ConflictDialog(ModalScreen[str | None], Layer[str | None]):
    """Answers with the text to save, or None: nothing is written until one is chosen. It opens at the first conflict."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("ctrl+s", "take('result')", "Save the result"),
        ("f3", "take('theirs')", "Take theirs"),
        ("f4", "take('mine')", "Take mine"),
        ("ctrl+n", "next_conflict(1)", "Next conflict"),
        ("escape", "dismiss(None)", "Go on editing"),
    ]

    def __init__(self, name: str, mine: str, theirs: str, proposal: str, *, base: str = "", typing: bool = True) -> None:
        super().__init__(classes="dialog-screen")
        self._name = name
        self._texts = {"mine": mine, "theirs": theirs}
        self._proposal = proposal
        self._typing = typing
        self._sides: Sides = sides(base, mine, theirs)
        self._current = 0

    def compose(self) -> ComposeResult:
        """Theirs and mine side by side, the result below."""
        with Vertical(classes="dialog -wide") as box:
            box.border_title = Content(f"{self._name}: both changed the same lines. Nothing is written yet.")
            box.border_subtitle = Content(
                "ctrl+s save result · f3 theirs · f4 mine · esc " + ("go on editing" if self._typing else "leave all as it is")
            )
            with Horizontal(classes="sides"):
                for side, title in (("theirs", "Theirs, on disk"), ("mine", "Mine")):
                    with Vertical(classes="side") as column:
                        column.border_title = Content(title)
                        yield SideView(id=side)
            yield Static("", id="which", markup=False)
            yield MarkdownArea(id="result")

    def on_mount(self) -> None:
        """Show all three, at the first conflict."""
        area = self.query_one(MarkdownArea)
        area.put(self._proposal)
        self.set_focus(self.query_one("#theirs", SideView))
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        self.query_one("#theirs", SideView).show(self._sides.theirs)
        self.query_one("#mine", SideView).show(self._sides.mine)
        self._go(0)
        self.call_after_refresh(self._go, 0)  # a page that has just been given has its full height only now

    def action_next_conflict(self, step: int) -> None:
        """Go to the next conflict in all three texts, or the one before, round the end."""
        if self._sides.starts:
            self._go((self._current + step) % len(self._sides.starts))

    def _go(self, number: int) -> None:
        self._current = number
        count = len(self._sides.starts)
        words = f"Conflict {number + 1} of {count}" if count else "No conflict is left"
        keys = " · n next · N before" if count > 1 else ""
        which = Content.assemble((words, "bold"), f"{keys} · tab: the result, with both sides")
        self.query_one("#which", Static).update(which)
        for view in self.query(SideView):
            page = view.diff_page
            if page is not None and count:
                page.select(number)
                view.go_to(page.start_of(number))
                view.refresh()
        area = self.query_one(MarkdownArea)
        if count:
            line = min(self._sides.starts[number], area.document.line_count - 1)
            area.move_cursor((line, 0), center=True)

    def action_take(self, which: str) -> None:
        """Answer with one of the three texts."""
        self.dismiss(self.query_one(MarkdownArea).value if which == "result" else self._texts[which])
