"""The editor's text area: key bindings, list editing, find and replace, and multiple cursors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Span as Styled
from rich.text import Text
from textual.binding import BindingType
from textual.events import Key, Paste
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, Location, Selection

from zsmem_tui.core.limits import MAX_EDIT_BYTES
from zsmem_tui.core.list_edits import Rows, continued, given_up, is_item, line_start, shifted, ticked
from zsmem_tui.core.markdown import in_code
from zsmem_tui.core.selections import Place, Span, apart, between, replaced, same, word_at
from zsmem_tui.core.text import lines
from zsmem_tui.core.whole_words import occurrences
from zsmem_tui.ui import wording
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.messages import Said
from zsmem_tui.ui.textual_private import theme_of
from zsmem_tui.ui.widgets.markdown_area import MarkdownArea, held

_CARET: Final = Style(reverse=True)

_MOVES: Final[Mapping[str, Callable[[TextArea], Place]]] = {
    "left": TextArea.get_cursor_left_location,
    "right": TextArea.get_cursor_right_location,
    "up": TextArea.get_cursor_up_location,
    "down": TextArea.get_cursor_down_location,
    "home": partial(TextArea.get_cursor_line_start_location, smart_home=True),
    "end": TextArea.get_cursor_line_end_location,
    "ctrl+left": TextArea.get_cursor_word_left_location,
    "ctrl+right": TextArea.get_cursor_word_right_location,
}
"""Key to the location it moves the cursor to; with shift it also selects."""

_ALIASES: Final = {
    "ctrl+a": "home",
    "ctrl+e": "end",
    "shift+backspace": "backspace",
    "ctrl+backspace": "ctrl+w",
    "alt+backspace": "ctrl+w",
}

_DELETES: Final[Mapping[str, Callable[[TextArea], Place]]] = {
    "backspace": TextArea.get_cursor_left_location,
    "delete": TextArea.get_cursor_right_location,
    "ctrl+w": TextArea.get_cursor_word_left_location,
    "alt+delete": TextArea.get_cursor_word_right_location,
}
"""Key to the location up to which it deletes if nothing is selected."""


class Carets:
    """The additional cursors of a text area. They are dropped when its cursor moves or its text changes by other means."""

    def __init__(self, area: MarkdownArea) -> None:
        self._area = area
        self._more: list[Span] = []
        self._by_row: dict[int, list[Span]] = {}
        self._seen: tuple[Selection, object, int] | None = None
        self._typed = ""
        """The kind of edit that the last key made ("typed" or "deleted"); edits of the same kind are one undo step."""

    @property
    def more(self) -> Sequence[Span]:
        """The additional cursors with their selections."""
        if self._more and self._seen != self._edit_state():
            self._more = []  # not restored if the cursor returns to its position
        return self._more

    def take(self, key: str, character: str | None) -> bool:
        """Handle a key at all cursors; False if there is only one cursor, or the key does nothing here."""
        if not self.more:
            return False
        key = _ALIASES.get(key, key)
        bare = key.replace("shift+", "")
        if key == "escape":
            self._more = []
            self._redraw()
            self._area.post_message(TextArea.SelectionChanged(self._area.selection, self._area))
        elif key == "enter":
            self._put(self._line_breaks(self._all_spans()))
        elif character is not None:
            self.put(character)
        elif key in _DELETES:
            self._delete(_DELETES[key])
        elif bare in _MOVES:
            self._move(_MOVES[bare], select=bare != key, way=bare)
        elif key in ("ctrl+c", "ctrl+x"):
            self._copy(cut=key == "ctrl+x")
        elif key == "ctrl+v":
            if text := self._area.copied():
                self.put(text)
        else:
            return False
        return True

    def put(self, text: str) -> None:
        """Insert `text` at all cursors; if it has as many lines as there are cursors, one line at each."""
        spans = self._all_spans()
        each = lines(text)
        self._put(each if len(each) == len(spans) else [text] * len(spans))

    def add_next(self) -> int:
        """Select the word at the cursor, or, if there is a selection, also its next occurrence; return the number of selections."""
        rows, own = self._area.document.lines, self._own_span()
        if own.start == own.end:
            word = word_at(rows, own.head)
            if word is None:
                return 0
            self._set([*self.more, word], word)
            return len(self.more) + 1
        spans = self._all_spans()
        starts = {span.start for span in spans}
        chosen = next((span for span in same(rows, own) if span.start not in starts), None)
        if chosen is not None:
            self._set([*spans, chosen], chosen)
        return len(spans) + (chosen is not None)

    def add_all(self) -> int:
        """Select all occurrences of the selection or of the word at the cursor; return their number."""
        rows, own = self._area.document.lines, self._own_span()
        word = own if own.start != own.end else word_at(rows, own.head)
        found = [*same(rows, word)] if word is not None else []
        if found:
            at = next((span for span in found if word is not None and span.start == word.start), found[0])
            self._set(found, at)
        return len(found)

    def add_below(self, step: int) -> bool:
        """Add a cursor in the line below the last one (`step` 1) or above the first (-1); False if there is no such line."""
        spans, document = self._all_spans(), self._area.document
        row = (spans[-1].end[0] if step > 0 else spans[0].start[0]) + step
        if not 0 <= row < document.line_count:
            return False
        place = row, min(max(span.head[1] for span in spans), len(document.get_line(row)))
        self._set([*spans, Span(place, place)], Span(place, place))
        return True

    def paint(self, text: Text, row: int, first: int = 0) -> None:
        """Draw the additional cursors and selections of line `row` onto `text`, which begins at column `first` of that line."""
        if not self.more:
            return
        theme = theme_of(self._area)
        for span in self._by_row.get(row, ()):
            start = max(span.start[1] - first, 0) if span.start[0] == row else 0
            end = span.end[1] - first if span.end[0] == row else len(text)
            if theme.selection_style is not None and end > start:
                text.stylize(theme.selection_style, start, end)
            head = span.head[1] - first
            if span.head[0] == row and 0 <= head <= len(text):
                text.spans.append(Styled(head, head + 1, _CARET))  # the cursor may be past the last character

    def _own_span(self) -> Span:
        return Span(*self._area.selection)

    def _all_spans(self) -> list[Span]:
        return apart([*self.more, self._own_span()])

    def _edit_state(self) -> tuple[Selection, object, int]:
        document = self._area.document
        return self._area.selection, document, document.changes

    def _set(self, spans: Iterable[Span], own: Span) -> None:
        """Set the cursors to `spans`; the one that contains `own` becomes the area's own cursor, which is scrolled into view."""
        every = apart(spans)
        at = next((span for span in every if span.start <= own.head <= span.end), every[0])
        area = self._area
        self._typed = ""
        area.history.checkpoint()
        area.selection = Selection(*at)
        area.record_cursor_width()
        self._more = [span for span in every if span is not at]
        self._by_row = {}
        for span in self._more:
            for row in range(span.start[0], span.end[0] + 1):
                self._by_row.setdefault(row, []).append(span)
        self._seen = self._edit_state()
        self._redraw()

    def _redraw(self) -> None:
        self._area.notify_style_update()  # rows are cached by the widget
        self._area.refresh()

    def _targets(self, spans: Iterable[Span], way: Callable[[TextArea], Place]) -> list[Place]:
        """The location to which `way` leads from each cursor. The area's selection and column are restored afterwards."""
        area = self._area
        kept, column = area.selection, area.navigator.last_x_offset
        found: list[Place] = []
        area.navigator.last_x_offset = 0
        for span in spans:
            area.set_reactive(TextArea.selection, Selection(*span))
            found.append(way(area))
        area.set_reactive(TextArea.selection, kept)
        area.navigator.last_x_offset = column
        return found

    def _move(self, to: Callable[[TextArea], Place], *, select: bool, way: str) -> None:
        own = self._own_span()
        moved: list[Span] = []
        after = own
        spans = self._all_spans()
        for span, target in zip(spans, self._targets(spans, to), strict=True):
            at = target
            if not select and span.start != span.end and way in ("left", "right"):
                at = span.start if way == "left" else span.end  # like everywhere: without shift, collapse the selection to its edge
            moved.append(Span(span.anchor if select else at, at))
            if span.start <= own.head <= span.end:
                after = moved[-1]
        self._set(moved, after)

    def _delete(self, to: Callable[[TextArea], Place]) -> None:
        spans = self._all_spans()
        targets = self._targets(spans, to)
        wide = [Span(span.anchor, at) if span.start == span.end else span for span, at in zip(spans, targets, strict=True)]
        self._change(wide, [""] * len(wide), self._own_index(spans))

    def _put(self, new: Sequence[str]) -> None:
        spans = self._all_spans()
        self._change(spans, new, self._own_index(spans))

    def _own_index(self, spans: Sequence[Span]) -> int:
        """The index of the span with the area's own cursor."""
        head = self._area.selection.end
        return next((index for index, span in enumerate(spans) if span.start <= head <= span.end), 0)

    def _change(self, spans: Sequence[Span], new: Sequence[str], own: int) -> None:
        """Replace all `spans` by the texts `new` as one edit; the cursor with index `own` becomes the area's own."""
        area = self._area
        if len(merged := apart(spans)) < len(spans):
            own = next(index for index, span in enumerate(merged) if span.start <= spans[own].start <= span.end)
            spans, new = merged, list(new)[: len(merged)]
        rows = area.document.lines
        change = replaced(rows, spans, new)
        (top, column), (bottom, stop) = change.start, change.end
        text = rows[top][:column] + change.text + rows[bottom][stop:]  # whole lines, so that the next key can extend this edit
        kind = _kind(new)
        same_rows = change.text.count("\n") == bottom - top
        area.history.goes_on = same_rows and kind != "" and kind == self._typed
        area.edit(Edit(text, (top, 0), (bottom, len(rows[bottom])), maintain_selection_offset=False))
        area.history.goes_on = False
        cursors = [Span(end, end) for end in change.ends]
        self._set(cursors, cursors[own])
        self._typed = kind if same_rows else ""

    def _line_breaks(self, spans: Sequence[Span]) -> list[str]:
        rows = self._area.document.lines
        starts = [span.start for span in spans]
        are_code = in_code(rows, [row for row, _ in starts])
        begun = ("" if is_code else continued(rows[row], column) for (row, column), is_code in zip(starts, are_code, strict=True))
        return ["\n" + each for each in begun]

    def _copy(self, *, cut: bool) -> None:
        spans, rows = self._all_spans(), self._area.document.lines
        text = "\n".join(between(rows, span.start, span.end) for span in spans if span.start != span.end)
        if text:
            self._area.copy_text(text)
        if text and cut:
            self._put([""] * len(spans))


def _kind(new: Sequence[str]) -> str:
    """The kind of an edit, for merging undo steps: "typed" (one letter), "deleted", or empty for anything else."""
    if not any(new):
        return "deleted"
    return "typed" if len(set(new)) == 1 and len(new[0]) == 1 and not new[0].isspace() else ""


def _mapped(place: Location, rows: Rows, old: list[str]) -> Location:
    """Map a location in the `old` lines to `rows`: changes are assumed to be before the text of the line."""
    row, column = place
    if not rows.first <= row < rows.first + len(old):
        return place
    before, now = old[row - rows.first], rows.lines[row - rows.first]
    behind = len(before) - column
    same = before[column:] == now[len(now) - behind :] if behind <= len(now) else False
    return row, len(now) - behind if same else min(column, len(now))


class EditorArea(MarkdownArea):
    """The text area of the editor pane."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("editor"), ("tab", "tab"), ("shift+tab", "shift(-1)")]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.tab_behavior = "focus"  # tab is bound here, and escape by the screen
        self.carets = Carets(self)
        """The additional cursors."""
        self.why_no_undo = ""
        """Why the steps end there, after others' lines came in."""

    def undo(self) -> None:
        """Undo the last step; say why there is none after others' lines came in."""
        if self.why_no_undo and not self.history.undo_stack:
            self.post_message(Said(self.why_no_undo, warning=True))
        super().undo()

    def put(self, text: str) -> None:
        """Load `text` and clear the undo history."""
        self.why_no_undo = ""
        super().put(text)

    def on_key(self, event: Key) -> None:
        """Handle keys for multiple cursors, and line breaks in lists."""
        self._beginning = self.scroll_cursor_visible
        if self.carets.take(event.key, event.character if event.is_printable else None) or (
            event.key == "enter" and self.break_line()
        ):
            event.prevent_default()
            event.stop()

    def get_line(self, line_index: int) -> Text:
        """Return the styled line, with the additional cursors."""
        text = super().get_line(line_index)
        self.carets.paint(text, line_index)
        return text

    def paint_row(self, text: Text, line_index: int, start: int) -> None:
        """Draw the additional cursors onto a part of a line that begins at column `start`."""
        self.carets.paint(text, line_index, start)

    def on_paste(self, event: Paste) -> None:
        """Refuse a paste that is too large to edit, with a message; with several cursors, paste at each."""
        size = len(event.text.encode("utf-8", "replace"))
        if size > MAX_EDIT_BYTES:
            event.prevent_default()
            event.stop()
            text = f"{wording.size(size)} is too much to paste here: nothing was pasted. Save, and use your own editor (o)."
            self.post_message(Said(text, warning=True))
        elif self.carets.more:
            event.prevent_default()
            event.stop()
            if text := self.pasted(event.text):
                self.carets.put(text)

    def action_edge(self, step: int) -> None:
        """Move the cursor to the start (`step` < 0) or end of the text."""
        self.move_cursor(self.document.start if step < 0 else self.document.end)

    def action_duplicate_lines(self) -> None:
        """Duplicate the current or selected lines below themselves."""
        first, last = self._selected_rows()
        end = (last, len(self.document.get_line(last)))
        column = self.cursor_location[1]
        self.insert("\n" + "\n".join(self.document.lines[first : last + 1]), end)
        self.move_cursor((last + 1, column))
        self.history.checkpoint()

    def action_move_lines(self, step: int) -> None:
        """Move the current or selected lines up or down by one, with the selection."""
        first, last = self._selected_rows()
        other = first - 1 if step < 0 else last + 1
        bottom = self.document.line_count - 1
        is_last_break = other == bottom and not self.document.get_line(bottom)
        if other < 0 or other > bottom or is_last_break or (last == bottom and not self.document.get_line(last)):
            return
        block, neighbour = self.document.lines[first : last + 1], self.document.get_line(other)
        top, end = min(first, other), max(last, other)
        selection = self.selection
        lines = [*block, neighbour] if step < 0 else [neighbour, *block]
        self.history.checkpoint()
        self.replace("\n".join(lines), (top, 0), (end, len(self.document.get_line(end))))
        self.history.checkpoint()
        (row, column), (end_row, end_column) = selection.start, selection.end
        self.move_cursor((row + step, column))
        self.move_cursor((end_row + step, end_column), select=True)

    def action_tab(self) -> None:
        """Indent the selected lines or the list item; elsewhere insert spaces up to the next tab stop."""
        first, last = self._selected_rows()
        if first != last or is_item(self.document.get_line(first)):
            self.action_shift(1)
        else:
            to_stop = self.indent_width - self.get_column_width(*self.cursor_location) % self.indent_width
            self.replace(" " * to_stop, *self.selection, maintain_selection_offset=False)

    def action_shift(self, step: int) -> None:
        """Indent (`step` 1) or dedent (-1) the current or selected lines; list items with their children."""
        rows = shifted(self.document.lines, *self._selected_rows(), step)
        if rows is not None:
            self._put_rows(rows)

    def action_tick(self) -> None:
        """Toggle the check boxes of the current or selected lines."""
        rows = ticked(self.document.lines, *self._selected_rows())
        if rows is not None:
            self._put_rows(rows)
        else:
            self.post_message(Said("There is no item here: a line that begins with - or a number.", warning=True))

    def action_cursors(self, where: str) -> None:
        """Add cursors: at the `next` occurrence or `all` occurrences of the selection, or in the line `below` or `above`."""
        if where in ("below", "above"):
            if not self.carets.add_below(1 if where == "below" else -1):
                self.post_message(Said(f"There is no line {where}.", warning=True))
            return
        before = len(self.carets.more) + 1 if self.selected_text else 0
        count = self.carets.add_next() if where == "next" else self.carets.add_all()
        if not count:
            self.post_message(Said("There is no word here.", warning=True))
        elif count == before:
            self.post_message(Said("It stands nowhere else.", warning=True))
        elif count == 1:
            self.post_message(Said("Selected; again: where it stands next, too."))
        else:
            self.post_message(Said(f"{count} selected: keys act on all of them, esc leaves one."))

    def break_line(self) -> bool:
        """Break the line in a list and insert the next marker; on an empty item, end the list or dedent. False outside of lists."""
        start, end = sorted(self.selection)
        row, column = start
        lines = self.document.lines
        line = lines[row]
        begun = continued(line, column)
        if not begun or in_code(lines, [row])[0]:
            return False
        left = given_up(line) if start == end else None
        self.history.checkpoint()
        if left is None:
            self.replace("\n" + begun, start, end, maintain_selection_offset=False)
        elif line_start(line).indent and is_item(line) and (outer := shifted(lines, row, row, -1)) is not None:
            self._put_rows(outer)
        else:
            self.replace(left, (row, 0), (row, len(line)), maintain_selection_offset=False)
        self.history.checkpoint()
        return True

    def _put_rows(self, rows: Rows) -> None:
        """Replace lines; the cursor and the selection stay at their characters."""
        old = self.document.lines[rows.first : rows.first + len(rows.lines)]
        selection = Selection(*(_mapped(place, rows, old) for place in self.selection))
        last = rows.first + len(rows.lines) - 1
        self.history.checkpoint()
        self.replace("\n".join(rows.lines), (rows.first, 0), (last, len(old[-1])))
        self.history.checkpoint()
        self.selection = selection
        self.record_cursor_width()

    def _selected_rows(self) -> tuple[int, int]:
        """The indices of the first and last line touched by the cursor or selection."""
        start, end = sorted(self.selection)
        return start[0], end[0] if end[1] or end[0] == start[0] else end[0] - 1

    def find_next(self, wanted: str, step: int) -> tuple[int, int]:
        """Select the next (`step` 1) or previous match, wrapping around; return its 1-based number and the total, or (0, 0)."""
        found = self._find(wanted)
        if not found:
            return 0, 0
        start, stop = sorted(self.selection)
        if step > 0:
            place = next((place for place, (at, _) in enumerate(found) if at > start or at == start == stop), 0)
        else:
            place = next((place for place in range(len(found) - 1, -1, -1) if found[place][0] < start), len(found) - 1)
        self.move_cursor(found[place][0], center=True)
        self.move_cursor(found[place][1], select=True)
        return place + 1, len(found)

    def replace_selected(self, wanted: str, new: str) -> None:
        """Replace the selection by `new` if it is a match of `wanted`."""
        start, stop = sorted(self.selection)
        if (start, stop) in self._find(wanted):
            self.history.checkpoint()
            self.replace(held(new), start, stop)
            self.history.checkpoint()
            self.move_cursor((start[0], start[1] + len(held(new))))

    def replace_all(self, wanted: str, new: str) -> int:
        """Replace all matches of `wanted` as one undo step; return their number."""
        text, out, at = self.text, [], 0
        found = occurrences(text, held(wanted))
        for start, stop in found:
            out += [text[at:start], held(new)]
            at = stop
        if found:
            row, column = self.cursor_location
            self.history.checkpoint()
            self.replace("".join(out) + text[at:], self.document.start, self.document.end)
            self.history.checkpoint()
            self.move_cursor((row, min(column, len(self.document.get_line(row)))), center=True)
        return len(found)

    def _find(self, wanted: str) -> list[tuple[Location, Location]]:
        """The start and end locations of all matches."""
        sought = held(wanted)
        rows = enumerate(self.document.lines)
        return [((row, start), (row, stop)) for row, line in rows for start, stop in occurrences(line, sought)]
