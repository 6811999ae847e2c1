"""The viewer: one file, rendered or raw, with find and outline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.content import Content
from textual.events import Key
from textual.widgets import Input

from zsmem_tui.core.refs import Role
from zsmem_tui.core.search import fold_term
from zsmem_tui.core.text import counted, plural, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui import signs, wording
from zsmem_tui.ui.messages import Said, Selected
from zsmem_tui.ui.open_store import At
from zsmem_tui.ui.widgets.frame import FilterLine, Notice, Pane

if TYPE_CHECKING:
    from zsmem_tui.service.browsing import OpenFile
    from zsmem_tui.ui.memory.file_view import FileView
    from zsmem_tui.ui.reading.page import Page


class ViewerPane(Pane):
    """Shows a file; remembers where it was scrolled to while the file changes underneath.

    What it is made of comes with the first page that is asked for.
    """

    def __init__(self, *, keeps_breaks: bool = False) -> None:
        super().__init__(id="viewer")
        self._keeps_breaks = keeps_breaks
        self.file: OpenFile | None = None
        self.store = ""
        """The key of the store that the file is in."""
        self.about: tuple[At, str] | None = None
        """The row of the tree whose page is shown instead of a file, and that page."""
        self._terms: tuple[bytes, ...] = ()
        self._matches: list[int] = []
        self._at = -1
        self._find_from = 0
        self._in_prompt: bool | None = None
        self._loss = ""
        """Whether the file is one that agents put into the prompt; None: not known yet."""
        self._notes = ""
        """What is wrong between the file and what lists it."""
        self._view: FileView | None = None
        self._find: FilterLine
        """There once the page is."""
        self.border_title = Content("2 Viewer")

    @property
    def view(self) -> FileView:
        """The page on the screen."""
        if self._view is None:
            from zsmem_tui.ui.memory.file_view import FileView  # with Markdown and its styles 10 ms, after the first frame

            self._view = FileView(keeps_breaks=self._keeps_breaks)
            self._find = FilterLine("find in this file", id="find", rows="page", keeps=True)
            self.mount(self._find, Notice(), self._view)
        return self._view

    def show(
        self,
        file: OpenFile,
        page: Page,
        *,
        line: int | None = None,
        terms: tuple[bytes, ...] = (),
        row: int | None = None,
        whole_words: bool = False,
    ) -> None:
        """Show a file from `line` on, or with it at `row` of the screen, `terms` marked, or only `whole_words`.

        The same file again stays as scrolled.
        """
        same = self.file is not None and self.file.ref == file.ref
        keep = same and line is None
        if not same or self.file is None or self.file.raw != file.raw:
            self._in_prompt, self.view.line_marks.marks = None, ""
            self._notes = self._notes if same else ""
        back = same and row is not None  # from the editor: what was looked for is looked for still
        if not same:  # what was found in it may need the room
            self.view.line_marks.needed = _may_be_in_prompt(file)
        self.file, self.about = file, None
        self.post_message(Selected())
        if not keep and not back:
            self._terms, self.view.whole_words = terms, whole_words
        self._matches = []
        self._at = -1
        self._tell(file)
        self.view.show(page, line=line, keep=keep, terms=self._terms)
        if line is not None and row is not None:
            self.call_after_refresh(self.view.go_to, line, row=row)  # the view has its place on the screen only then
        if self._terms and back:
            self._matches = page.find(list(self._terms), whole_words=self.view.whole_words)
            self._at = next((place for place, match in enumerate(self._matches) if match >= (line or 0)), len(self._matches)) - 1
            self.view.mark(self._terms)
            self._subtitle()
        elif self._terms:
            self._find_all(self._terms, line if line is not None else self.view.top_line)
        else:
            self._subtitle()

    def show_marks(self, marks: str, notes: str = "", *, in_prompt: bool | None = None, loss: str = "") -> None:
        """Show a mark beside each line; `in_prompt` says whether agents put something of this file there (None: if it has marks).

        `notes` is what is wrong between the file and what lists it, `loss` what is lost of it, in words.
        """
        self._in_prompt = bool(marks) if in_prompt is None else in_prompt
        self._loss = loss
        if notes != self._notes and self.file is not None:
            self._notes = notes
            self._tell(self.file)
        self.view.line_marks.marks = marks
        self.view.need_marks(needed=bool(marks) or (self.file is not None and _may_be_in_prompt(self.file)))
        self.view.refresh()
        self._subtitle()

    def show_nothing(self, text: str, title: str = "2 Viewer") -> None:
        """No file: a page of Markdown that says why, and what helps."""
        self.file, self.about = None, None
        self.post_message(Selected())
        self._in_prompt, self.view.line_marks.marks = None, ""
        self.view.line_marks.needed = False
        self._terms, self._matches, self._at = (), [], -1
        self.border_title = Content(title)
        self.border_subtitle = Content("")
        self.query_one(Notice).show("")
        self.say_empty("")
        self.view.show_markdown(text)

    def close_find(self) -> bool:
        """Drop the find line and its marks; False when it was not there."""
        if self._view is None or not self._find.close():
            return False
        if not self._matches:
            self.view.scroll_to(y=self._find_from, animate=False)
        self._terms, self._matches, self._at = (), [], -1
        self.view.mark(())
        self._subtitle()
        return True

    def action_open_find(self) -> None:
        """Let the person type what to find."""
        self._find_from = self.view.scroll_offset.y
        self._find.begin()

    def action_next(self, step: int) -> None:
        """Go to the next match, or the one before."""
        if not self._terms:
            self.post_message(Said("Nothing to find yet: / finds words in this file.", warning=True))
        elif not self._matches:
            self.post_message(Said("No match in this file.", warning=True))
        else:
            self._go(self._at + step)

    def action_toggle_raw(self) -> None:
        """Rendered or raw."""
        self.view.toggle_raw()
        self._subtitle()
        self.post_message(Said("The text as it stands in the file." if self.view.raw else "Markdown rendered."))

    def action_toggle_breaks(self) -> None:
        """Join the lines of paragraphs, or keep them."""
        self.view.keeps_breaks = not self.view.keeps_breaks
        self.view.begin(self.view.top_line)
        told = "stay as they are written" if self.view.keeps_breaks else "are joined"
        self.post_message(Said(f"The lines of a paragraph {told}. The setting `line_breaks` makes it last."))

    def action_choose_link(self, step: int) -> None:
        """Choose the next link, or the one before, and say where it leads; while text is selected, its end moves."""
        if self.view.selecting.move(step, 0):
            return
        if not self.view.choose_link(step):
            self.post_message(Said("There is no link in this text.", warning=True))
            return
        target = visible_line(self.view.target_words)
        self.post_message(Said(f"Link to {target} · enter follows, l and h choose another"))

    def action_toggle_marks(self) -> None:
        """Show what of each line is in the prompt, or not."""
        self.view.toggle_marks()
        self._subtitle()
        told = (
            f"{signs.CUT} cut  {signs.LOST} lost  {signs.NOT_LOADED} not loaded by design  {signs.LOOK} link, or found [8]"
            if self.view.line_marks.shown
            else "Without the marks of the prompt."
        )
        self.post_message(Said(told))

    def action_select_text(self, how: str, sideways: int = 0, down: int = 0) -> None:
        """Select characters or whole lines with the keys that move, or move the end of what is selected."""
        selecting = self.view.selecting
        found = selecting.extend(sideways, down) if how == "more" else selecting.toggle(whole=how == "lines")
        self._subtitle()
        if not found:
            self.post_message(Said("There is no text to select.", warning=True))
        elif how != "more":
            what = "Selecting whole lines" if how == "lines" else "Selecting"
            told = f"{what}: h j k l and the arrows move the end · y copies · esc drops it"
            self.post_message(Said(told if selecting.is_on else "Nothing is selected any more."))

    def key_escape(self, event: Key) -> None:
        """Drop what is selected with keys, and nothing else: the screen would drop it on the way to the next step back."""
        if self.stop_selecting():
            event.stop()

    def stop_selecting(self) -> bool:
        """Select nothing with keys any more; False when nothing was."""
        was_on = self.view.selecting.stop()
        if was_on:
            self._subtitle()
        return was_on

    def copy(self) -> None:
        """Copy the selection, or where the chosen link leads, or the whole text."""
        if not self.file or not self.file.text:
            self.post_message(Said("Nothing to copy.", warning=True))
            return
        selecting, target = self.view.selecting, self.view.target_words
        lines = selecting.lines
        selected = lines or self.view.selected_text()
        text = selected or target or self.file.text
        self.app.copy_to_clipboard(text.encode("utf-8", "replace").decode())
        what = (
            counted(lines.count("\n"), "line")
            if lines
            else "the selection"
            if selected
            else "where the link leads"
            if target
            else "the whole file"
        )
        selecting.stop()
        self._subtitle()
        self.post_message(Said(f"Sent {what} to the terminal's clipboard ({wording.size(len(text.encode('utf-8', 'replace')))})."))

    @on(Input.Changed, "#find")
    def _find_changed(self, event: Input.Changed) -> None:
        text = trim(event.value)
        self._terms, self.view.whole_words = (fold_term(text),) if text else (), False
        self._find_all(self._terms, self.view.top_line)

    def _find_all(self, terms: tuple[bytes, ...], line: int) -> None:
        self._matches = self.view.page.find(list(terms), whole_words=self.view.whole_words) if terms else []
        if self._matches:
            self._go(next((place for place, match in enumerate(self._matches) if match >= line), 0))
        else:
            self._at = -1
            self.view.mark(terms)
            if terms and self._find.is_shown:
                self.view.scroll_to(y=self._find_from, animate=False)
            self._subtitle()

    def _go(self, place: int) -> None:
        self._at = place % len(self._matches)
        line = self._matches[self._at]
        self.view.mark(self._terms, line)
        self.view.go_to(line)
        self._subtitle()

    def _tell(self, file: OpenFile) -> None:
        words = file.problem or self._notes
        self.query_one(Notice).show(f"! {words}" if words and not file.missing else "")
        text = (
            "Nothing is here any more, or it is a link that leads nowhere."
            if file.missing
            else "This file is empty."
            if not file.raw
            else ""
        )
        if file.problem and file.fingerprint is None and not file.missing:
            text = "It cannot be shown."
        self.say_empty(text)

    def _subtitle(self) -> None:
        if not self.file:
            return
        parts = ["selecting"] if self.view.selecting.is_on else []
        parts += ["raw"] if self.view.raw else []
        if self._terms:
            parts.append(f"{self._at + 1} of {len(self._matches)}" if self._matches else "no match")
        parts += self._about_prompt()
        count = len(self.view.page.lines)
        parts.append(f"{count} {plural('line', count)} · {wording.size(len(self.file.raw))}")
        self.border_subtitle = Content(" · ".join(parts))

    def _about_prompt(self) -> list[str]:
        """What the gutter says of the file as a whole, while it is shown."""
        gutter = self.view.line_marks
        if not gutter.shown or self._in_prompt is None or not self.file or self.file.missing:
            return []
        if not self._in_prompt:
            return [f"{signs.NOT_LOADED} not loaded by design"]
        return [f"{signs.LOST} {self._loss}"] if self._loss else []


def _may_be_in_prompt(file: OpenFile) -> bool:
    return file.ref.role not in (None, Role.NOTE)
