"""From any agent's memory to any other in one go: what an import would bring in goes out again at once, and ours never has it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from zsmem_tui.agents.base import AgentFormat
from zsmem_tui.agents.outgoing import Held, Ours
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.names import note_stem
from zsmem_tui.core.refs import Role
from zsmem_tui.service import exporting, import_reading
from zsmem_tui.service.export_planner import ExportItem
from zsmem_tui.service.export_targets import folder_of
from zsmem_tui.service.exporting import ExportPlan, ExportResult, Named
from zsmem_tui.service.import_reading import Choice, Incoming
from zsmem_tui.service.import_targets import Policy, TargetFile
from zsmem_tui.service.importing import Fate
from zsmem_tui.service.session import Session


@dataclass(frozen=True, slots=True)
class Goal:
    """Where a transfer goes: the format, where its memory is kept (empty: where that agent keeps it), and whose it is there."""

    format: Named
    path: str = ""
    group: str = ""
    user: str = ""


def goal_of(text: str) -> Goal:
    """The goal that `FORMAT` or `FORMAT:ROOT` means. Raises `BadTarget`."""
    name, _, root = text.partition(":")
    return Goal(exporting.format_called(name), root)


def plan(
    session: Session,
    format: AgentFormat,
    path: str,
    goal: Goal,
    *,
    choice: Choice | None = None,
    incoming: Incoming | None = None,
    without: Collection[str] = (),
    cancelled: Callable[[], bool] = lambda: False,
) -> ExportPlan:
    """What would become of the memory of one agent at `path` (default: where it keeps that of this folder) in another's.

    `incoming` is what was read of the one before, `without` are the keys of items that are left out. The step is undone in the
    session's store as in the other agent's. Raises what `import_reading.read` and `exporting.plan` raise.
    """
    read = incoming or import_reading.read(session, format, path, choice, cancelled=cancelled)
    ours, left = _ours(session, read.items)
    origin = f"{format.name}:{os.path.realpath(read.place)}"
    found = exporting.plan_of(
        session, goal.format, ours, origin, goal.path, group=goal.group, user=goal.user, without=without, cancelled=cancelled
    )
    rows = tuple(ExportItem(each.source, "", Fate.SKIPPED, why, each.text, ticked=False) for each, why in left)
    return replace(found, items=(*found.items, *rows))


def transfer(
    session: Session, format: AgentFormat, path: str, goal: Goal, *, choice: Choice | None = None, dry_run: bool = False
) -> ExportResult:
    """`plan`, and unless it is a `dry_run`, do it. Raises what `plan` and `exporting.apply` raise."""
    wanted = plan(session, format, path, goal, choice=choice)
    return exporting.said(wanted) if dry_run or session.dry_run else exporting.apply(session, wanted)


def _ours(session: Session, found: tuple[ImportItem, ...]) -> tuple[Ours, list[tuple[ImportItem, str]]]:
    """What was read, as memory of ours would hold it; and what is not taken, with the reason as a clause."""
    left: list[tuple[ImportItem, str]] = []
    texts: dict[tuple[Role, str], TargetFile] = {}
    sources: dict[tuple[Role, str], str] = {}
    for each in found:
        why = each.skip or each.doubt
        if why:
            left.append((each, why))
            continue
        at = (each.role, "" if each.role in (Role.FACTS, Role.CHECKLIST) else _name(each, texts))
        file = texts.setdefault(at, TargetFile(None))
        sources.setdefault(at, each.source.partition(":")[0])
        if file.now is None or not file.has(each):
            file.put(each, Policy.MERGE)
    held = {
        at: Held(sources[at], at[1], (file.now or b"").decode("utf-8", "surrogateescape"), session.now_ns())
        for at, file in texts.items()
    }
    notes, logs = (tuple(each for (role, _), each in held.items() if role is wanted) for wanted in (Role.NOTE, Role.LOG))
    facts, tasks = (held.get((role, "")) for role in (Role.FACTS, Role.CHECKLIST))
    return Ours(session.project, folder_of(session), facts, tasks, notes, logs), left


def _name(each: ImportItem, texts: dict[tuple[Role, str], TargetFile]) -> str:
    """What a note or a log is called; a second note of a name gets a number."""
    if each.role is not Role.NOTE:
        return each.name
    stem = name = note_stem(stem_of(each.name))
    number = 2
    while (Role.NOTE, name) in texts:
        name, number = f"{stem}-{number}", number + 1
    return name
