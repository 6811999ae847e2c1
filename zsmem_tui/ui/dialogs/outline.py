"""Choosing a heading."""

from __future__ import annotations

from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui.dialogs.choice import ChoiceDialog


class OutlineDialog(ChoiceDialog):
    """The headings of a text; answers with the line of the chosen one, as digits, or None."""

    def __init__(self, outline: list[tuple[int, int, str]], line: int) -> None:
        rows = [(str(at), f"{'  ' * (level - 1)}{visible_line(words) or '(no words)'}") for at, level, words in outline]
        super().__init__("Outline", "Go to a heading:", rows, names=True)
        here = [place for place, (at, _, _) in enumerate(outline) if at <= line]
        self._here = here[-1] if here else 0

    def _first(self) -> int:
        """The heading that is on the screen."""
        return self._here
