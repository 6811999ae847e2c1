"""The editor's text area, with its keys."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.events import Paste

from zsmem_tui.service.editing import MAX_EDIT_BYTES
from zsmem_tui.ui.actions import bindings
from zsmem_tui.ui.format import common as format
from zsmem_tui.ui.messages import Said
from zsmem_tui.ui.widgets.markdown_area import MarkdownArea


class EditorArea(MarkdownArea):
    """The text area with the editor's keys."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("editor")]

    async def _on_paste(self, event: Paste) -> None:
        """What is too much to edit here is not pasted, and that is said."""
        size = len(event.text.encode("utf-8", "replace"))
        if size > MAX_EDIT_BYTES:
            event.prevent_default()
            event.stop()
            text = f"{format.size(size)} is too much to paste here: nothing was pasted. Save, and use your own editor (o)."
            self.post_message(Said(text, warning=True))
