"""The editor: one file's text, its base, and a draft on disk a second after the last key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static

from zsmem_tui.core.merge import Merged, merge
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service.editing import Editable
from zsmem_tui.ui.format import common as format

if TYPE_CHECKING:
    from zsmem_tui.ui.panes.editor_area import EditorArea

DRAFT_SECONDS = 1.0
"""Seconds of quiet after which unsaved text is kept on disk."""


class EditorPane(Vertical):
    """Edits one file. Text under the cursor is never replaced by what happens on disk."""

    class DraftDue(Message):
        """A second has passed since the last key."""

    class Typed(Message):
        """The text is another one now."""

        def can_replace(self, message: Message) -> bool:
            """Only the last of many keys counts."""
            return isinstance(message, EditorPane.Typed)

    def __init__(self) -> None:
        super().__init__(id="editor", classes="pane")
        self.ref: MemRef | None = None
        self.base: bytes | None = None
        self._editable = Editable(b"")
        self._timer: Timer | None = None
        self._area: EditorArea | None = None

    def compose(self) -> ComposeResult:
        """A banner and a find line; the text area comes with the first file that is edited."""
        yield Static("", classes="notice", markup=False)
        yield Input(placeholder="find", id="editor-find", classes="line-input", compact=True)

    @property
    def area(self) -> EditorArea:
        """The text area."""
        assert self._area is not None, "nothing is being edited"
        return self._area

    @property
    def unsaved(self) -> bool:
        """Whether the text differs from what was loaded or saved last."""
        return self.ref is not None and self.area.value != self._editable.text

    async def open(
        self, ref: MemRef, base: bytes | None, *, text: bytes | None = None, line: int = 0, row: int | None = None
    ) -> None:
        """Edit a file that holds `base`; with `text`, go on with that unsaved text.

        The cursor is on `line`, at `row` of the screen.
        """
        if self._area is None:
            from zsmem_tui.ui.panes.editor_area import EditorArea  # 20 ms and 3 MB that the first frame can do without

            area = EditorArea(id="text")
            await self.mount(area)
            await self.mount(Static("", id="meter", markup=False))
            self._area = area
        self.ref = ref
        self.base = base
        self._editable = Editable(base or b"")
        self.banner("")
        self.area.put(self._editable.text if text is None else Editable(text).text)
        self.area.move_cursor((min(line, self.area.document.line_count - 1), 0), center=True)
        if row is not None:
            self.call_after_refresh(self.area.put_at, row)  # it has its place on the screen only then
        self.tell()
        self.post_message(self.Typed())

    @property
    def place(self) -> tuple[int, int | None]:
        """The line of the cursor, and the row of the screen that it is on."""
        return self.area.cursor_location[0], self.area.cursor_row

    def to_end(self) -> None:
        """Put the cursor where a text that was just made goes on: below its heading, behind its empty item."""
        document = self.area.document
        row = next((row for row, line in enumerate(document.lines) if line.startswith("- [ ]")), document.line_count - 1)
        self.area.move_cursor((row, len(document.get_line(row))))

    def content(self) -> bytes:
        """The bytes to save. Raises `BadContent`."""
        return self._editable.encode(self.area.value)

    def saved(self, content: bytes, submitted: str) -> None:
        """What is on disk now is `content`, made from the `submitted` text.

        Lines that somebody else added show up in the text, and what was typed while it was being saved stays in it.
        """
        now = self.area.value
        self.base = content
        self._editable = Editable(content)
        text = self._editable.text
        if now != submitted:
            found = merge(submitted.encode(), now.encode(), text.encode())
            text = found.text.decode() if isinstance(found, Merged) else now
        if text != now:
            row, column = self.area.cursor_location
            top = self.area.scroll_offset.y
            self.area.put(text)
            self.area.move_cursor((min(row, self.area.document.line_count - 1), column))
            self.area.scroll_to(y=top, animate=False)
        self.banner("")
        self.tell()

    def close(self) -> None:
        """Edit nothing."""
        self.ref = None
        if self._timer:
            self._timer.stop()

    def banner(self, text: str) -> None:
        """One line above the text; empty for none."""
        notice = self.query_one(".notice", Static)
        notice.update(text)
        notice.set_class(bool(text), "-shown")

    def show_meter(self, text: str, *, warning: bool) -> None:
        """How full the prompt would be with this text."""
        line = self.query_one("#meter", Static)
        line.update(Content(text))
        line.set_class(warning, "-over")

    def tell(self) -> None:
        """Name the file and whether it is saved."""
        if self.ref is not None:
            self.border_title = Content(f"2 {'● ' if self.unsaved else ''}{format.title_of(self.ref)}")
            self.border_subtitle = Content("unsaved · ctrl+s save" if self.unsaved else "saved")

    def open_find(self) -> None:
        """Let the person type what to find."""
        line = self.query_one("#editor-find", Input)
        line.add_class("-shown")
        line.focus()

    def close_find(self) -> bool:
        """Drop the find line; False when it was not there."""
        line = self.query_one("#editor-find", Input)
        if not line.has_class("-shown"):
            return False
        line.remove_class("-shown")
        self.area.focus()
        return True

    @on(Input.Submitted, "#editor-find")
    def _find(self, event: Input.Submitted) -> None:
        """Select the next place that holds the words, in either case, from the cursor on and round."""
        wanted = event.value.lower()
        lines = self.area.document.lines
        row, column = self.area.cursor_location
        for offset in range(len(lines) + 1):
            number = (row + offset) % len(lines)
            at = lines[number].lower().find(wanted, column + 1 if offset == 0 else 0) if wanted else -1
            if at >= 0:
                self.area.move_cursor((number, at), center=True)
                self.area.move_cursor((number, at + len(wanted)), select=True)
                return

    def on_text_area_changed(self) -> None:
        """A key was typed: say that there is unsaved text, and keep it on disk when it is quiet."""
        self.tell()
        self.post_message(self.Typed())
        if self._timer:
            self._timer.stop()
        self._timer = self.set_timer(DRAFT_SECONDS, self._quiet)

    def _quiet(self) -> None:
        if self.unsaved:
            self.post_message(self.DraftDue())
