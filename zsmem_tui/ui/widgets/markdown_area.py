"""A text area for Markdown that gives back exactly the text it was given."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.color import Color
from textual.events import Key, Paste
from textual.expand_tabs import expand_text_tabs_from_widths
from textual.strip import Strip
from textual.widgets import TextArea
from textual.widgets.text_area import Document, Edit, EditHistory, EditResult, Location

from zsmem_tui.core.brackets import matching_bracket
from zsmem_tui.core.visible import HIDDEN_ONE, visible_line
from zsmem_tui.ui import signs
from zsmem_tui.ui.messages import Said
from zsmem_tui.ui.textual_private import TextAreaHooks, draws_cursor, result_of, rewrap, set_result, theme_of
from zsmem_tui.ui.widgets.hanging_wrap import HangingDocument, HangingNavigator

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
        last = self.undo_stack[-1][-1] if self.goes_on and self.undo_stack and not self.redo_stack else None
        before = result_of(last) if last is not None else None
        if done and last and before and (edit.top, edit.bottom) == (last.top, before.end_location):
            last.text = edit.text
            set_result(last, EditResult(done.end_location, before.replaced_text))
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


_PRIVATE: Final = re.compile("[\U00100000-\U0010ffff]")
"""Characters that stand for hidden ones while the widget holds a text: it would take some of those for line ends, and draw none.

They take one cell each. Fonts have their icons in other places.
"""

_PLANE: Final = 0x100000
_TAGS: Final = range(0xE0000, 0xE1000)
_TAGS_AT: Final = 0xE000
"""Where in the plane those begin; hidden characters of two bytes lie elsewhere."""

_RARE: Final = {code & 0xFFFF: code for code in (*range(0x13430, 0x13456), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B))}
_LINE_ENDS: Final = "\x85\u2028\u2029"

_HEADING: Final = re.compile(r"^ {0,3}#{1,6}(?:\s.*)?$")
_MARKED: Final = re.compile(
    r"(?P<code>`[^`]+`)|(?P<bold>\*\*[^*]+\*\*)|(?P<box>^\s*[-*+] \[[ xX]\])|(?P<bullet>^\s*(?:[-*+]|\d+[.)])(?= ))"
    r"|(?P<quote>^\s*>.*)|(?P<link>\[[^\]]*\]\([^)]*\))|(?P<fence>^\s*(?:```|~~~).*)"
)
_MAX_STYLED: Final = 2_000
"""Characters. Longer lines are drawn plain: marking them would be felt at each key."""

_MOST_ROWS_ABOVE: Final = 2
"""Rows left empty above a text whose first lines were seen lower on the screen: a find line and a notice stood over them."""


def holds_back_characters(text: str) -> bool:
    """Whether a text already has the private characters, so that it could not be given back exactly."""
    return not text.isascii() and _PRIVATE.search(text) is not None


NOT_PASTED: Final = "It holds characters that this editor needs for itself: nothing was put there."
"""Said of a text that could not be given back exactly."""


def held(text: str) -> str:
    """A text as the widget holds it."""
    return HIDDEN_ONE.sub(_private, text)


def given_back(text: str) -> str:
    """A text that the widget holds as it stands in its file."""
    return text if text.isascii() else _PRIVATE.sub(_own, text)


def seen(text: str) -> str:
    """A part of a text that the widget holds as it is drawn, with a sign in the place of each hidden character."""
    return text if text.isascii() else _PRIVATE.sub(_sign, text)


def _private(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(_PLANE + (code & 0xFFFF) + (_TAGS_AT if code in _TAGS else 0))


def _own(found: re.Match[str]) -> str:
    code = ord(found[0]) - _PLANE
    return chr(_TAGS[code - _TAGS_AT] if 0 <= code - _TAGS_AT < len(_TAGS) else _RARE.get(code, code))


def _sign(found: re.Match[str]) -> str:
    char = _own(found)
    return visible_line(char) if char < " " or char == "\x7f" else signs.LINE_END if char in _LINE_ENDS else signs.UNSEEN


class Clipping:
    """What is copied from an area and pasted into it: as it stands in the file, to the character."""

    def __init__(self, area: TextArea) -> None:
        self._area = area
        self._copied = ""
        """What was copied here last: it is put back as it was."""

    def take(self, key: str) -> bool:
        """Copy, cut or paste; False for another key, and where nothing is selected to copy."""
        area = self._area
        start, end = area.selection
        if key == "ctrl+v":
            if text := self.copied():
                area.move_cursor(area.replace(text, start, end, maintain_selection_offset=False).end_location)
        elif key == "ctrl+x":
            is_line = start == end
            first, last = ((start[0], 0), (start[0] + 1, 0)) if is_line else (start, end)
            self.copy(area.delete(first, last, maintain_selection_offset=False).replaced_text)
            if is_line:
                area.move_cursor_relative(columns=end[1], record_width=False)
        elif key in ("ctrl+c", "super+c") and start != end:
            self.copy(area.selected_text)
        else:
            return False
        return True

    def copy(self, text: str) -> None:
        """Copy a part of what is held."""
        self._copied = given_back(text)
        self._area.app.copy_to_clipboard(self._copied.encode("utf-8", "replace").decode())

    def copied(self) -> str:
        """What was copied, here or elsewhere in the program, as the area holds it; empty when it cannot, which is told."""
        text = self._area.app.clipboard
        return self._holdable(text if text == self._copied else text.replace("\r\n", "\n"))

    def pasted(self, text: str) -> str:
        """The same of a text that the terminal hands over: terminals send a carriage return for each line end."""
        return self._holdable(text.replace("\r\n", "\n").replace("\r", "\n"))

    def _holdable(self, text: str) -> str:
        if not holds_back_characters(text):
            return held(text)
        self._area.post_message(Said(NOT_PASTED, warning=True))
        return ""


class HeldDocument(Document):
    """The lines that are edited. The whole text is put together once between two changes: it is asked for with each row drawn."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.changes = 0
        """How often it was changed."""
        self._whole: str | None = None
        self._own: str | None = None
        self._has_private = holds_back_characters(text)

    @property
    def text(self) -> str:
        """The whole text, with private characters for hidden ones."""
        if self._whole is None:
            self._whole = super().text
        return self._whole

    @property
    def own(self) -> str:
        """The whole text as it stands in its file: asked for at each key, and most texts hide nothing."""
        if self._own is None:
            self._own = given_back(self.text) if self._has_private else self.text
        return self._own

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        """Change the text: nothing else does."""
        self._whole = self._own = None
        self._has_private = self._has_private or holds_back_characters(text)
        self.changes += 1
        return super().replace_range(start, end, text)


def _stylize(text: Text, style: Style, start: int, end: int) -> None:
    """Style what of a stretch is in a text; it may begin before it."""
    if end > 0:
        text.stylize(style, max(start, 0), end)


class MarkdownArea(TextAreaHooks, TextArea):
    """Styles by a few patterns: cheaper than a parser, and it marks what Markdown has inside a line.

    What a list's item or a quote goes on with on the next row stands below its text.
    """

    document: HeldDocument
    wrapped_document: HangingDocument
    history: WordHistory

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, soft_wrap=True, show_line_numbers=False, tab_behavior="indent")
        self._marks: dict[str, Style] = {}
        self.history = WordHistory()
        self.clipping = Clipping(self)
        self._beginning: Callable[[], object] | None = None
        """What puts the text at the place where the person begins, until they do."""

    def put(self, text: str) -> None:
        """Hold `text`; what can be undone starts here."""
        self.styles.margin = 0
        self.load_text(held(text))

    def hold(self, text: str) -> None:
        """Hold another text, in rows with a hanging indent."""
        self.document = HeldDocument(text)
        self.wrapped_document = HangingDocument(self.document, tab_width=self.indent_width)
        self.navigator = HangingNavigator(self.wrapped_document)
        self.move_cursor((0, 0))
        rewrap(self)

    def undo(self) -> None:
        """Take back the last step."""
        self.history.end_word()
        super().undo()

    @property
    def value(self) -> str:
        """The text as it is now."""
        return self.document.own

    def on_paste(self, event: Paste) -> None:
        """A text that the terminal hands over, if it can be given back exactly."""
        event.text = self.clipping.pasted(event.text)
        if not event.text:
            event.prevent_default()
            event.stop()

    @property
    def cursor_row(self) -> int:
        """The row of the screen on which the line of the cursor begins, or would."""
        return self._first_row() - self.scroll_offset.y + self.content_region.y

    def begin_at(self, row: int | None) -> None:
        """Show the line of the cursor at `row` of the screen (None: in the middle), whatever room the text has until a key comes.

        The text may be hidden still, or have the size of another screen: how it wraps, and what is where, is known only then.
        """
        self._beginning = partial(self.put_at, row) if row is not None else partial(self.scroll_cursor_visible, center=True)
        self.call_after_refresh(self._begin)

    def on_resize(self) -> None:
        """Other lines wrap: show again where the person begins."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        if self._beginning is not None:
            self._beginning()

    def on_mouse_scroll_up(self) -> None:
        """The person looks elsewhere."""
        self._beginning = None

    on_mouse_scroll_down = on_mouse_down = on_mouse_scroll_up

    def put_at(self, row: int) -> None:
        """Scroll so that the line of the cursor is at `row` of the screen, as near as can be."""
        room, empty = self.content_region, self.styles.margin.top  # rows left empty the last time are free to be used
        above = min(max(row - room.y + empty, 0), max(room.height + empty - 1, 0))
        place = self._first_row()
        self.styles.margin = (min(max(above - place, 0), _MOST_ROWS_ABOVE), 0, 0, 0)
        self.scroll_to(y=max(0, place - above), animate=False, immediate=True, force=True)

    def _first_row(self) -> int:
        """The row, of the whole text as it is wrapped, on which the line of the cursor begins."""
        return self.wrapped_document.location_to_offset((self.cursor_location[0], 0)).y

    def on_key(self, event: Key) -> None:
        """`esc` is the screen's: the widget itself would hand the focus on. Copying and pasting is exact here."""
        self._beginning = None
        if event.key == "escape":
            event.prevent_default()
        elif self.clipping.take(event.key):
            event.prevent_default()
            event.stop()

    def find_matching_bracket(self, bracket: str, search_from: Location) -> Location | None:
        """Where the bracket is that belongs to the one at a place, not looked for in the whole text."""
        return matching_bracket(self.document.lines, search_from) if bracket else None

    def get_line(self, line_index: int) -> Text:
        """A line with its marks styled."""
        line = self.document.get_line(line_index)
        text = Text(seen(line), end="", no_wrap=True)
        if len(line) > _MAX_STYLED:
            return text
        if _HEADING.match(line):
            text.stylize(self._mark("heading"))
            return text
        for found in _MARKED.finditer(line):
            text.stylize(self._mark(found.lastgroup or ""), found.start(), found.end())
        return text

    def render_line(self, y: int) -> Strip:
        """A row of the screen, moved to the right where its line hangs."""
        strip = super().render_line(y)
        line, indent = self.wrapped_document.hanging(self.scroll_offset.y + y)
        if not indent:
            return strip
        is_marked = self.highlight_cursor_line and line == self.cursor_location[0]
        theme = theme_of(self)
        style = theme.cursor_line_style if is_marked else theme.base_style
        left = Strip([Segment(" " * indent, style)], indent).apply_style(theme.base_style or self.rich_style)
        return Strip.join([left, strip.crop(0, strip.cell_length - indent)])

    def draw_row(self, y: int) -> Strip:
        """A row of the screen. Of a line of many rows only this one is looked at: the whole of it would be felt at each key."""
        at = self.scroll_offset.y + y
        if at >= self.wrapped_document.height:
            return self.plain_row(y)
        row, start, end = self.wrapped_document.bounds(at)
        line = self.document.get_line(row)
        if len(line) <= _MAX_STYLED:
            return self.plain_row(y)
        theme, (head_row, head) = theme_of(self), self.selection.end
        base = theme.base_style or self.rich_style
        on_line = theme.cursor_line_style if row == head_row and self.highlight_cursor_line else None
        text = Text(seen(line[start:end]), base, no_wrap=True, end="")
        if end == len(line):
            text.append(" ")  # a place for the cursor
        self.paint_row(text, row, start)
        if on_line is not None:
            text.stylize(on_line)
        low, high = sorted(self.selection)
        if low != high and low[0] <= row <= high[0] and theme.selection_style is not None:
            upto = high[1] if row == high[0] else len(line)
            _stylize(text, theme.selection_style, (low[1] if row == low[0] else 0) - start, upto - start)
        partner = self.matching_bracket_location
        if partner is not None and self.match_cursor_bracket and low == high:
            for place in (self.selection.end, partner):
                if place[0] == row and theme.bracket_matching_style is not None:
                    _stylize(text, theme.bracket_matching_style, place[1] - start, place[1] + 1 - start)
        if row == head_row and draws_cursor(self) and theme.cursor_style is not None:
            _stylize(text, theme.cursor_style, head - start, head + 1 - start)
        if "\t" in text.plain:
            text = expand_text_tabs_from_widths(text, self.wrapped_document.tab_widths(row, start, end))
        strip = Strip(text.render(self.app.console), text.cell_len)
        return strip.extend_cell_length(self.scrollable_content_region.width, on_line or base).apply_style(base)

    def paint_row(self, text: Text, line_index: int, start: int) -> None:
        """Draw more upon a part of a line that begins at column `start`."""

    def notify_style_update(self) -> None:
        """Another theme: forget the styles."""
        super().notify_style_update()
        self._marks = {}

    def _mark(self, name: str) -> Style:
        if not self._marks:
            colors = self.app.theme_variables
            accent, primary, muted = (Color.parse(colors[name]).rich_color for name in ("accent", "primary", "secondary"))
            self._marks = {
                "heading": Style(bold=True, color=primary),
                "bold": Style(bold=True),
                "code": Style(color=accent),
                "box": Style(bold=True, color=accent),
                "bullet": Style(color=accent),
                "quote": Style(italic=True),
                "link": Style(underline=True, color=primary),
                "fence": Style(color=muted),
            }
        return self._marks.get(name, Style())
