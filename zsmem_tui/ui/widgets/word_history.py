"""What was typed, to be taken back word by word."""

from __future__ import annotations

from typing import Final

from textual.widgets.text_area import Edit, EditHistory, EditResult

from zsmem_tui.ui.textual_private import forget_redo, result_of, set_result

_MOST_STEPS: Final = 1_000
"""Steps that are kept: more than anybody takes back one by one."""

_FOREVER: Final = 1 << 30
"""Seconds and characters that a word may take: it is one step however slowly it was typed."""


class WordHistory(EditHistory):
    """Groups keys into words: what begins a word begins a step. A paste, a line break and a cursor that moves do as always."""

    def __init__(self) -> None:
        super().__init__(max_checkpoints=_MOST_STEPS, checkpoint_timer=_FOREVER, checkpoint_max_characters=_FOREVER)
        self._in_word = False
        self.goes_on = False
        """Whether the next edit belongs to the step before it: it replaces what that one put there, by as many lines."""

    def record(self, edit: Edit) -> None:
        """Take an edit in; one that begins a word, typed or deleted, begins a step."""
        done = result_of(edit)
        last = self.undo_stack[-1][-1] if self.goes_on and self.undo_stack else None
        before = result_of(last) if last is not None else None
        if done and last and before and (edit.top, edit.bottom) == (last.top, before.end_location):
            last.text = edit.text
            set_result(last, EditResult(done.end_location, before.replaced_text))
            forget_redo(self)
            return
        text = edit.text or (done.replaced_text if done is not None else "")
        in_word = bool(text) and not text.isspace()
        if in_word and not self._in_word:
            self.checkpoint()
        self._in_word = in_word
        super().record(edit)

    def end_word(self) -> None:
        """What is typed next begins a step of its own: in one with a line break, rows would be drawn where none are."""
        self.checkpoint()
        self._in_word = False
