"""The viewer pane: one file, rendered or raw, with search, links, selection and prompt marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content
from textual.events import Key

from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted
from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui import signs, wording
from zsmem_tui.ui.messages import FileChosen, Said, Selected
from zsmem_tui.ui.open_store import At
from zsmem_tui.ui.widgets.frame import FilterLine, Findable, Notice, Pane

if TYPE_CHECKING:
    from zsmem_tui.service.browsing import OpenFile
    from zsmem_tui.ui.memory.file_view import FileView
    from zsmem_tui.ui.reading.page import Page

LINK_TO: Final = "Link to "


class ViewerPane(Pane, Findable):
    """The pane that shows a file, and keeps the scroll position when the file changes.

    Its widgets are mounted by the first page.
    """

    FIND_IN = "this file"

    def __init__(self, *, keeps_breaks: bool = False) -> None:
        super().__init__(id="viewer")
        self._keeps_breaks = keeps_breaks
        self.file: OpenFile | None = None
        self.store = ""
        """The key of the file's store."""
        self.about: tuple[At, str] | None = None
        """The tree row whose page is shown instead of a file, and the page's text."""
        self._in_prompt: bool | None = None
        """Whether agents load any of the file; None until that is known."""
        self._loss = ""
        """What of the file is lost from the prompt, in words; empty for nothing."""
        self._notes = ""
        """The problems between the file and its index, in words."""
        self._view: FileView | None = None
        self.border_title = Content("2 Viewer")

    @property
    def view(self) -> FileView:
        """The widget with the text, mounted on first use."""
        if self._view is None:
            from zsmem_tui.ui.memory.file_view import FileView  # deferred: 10 ms, with Markdown and its styles

            self._view = FileView(keeps_breaks=self._keeps_breaks)
            find = FilterLine("find in this file", id="find", rows="page", keeps=True)
            self.mount(find, Notice(), self._view)
        return self._view

    def show(self, file: OpenFile, page: Page, event: FileChosen | None = None) -> None:
        """Show a file as it was asked for; a file that is shown already, and no line asked for, keeps its scroll position."""
        event = event or FileChosen(file.ref)
        line, row = event.line, event.row
        same = self.file is not None and self.file.ref == file.ref
        keep = same and line is None
        if not same or self.file is None or self.file.raw != file.raw:
            self._in_prompt, self.view.line_marks.marks = None, ""
            self._notes = self._notes if same else ""
        back = same and row is not None  # coming back from the editor: keep the search
        if not same:  # the gutter's width depends on the file
            self.view.line_marks.needed = _may_be_in_prompt(file)
            self.view.selecting.stop()
        self.file, self.about = file, None
        self.post_message(Selected())
        if not keep and not back:
            self.terms, self.view.whole_words = event.terms, event.whole_words
        near = self.matches[self.at] if keep and self.matches else self.view.top_line if line is None else line
        self._tell(file)
        self.view.show(page, line=line, keep=keep, terms=self.terms)
        if line is not None and row is not None:
            self.call_after_refresh(self.view.go_to, line, row=row)  # only then the view has its position on the screen
        if self.terms:
            self.find_all(self.terms, near, stays=keep or back)
        else:
            self.matches, self.at = (), -1
            self.tell_found()

    def show_marks(self, marks: str, notes: str, *, in_prompt: bool, loss: str) -> None:
        """Show a mark beside each line; `in_prompt`: whether agents load any of the file.

        `notes` are problems between the file and its index, `loss` tells what is lost from the prompt.
        """
        self._in_prompt = in_prompt
        self._loss = loss
        if notes != self._notes and self.file is not None:
            self._notes = notes
            self._tell(self.file)
        gutter, needed = self.view.line_marks, bool(marks) or (self.file is not None and _may_be_in_prompt(self.file))
        gutter.marks = marks
        if gutter.needed != needed:
            gutter.needed = needed
            self.view.begin(self.view.top_line)
        self.view.refresh()
        self.tell_found()

    def show_nothing(self, text: str, title: str = "2 Viewer") -> None:
        """Show a page of Markdown instead of a file."""
        self.file, self.about = None, None
        self.post_message(Selected())
        self._in_prompt, self.view.line_marks.marks = None, ""
        self.view.line_marks.needed = False
        self.terms, self.matches, self.at = (), [], -1
        self.border_title = Content(title)
        self.border_subtitle = Content("")
        self.query_one(Notice).show("")
        self.say_empty("")
        self.view.show_markdown(text)

    @property
    def cannot(self) -> set[str]:
        """The ids of actions that the file shown, or the search in it, does not allow."""
        from zsmem_tui.service.editing import why_not  # deferred: all that writes

        is_whole = self.file is not None and (self.file.undecodable or not why_not(self.file))
        found = {*(() if self.matches else ("diff.next",)), *(() if is_whole else ("file.edit",))}
        return found | {"file.edit", "file.delete"} if self.file is not None and self.file.only_shown else found

    def action_toggle_raw(self) -> None:
        """Switch between rendered and raw text, keeping the top line."""
        line, self.view.raw = self.view.top_line, not self.view.raw
        self.view.begin(line)
        self.tell_found()
        self.post_message(Said("The text as it stands in the file." if self.view.raw else "Markdown rendered."))

    def action_toggle_breaks(self) -> None:
        """Switch between joining and keeping the lines of paragraphs."""
        self.view.keeps_breaks = not self.view.keeps_breaks
        self.view.begin(self.view.top_line)
        told = "stay as they are written" if self.view.keeps_breaks else "are joined"
        self.post_message(Said(f"The lines of a paragraph {told}. The setting `line_breaks` makes it last."))

    def action_choose_link(self, step: int) -> None:
        """Choose the next or previous link and say where it leads; during a selection, move its end instead."""
        if self.view.selecting.move(step, 0):
            return
        if not self.view.choose_link(step):
            self.post_message(Said("There is no link in this text.", warning=True))
            return
        target = visible_line(self.view.target_words)
        self.post_message(Said(f"{LINK_TO}{target} · enter follows, l and h choose another"))

    def action_toggle_marks(self) -> None:
        """Show or hide the prompt marks in the gutter."""
        gutter = self.view.line_marks
        gutter.shown = not gutter.shown
        self.view.begin(self.view.top_line)
        self.tell_found()
        told = f"{signs.CUT} cut  {signs.LOST} lost  {signs.NOT_LOADED} not loaded by design  {signs.LOOK} link, or found [8]"
        self.post_message(Said(told if gutter.shown else "Without the marks of the prompt."))

    def action_select_text(self, how: str, sideways: int = 0, down: int = 0) -> None:
        """Start or stop selecting characters or `lines`; with `more`, move the end of the selection."""
        selecting = self.view.selecting
        found = selecting.extend(sideways, down) if how == "more" else selecting.toggle(whole=how == "lines")
        self.tell_found()
        if not found:
            self.post_message(Said("There is no text to select.", warning=True))
        elif how != "more":
            what = "Selecting whole lines" if how == "lines" else "Selecting"
            told = f"{what}: h j k l and the arrows move the end · y copies · esc drops it"
            self.post_message(Said(told if selecting.is_on else "Nothing is selected any more."))

    def key_escape(self, event: Key) -> None:
        """Drop the keyboard selection, if there is one, and stop the event, so that the screen does not also go back."""
        if self.stop_selecting():
            event.stop()

    def stop_selecting(self) -> bool:
        """Drop the keyboard selection; False if there was none."""
        was_on = self.view.selecting.stop()
        if was_on:
            self.tell_found()
        return was_on

    def to_copy(self) -> tuple[str, str]:
        """The text to copy and what it is: the selection, else the target of the chosen link, else the whole text."""
        if not self.file or not self.file.text:
            return "", ""
        if lines := self.view.selecting.lines:
            return lines, counted(lines.count("\n"), "line")
        if selected := self.view.selected_text():
            return selected, "the selection"
        target = self.view.target_words
        return (target, "where the link leads") if target else (self.file.text, "the whole file")

    def show_line(self, line: int, *, is_match: bool) -> None:
        """Show the line of a match, or at the top that where the search began."""
        self.view.go_to(line, centre=is_match)
        if is_match:
            words = [term.decode("utf-8", "ignore") for term in self.terms]
            self.call_after_refresh(self.view.reveal, (line,), words)  # it may be far down in a line of many rows

    def _tell(self, file: OpenFile) -> None:
        out = f"A link that leaves this memory, to {file.outside}: agents may read that file; here it is only shown."
        words = "\n".join(filter(None, (file.problem, file.outside and visible_line(out)))) or self._notes
        self.query_one(Notice).show(f"! {words}" if words and not file.missing else "")
        text = "" if file.raw else "This file is empty."
        if file.missing:
            text = "Nothing is here any more, or it is a link that leads nowhere."
        elif file.problem and file.fingerprint is None:
            text = "It cannot be shown."
        self.say_empty(text)

    def tell_found(self) -> None:
        """Show what is found, what of the file is in the prompt, and its size."""
        if not self.file:
            return
        parts = ["selecting"] if self.view.selecting.is_on else []
        parts += ["raw"] if self.view.raw else []
        parts += [self.found_words] if self.terms else []
        parts += self._about_prompt()
        parts += [f"{signs.LOOK} 8 says why"] if signs.LOOK in self.view.line_marks.marks and self.view.line_marks.shown else []
        counts = f"{counted(len(self.view.page.lines), 'line')} · {wording.size(len(self.file.raw))}"
        is_read = self.file.fingerprint is not None
        parts.append(counts if is_read else "not there" if self.file.missing else "cannot be read")
        self.border_subtitle = Content(" · ".join(parts))

    def _about_prompt(self) -> list[str]:
        """The text on the prompt in the subtitle, while the gutter is shown."""
        gutter = self.view.line_marks
        if not gutter.shown or self._in_prompt is None or not self.file or self.file.missing:
            return []
        if not self._in_prompt:
            return [f"{signs.NOT_LOADED} not loaded by design"]
        return [f"{signs.LOST} {self._loss}"] if self._loss else []


def _may_be_in_prompt(file: OpenFile) -> bool:
    return file.ref.role not in (None, Role.NOTE)
