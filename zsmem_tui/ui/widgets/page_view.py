"""The widget that shows a `Page` of text; only visible rows are rendered."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from itertools import pairwise
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import work
from textual.events import Click
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from zsmem_tui.core.merge import same_line
from zsmem_tui.core.whole_words import marks
from zsmem_tui.ui.keys.bindings import Keyed
from zsmem_tui.ui.reading.page import LineMarks, Page, Place, between, gutter_of, link_at, links_of, next_link
from zsmem_tui.ui.reading.rows import clean
from zsmem_tui.ui.widgets.row_lines import wrapped

_BORDERS: Final = 2
"""Cells taken by a pane's borders."""
_ABOVE_A_HIT: Final = 2
"""Rows shown above the line of a hit."""

_SELECTED = Style(reverse=True)
"""Reverse video, which is visible in every theme, also with 16 colours or none."""


class Scrolling(Keyed, Widget):
    """The scrolling actions shared by all text widgets."""

    def action_move(self, step: int) -> None:
        """Scroll by one row."""
        self.scroll_down() if step > 0 else self.scroll_up()

    def action_page(self, step: int) -> None:
        """Scroll by one page."""
        self.scroll_page_down() if step > 0 else self.scroll_page_up()

    def action_edge(self, step: int) -> None:
        """Scroll to the top or the end."""
        self.scroll_home() if step < 0 else self.scroll_end()


class PageView(ScrollView, Scrolling, can_focus=True):
    """Shows a `Page`. Selected text is returned as it is drawn."""

    ALLOW_SELECT = True

    nothing = ""
    """The text for an empty page: what would be here, and how to get it."""

    DEFAULT_CSS = """
    PageView {
        overflow-x: hidden;
        .page--h1 { text-style: bold; color: $primary; }
        .page--h2 { text-style: bold underline; color: $primary; }
        .page--h3 { text-style: bold; color: $accent; }
        .page--h4, .page--h5, .page--h6 { text-style: bold italic; }
        .page--bold { text-style: bold; }
        .page--italic { text-style: italic; }
        .page--bold-italic { text-style: bold italic; }
        .page--strike { text-style: strike; }
        .page--code { color: $accent; background: $panel; }
        .page--code-block { background: $panel; }
        .page--code-keyword { background: $panel; color: $primary; text-style: bold; }
        .page--code-name { background: $panel; color: $accent; }
        .page--code-string { background: $panel; color: $success; }
        .page--code-number { background: $panel; color: $warning; }
        .page--code-comment { background: $panel; color: $text-muted; text-style: italic; }
        .page--code-removed { background: $panel; color: $error; }
        .page--number { color: $text-muted; }
        .page--fence { background: $panel; color: $text-muted; text-style: italic; }
        .page--link { text-style: underline; color: $primary; }
        .page--target { color: $text-muted; }
        .page--mark { color: $text-muted; }
        .page--open { color: $accent; text-style: bold; }
        .page--done { color: $text-muted; }
        .page--quote { text-style: italic; color: $text-muted; }
        .page--head { text-style: bold; }
        .page--key { text-style: bold; color: $accent; }
        .page--field { color: $foreground; }
        .page--added { background: $success 14%; }
        .page--added-word { background: $success 32%; text-style: bold; }
        .page--removed { background: $error 14%; }
        .page--removed-word { background: $error 32%; text-style: bold strike; }
        .page--cut { text-style: strike; color: $error; }
        .page--lost { text-style: bold; color: $warning; }
        .page--match { text-style: bold underline; color: $foreground; background: $warning 35%; }
        .page--current { text-style: bold reverse; }
        &:ansi .page--added { background: ansi_default; color: $success; }
        &:ansi .page--added-word { background: ansi_default; color: $success; text-style: bold reverse; }
        &:ansi .page--removed { background: ansi_default; color: $error; }
        &:ansi .page--removed-word { background: ansi_default; color: $error; text-style: bold reverse strike; }
        &:ansi .page--match { background: ansi_yellow; color: ansi_black; text-style: bold underline; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"page--text", *re.findall(r"\.(page--[\w-]+)", DEFAULT_CSS)}

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.page = Page("")
        self.line_marks: LineMarks | None = None
        """The gutter, or None."""
        self.keeps_breaks = False
        """Whether the lines of a paragraph are kept instead of joined."""
        self.link: tuple[int, int] | None = None
        """The chosen link: its 0-based line, and its index among the links of that line."""
        self.raw = False
        self._terms: tuple[str, ...] = ()
        self.whole_words = False
        """Whether only whole words are marked."""
        self._current: int | None = None
        self._wanted_line: int | None = None
        self._wanted_row: int | None = None
        self._kept_line: int | None = None
        self._meant: int | None = None
        self._is_colouring = False
        self._height = 0  # in rows, as of the last resize

    @property
    def top_line(self) -> int:
        """The 0-based line at the top of the view."""
        return self.page.line_of(self.scroll_offset.y) if self.page.row_count else 0

    @property
    def line_meant(self) -> int:
        """The line that was gone to last if it is visible, else the top line."""
        is_seen = self._sees_meant(self.scrollable_content_region.height)
        return self._meant if self._meant is not None and is_seen else self.top_line

    def _sees_meant(self, height: int) -> bool:
        """Whether a view of this height shows the line that was gone to last."""
        if self._meant is None or self._meant >= min(self.page.laid_out, len(self.page.lines)):
            return False
        return 0 <= self.page.row_of(self._meant) - self.scroll_offset.y < max(height, 1)

    def show(self, page: Page, *, line: int | None = None, keep: bool = False, terms: tuple[bytes, ...] = ()) -> None:
        """Show another page, from `line` on; with `keep`, where the line at the top now is."""
        if (keep and not self.page.folded) or _is_folded(page, line):
            page.folded = 0
        top = self.top_line if keep else None
        within = self.scroll_offset.y - self.page.row_of(top) if top is not None and self.page.row_count else 0
        texts = ([each.encode("utf-8", "replace") for each in of.lines] for of in (self.page, page))
        self._kept_line = same_line(top, *texts) if top else top
        self._terms = tuple(term.decode("utf-8", "ignore") for term in terms)
        self._current = None
        self.link = None
        self._meant = line if line is not None or not keep else self._meant
        self.page = page
        self.begin(line if line is not None else self._kept_line or 0, within if line is None else -_ABOVE_A_HIT * bool(terms))

    def mark(self, terms: tuple[bytes, ...], current: int | None = None) -> None:
        """Highlight all matches of the folded `terms`; the match in line `current` is highlighted as the current one."""
        self._terms = tuple(term.decode("utf-8", "ignore") for term in terms)
        self._current = current
        self.refresh()

    def screen_row(self, line: int) -> int | None:
        """The screen row on which a line begins; None if it is not visible."""
        if line >= min(self.page.laid_out, len(self.page.lines)):
            return None
        row = self.page.row_of(line) - self.scroll_offset.y
        return self.content_region.y + row if self.is_on_screen and 0 <= row < self.content_region.height else None

    def go_to(self, line: int, *, centre: bool = True, row: int | None = None) -> None:
        """Scroll to `line`: to a third of the view, or to screen row `row`; if the line is not laid out yet, as soon as it is."""
        self._meant = line
        self._wanted_row = row
        if _is_folded(self.page, line):
            self.page.folded = 0
            self.begin(line)
        if line >= len(self.page.lines) or _can_show(self, line):
            self._wanted_line = None
            place = self.page.row_of(line)
            height = self.scrollable_content_region.height
            if row is not None:
                above = min(max(row - self.content_region.y, 0), max(height - 1, 0))
            elif centre and self.scroll_offset.y <= place < self.scroll_offset.y + height - 1:
                return
            else:
                above = height // 3 if centre else 0
            # a new page has no scroll bar yet; Textual would not scroll without `force`
            self.scroll_to(y=max(0, place - above), animate=False, immediate=True, force=True)
        else:
            self._wanted_line = line

    def reveal(self, lines: Iterable[int], words: Iterable[str]) -> None:
        """Scroll to the row of these lines on which the first of these words begins that they hold, unless it is visible."""
        rows = (self.page.row_with(line, each) for each in words for line in lines)
        if (row := next((each for each in rows if each is not None), None)) is not None:
            self._bring_in_sight(row)

    def _bring_in_sight(self, row: int) -> None:
        """Scroll to a row, unless it is visible."""
        height = self.scrollable_content_region.height
        if not 0 <= row - self.scroll_offset.y < height:
            self.scroll_to(y=max(0, row - height // 3), animate=False, immediate=True, force=True)

    def selected_text(self) -> str:
        """The selected text, or an empty string."""
        return self.get_selection(self.text_selection)[0] if self.text_selection else ""

    def get_selection(self, selection: Selection) -> tuple[str, str]:
        """The text that the selection covers, as drawn."""
        start = Place(selection.start.y, selection.start.x) if selection.start else Place(0, 0)
        stop = Place(selection.end.y, selection.end.x) if selection.end else Place(self.page.row_count, 0)
        return between(self.page, start, stop), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Redraw with the new selection."""
        self.refresh()

    def on_resize(self) -> None:
        """Lay out again for the new width, keeping the scroll position; the line that was gone to stays in sight if it was."""
        was, self._height = self._height, self.scrollable_content_region.height
        if self._sees_meant(was) and not self._sees_meant(self._height):
            self.go_to(self._meant or 0, centre=False)
        if self._text_width() != self.page.width and self.size.width:
            wanted, row, top = self._wanted_line, self._wanted_row, self.top_line if self.page.row_count else self._kept_line or 0
            if wanted is None and self._meant is not None and self.line_meant == self._meant:
                wanted = self._meant  # it was visible, so it stays on its row
                row = self.content_region.y + self.page.row_of(wanted) - self.scroll_offset.y
            self.begin(top)
            if wanted is not None:
                self.go_to(wanted, row=row)

    def render_line(self, y: int) -> Strip:
        """Render one row."""
        gutter = gutter_of(self.page, self.line_marks)
        width = max(self.size.width - gutter.width, 1)
        base = self._style("text")
        row = self.scroll_offset.y + y
        if row >= self.page.row_count:
            words = wrapped(self.nothing, self.size.width - 2) if self.nothing and not self.page.lines else []
            text = words[y - 1] if 0 < y <= len(words) else ""
            return Strip([Segment(f" {text}", self._style("target"))]).adjust_cell_length(self.size.width, base)
        spans, fill = self.page.spans(row)
        if self.page.colours.wanted and not self._is_colouring:
            self._is_colouring = True
            self._colour()
        text = "".join(words for words, _ in spans)
        background = self._style(fill) if fill else base
        chosen = (link_at(self.page, self.link) or (0, None))[1]
        pieces = [
            Segment(words, self._style(style) + _SELECTED if style is chosen else self._style(style)) for words, style in spans
        ]
        segments = self._marked(text, pieces, row)
        strip = cut(Strip(segments), width, self._style("fence")).adjust_cell_length(width, background)
        selection = self.text_selection
        if selection is not None and (span := selection.get_span(row)):
            start, end = (cell_len(text[:each]) if each >= 0 else max(cell_len(text), 1) for each in span)
            strip = restyled(strip, start, end, _SELECTED)
        strip = strip.apply_offsets(0, row)
        if not gutter.width:
            return strip
        offset = Style.from_meta({"offset": (0, row)})  # a click on the gutter counts as one on the row's start
        cells = [Segment(cell, self._style(style) + offset) for words, style in gutter.cells(row) for cell in words]
        return Strip.join([Strip(cells), strip])

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"page--{name}")

    def begin(self, line: int, within: int = 0) -> None:
        """Start the layout: the first screens now, the rest in the background. `within` rows of `line` are above the view."""
        if not self.is_attached:  # its dialog was closed before it was to be shown
            return
        if self.text_selection is not None:
            self.screen.clear_selection()  # its row numbers are no longer valid
        self.page.start(self._text_width(), raw=self.raw, keeps_breaks=self.keeps_breaks)
        pieces = self.page.lay_out()
        for _ in pieces:
            if self.page.laid_out > line + 200 or self.page.row_count > 600:
                break
        self.virtual_size = Size(self._text_width(), self.page.row_count)
        if line < self.page.laid_out:
            self.scroll_to(y=max(0, self.page.row_of(line) + within), animate=False, immediate=True, force=True)
            self._wanted_line = None
        else:
            self._wanted_line = line
        self.refresh()
        self._lay_out_rest()

    @work(exclusive=True, group="layout")
    async def _lay_out_rest(self) -> None:
        page = self.page
        for _ in page.lay_out():
            await asyncio.sleep(0)
            if page is not self.page:
                return
            if self._wanted_line is not None and _can_show(self, self._wanted_line):
                self.virtual_size = Size(page.width, page.row_count)
                self.go_to(self._wanted_line, row=self._wanted_row)
        self.virtual_size = Size(page.width, page.row_count)
        if self._wanted_line is not None:
            self.go_to(self._wanted_line, row=self._wanted_row)
        self.refresh()

    @work(group="colours")
    async def _colour(self) -> None:
        """Compute the syntax colours of the visible code in a thread, and redraw."""
        try:
            while (page := self.page).colours.wanted:
                start = page.colours.wanted[-1]
                page.keep_colours(start, await asyncio.to_thread(page.colours.look, start, clean))
                self.refresh()
        finally:
            self._is_colouring = False

    def _text_width(self) -> int:
        """The width for text in cells, reserving the scroll bar so that its appearance changes nothing.

        A page not shown yet uses the container's width: a difference of one cell would lay out thousands of rows again.
        """
        beside = gutter_of(self.page, self.line_marks, raw=self.raw).width
        width = self.container_size.width or self.screen.size.width - _BORDERS - self.styles.gutter.width
        return max(width - 1 - beside, 1)

    def _marked(self, text: str, segments: list[Segment], row: int) -> list[Segment]:
        if not self._terms:
            return segments
        found = marks(text, self._terms, whole_words=self.whole_words)
        if not found:
            return segments
        style = self._style("match")
        if self._current is not None and self.page.line_of(row) == self._current:
            style = style + self._style("current")
        edges = sorted({edge for span in found for edge in span})
        out: list[Segment] = []
        at = 0
        for segment in segments:
            end = at + len(segment.text)
            for start, stop in pairwise([at, *(edge for edge in edges if at < edge < end), end]):
                inside = any(low <= start and stop <= high for low, high in found)
                piece = segment.text[start - at : stop - at]
                out.append(Segment(piece, (segment.style or Style()) + style if inside else segment.style))
            at = end
        return out


def _is_folded(page: Page, line: int | None) -> bool:
    """Whether a line is hidden in the fold at the top."""
    return line is not None and 0 < line < page.folded


def _can_show(view: PageView, line: int) -> bool:
    """Whether a line can be scrolled to any row: a full view below it is laid out, or all of the page is."""
    return view.page.complete or line + view.size.height < view.page.laid_out


CUT: Final = "›"
"""Shown at the edge where an unwrapped row was cut."""


def cut(strip: Strip, width: int, style: Style) -> Strip:
    """Cut `strip` to `width` cells, with a mark if something was cut."""
    if strip.cell_length <= width:
        return strip
    return Strip.join([strip.crop(0, width - 1).adjust_cell_length(width - 1), Strip([Segment(CUT, style)])])


def restyled(strip: Strip, start: int, stop: int, style: Style) -> Strip:
    """Return `strip` with `style` applied to the cells from `start` to `stop`."""
    length = strip.cell_length
    start, stop = max(0, min(start, length)), max(0, min(stop, length))
    if start >= stop:
        return strip
    before, middle, after = strip.crop(0, start), strip.crop(start, stop), strip.crop(stop, length)
    return Strip.join([before, Strip([Segment(text, (old or Style()) + style) for text, old, _ in middle]), after])


class LinkedView(PageView):
    """A `PageView` with links. Subclasses set `FOLLOW` to the action that follows the chosen link."""

    FOLLOW: ClassVar[str] = ""

    def choose_link(self, step: int) -> bool:
        """Choose the next or previous link of the page and scroll to it; False if there is none."""
        page = self.page
        found = next_link(page, self.link, self.top_line, step) if page.laid_out else None
        self.link = found
        if found is not None:
            self._bring_in_sight(links_of(page, found[0])[found[1]][0])
            self.refresh()
        return found is not None

    @property
    def link_target(self) -> str:
        """The target of the chosen link; empty if none is chosen."""
        found = link_at(self.page, self.link)
        return found[1].target if found is not None else ""

    async def on_click(self, event: Click) -> None:
        """Follow the clicked link, unless the click ended a selection."""
        at = event.get_content_offset(self)
        row = self.scroll_offset.y + at.y if at is not None else self.page.row_count
        if at is None or row >= self.page.row_count or self.text_selection is not None:
            return
        left = gutter_of(self.page, self.line_marks).width
        for words, style in self.page.spans(row)[0]:
            left += cell_len(words)
            if at.x < left:
                line = self.page.leader(self.page.line_of(row))
                number = next((place for place, (_, each) in enumerate(links_of(self.page, line)) if each is style), None)
                if number is not None:
                    self.link = (line, number)
                    await self.run_action(self.FOLLOW)
                return
