"""What can be brought in and written as rows. Pure functions."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.text import printable_path, raw_lines
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.bundles import PlannedFile
from zsmem_tui.service.importing import Fate, PlannedItem
from zsmem_tui.service.session import Session
from zsmem_tui.ui.flows.transferring import Source
from zsmem_tui.ui.format.common import name_in
from zsmem_tui.ui.widgets.row_list import ListRow

_MARKS: Final = {Fate.ADD: "+", Fate.DUPLICATE: "=", Fate.IMPORTED: "=", Fate.CONFLICT: "!", Fate.SKIPPED: "-"}


def source_row(source: Source) -> ListRow:
    """Something that can be brought in, or written."""
    place = visible_line(printable_path(source.path))
    return ListRow([("↑ " if source.out else "↓ ", "mark"), (source.words, "text")], place)


def file_row(each: PlannedFile) -> ListRow:
    """A file of a bundle: whether it is taken, and where it goes."""
    names = [visible_line(printable_path(name)) for name in (each.source, each.path)]
    return _row(each.fate, each.ticked, names[0], names[1], each.reason)


def item_row(item: PlannedItem, session: Session) -> ListRow:
    """A remembered item: whether it is taken, and where it goes, as seen from the project of the session."""
    first = next((line for line in raw_lines(item.incoming.text) if line.strip()), item.incoming.source)
    return _row(item.fate, item.ticked, visible_line(first), name_in(item.ref, session), item.reason)


def _row(fate: Fate, ticked: bool, words: str, target: str, reason: str) -> ListRow:
    style = "text" if ticked else "warn" if fate is Fate.CONFLICT else "quiet"
    box = ("☑ " if ticked else "☐ ", "mark" if ticked else "quiet")
    how = f" {reason.rpartition(': ')[2]}" if fate is Fate.CONFLICT and len(reason) < 60 else ""
    facts = fate.value if fate is Fate.SKIPPED else f"{fate}{how} → {target}"
    return ListRow([box, (f"{_MARKS[fate]} ", style), (words, style)], facts)
