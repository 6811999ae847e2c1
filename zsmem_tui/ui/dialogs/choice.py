"""Questions: one of several answers, or a line of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Paste
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from zsmem_tui.core.text import lines
from zsmem_tui.core.visible import visible
from zsmem_tui.ui.layer import Layer
from zsmem_tui.ui.widgets.answers import Answers


class ChoiceDialog(ModalScreen[str | None], Layer[str | None]):
    """Answers with the id of what was chosen; None for none. The first answer is the safe one and has the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "Close"), ("j", "move(1)"), ("k", "move(-1)")]

    def __init__(self, title: str, text: str, answers: Sequence[tuple[str, str]]) -> None:
        super().__init__(classes="dialog-screen")
        self._title = title
        self._text = text
        self._answers = answers

    def compose(self) -> ComposeResult:
        """The question, then the answers."""
        with Vertical(classes="dialog -question") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = Content("enter choose · esc close")
            yield Static(Content(visible(self._text)), classes="question", markup=False)
            yield Answers(*(Option(Content(visible(label)), id=id) for id, label in self._answers), markup=False)

    def on_mount(self) -> None:
        """The safe answer first."""
        answers = self.query_one(OptionList)
        answers.highlighted = 0
        self.set_focus(answers)

    def action_move(self, step: int) -> None:
        """Move the cursor."""
        answers = self.query_one(OptionList)
        answers.action_cursor_down() if step > 0 else answers.action_cursor_up()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)


class PasteInput(Input):
    """A line that holds all lines of a paste: it shows the first and how many there are."""

    held = ""
    """The pasted lines; empty once something else is typed."""

    def on_paste(self, event: Paste) -> None:
        """Keep every line."""
        pasted = [line for line in lines(event.text.replace("\r\n", "\n").replace("\r", "\n")) if line.strip()]
        if len(pasted) > 1:
            event.prevent_default()
            event.stop()
            self.value = f"{pasted[0]} … ({len(pasted)} lines)"
            self.held = "\n".join(pasted)
            self.cursor_position = len(self.value)

    def validate_value(self, value: str) -> str:
        """Another text: the paste does not count any more."""
        self.held = ""
        return value


class PromptDialog(ModalScreen[str | None], Layer[str | None]):
    """Answers with a line of text; None when it was closed."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "Close")]

    def __init__(self, title: str, text: str, value: str = "", *, lines: bool = False) -> None:
        super().__init__(classes="dialog-screen")
        self._lines = lines
        """Whether several lines may be pasted; the answer has them all."""
        self._title = title
        self._text = text
        self._value = value

    def compose(self) -> ComposeResult:
        """The question, then the line."""
        with Vertical(classes="dialog -question") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = Content("enter done · esc close")
            yield Static(Content(visible(self._text)), classes="question", markup=False)
            yield (
                PasteInput(self._value, id="answer", compact=True) if self._lines else Input(self._value, id="answer", compact=True)
            )

    def on_mount(self) -> None:
        """Type at once."""
        self.set_focus(self.query_one(Input))

    @on(Input.Submitted)
    def _done(self, event: Input.Submitted) -> None:
        held = event.input.held if isinstance(event.input, PasteInput) else ""
        self.dismiss(held or event.value)
