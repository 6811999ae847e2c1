"""What a plan would do, as rows and sentences. Pure functions."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.notice import sentences
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.plan import NO_FILE, Edit, Fate, Plan, Row
from zsmem_tui.service.session import Session
from zsmem_tui.ui import signs
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import kind_of, name_of

MARKS: Final = {
    Fate.ADD: "+",
    Fate.DUPLICATE: "=",
    Fate.IMPORTED: "=",
    Fate.CONFLICT: "!",
    Fate.LEFT: "-",
    Fate.SKIPPED: "-",
    Fate.MOVED: signs.MOVED,
    Fate.MERGED: signs.MOVED,
    Fate.ONCE: "=",
    Fate.BESIDE: signs.MOVED,
}

MOST_LEFT: Final = 5
"""Sentences about what is not done that a plan tells."""


def notes(plan: Plan) -> list[str]:
    """What is to be known of all of it."""
    return [*plan.notes, *sentences(plan.findings), *plan.left[:MOST_LEFT]]


def box(row: Row) -> tuple[str, str]:
    """Whether a row is ticked; nothing for one that cannot be."""
    return (f"{signs.TICKED} ", "mark") if row.ticked else (f"{signs.UNTICKED} " if row.can_be else "    ", "quiet")


def edit_row(edit: Edit) -> ListRow:
    """A file that changes."""
    return ListRow(
        [("~ ", "mark"), (f"{kind_of(edit.ref)}{name_of(edit.ref)}", "text")], f"{edit.session.layout.title}: {_fate(edit)}"
    )


def edit_words(edit: Edit) -> str:
    """What becomes of a file."""
    return f"{visible_line(printable_path(edit.place))} {_fate(edit)}."


def _fate(edit: Edit) -> str:
    return "is new" if edit.before is None else "goes" if edit.after is None else "changes"


def named_row(row: Row) -> ListRow:
    """A file that goes elsewhere, or something else that is told by its name."""
    name = f"{kind_of(row.file)}{name_of(row.file)}" if row.file != NO_FILE else visible_line(printable_path(row.source))
    where = visible_line(printable_path(row.ref.path)).rpartition("/")[2]
    facts = f"{row.fate.value} {signs.MOVED} {where}" if where else row.fate.value
    return ListRow([(f"{MARKS[row.fate]} ", "mark"), (name, "warn" if row.fate is Fate.SKIPPED else "text")], facts)


def file_words(target: Session, row: Row, *, is_move: bool, is_new: bool) -> str:
    """What becomes of a file that shall go to `target`, in full sentences."""
    return " ".join([_file_fate(target, row, is_move=is_move, is_new=is_new), *map(visible_line, row.losses)])


def _file_fate(target: Session, row: Row, *, is_move: bool, is_new: bool) -> str:
    title, where = target.layout.title, visible_line(printable_path(row.ref.path))
    if not row.is_taken:
        return f"It is not {'moved' if is_move else 'copied'}: {visible_line(row.reason)}."
    if row.fate is Fate.DUPLICATE:
        gone = ", so it is only taken from here" if is_move else ", so nothing is written"
        return f"{title} has its text in {where} already{gone}."
    of = row.store.layout.title if row.store is not None else ""
    goes = f", and {visible_line(printable_path(row.source))} of {of} goes" if is_move else ""
    return f"It becomes {where} of {title}{goes}." if is_new else f"Its lines are added to {where} of {title}{goes}."
