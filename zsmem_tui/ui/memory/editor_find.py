"""Finding words in the editor's text, and putting others there."""

from __future__ import annotations

from zsmem_tui.core.occurrences import occurrences
from zsmem_tui.core.selections import Place
from zsmem_tui.ui.widgets.markdown_area import MarkdownArea, held


def find_next(area: MarkdownArea, wanted: str, step: int) -> tuple[int, int]:
    """Select the next place that holds `wanted`, or the one before, round the ends: its number, from 1, and how many."""
    found = _found(area, wanted)
    if not found:
        return 0, 0
    start, stop = sorted(area.selection)
    if step > 0:
        place = next((place for place, (at, _) in enumerate(found) if at > start or at == start == stop), 0)
    else:
        place = next((place for place in range(len(found) - 1, -1, -1) if found[place][0] < start), len(found) - 1)
    area.move_cursor(found[place][0], center=True)
    area.move_cursor(found[place][1], select=True)
    return place + 1, len(found)


def replace_one(area: MarkdownArea, wanted: str, new: str) -> bool:
    """Put `new` where `wanted` is selected, and go to the next place; False when another text is selected."""
    start, stop = sorted(area.selection)
    if (start, stop) not in _found(area, wanted):
        return False
    area.history.checkpoint()
    area.replace(held(new), start, stop)
    area.history.checkpoint()
    area.move_cursor((start[0], start[1] + len(held(new))))
    return True


def replace_all(area: MarkdownArea, wanted: str, new: str) -> int:
    """Put `new` wherever `wanted` stands, as one step to undo; how often."""
    text, out, at = area.text, [], 0
    found = occurrences(text, held(wanted))
    for start, stop in found:
        out += [text[at:start], held(new)]
        at = stop
    if found:
        row, column = area.cursor_location
        area.history.checkpoint()
        area.replace("".join(out) + text[at:], area.document.start, area.document.end)
        area.history.checkpoint()
        area.move_cursor((row, min(column, len(area.document.get_line(row)))), center=True)
    return len(found)


def _found(area: MarkdownArea, wanted: str) -> list[tuple[Place, Place]]:
    """Where `wanted` stands, as the rows and columns of its start and end."""
    sought = held(wanted)
    return [
        ((row, start), (row, stop)) for row, line in enumerate(area.document.lines) for start, stop in occurrences(line, sought)
    ]
