"""The editor: one file's text, its base, and a draft on disk a second after the last key."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer
from textual.widgets import Input, Static

from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted
from zsmem_tui.ui import signs
from zsmem_tui.ui.messages import Said
from zsmem_tui.ui.widgets.frame import Notice, Pane

if TYPE_CHECKING:
    from zsmem_tui.service.editing import Editable
    from zsmem_tui.ui.memory.editor_area import EditorArea

DRAFT_SECONDS = 1.0
"""Seconds of quiet after which unsaved text is kept on disk."""


class FindLine(Input):
    """What to find, or what to put there instead."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("down,ctrl+n", "find_next(1)"),
        ("up,alt+n", "find_next(-1)"),
        ("ctrl+r", "replace"),
        ("ctrl+s", "screen.save"),
    ]

    def action_replace(self) -> None:
        """From the words to find to the others; from those: everywhere."""
        pane = self.query_ancestor(EditorPane)
        if self.id == "editor-replace":
            pane.replace(everywhere=True)
        else:
            pane.action_open_find(replace=True)


class EditorPane(Pane):
    """Edits one file. Text under the cursor is never replaced by what happens on disk.

    What it is made of comes with the first file that is edited.
    """

    heading = reactive("")
    """What is edited, marked while it is not saved; empty where nothing is."""

    class DraftDue(Message):
        """A second has passed since the last key."""

    class Typed(Message):
        """The text is another one now."""

        def can_replace(self, message: Message) -> bool:
            """Only the last of many keys counts."""
            return isinstance(message, EditorPane.Typed)

    _editable: Editable
    """What was loaded or saved last; there is none before the first file that is edited."""

    def __init__(self) -> None:
        super().__init__(id="editor")
        self.ref: MemRef | None = None
        self.base: bytes | None = None
        self._title = ""
        self._timer: Timer | None = None
        self._area: EditorArea | None = None

    @property
    def area(self) -> EditorArea:
        """The text area."""
        assert self._area is not None, "nothing is being edited"
        return self._area

    @property
    def unsaved(self) -> bool:
        """Whether a save would write another text than what was loaded or saved last."""
        return self.ref is not None and self._editable.ended(self.area.value) != self._editable.text

    async def open(
        self, ref: MemRef, base: bytes | None, *, title: str, text: bytes | None = None, line: int = 0, row: int | None = None
    ) -> None:
        """Edit a file that holds `base`, called `title`; with `text`, go on with that unsaved text.

        The cursor is on `line`, at `row` of the screen.
        """
        from zsmem_tui.service.editing import Editable  # with the write path, after the first frame

        if self._area is None:
            from zsmem_tui.ui.memory.editor_area import EditorArea  # 20 ms and 3 MB that the first frame can do without

            area = EditorArea(id="text")
            find, instead = "find · enter down: next · up: before", "instead · enter: this one · ctrl+r: all"
            await self.mount(
                Notice(),
                FindLine(placeholder=find, id="editor-find", classes="line-input"),
                FindLine(placeholder=instead, id="editor-replace", classes="line-input"),
                area,
                Static("", id="meter", markup=False),
            )
            self._area = area
        self.ref = ref
        self.base = base
        self._title = title
        self._editable = Editable(base or b"")
        self.banner("")
        self.area.put(self._editable.text if text is None else Editable(text).text)
        self.area.move_cursor((min(line, self.area.document.line_count - 1), 0), center=True)
        self.area.begin_at(row)
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
        return self._editable.encode(self._editable.ended(self.area.value))

    def saved(self, content: bytes, submitted: str) -> None:
        """What is on disk now is `content`, made from the `submitted` text.

        Lines that somebody else added show up in the text, and what was typed while it was being saved stays in it.
        """
        from zsmem_tui.core.merge import Merged, merge, same_line, split  # loaded with the first file that is edited
        from zsmem_tui.service.editing import Editable  # as above
        from zsmem_tui.ui.widgets.markdown_area import holds_back_characters  # there already

        now = self.area.value
        if holds_back_characters(content.decode("utf-8", "replace")):
            content = self._editable.encode(submitted)  # the lines of others stay on disk only: the next save merges them again
        self.base = content
        self._editable = Editable(content)
        text = self._editable.text
        if now != submitted:
            found = merge(submitted.encode(), now.encode(), text.encode())
            text = found.text.decode() if isinstance(found, Merged) else now
        if text not in (now, self._editable.ended(now)):  # a line end alone is no reason to forget what can be undone
            (row, column), screen_row = self.area.cursor_location, self.area.cursor_row
            self.area.put(text)
            row = same_line(row, split(now.encode()), split(text.encode()))
            self.area.move_cursor((min(row, self.area.document.line_count - 1), column))
            self.area.put_at(screen_row)
        self.banner("")
        self.tell()

    def close(self) -> None:
        """Edit nothing."""
        self.ref = None
        self.heading = ""
        if self._timer:
            self._timer.stop()

    def banner(self, text: str) -> None:
        """One line above the text; empty for none."""
        self.query_one(Notice).show(text)

    def show_meter(self, text: str, *, warning: bool) -> None:
        """How full the prompt would be with this text; nothing once the program has begun to end, and the line is gone."""
        for line in self.query("#meter").results(Static):
            line.update(Content(text))
            line.set_class(warning, "-over")

    def tell(self) -> None:
        """Name the file and whether it is saved."""
        if self.ref is not None:
            self.heading = f"{f'{signs.UNSAVED} ' if self.unsaved else ''}{self._title}"
            self.border_title = Content(f"2 {self.heading}")
            row, column = self.area.cursor_location
            how = "unsaved · ctrl+s save" if self.unsaved else "saved"
            more = len(self.area.carets.more)
            cursors = f"{more + 1} cursors · esc one · " if more else ""
            self.border_subtitle = Content(f"{cursors}{row + 1}:{column + 1} · {how}")

    def action_open_find(self, replace: bool = False) -> None:
        """Let the person type what to find, and what to put there instead."""
        line, other = self.query_one("#editor-find", Input), self.query_one("#editor-replace", Input)
        if self._area is not None and self.area.has_focus and "\n" not in self.area.selected_text and self.area.selected_text:
            from zsmem_tui.ui.widgets.markdown_area import given_back  # with the text area, as below

            line.value = given_back(self.area.selected_text)
        line.add_class("-shown")
        other.set_class(replace, "-shown")
        (other if replace and line.value else line).focus()
        line.action_select_all()

    def close_find(self) -> bool:
        """Drop the find line; False when it was not there."""
        lines = self.query(FindLine)
        if not any(line.has_class("-shown") for line in lines):
            return False
        lines.remove_class("-shown")
        self.area.focus()
        return True

    def action_find_next(self, step: int) -> None:
        """Select the next place that holds the words, or the one before, round the ends."""
        wanted = self.query_one("#editor-find", Input).value
        number, count = self.area.find_next(wanted, step) if wanted else (0, 0)
        if not wanted:
            self.action_open_find()
        elif count:
            self.post_message(Said(f"{number} of {count}"))
        else:
            self.post_message(Said("Nothing found: words are compared letter for letter, in either case.", warning=True))

    def replace(self, *, everywhere: bool = False) -> None:
        """Put the other words where the selected ones stand, and go to the next; or wherever they stand."""
        from zsmem_tui.ui.widgets.markdown_area import NOT_PASTED, holds_back_characters  # as above

        wanted, new = (self.query_one(f"#editor-{each}", Input).value for each in ("find", "replace"))
        if holds_back_characters(new):
            self.post_message(Said(NOT_PASTED, warning=True))
        elif everywhere:
            count = self.area.replace_all(wanted, new)
            self.post_message(Said(f"Replaced {counted(count, 'place')}: ctrl+z in the text takes that back.", warning=not count))
        else:
            self.area.replace_selected(wanted, new)
            self.action_find_next(1)

    @on(Input.Submitted, "#editor-find")
    def _find(self) -> None:
        self.action_find_next(1)

    @on(Input.Submitted, "#editor-replace")
    def _replace(self) -> None:
        self.replace()

    def on_text_area_selection_changed(self) -> None:
        """The cursor moved: say where it is."""
        self.tell()

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
