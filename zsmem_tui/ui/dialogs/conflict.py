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
from zsmem_tui.ui.reading.page import Page
from zsmem_tui.ui.widgets.markdown_area import MarkdownArea
from zsmem_tui.ui.widgets.page_view import PageView


class ConflictDialog(ModalScreen[str | None], Layer[str | None]):
    """Answers with the text to save, or None: nothing is written until one is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("ctrl+s", "take('result')", "Save the result"),
        ("f3", "take('theirs')", "Take theirs"),
        ("f4", "take('mine')", "Take mine"),
        ("escape", "dismiss(None)", "Go on editing"),
    ]

    def __init__(self, name: str, mine: str, theirs: str, proposal: str, *, typing: bool = True) -> None:
        super().__init__(classes="dialog-screen")
        self._name = name
        self._texts = {"mine": mine, "theirs": theirs}
        self._proposal = proposal
        self._typing = typing
        """Whether the person was typing, so that the cursor goes into the result at once."""

    def compose(self) -> ComposeResult:
        """Theirs and mine side by side, the result below."""
        with Vertical(classes="dialog -wide") as box:
            box.border_title = Content(f"{self._name}: both changed the same lines. Nothing is written yet.")
            box.border_subtitle = Content(
                "ctrl+s save the result · f3 take theirs · f4 take mine · esc "
                + ("go on editing" if self._typing else "leave all as it is")
            )
            with Horizontal(classes="sides"):
                for side, title in (("theirs", "Theirs, on disk"), ("mine", "Mine")):
                    with Vertical(classes="side") as column:
                        column.border_title = Content(title)
                        yield PageView(id=side)
            yield Static(Content("Result: both, theirs first. Edit it as you like."), classes="question", markup=False)
            yield MarkdownArea(id="result")

    def on_mount(self) -> None:
        """Show all three."""
        for side in ("theirs", "mine"):
            view = self.query_one(f"#{side}", PageView)
            self.call_after_refresh(view.show, Page(self._texts[side]))
        area = self.query_one(MarkdownArea)
        area.put(self._proposal)
        self.set_focus(area if self._typing else self.query_one("#theirs", PageView))

    def action_take(self, which: str) -> None:
        """Answer with one of the three texts."""
        self.dismiss(self.query_one(MarkdownArea).value if which == "result" else self._texts[which])
