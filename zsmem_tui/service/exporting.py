"""Taking memory out, into another agent's store or a plain folder. What is there and not ours stays as it is.

A plan first, with a row for everything; then one step, which that store's own history and ours both name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple, Protocol

from zsmem_tui.agents.outgoing import Ours
from zsmem_tui.agents.registry import WRITERS
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.layout import only_instructions
from zsmem_tui.core.left_lines import LeftLine
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service import export_landing, export_left, outgoing_secrets
from zsmem_tui.service.export_planner import ExportItem, ExportPlanner
from zsmem_tui.service.export_return import NOTHING_KNOWN, Known, returning
from zsmem_tui.service.export_sources import ours_of
from zsmem_tui.service.export_targets import NOTHING, Targets, open_targets, writer_of
from zsmem_tui.service.formats import title_of
from zsmem_tui.service.import_targets import Policy
from zsmem_tui.service.plan import NOTHING_FOUND, Edit, Fate, Gate, Handling
from zsmem_tui.service.previewing import preview
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store import interrupted
from zsmem_tui.store.transfer import manifest, originals
from zsmem_tui.store.transfer.written import Written


class Named(Protocol):
    """A format, of which only the name counts here."""

    @property
    def name(self) -> str:
        """What it is called."""


def names() -> tuple[str, ...]:
    """The formats that memory is taken out to, in the order in which they are shown."""
    return tuple(each.name for each in WRITERS)


def format_called(name: str) -> Named:
    """The format of that name. Raises `BadTarget`."""
    return writer_of(name)


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """What an export would do. `changes` has every file that becomes another; nothing is written yet.

    `left` are files that could not be read, `lines` all lines that stay behind, `losses` says what the format cannot hold.
    `grows` is how many bytes more the other agent would have before it on every turn, None where it cannot be told.
    """

    format: str
    roots: tuple[str, ...]
    items: tuple[ExportItem, ...]
    changes: tuple[Edit, ...]
    written: tuple[tuple[str, tuple[Written, ...]], ...]
    beside: tuple[tuple[str, str, bytes], ...]
    left: tuple[str, ...]
    losses: str
    grows: int | None
    ours: Ours
    """What was read: plan again with it, and nothing of it is read twice."""
    gate: Gate = NOTHING_FOUND
    """The credentials that would go out, and what becomes of them."""
    lines: tuple[LeftLine, ...] = ()

    @property
    def rest(self) -> str:
        """What stays behind, counted, as a sentence; empty where there is nothing that could."""
        return export_left.said(self.lines, len(self.left)) if self.ours.whole or self.left else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportResult(VerbResult):
    """What an export did: the files written with their sizes, what became of everything, and what stayed behind."""

    written: tuple[tuple[str, int], ...]
    left: tuple[str, ...]
    losses: str
    items: tuple[ExportItem, ...] = ()
    grows: int | None = None
    gate: Gate = NOTHING_FOUND
    lines: tuple[LeftLine, ...] = ()
    rest: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left out; of a line that was changed, its words went along."""
        return not self.left and all(each.is_changed for each in self.lines)


def plan(
    session: Session,
    format: Named,
    path: str = "",
    *,
    group: str = "",
    user: str = "",
    also: str = "",
    in_prompt: str = "",
    without: Collection[str] = (),
    secrets: Handling = Handling.STOP,
    again: ExportPlan | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> ExportPlan:
    """What would become of the session's project, and of the facts that all share, in another agent's memory.

    `path` is where that is kept (default: where that agent keeps the memory of this folder), `group` and `user` whose memory it is
    there. Files like `also` go although such files stay by default, those like `in_prompt` to where the agent has them before it on
    every turn, where it tells that apart. Where a group is needed, none is named, and there is not exactly one, every item is
    skipped and says so. `without` are the keys of items that are left out, `secrets` says what becomes of credentials; `again` is
    an earlier plan: what that has read is not read again. Raises `BadTarget`, `BadContent`, `ConfigError` or `StoreError`.
    """
    ours, left = ours_of(session) if again is None else (again.ours, again.left)
    known = Known(tuple(manifest.items(session.root).values()), tuple(originals.originals(session.root)))
    found = plan_of(
        session,
        format,
        ours,
        os.path.realpath(session.root),
        path,
        group=group,
        user=user,
        known=known,
        also=also,
        in_prompt=in_prompt,
        without=without,
        secrets=secrets,
        cancelled=cancelled,
    )
    return with_lines(replace(found, left=tuple(left)))


def with_lines(found: ExportPlan) -> ExportPlan:
    """A plan with the lines that would be nowhere afterwards."""
    whole = found.ours.whole
    if found.gate.handling is Handling.MASK:
        whole = tuple(each._replace(text=outgoing_secrets.shown(each.text)) for each in whole)
    there = [each for each in found.items if each.ticked or each.fate is Fate.DUPLICATE]
    goes = ((source, each.place) for each in there for source in (each.source, *each.also))
    return replace(found, lines=export_left.lines_left(whole, goes, {each.place: each.after for each in found.changes}))


def plan_of(
    session: Session,
    format: Named,
    ours: Ours,
    origin: str,
    path: str = "",
    *,
    group: str = "",
    user: str = "",
    known: Known = NOTHING_KNOWN,
    policy: Policy = Policy.SKIP,
    planned: Mapping[str, Edit] = MappingProxyType({}),
    also: str = "",
    in_prompt: str = "",
    without: Collection[str] = (),
    secrets: Handling = Handling.STOP,
    cancelled: Callable[[], bool] = lambda: False,
) -> ExportPlan:
    """The plan for texts from wherever `origin` says. Of what is `known`, that from this format goes back as it was there.

    `policy` says what becomes of a name that another text has there. `planned` is what other plans, which are done in the same
    step, make of files, by place.
    """
    read, ours = ours, outgoing_secrets.without_secrets(ours) if secrets is Handling.MASK else ours
    writer = writer_of(format.name)
    targets = open_targets(session, writer, path, group, user, also, in_prompt)
    roots = tuple(dict.fromkeys(each.session.root for each in targets.by_spot.values() if not each.problem))
    interrupted.recover()
    main = next(iter(targets.by_spot.values()))
    trees = {name: target.tree for name, target in targets.by_spot.items()}
    planner = ExportPlanner(
        writer, targets, origin, session.project, policy=policy, planned=planned, without=without, cancelled=cancelled
    )
    if main.problem:
        items = tuple(ExportItem(each, "", Fate.SKIPPED, main.problem, text, ticked=False) for each, text in ours.every())
    else:
        back, rest = returning(ours, known, writer, targets)
        items = planner.place_all([*back, *writer.out(rest, targets.wish, trees)])
    changes = planner.changes()
    for change in changes:
        interrupted.standing(change.session.root, change.ref.path)
    records = tuple((root, tuple(found)) for root, found in planner.written.items())
    leaks = outgoing_secrets.going_out(changes, read.every())
    noticed = tuple(leaks.values())
    if secrets is Handling.MASK:  # what only the other side's file makes a credential, or an original that goes back
        changes = outgoing_secrets.masked_changes(changes, leaks)
        records = outgoing_secrets.masked_records(records, leaks)
        taken = {each.source for each in items if each.ticked}
        noticed = tuple(dict.fromkeys((*outgoing_secrets.in_texts(read.every(), taken), *noticed)))
    gate = Gate(secrets, noticed)
    growth = _growth(changes)
    items = tuple(each._replace(cost=0) if each.cost and each.place in growth.idle else each for each in items)
    beside = _beside(targets, changes)
    return ExportPlan(writer.name, roots, items, changes, records, beside, (), writer.losses, growth.total, read, gate)


@says_undo
def apply(session: Session, wanted: ExportPlan) -> ExportResult:
    """Do what was planned, all of it or nothing; one undo takes it back, here or in the other agent's store.

    An existing file is only ever added to, unless it still is what an export made it, and is backed up first. Raises `Conflict`
    when somebody wrote one of the files meanwhile, `RuleBroken` or `StoreError`: nothing was written then, or it says what was.
    Nothing is while a credential would go out that nobody has decided about.
    """
    wanted.gate.check()
    label = f"Exported to {title_of(wanted.format)}"
    if wanted.changes:
        export_landing.land(session, label, wanted.changes, wanted.beside, wanted.written)
    return _result(wanted, "Wrote")


def export(
    session: Session,
    format: Named,
    path: str = "",
    *,
    group: str = "",
    user: str = "",
    also: str = "",
    in_prompt: str = "",
    secrets: Handling = Handling.STOP,
    dry_run: bool = False,
) -> ExportResult:
    """`plan` and, unless it is a `dry_run`, `apply`. Raises what they raise."""
    wanted = plan(session, format, path, group=group, user=user, also=also, in_prompt=in_prompt, secrets=secrets)
    return said(wanted) if dry_run or session.dry_run else apply(session, wanted)


def said(wanted: ExportPlan) -> ExportResult:
    """What `apply` would say, with nothing written."""
    return _result(wanted, "Would write")


def _result(wanted: ExportPlan, verb: str) -> ExportResult:
    written = tuple((change.place, len(change.after or b"")) for change in wanted.changes)
    message = f"{verb} {counted(len(written), 'file')} to {', '.join(map(printable_path, _roots(wanted)))}."
    if not written:
        message = _nothing(wanted.items)
    return ExportResult(
        message=message,
        changed=len(written),
        warning=bool(wanted.left) or any(not each.is_changed for each in wanted.lines),
        written=written,
        left=wanted.left,
        losses=wanted.losses,
        lines=wanted.lines,
        rest=wanted.rest,
        items=wanted.items,
        grows=wanted.grows,
        gate=wanted.gate,
    )


def _roots(wanted: ExportPlan) -> Sequence[str]:
    return list(dict.fromkeys(change.session.root for change in wanted.changes)) or wanted.roots


def _nothing(items: Sequence[ExportItem]) -> str:
    """Why nothing was written, as a sentence."""
    if not items:
        return f"There is nothing to export. {NOTHING}."
    reasons = {each.reason for each in items}
    if all(each.fate is Fate.SKIPPED for each in items) and len(reasons) == 1:
        return f"{NOTHING}: {reasons.pop()}."
    if any(each.fate is Fate.DUPLICATE for each in items):
        return "Everything that could go there is there already. Nothing was written."
    return f"Nothing could go there: each row says why. {NOTHING}."


def _beside(targets: Targets, changes: Sequence[Edit]) -> tuple[tuple[str, str, bytes], ...]:
    """What the other agent puts into a folder that it makes, for folders that are made here."""
    used = {change.session.root for change in changes}
    return tuple(
        (target.session.root, name, raw)
        for target in targets.by_spot.values()
        if not target.problem and target.session.root in used and not os.path.lexists(target.session.root)
        for name, raw in target.beside
    )


class _Growth(NamedTuple):
    """How many bytes longer prompts become, None where it cannot be told; and the places of files that no prompt shows more of."""

    total: int | None
    idle: frozenset[str] = frozenset()


def _growth(changes: Sequence[Edit]) -> _Growth:
    """What of this comes into the prompt that the stores that change are read into, which is one for all of a kind."""
    total = 0
    idle: set[str] = set()
    firsts = {change.session.layout.kind: change.session for change in reversed(changes)}
    for kind, session in firsts.items():
        own = [change for change in changes if change.session.layout.kind == kind]
        if only_instructions(session.layout):  # whole in the prompt of every agent that reads them
            total += sum(len(each.after or b"") - len(each.before or b"") for each in own)
            continue
        paths = {each.place: os.path.relpath(each.place, session.root) for each in own}
        unsaved = {paths[each.place]: (each.after or b"").decode("utf-8", "replace") for each in own}
        try:
            then, now = preview(session, unsaved=unsaved), preview(session)
        except MemError:
            return _Growth(None)
        total += then.size - now.size
        before, after = ({use.path: use.size for use in seen.uses} for seen in (now, then))
        same = {path for path in before | after if before.get(path) == after.get(path)}
        idle |= {place for place, path in paths.items() if then.size == now.size or path in same}
    return _Growth(total, frozenset(idle))
