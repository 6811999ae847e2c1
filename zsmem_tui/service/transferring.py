"""From any agent's memory to any other in one go: what an import would bring in goes out again at once, and ours never has it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from zsmem_tui.agents.format import Format
from zsmem_tui.agents.outgoing import Held, Ours, Whole
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.names import note_stem, project_slug
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import import_reading
from zsmem_tui.service.export_targets import NOTHING, folder_of
from zsmem_tui.service.exporting import Exports
from zsmem_tui.service.formats import of_agent, title_of
from zsmem_tui.service.import_reading import Choice, Incoming
from zsmem_tui.service.importing import TargetFile
from zsmem_tui.service.plan import Edit, Fate, Handling, Plan, Policy, Row
from zsmem_tui.service.session import Session


@dataclass(frozen=True, slots=True)
class Goal:
    """Where a transfer goes: the format, where its memory is kept (empty: where that agent keeps it), and whose it is there."""

    format: Format
    path: str = ""
    group: str = ""
    user: str = ""


def goal_of(text: str) -> Goal:
    """The goal that `FORMAT` or `FORMAT:ROOT` means. Raises `BadTarget`."""
    name, _, root = text.partition(":")
    return Goal(of_agent(name, NOTHING), root)


def plan(
    session: Session,
    format: Format,
    path: str,
    goal: Goal,
    *,
    choice: Choice | None = None,
    also: str = "",
    policy: Policy = Policy.SKIP,
    again: Plan | None = None,
    without: Collection[str] = (),
    secrets: Handling = Handling.STOP,
    cancelled: Callable[[], bool] = lambda: False,
) -> Plan:
    """What would become of the memory of one agent at `path` (default: where it keeps that of this folder) in another's.

    What is of other folders goes to the memory of those, all in one step, which is undone in the session's store as in the other
    agent's. `also` is a pattern of sources that are taken although they are not by default, `policy` what becomes of a name that
    another text has there. What `again`, an earlier plan, has read is not read again; `without` are the keys of items that are left
    out. Raises what `import_reading.read` and `exporting.plan` raise.
    """
    wanted = choice or Choice()
    named = wanted._replace(group="", user="")
    read: Incoming = again.read if again else import_reading.read(session, format, path, named, cancelled=cancelled)
    items, goal = _whose(read.items, wanted, goal)
    origin = f"{format.recorded_as}:{os.path.realpath(read.place)}"
    exports = Exports(session, goal.format, goal.path, goal.group, goal.user, policy=policy, secrets=secrets, cancelled=cancelled)
    for number, (own, there) in enumerate(_by_folder(session, items).items()):
        ours, left = _ours(own, there, also, number, read.originals)
        ours = ours._replace(agent=title_of(format.name))
        mark = f"{number}."
        exports.add(own, ours, origin, without=without, mark=mark, refused=partial(_where_it_is_not, own))
        exports.rows += [
            Row(each.source, "", Fate.SKIPPED, why, each.text, key=f"{mark}-{at}", ticked=False)
            for at, (each, why) in enumerate(left)
        ]
    if not items:
        exports.add(session, Ours(session.project), origin)
    exports.rows = [_marked(each, items) for each in exports.rows]
    return exports.plan(read=read)


def _whose(items: tuple[ImportItem, ...], wanted: Choice, goal: Goal) -> tuple[list[ImportItem], Goal]:
    """What is of the group and the user that were named, and the goal with its own.

    A name that the source has picks from it; one that it does not have is meant for the other side. Where both sides have groups of
    that kind, it is the same one on both unless the goal says another.
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
    """Why nothing is done where files would lie in a folder that is not there, as a clause."""
    home = session.folder.rstrip("/")
    is_there = not home or os.path.isdir(home) or not any(each.place.startswith(f"{home}/") for each in changes)
    return "" if is_there else f"its folder {printable_path(home)} is not there"


def _by_folder(session: Session, items: list[ImportItem]) -> dict[Session, list[ImportItem]]:
    """What was read by the folder that it is of, as sessions there; what is of none that is known is of this one."""
    here = project_slug(folder_of(session)) if folder_of(session) else session.project
    sessions: dict[str, Session] = {}
    out: dict[Session, list[ImportItem]] = {}
    for each in items:
        slug = each.project if each.folder and each.project != here else ""
        if slug not in sessions:
            other = Session(session.root, slug, config=session.config, clock=session.clock, folder=each.folder) if slug else session
            sessions[slug] = other
        out.setdefault(sessions[slug], []).append(each)
    return out


def _ours(
    session: Session, found: list[ImportItem], also: str, number: int, originals: Mapping[str, bytes]
) -> tuple[Ours, list[tuple[ImportItem, str]]]:
    """What was read, as memory of ours would hold it; and what is not taken, with the reason as a clause.

    `originals` are the files by their digests. `number` is which of several folders this is: times of notes, by which a journal
    that all share tells them apart, differ.
    """
    left: list[tuple[ImportItem, str]] = []
    now = session.now_ns() - number * 10**9
    texts: dict[tuple[Role, str], TargetFile] = {}
    sources: dict[tuple[Role, str], str] = {}
    whole: dict[tuple[str, str], dict[str, None]] = {(each.file, each.digest): {} for each in found if each.file}
    for each in found:
        why = each.skip or ("" if also and import_reading.matches(each, also) else each.stays)
        if why:
            left.append((each, why))
            continue
        at = (each.role, "" if each.role in (Role.FACTS, Role.CHECKLIST) else _name(each, texts))
        file = texts.setdefault(at, TargetFile(None))
        source = sources.setdefault(at, each.source.partition(":")[0])
        if each.file:
            whole[each.file, each.digest][source] = None
        if file.now is None or not file.has(each):
            file.put(each, Policy.MERGE)
    held = {at: Held(sources[at], at[1], (file.now or b"").decode("utf-8", "surrogateescape"), now) for at, file in texts.items()}
    notes, logs = (tuple(each for (role, _), each in held.items() if role is wanted) for wanted in (Role.NOTE, Role.LOG))
    facts, tasks = (held.get((role, "")) for role in (Role.FACTS, Role.CHECKLIST))
    every = tuple(
        Whole(file, originals[digest].decode("utf-8", "surrogateescape"), tuple(goes_as))
        for (file, digest), goes_as in whole.items()
        if digest in originals
    )
    return Ours(session.project, folder_of(session), facts, tasks, notes, logs, is_shared=False, whole=every), left


def _marked(row: Row, items: Sequence[ImportItem]) -> Row:
    """A row that says what is to be looked at in the texts that it is made of."""
    marks = dict.fromkeys(
        each.mark for each in items if each.mark and (each.text.strip() in row.text or row.text.strip() in each.text)
    )
    return row._replace(warnings=(*row.warnings, *(f"Look at it: it {mark}." for mark in marks))) if row.ticked else row


def _name(each: ImportItem, texts: dict[tuple[Role, str], TargetFile]) -> str:
    """What a note or a log is called; a second note of a name gets a number."""
    if each.role is not Role.NOTE:
        return each.name
    stem = name = note_stem(stem_of(each.name))
    number = 2
    while (Role.NOTE, name) in texts:
        name, number = f"{stem}-{number}", number + 1
    return name
