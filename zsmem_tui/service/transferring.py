"""Transfer memory from one agent directly to another: import items are exported at once, without entering our store."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from zsmem_tui.agents.format import Format
from zsmem_tui.agents.outgoing import Ours
from zsmem_tui.core.globs import Globs
from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import import_reading
from zsmem_tui.service.export_sources import as_ours
from zsmem_tui.service.export_targets import NOTHING, folder_of
from zsmem_tui.service.exporting import Exports
from zsmem_tui.service.formats import of_agent, title_of
from zsmem_tui.service.import_reading import Choice, Incoming
from zsmem_tui.service.plan import Edit, Handling, Plan, Policy, Row
from zsmem_tui.service.session import Session


@dataclass(frozen=True, slots=True)
class Goal:
    """The target of a transfer: format, path (empty: the agent's default), and whose memory it is there."""

    format: Format
    path: str = ""
    group: str = ""
    user: str = ""


def goal_of(text: str) -> Goal:
    """The goal for `FORMAT` or `FORMAT:ROOT`. Raises `BadTarget`."""
    name, _, root = text.partition(":")
    return Goal(of_agent(name, NOTHING), root)


def plan(
    session: Session,
    format: Format,
    path: str,
    goal: Goal,
    *,
    choice: Choice | None = None,
    also: Globs = "",
    policy: Policy = Policy.SKIP,
    again: Plan | None = None,
    without: Collection[str] = (),
    secrets: Handling = Handling.STOP,
    cancelled: Callable[[], bool] = lambda: False,
) -> Plan:
    """Plan transferring one agent's memory at `path` (default: its place for this folder) to another agent.

    Items of other folders go to these folders' memory, all in one step, undone in either store. `also` is a pattern of sources to
    take although they stay by default, `policy` says what happens if a name is taken, `again` is an earlier plan whose parsed input
    is reused, and `without` are keys of rows to leave out. Raises what `import_reading.read` and `exporting.plan` raise.
    """
    wanted = choice or Choice()
    named = wanted._replace(group="", user="")
    read: Incoming
    read, known = again.read if again else (import_reading.read(session, format, path, named, cancelled=cancelled), {})
    items, goal = _whose(read.items, wanted, goal)
    origin = f"{format.recorded_as}:{os.path.realpath(read.place)}"
    goes = session, goal.format, goal.path, goal.group, goal.user
    exports = Exports(*goes, policy=policy, secrets=secrets, there=known, cancelled=cancelled)
    for number, (own, there) in enumerate(_by_folder(session, items).items()):
        ours = as_ours(own, read, there, also=also)
        exports.add(own, ours, origin, without=without, mark=f"{number}.", refused=partial(_where_it_is_not, own))
    if not items:
        exports.add(session, Ours(session.project), origin)
    exports.rows = [_marked(each, items) for each in exports.rows]
    return replace(exports.plan(read=(read, known)), label=f"Imported from {title_of(format.name)} to {title_of(goal.format.name)}")


def _whose(items: tuple[ImportItem, ...], wanted: Choice, goal: Goal) -> tuple[list[ImportItem], Goal]:
    """The items of the named group and user, and the goal with its group.

    A name that the source has selects items; any other name is meant for the target. A group kind that both sides have keeps its
    group, unless the goal names another.
    """
    if wanted.group and not import_reading.has_group(items, wanted.group):
        goal, wanted = replace(goal, group=goal.group or wanted.group), wanted._replace(group="")
    if wanted.user and not import_reading.has_group(items, f"user:{wanted.user}"):
        goal, wanted = replace(goal, user=goal.user or wanted.user), wanted._replace(user="")
    kept = import_reading.of_group(list(items), wanted)
    groups = {each.group for each in kept}
    if wanted.group and not goal.group and len(groups) == 1:
        same = groups.pop()
        goal = replace(goal, group=same if same.partition(":")[0] in goal.format.group_kinds else "")
    return kept, goal


def _where_it_is_not(session: Session, changes: Sequence[Edit]) -> str:
    """Why nothing may be written: a clause if files would be in a folder that does not exist, else empty."""
    home = session.folder.rstrip("/")
    is_there = not home or os.path.isdir(home) or not any(each.place.startswith(f"{home}/") for each in changes)
    return "" if is_there else f"its folder {printable_path(home)} is not there"


def _by_folder(session: Session, items: list[ImportItem]) -> dict[Session, list[ImportItem]]:
    """The items by folder, as sessions for these; items without a known folder belong to `session`."""
    here = folder_of(session)
    sessions: dict[str, Session] = {}
    out: dict[Session, list[ImportItem]] = {}
    for each in items:
        slug = each.project if each.folder not in ("", here) else ""
        if slug not in sessions:
            other = Session(session.root, slug, config=session.config, clock=session.clock, folder=each.folder) if slug else session
            sessions[slug] = other
        out.setdefault(sessions[slug], []).append(each)
    return out


def _marked(row: Row, items: Sequence[ImportItem]) -> Row:
    """The row with warnings about the marked items among its texts."""
    marks = dict.fromkeys(
        each.mark for each in items if each.mark and (each.text.strip() in row.text or row.text.strip() in each.text)
    )
    return row._replace(warnings=(*row.warnings, *(f"Look at it: it {mark}." for mark in marks))) if row.ticked else row
