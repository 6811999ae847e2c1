"""What a step over several stores would do, as rows: each file's fate, and the changes that go with it. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from zsmem_tui.core.checks.redact import redacted
from zsmem_tui.core.finding import Finding
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.core.wording import sentences
from zsmem_tui.service.across import Plan, PlannedFile
from zsmem_tui.service.file_change import FileChange
from zsmem_tui.service.importing import Fate
from zsmem_tui.ui.format.common import kind_of, name_of
from zsmem_tui.ui.widgets.row_list import ListRow

_MARKS: Final = {Fate.ADD: "+", Fate.DUPLICATE: "=", Fate.IMPORTED: "=", Fate.CONFLICT: "!", Fate.SKIPPED: "-"}

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


def plan_rows(plan: Plan) -> list[PlanRow]:
    """What becomes of each file, then the other files that follow."""
    by_place = {change.place: change for change in plan.changes}
    rows = [_file(plan, each, by_place) for each in plan.files]
    told = {plan.target.path(each.target) for each in plan.files if each.target is not None}
    told |= {store.path(ref) for store, ref, _ in plan.takes}
    return [*rows, *change_rows([change for place, change in by_place.items() if place not in told])]


def change_rows(changes: Sequence[FileChange], findings: Sequence[Finding] = ()) -> list[PlanRow]:
    """Files that change; what is to be known of the words goes with the first, which gains them."""
    out = []
    for number, change in enumerate(changes):
        verb = "is new" if change.before is None else "goes" if change.after is None else "changes"
        place = visible_line(printable_path(change.place))
        name = f"{kind_of(change.ref)}{name_of(change.ref)}"
        warnings = " ".join(sentences(findings)) if not number else ""
        style = "warn" if warnings else "text"
        row = ListRow([("~ ", "mark"), (name, style)], f"{change.session.layout.title}: {verb}")
        out.append(PlanRow(row, f"{place} {verb}. {warnings}".rstrip(" "), *redacted(change.before, change.after)))
    return out


def _file(plan: Plan, each: PlannedFile, by_place: dict[str, FileChange]) -> PlanRow:
    """One file that shall go."""
    change = by_place.get(plan.target.path(each.target)) if each.target is not None else None
    name = f"{kind_of(each.source)}{name_of(each.source)}"
    where = visible_line(printable_path(each.target.path)) if each.target is not None else ""
    is_stuck = not each.is_taken
    style = "warn" if is_stuck else "text"
    facts = f"{each.fate.value} → {where.rpartition('/')[2]}" if where else each.fate.value
    detail = _said(plan, each, where, is_new=change is not None and change.before is None)
    losses = [visible_line(loss) for loss in each.losses]
    row = ListRow([(f"{_MARKS[each.fate]} ", "mark"), (name, style)], facts)
    before, after = redacted(change.before, change.after) if change is not None else (None, None)
    return PlanRow(row, " ".join([detail, *losses]), before, after, each.store.path(each.source))


def _said(plan: Plan, each: PlannedFile, where: str, *, is_new: bool) -> str:
    """A file's fate as a sentence."""
    title = plan.target.layout.title
    verb = "moved" if plan.is_move else "copied"
    if not each.is_taken:
        return f"It is not {verb}: {visible_line(each.reason)}."
    if each.fate is Fate.DUPLICATE:
        gone = ", so it is only taken from here" if plan.is_move else ", so nothing is written"
        return f"{title} has its text in {where} already{gone}."
    goes = f", and {visible_line(printable_path(each.source.path))} of {each.store.layout.title} goes" if plan.is_move else ""
    return f"It becomes {where} of {title}{goes}." if is_new else f"Its lines are added to {where} of {title}{goes}."
