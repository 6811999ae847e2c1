"""What keys do in the lists and quotes of the editor's text: each is one step to undo."""

from __future__ import annotations

from textual.widgets.text_area import Location, Selection

from zsmem_tui.core.list_edits import Rows, continued, given_up, is_item, line_start, shifted, ticked
from zsmem_tui.core.markdown import in_code
from zsmem_tui.ui.widgets.markdown_area import MarkdownArea


def break_line(area: MarkdownArea) -> bool:
    """Go on with the next marker; where there is but a marker, end the list, or go one step out of it. False: a line as any."""
    start, end = sorted(area.selection)
    row, column = start
    lines = area.document.lines
    line = lines[row]
    begun = continued(line, column)
    if not begun or in_code(lines, [row])[0]:
        return False
    left = given_up(line) if start == end else None
    area.history.checkpoint()
    if left is None:
        area.replace("\n" + begun, start, end, maintain_selection_offset=False)
    elif line_start(line).indent and is_item(line) and (outer := shifted(lines, row, row, -1)) is not None:
        put_rows(area, outer)
    else:
        area.replace(left, (row, 0), (row, len(line)), maintain_selection_offset=False)
    area.history.checkpoint()
    return True


def tab(area: MarkdownArea) -> bool:
    """The item of the cursor, or the lines selected, one step in. False: a tab means spaces there."""
    first, last = selected_rows(area)
    if first == last and not is_item(area.document.get_line(first)):
        return False
    shift(area, 1)
    return True


def shift(area: MarkdownArea, step: int) -> None:
    """The line of the cursor, or those selected, one step in or out, an item with what belongs to it."""
    rows = shifted(area.document.lines, *selected_rows(area), step)
    if rows is not None:
        put_rows(area, rows)


def tick(area: MarkdownArea) -> bool:
    """Tick the boxes of the cursor's line, or of those selected, or open them again. False: there is no item."""
    rows = ticked(area.document.lines, *selected_rows(area))
    if rows is not None:
        put_rows(area, rows)
    return rows is not None


def put_rows(area: MarkdownArea, rows: Rows) -> None:
    """Put other lines in place of some; the cursor and what is selected stay on their characters."""
    old = area.document.lines[rows.first : rows.first + len(rows.lines)]
    selection = Selection(*(_kept(place, rows, old) for place in area.selection))
    last = rows.first + len(rows.lines) - 1
    area.history.checkpoint()
    area.replace("\n".join(rows.lines), (rows.first, 0), (last, len(old[-1])))
    area.history.checkpoint()
    area.selection = selection
    area.record_cursor_width()


def selected_rows(area: MarkdownArea) -> tuple[int, int]:
    """The first and last row that the cursor or the selection is in."""
    start, end = sorted(area.selection)
    return start[0], end[0] if end[1] or end[0] == start[0] else end[0] - 1


def _kept(place: Location, rows: Rows, old: list[str]) -> Location:
    """Where the character is now that was at a place: what changes in a line is before its text."""
    row, column = place
    if not rows.first <= row < rows.first + len(old):
        return place
    before, now = old[row - rows.first], rows.lines[row - rows.first]
    behind = len(before) - column
    same = before[column:] == now[len(now) - behind :] if behind <= len(now) else False
    return row, len(now) - behind if same else min(column, len(now))
