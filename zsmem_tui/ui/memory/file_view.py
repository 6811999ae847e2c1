"""The text widget of the viewer, with selection by keyboard."""

from __future__ import annotations

from typing import Final

from textual.geometry import Offset
from textual.selection import Selection

from zsmem_tui.ui.messages import Selected
from zsmem_tui.ui.reading.blocks import link_words
from zsmem_tui.ui.reading.page import LineMarks, Page, Place, Spot, Trail, link_at, moved, whole_lines
from zsmem_tui.ui.widgets.page_view import LinkedView, PageView

_FAR: Final = 1 << 40
"""More than any number of rows or characters."""


class Selecting:
    """The keyboard selection on a page: an anchor, and a head that the keys move."""

    def __init__(self, view: PageView) -> None:
        self._view = view
        self._anchor = self._head = Place(0, 0)
        self._column = 0
        self._whole = False
        self._lines = range(0)
        self._given: Selection | None = None

    @property
    def is_on(self) -> bool:
        """Whether there is a keyboard selection; False once it was replaced by the mouse or the text has changed."""
        return self._given is not None and self._view.text_selection == self._given

    @property
    def is_lost(self) -> bool:
        """Whether the text has changed, which ended a selection, and no key has been pressed about that since."""
        return self._given is not None and self._view.text_selection is None

    @property
    def is_whole(self) -> bool:
        """Whether whole lines are selected."""
        return self.is_on and self._whole

    @property
    def lines(self) -> str:
        """The text of the selected lines, if whole lines are selected; else empty."""
        return "".join(f"{self._view.page.lines[number]}\n" for number in self.numbers)

    @property
    def numbers(self) -> range:
        """The 0-based numbers of the selected lines, if whole lines are selected; else empty."""
        return self._lines if self.is_whole else range(0)

    def toggle(self, *, whole: bool) -> bool:
        """Start to select characters or `whole` lines, or switch to that; stop if on already. False if there is no text."""
        if self.is_on and self._whole == whole:
            self.stop()
            return True
        if not self._view.page.row_count:
            return False
        self._whole = whole
        if not self.is_on:
            self._anchor = self._head = self._begin()
            self._column = self._head.at
        self._show()
        return True

    def move(self, sideways: int, down: int) -> bool:
        """Move the head by characters or rows; False if nothing is selected."""
        if not self.is_on:
            return False
        self._head = moved(self._view.page, self._head, sideways, down, self._column)
        if not down:
            self._column = self._head.at
        self._show()
        return True

    def extend(self, sideways: int, down: int) -> bool:
        """Move the head, starting a selection if there is none; False if there is no text."""
        return (self.is_on or self.toggle(whole=False)) and self.move(sideways, down)

    def stop(self) -> bool:
        """Drop the keyboard selection; False if there was none."""
        was_on = self.is_on
        self._given = None
        if was_on:
            self._view.screen.clear_selection()
        return was_on

    def _begin(self) -> Place:
        """Where a selection starts: at the chosen link, at the current line, or at the top of the view."""
        view = self._view
        found = link_at(view.page, view.link)
        row = found[0] if found is not None else view.page.row_of(view.line_meant)
        top, height = view.scroll_offset.y, max(view.scrollable_content_region.height, 1)
        return Place(row if top <= row < top + height else min(top, view.page.row_count - 1), 0)

    def _show(self) -> None:
        view = self._view
        if self._whole:
            start, stop, self._lines = whole_lines(view.page, self._anchor, self._head)
        else:
            start, stop = sorted((self._anchor, self._head))
        self._given = Selection(Offset(start.at, start.row), Offset(stop.at + 1, stop.row))
        view.screen.selections = {view: self._given}
        top, height = view.scroll_offset.y, max(view.scrollable_content_region.height, 1)
        if not top <= self._head.row < top + height:
            wanted = self._head.row if self._head.row < top else self._head.row - height + 1
            view.scroll_to(y=wanted, animate=False, immediate=True, force=True)


class FileView(LinkedView, keys="viewer"):
    """The widget that shows a memory file, with the viewer's keys."""

    FOLLOW = "screen.follow"

    def __init__(self, *, keeps_breaks: bool) -> None:
        super().__init__(id="page")
        self.keeps_breaks = keeps_breaks
        self.line_marks: LineMarks = LineMarks()
        self.selecting = Selecting(self)
        self.trail: Trail[Spot] = Trail()
        """The places from which links were followed."""

    @property
    def target_words(self) -> str:
        """The target of the chosen link in words; empty if none is chosen."""
        return link_words(self.link_target)

    def show_markdown(self, text: str) -> None:
        """Show a text that is not from a file, unless it is shown already."""
        if self.page.text != text:
            self.show(Page(text))

    def selection_updated(self, selection: Selection | None) -> None:
        """Redraw, and post that the selection has changed."""
        super().selection_updated(selection)
        self.post_message(Selected())

    def action_move(self, step: int) -> None:
        """Scroll by rows, or move the end of the keyboard selection."""
        if not self.selecting.move(0, step):
            super().action_move(step)

    def action_page(self, step: int) -> None:
        """Scroll by pages, or move the end of the keyboard selection."""
        if not self.selecting.move(0, step * max(self.scrollable_content_region.height - 1, 1)):
            super().action_page(step)

    def action_edge(self, step: int) -> None:
        """Go to the first or last line, or extend the keyboard selection to there."""
        if not (self.selecting.move(0, step * _FAR) and self.selecting.move(step * _FAR, 0)):
            self.go_to(0 if step < 0 else max(len(self.page.lines) - 1, 0))
            self.scroll_home(animate=False) if step < 0 else self.scroll_end(animate=False)
