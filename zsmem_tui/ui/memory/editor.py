"""The editor pane: the text of one file, the version it is based on, and the timer for drafts."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer
from textual.widgets import Input, Static

from zsmem_tui.core.markdown import front_matter
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted
from zsmem_tui.ui import signs
from zsmem_tui.ui.messages import Said
from zsmem_tui.ui.widgets.frame import Notice, Pane

if TYPE_CHECKING:
    from zsmem_tui.service.editing import Editable
    from zsmem_tui.ui.memory.editor_area import EditorArea

DRAFT_SECONDS = 1.0
"""Seconds after a change until the unsaved text is kept as a draft, also while typing goes on; the first change is kept at once."""


class FindLine(Input):
    """The input for the text to find, or for its replacement."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("down,ctrl+n", "find_next(1)"),
        ("up,alt+n", "find_next(-1)"),
        ("ctrl+r", "replace"),
        ("ctrl+s", "screen.save"),
    ]

    def action_replace(self) -> None:
        """In the find line, open the replacement line; in the replacement line, replace all matches."""
        pane = self.query_ancestor(EditorPane)
        if self.id == "editor-replace":
            pane.replace(everywhere=True)
        else:
            pane.action_open_find(replace=True)


class EditorPane(Pane):
    """The pane that edits one file. Changes on disk replace its text only while nothing is typed.

    Its widgets are mounted for the first file.
    """

    heading = reactive("")
    """The title of the edited file, with a mark if unsaved; empty if none is edited."""

    class DraftDue(Message):
        """Posted at the first change, then a second after one that no draft has: it should be written."""

    class Typed(Message):
        """Posted when the text has changed."""

        def can_replace(self, message: Message) -> bool:
            """Drop pending messages of this type in favour of the last one."""
            return isinstance(message, EditorPane.Typed)

    _editable: Editable
    """The text as last loaded or saved; unset before the first file."""

    def __init__(self) -> None:
        super().__init__(id="editor")
        self.disabled = True  # while no file is edited it takes no focus, no key and no room
        self.ref: MemRef | None = None
        self.base: bytes | None = None
        self.on_disk: bytes | None = None
        """What the last save left on disk: `base`, and lines that the text cannot hold."""
        self._title = ""
        self._timer: Timer | None = None
        self._is_begun = False
        """Whether the unsaved text was kept, or is being kept, at least once since it was loaded or saved."""
        self._area: EditorArea | None = None
        self._refusal = ""
        """Why the text was not saved; the notice says it until it is."""

    @property
    def area(self) -> EditorArea:
        """The text area; fails before the first file."""
        assert self._area is not None, "nothing is being edited"
        return self._area

    @property
    def unsaved(self) -> bool:
        """Whether a save would change the text that was loaded or saved last."""
        return self.ref is not None and self._editable.ended(self.area.value) != self._editable.text

    async def open(
        self, ref: MemRef, base: bytes | None, *, title: str, text: bytes | None = None, line: int = 0, row: int | None = None
    ) -> None:
        """Edit a file with the content `base`; with `text`, continue with that unsaved text.

        Put the cursor on `line`, at screen row `row`; from the top it goes below the front matter.
        """
        from zsmem_tui.service.editing import Editable  # deferred: imports the write path

        if self._area is None:
            from zsmem_tui.ui.memory.editor_area import EditorArea  # deferred: 20 ms and 3 MB

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
        self.disabled = False
        self.base = self.on_disk = base
        self._is_begun = text is not None
        self._title = title
        self._editable = Editable(base or b"")
        self._refusal = ""
        self.banner("")
        self.area.put(self._editable.text if text is None else Editable(text).text)
        if not line and (head := front_matter(self.area.document.lines)):
            line, row = head, None if row is None else row + head
        self.area.move_cursor((min(line, self.area.document.line_count - 1), 0), center=True)
        self.area.begin_at(row)
        self.tell()
        self.post_message(self.Typed())

    def to_end(self) -> None:
        """Put the cursor where one continues a new file: at its first empty item, else at the end."""
        document = self.area.document
        row = next((row for row, line in enumerate(document.lines) if line.startswith("- [ ]")), document.line_count - 1)
        self.area.move_cursor((row, len(document.get_line(row))))

    def content(self) -> bytes:
        """The bytes to save. Raises `BadContent`."""
        return self._editable.encode(self._editable.ended(self.area.value))

    def saved(self, content: bytes, submitted: str, why_no_undo: str) -> None:
        """Take over `content`, which is on disk now, saved from the text `submitted`.

        Lines added by others are merged into the text; what was typed during the save is kept. `why_no_undo` is said if the steps
        of editing end there.
        """
        from zsmem_tui.core.merge import Merged, merge, same_line, split  # deferred: needed only for editing
        from zsmem_tui.service.editing import Editable  # deferred: likewise
        from zsmem_tui.ui.widgets.markdown_area import holds_back_characters  # deferred: likewise

        now, self.on_disk = self.area.value, content
        if holds_back_characters(content.decode("utf-8", "replace")):
            content = self._editable.encode(submitted)  # other people's lines stay on disk only; the next save merges them again
        self.base = content
        self._is_begun = False
        self._editable = Editable(content)
        text = self._editable.text
        if now != submitted:
            found = merge(submitted.encode(), now.encode(), text.encode())
            text = found.text.decode() if isinstance(found, Merged) else now
        if text not in (now, self._editable.ended(now)):  # a different last line end alone should not clear the undo history
            (row, column), screen_row = self.area.cursor_location, self.area.cursor_row
            self.area.put(text)
            self.area.why_no_undo = why_no_undo
            row = same_line(row, split(now.encode()), split(text.encode()))
            self.area.move_cursor((min(row, self.area.document.line_count - 1), column))
            self.area.put_at(screen_row)
        self._refusal = ""
        self.banner("")
        self.tell()

    def close(self) -> None:
        """Stop editing."""
        self.ref = None
        self.disabled = True
        self.heading = ""
        self.end_wait()

    def end_wait(self) -> None:
        """The draft is being written, or none is wanted: the next change begins another wait."""
        if self._timer:
            self._timer.stop()
            self._timer = None

    def banner(self, text: str, *, until_saved: bool = False) -> None:
        """Show a notice above the text, or none; one that stays `until_saved` is shown before others."""
        if until_saved:
            self._refusal, text = text, ""
        self.query_one(Notice).show(" ".join(filter(None, (self._refusal, text))))

    def show_meter(self, text: str, *, warning: bool) -> None:
        """Show how full the prompt would be with this text; does nothing if the line is gone because the program is ending."""
        for line in self.query("#meter").results(Static):
            line.update(Content(text))
            line.set_class(warning, "-over")

    def tell(self) -> None:
        """Show the title, the cursor's position, and whether the text is saved."""
        if self.ref is not None:
            self.heading = f"{f'{signs.UNSAVED} ' if self.unsaved else ''}{self._title}"
            self.border_title = Content(f"2 {self.heading}")
            row, column = self.area.cursor_location
            how = "unsaved · ctrl+s save" if self.unsaved else "saved"
            more = len(self.area.carets.more)
            cursors = f"{more + 1} cursors · esc one · " if more else ""
            self.border_subtitle = Content(f"{cursors}{row + 1}:{column + 1} · {how}")

    def action_open_find(self, replace: bool = False) -> None:
        """Open the find line, and with `replace`, the replacement line."""
        line, other = self.query_one("#editor-find", Input), self.query_one("#editor-replace", Input)
        if self._area is not None and self.area.has_focus and "\n" not in self.area.selected_text and self.area.selected_text:
            from zsmem_tui.ui.widgets.markdown_area import given_back  # deferred: imports `TextArea`

            line.value = given_back(self.area.selected_text)
        line.add_class("-shown")
        other.set_class(replace, "-shown")
        (other if replace and line.value else line).focus()
        line.action_select_all()

    def close_find(self) -> bool:
        """Close the find and replacement lines, with the cursor behind the match found last; False if they were not open."""
        shown = self.query("FindLine.-shown")
        if shown:
            shown.remove_class("-shown")
            self.area.move_cursor(self.area.cursor_location)  # a match left selected would be lost to the next letter
            self.area.focus()
        return bool(shown)

    def action_find_next(self, step: int) -> None:
        """Select the next or previous match, wrapping around; with nothing to find, open the find line."""
        wanted = self.query_one("#editor-find", Input).value
        number, count = self.area.find_next(wanted, step) if wanted else (0, 0)
        if not wanted:
            self.action_open_find()
        elif count:
            self.post_message(Said(f"{number} of {count}"))
        else:
            self.post_message(Said("Nothing found: words are compared letter for letter, in either case.", warning=True))

    def replace(self, *, everywhere: bool = False) -> None:
        """Replace the selected match and go to the next one, or replace all matches."""
        from zsmem_tui.ui.widgets.markdown_area import NOT_PASTED, holds_back_characters  # deferred: imports `TextArea`

        wanted, new = (self.query_one(f"#editor-{each}", Input).value for each in ("find", "replace"))
        if holds_back_characters(new):
            self.post_message(Said(NOT_PASTED, warning=True))
        elif everywhere:
            count = self.area.replace_all(wanted, new)
            self.post_message(Said(f"Replaced {counted(count, 'place')}: ctrl+z in the text takes that back.", warning=not count))
        else:
            self.area.replace_selected(wanted, new)
            self.action_find_next(1)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        self.replace() if event.input.id == "editor-replace" else self.action_find_next(1)

    def on_text_area_selection_changed(self) -> None:
        """Update the cursor's position in the subtitle."""
        self.tell()

    def on_text_area_changed(self) -> None:
        """The text has changed: update the subtitle, and ask for a draft, at once or when the timer ends."""
        self.tell()
        self.post_message(self.Typed())
        if self.unsaved and not self._is_begun:
            self._is_begun = True
            self.post_message(self.DraftDue())
            return
        self._timer = self._timer or self.set_timer(DRAFT_SECONDS, lambda: self.post_message(self.DraftDue()))
