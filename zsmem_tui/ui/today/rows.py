"""What waits as rows and sentences. Pure functions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.text import counted
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.news import Kind, Row, Today
from zsmem_tui.service.today_rows import FATES
from zsmem_tui.ui import signs
from zsmem_tui.ui.widgets.row_list import HEADING, ListRow
from zsmem_tui.ui.wording import age, place_of

_JUDGED = (Kind.LINE, Kind.FILE)


def keys_of(rows: Iterable[Row]) -> list[Hashable]:
    """The rows of the list: what others wrote under its agent and file, the rest under a heading of its own."""
    found: list[Hashable] = []
    heading = ""
    for row in rows:
        own = heading_of(row, heading)
        if own != heading:
            found.append(f"{HEADING}{own}")
            heading = own
        found.append(row.key)
    return found


def heading_of(row: Row, before: str = "") -> str:
    """What stands above a row; a row that only goes on stays below the heading `before`."""
    if row.ref is not None:
        who = f" · {visible_line(row.author)}" if row.author else ""
        return f"{row.session.layout.title} › {place_of(row.ref, row.session)}{who}"
    if row.kind is Kind.MORE and row.lines and before:
        return before
    return f"{row.session.layout.title}" if row.kind in (Kind.FELL, Kind.ITEMS) or row.files else "Besides"


def drawn(row: Row, now_ns: int) -> ListRow:
    """A row of the list: what became of a line, the line, what is doubtful; at the right how much of it is loaded, and its age."""
    if row.kind not in _JUDGED:
        style = "warn" if row.kind in (Kind.FELL, Kind.FINDING, Kind.PROBLEM) else "text"
        mark = f"{signs.LOOK} " if style == "warn" else "  "
        says = (visible_line(row.text), "text" if style == "warn" else "quiet")
        return ListRow([(mark, style), says, *_doubts(row)], _leads(row))
    fate = "" if row.fate is None else row.fate.value
    pieces = [(f"{signs.FACT_SIGNS.get(fate, ' ')} ", "text" if row.fate is Prompt.NEVER else "warn")]
    pieces += [("- ", "removed")] if row.is_gone else [("+ ", "added")] if row.kind is Kind.LINE else []
    pieces.append((visible_line(row.text), "strike" if row.is_gone else "text"))
    if row.before:
        pieces.append((f"  before: {visible_line(row.before.strip())}", "quiet"))
    pieces += _doubts(row)
    words = FATES[row.fate] if row.fate is not None else ""
    return ListRow(pieces, "  ".join(filter(None, (words, age(row.when, now_ns)))))


def _doubts(row: Row) -> list[tuple[str, str]]:
    return [(f"  {signs.LOOK} {visible_line(each)}", "warn") for each in row.doubts]


def _leads(row: Row) -> str:
    return f"enter: {row.leads.capitalize()}" if row.leads else ""


def title(late: int) -> str:
    """What the page is called, with how many rows came while the person reads."""
    return f"2 Today · {late} more: home shows {'it' if late == 1 else 'them'}" if late else "2 Today"


def sentence(found: Today) -> str:
    """What waits and what to press, in a sentence or two."""
    judged = [row for row in found.rows if row.kind in _JUDGED]
    if judged:
        files = {(id(row.session), row.ref) for row in judged}
        agents = sorted({row.session.layout.title for row in judged})
        where = f"{counted(len(files), 'file')}, {' and '.join(agents)}"
        more = f" and changed {counted(found.files, 'file')} more" if found.files else ""
        return f"Others wrote {counted(found.lines, 'line')} ({where}){more}: x keeps one, b puts it back."
    first = next((row for row in found.rows if row.waits), None)
    match first.kind if first is not None else None:
        case None if not found.is_whole:
            return "What waits here cannot be told: not all of it can be read."
        case None:
            return "Everything here is seen. u takes the last step back, esc goes to the tree."
        case Kind.BELONGS:
            return "A memory seems to belong to this folder: enter shows it in Projects."
        case Kind.FINDING:
            count = sum(row.kind is Kind.FINDING for row in found.rows)
            return f"The doctor found {counted(count, 'error')}: enter shows what helps."
        case Kind.FELL:
            return "Facts fell out of a prompt: enter shows which, and makes room."
        case _:
            return "Others changed files here since you looked: enter shows them."
