"""A text area for Markdown that returns exactly the text it was given, with line highlighting and exact copy and paste."""

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
"""Maximum number of undo steps."""

_FOREVER: Final = 1 << 30
"""A limit, in seconds and characters, that typing never reaches, so that a word is one step however slowly it is typed."""


class WordHistory(EditHistory):
    """An undo history in which each word is a step. Pastes, line breaks and cursor moves end a step as in Textual."""

    def __init__(self) -> None:
        super().__init__(max_checkpoints=_MOST_STEPS, checkpoint_timer=_FOREVER, checkpoint_max_characters=_FOREVER)
        self._in_word = False
        self.goes_on = False
        """Whether the next edit replaces the previous one within its step, because it replaces the same lines."""

    def record(self, edit: Edit) -> None:
        """Record an edit; the first typed or deleted character of a word begins a step."""
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
        """Begin a new step with the next edit: one that also contained a line break would be drawn wrongly."""
        self.checkpoint()
        self._in_word = False


_PRIVATE: Final = re.compile("[\U00100000-\U0010ffff]")
"""Private-use characters that stand for invisible ones in the widget, which would treat some as line ends and draw none.

Each takes one cell. Icon fonts use other ranges.
"""

_PLANE: Final = 0x100000
_TAGS: Final = range(0xE0000, 0xE1000)
_TAGS_AT: Final = 0xE000
"""Offset of the tag characters within the private plane; it does not collide with two-byte invisible characters."""

_RARE: Final = {code & 0xFFFF: code for code in (*range(0x13430, 0x13456), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B))}
_LINE_ENDS: Final = "\x85\u2028\u2029"

_HEADING: Final = re.compile(r"^ {0,3}#{1,6}(?:\s.*)?$")
_MARKED: Final = re.compile(
    r"(?P<code>`[^`]+`)|(?P<bold>\*\*[^*]+\*\*)|(?P<box>^\s*[-*+] \[[ xX]\])|(?P<bullet>^\s*(?:[-*+]|\d+[.)])(?= ))"
    r"|(?P<quote>^\s*>.*)|(?P<link>\[[^\]]*\]\([^)]*\))|(?P<fence>^\s*(?:```|~~~).*)"
)
_MAX_STYLED: Final = 2_000
"""In characters. Longer lines are not highlighted, as that would delay each key."""

_MOST_ROWS_ABOVE: Final = 2
"""Maximum number of empty rows above a text whose start was shown lower, below a find line and a notice."""


def holds_back_characters(text: str) -> bool:
    """Whether a text contains these private characters itself, so that it could not be returned exactly."""
    return not text.isascii() and _PRIVATE.search(text) is not None


NOT_PASTED: Final = "It holds characters that this editor needs for itself: nothing was put there."
"""The message for a text that could not be returned exactly."""


def held(text: str) -> str:
    """Encode a text for the widget: invisible characters become private ones."""
    return HIDDEN_ONE.sub(_encoded, text)


def given_back(text: str) -> str:
    """Decode a text from the widget."""
    return text if text.isascii() else _PRIVATE.sub(_decoded, text)


def seen(text: str) -> str:
    """Replace each encoded invisible character by a visible sign, for drawing."""
    return text if text.isascii() else _PRIVATE.sub(_visible_sign, text)


def _encoded(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(_PLANE + (code & 0xFFFF) + (_TAGS_AT if code in _TAGS else 0))


def _decoded(found: re.Match[str]) -> str:
    code = ord(found[0]) - _PLANE
    return chr(_TAGS[code - _TAGS_AT] if 0 <= code - _TAGS_AT < len(_TAGS) else _RARE.get(code, code))


def _visible_sign(found: re.Match[str]) -> str:
    char = _decoded(found)
    return visible_line(char) if char < " " or char == "\x7f" else signs.LINE_END if char in _LINE_ENDS else signs.UNSEEN


class HeldDocument(Document):
    """The document of the area. Caches the whole text until the next change, since drawing each row asks for it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.changes = 0
        """The number of changes so far."""
        self._whole: str | None = None
        self._own: str | None = None
        self._has_private = holds_back_characters(text)

    @property
    def text(self) -> str:
        """The whole text, encoded."""
        if self._whole is None:
            self._whole = super().text
        return self._whole

    @property
    def own(self) -> str:
        """The whole text, decoded; cached, since each key asks for it."""
        if self._own is None:
            self._own = given_back(self.text) if self._has_private else self.text
        return self._own

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        """Replace a range; all changes go through here."""
        self._whole = self._own = None
        self._has_private = self._has_private or holds_back_characters(text)
        self.changes += 1
        return super().replace_range(start, end, text)


def _stylize(text: Text, style: Style, start: int, end: int) -> None:
    """Apply a style to the part of a range that is inside `text`; `start` may be negative."""
    if end > 0:
        text.stylize(style, max(start, 0), end)


class MarkdownArea(TextAreaHooks, TextArea):
    """A text area that highlights Markdown by a few patterns, which is cheaper than a parser.

    Wrapped rows of list items and quotes are indented.
    """

    document: HeldDocument
    wrapped_document: HangingDocument
    history: WordHistory

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, soft_wrap=True, show_line_numbers=False, tab_behavior="indent")
        self._marks: dict[str, Style] = {}
        self.history = WordHistory()
        self._copied = ""
        """The text copied here last, pasted back unchanged."""
        self._beginning: Callable[[], object] | None = None
        """Scrolls to the initial position, and from the first key on to the cursor; called again on layout changes."""

    def put(self, text: str) -> None:
        """Load `text` and clear the undo history."""
        self.styles.margin = 0
        self.load_text(held(text))

    def hold(self, text: str) -> None:
        """Replace the document and its wrapping."""
        self.document = HeldDocument(text)
        self.wrapped_document = HangingDocument(self.document, tab_width=self.indent_width)
        self.navigator = HangingNavigator(self.wrapped_document)
        self.move_cursor((0, 0))
        rewrap(self)

    def undo(self) -> None:
        """Undo the last step."""
        self.history.end_word()
        super().undo()

    @property
    def value(self) -> str:
        """The text, decoded."""
        return self.document.own

    def on_paste(self, event: Paste) -> None:
        """Encode the pasted text; drop it if it could not be returned exactly."""
        event.text = self.pasted(event.text)
        if not event.text:
            event.prevent_default()
            event.stop()

    def clip(self, key: str) -> bool:
        """Handle a key for copy, cut or paste; False for any other key, or to copy without a selection."""
        start, end = self.selection
        if key == "ctrl+v":
            if text := self.copied():
                self.move_cursor(self.replace(text, start, end, maintain_selection_offset=False).end_location)
        elif key == "ctrl+x":
            is_line = start == end
            first, last = ((start[0], 0), (start[0] + 1, 0)) if is_line else (start, end)
            if text := self.delete(first, last, maintain_selection_offset=False).replaced_text:
                self.copy_text(text)
            if is_line:
                self.move_cursor_relative(columns=end[1], record_width=False)
        elif key in ("ctrl+c", "super+c") and start != end:
            self.copy_text(self.selected_text)
        else:
            return False
        return True

    def copy_text(self, text: str) -> None:
        """Copy a text of the widget, decoded."""
        self._copied = given_back(text)
        self.app.copy_to_clipboard(self._copied.encode("utf-8", "replace").decode())

    def copied(self) -> str:
        """The program's clipboard encoded for the widget; empty, with a message, if that is not possible."""
        text = self.app.clipboard
        return self._holdable(text if text == self._copied else text.replace("\r\n", "\n"))

    def pasted(self, text: str) -> str:
        """Encode a text pasted by the terminal, which sends a carriage return for each line end."""
        return self._holdable(text.replace("\r\n", "\n").replace("\r", "\n"))

    def _holdable(self, text: str) -> str:
        if not holds_back_characters(text):
            return held(text)
        self.post_message(Said(NOT_PASTED, warning=True))
        return ""

    @property
    def cursor_row(self) -> int:
        """The screen row at which the cursor's line begins, even if that is not visible."""
        return self._first_row() - self.scroll_offset.y + self.content_region.y

    def begin_at(self, row: int | None) -> None:
        """Show the cursor's line at screen row `row` (None: in the middle), and keep it there until a key is pressed.

        The area may be hidden or not have its size yet, so wrapping and positions are known only later.
        """
        self._beginning = partial(self.put_at, row) if row is not None else partial(self.scroll_cursor_visible, center=True)
        self.call_after_refresh(self._begin)

    def on_resize(self) -> None:
        """Restore the initial position, or show the cursor, after the new wrapping."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        if self._beginning is not None:
            self._beginning()
            self.scroll_cursor_visible()

    def on_mouse_scroll_up(self) -> None:
        """Leave the view as it is, as the person has scrolled."""
        self._beginning = None

    on_mouse_scroll_down = on_mouse_scroll_up

    def on_mouse_down(self) -> None:
        """Follow the cursor."""
        self._beginning = self.scroll_cursor_visible

    def put_at(self, row: int) -> None:
        """Scroll so that the cursor's line is as near as possible to screen row `row`."""
        room, empty = self.content_region, self.styles.margin.top  # rows left empty by the last call can be reused
        lower = min(max(row - room.y + empty, 0), max(room.height + empty - 1, 0)) - self._first_row()
        self.styles.margin = (lower if 0 < lower <= _MOST_ROWS_ABOVE else 0, 0, 0, 0)
        self.scroll_to(y=max(0, -lower), animate=False, immediate=True, force=True)

    def _first_row(self) -> int:
        """The index of the cursor line's first row in the wrapped text."""
        return self.wrapped_document.location_to_offset((self.cursor_location[0], 0)).y

    def on_key(self, event: Key) -> None:
        """Leave `esc` to the screen; handle copy and paste."""
        self._beginning = self.scroll_cursor_visible
        if event.key == "escape":
            event.prevent_default()
        elif self.clip(event.key):
            event.prevent_default()
            event.stop()

    def find_matching_bracket(self, bracket: str, search_from: Location) -> Location | None:
        """The location of the matching bracket, searched only near it; None if there is none."""
        return matching_bracket(self.document.lines, search_from) if bracket else None

    def get_line(self, line_index: int) -> Text:
        """Return a line with its highlighting."""
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
        """Render a row, indented if it continues a list item or quote."""
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
        """Render a row without indent. For a very long line only this row is processed."""
        at = self.scroll_offset.y + y
        if at >= self.wrapped_document.height:
            return self.plain_row(y)
        row, section = self.wrapped_document.rows[at]
        line = self.document.get_line(row)
        if len(line) <= _MAX_STYLED:
            return self.plain_row(y)
        start, end, sizes = self.wrapped_document.extent(row, section)
        theme, (head_row, head) = theme_of(self), self.selection.end
        base = theme.base_style or self.rich_style
        on_line = theme.cursor_line_style if row == head_row and self.highlight_cursor_line else None
        text = Text(seen(line[start:end]), base, no_wrap=True, end="")
        if end == len(line):
            text.append(" ")  # room for the cursor
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
            tabs = [size for char, size in zip(line[start:end], sizes, strict=True) if char == "\t"]
            text = expand_text_tabs_from_widths(text, tabs)
        strip = Strip(text.render(self.app.console), text.cell_len)
        return strip.extend_cell_length(self.scrollable_content_region.width, on_line or base).apply_style(base)

    def paint_row(self, text: Text, line_index: int, start: int) -> None:
        """Draw additions onto the part of a line that begins at column `start`; does nothing here."""

    def notify_style_update(self) -> None:
        """Clear the cached styles when the theme changes."""
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
