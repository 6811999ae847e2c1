"""What a step over several stores would do, as rows: each file's fate, and the changes that go with it. Pure functions."""

from __future__ import annotations

from typing import Final, NamedTuple

from zsmem_tui.core.checks.redact import redacted
from zsmem_tui.core.notice import sentences
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.plan import Edit, Fate, Plan, Row
from zsmem_tui.service.session import Session
from zsmem_tui.ui import signs
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import kind_of, name_of

MARKS: Final = {Fate.ADD: "+", Fate.DUPLICATE: "=", Fate.IMPORTED: "=", Fate.CONFLICT: "!", Fate.LEFT: "-", Fate.SKIPPED: "-"}

APPLY: Final = -1
"""The answer of whoever is shown a plan, and wants it done."""


class PlanRow(NamedTuple):
    """A row of a plan: what it is about, a full sentence about it, and the texts of the file that changes (before, after).

    The texts are for the diff: no credential stands whole in them.
    `name` is set where the file can be given another name there: where it lies now.
    """

    row: ListRow
    detail: str
    before: bytes | None = None
    after: bytes | None = None
    name: str = ""


def plan_rows(plan: Plan, target: Session, *, is_move: bool) -> list[PlanRow]:
    """What becomes of each file that shall go to `target`, then the other files that follow."""
    by_place = {change.place: change for change in plan.changes}
    rows = [_file(target, each, by_place, is_move=is_move) for each in plan.rows]
    told = {each.place for each in plan.rows}
    told |= {_source(each) for each in plan.rows if each.is_taken and is_move}
    return [*rows, *(_change(change) for place, change in by_place.items() if place not in told)]


def change_rows(plan: Plan) -> list[PlanRow]:
    """Files that change; what is to be known of all of it goes with the first."""
    return [_change(each, plan if not number else None) for number, each in enumerate(plan.changes)]


def _change(change: Edit, plan: Plan | None = None) -> PlanRow:
    """One file that changes, with what is to be known of the whole plan."""
    verb = "is new" if change.before is None else "goes" if change.after is None else "changes"
    warnings = sentences(plan.findings) if plan is not None else []
    said = map(visible_line, (*plan.notes, *warnings, *plan.left[:5])) if plan is not None else ()
    name = f"{kind_of(change.ref)}{name_of(change.ref)}"
    row = ListRow([("~ ", "mark"), (name, "warn" if warnings else "text")], f"{change.session.layout.title}: {verb}")
    detail = " ".join([f"{visible_line(printable_path(change.place))} {verb}.", *said])
    return PlanRow(row, detail, *redacted(change.before, change.after))


def _file(target: Session, each: Row, by_place: dict[str, Edit], *, is_move: bool) -> PlanRow:
    """One file that shall go."""
    change = by_place.get(each.place)
    name = f"{kind_of(each.file)}{name_of(each.file)}"
    where = visible_line(printable_path(each.ref.path))
    is_stuck = not each.is_taken
    style = "warn" if is_stuck else "text"
    facts = f"{each.fate.value} {signs.MOVED} {where.rpartition('/')[2]}" if where else each.fate.value
    detail = _said(target, each, where, is_move=is_move, is_new=change is not None and change.before is None)
    losses = [visible_line(loss) for loss in each.losses]
    row = ListRow([(f"{MARKS[each.fate]} ", "mark"), (name, style)], facts)
    before, after = redacted(change.before, change.after) if change is not None else (None, None)
    return PlanRow(row, " ".join([detail, *losses]), before, after, _source(each))


def _source(each: Row) -> str:
    """Where a file lies that shall go."""
    return each.store.path(each.file) if each.store is not None else ""


def _said(target: Session, each: Row, where: str, *, is_move: bool, is_new: bool) -> str:
    """A file's fate as a sentence."""
    title = target.layout.title
    verb = "moved" if is_move else "copied"
    if not each.is_taken:
        return f"It is not {verb}: {visible_line(each.reason)}."
    if each.fate is Fate.DUPLICATE:
        gone = ", so it is only taken from here" if is_move else ", so nothing is written"
        return f"{title} has its text in {where} already{gone}."
    of = each.store.layout.title if each.store is not None else ""
    goes = f", and {visible_line(printable_path(each.source))} of {of} goes" if is_move else ""
    return f"It becomes {where} of {title}{goes}." if is_new else f"Its lines are added to {where} of {title}{goes}."
