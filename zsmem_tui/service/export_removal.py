"""Taking out of another agent's memory again what exports put there: only what still stands there just as it was written."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass

from zsmem_tui.core.errors import BadContent, BadTarget, RuleBroken, StoreError, WriteFailed
from zsmem_tui.core.line_changes import without_lines
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service import export_landing
from zsmem_tui.service.export_planner import ExportItem, keys_of
from zsmem_tui.service.export_targets import Target, Targets, open_targets, writer_of
from zsmem_tui.service.exporting import ExportResult, Named
from zsmem_tui.service.importing import YOU_LEFT_IT
from zsmem_tui.service.plan import Edit, Fate
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files
from zsmem_tui.store.transfer import written
from zsmem_tui.store.transfer.written import Written, records

_NOTHING = "Nothing was taken out"


@dataclass(frozen=True, slots=True)
class RemovalPlan:
    """What taking out would do: a row for each text that was exported, `add` where it goes. Nothing is written yet."""

    format: str
    items: tuple[ExportItem, ...]
    changes: tuple[Edit, ...]
    gone: tuple[tuple[str, tuple[Written, ...]], ...]


def plan(
    session: Session, format: Named, path: str = "", *, group: str = "", user: str = "", without: Collection[str] = ()
) -> RemovalPlan:
    """What taking out what was exported of the session's project would do; `without` are the keys of what stays.

    Raises what `exporting.plan` raises.
    """
    writer = writer_of(format.name)
    targets = open_targets(session, writer, path, group, user)
    planner = _Planner(targets, without)
    for target in targets.by_spot.values():
        if not target.problem:
            own = [
                each
                for each in reversed(records(target.session.root))
                if (each.format, each.project) == (writer.name, session.project)
                and (each.origin == os.path.realpath(session.root) or ":" in each.origin)  # of a transfer, which ours never had
            ]
            planner.take_all(target, own)
    return RemovalPlan(writer.name, tuple(planner.items), planner.changes(), tuple(planner.gone))


@says_undo
def apply(session: Session, wanted: RemovalPlan) -> ExportResult:
    """Do what was planned as one step; one undo puts it back. Raises `Conflict`, `RuleBroken` or `StoreError`."""
    if wanted.changes:
        label = f"Took out what was exported to {wanted.format}"
        export_landing.take_out(session, label, wanted.changes)
        for root, found in wanted.gone:
            with suppress(StoreError):  # a record without its text claims nothing
                written.forget(root, found)
    return _result(wanted, "Took it out of")


def remove(
    session: Session, format: Named, path: str = "", *, group: str = "", user: str = "", dry_run: bool = False
) -> ExportResult:
    """`plan` and, unless it is a `dry_run`, `apply`. Raises what they raise."""
    wanted = plan(session, format, path, group=group, user=user)
    return _result(wanted, "Would take it out of") if dry_run or session.dry_run else apply(session, wanted)


def _result(wanted: RemovalPlan, verb: str) -> ExportResult:
    places = tuple((change.place, len(change.after or b"")) for change in wanted.changes)
    stay = sum(item.fate is Fate.SKIPPED for item in wanted.items)
    message = f"{verb} {counted(len(places), 'file')}."
    if not places:
        message = f"Nothing stands there as it was exported. {_NOTHING}."
    elif stay:
        message += f" {counted(stay, 'text')} that somebody changed since stayed."
    return ExportResult(
        message=message, changed=len(places), warning=stay > 0, written=places, left=(), losses="", items=wanted.items
    )


class _Planner:
    """Takes text after text out of the files as they would be without those before."""

    def __init__(self, targets: Targets, without: Collection[str]) -> None:
        self.items: list[ExportItem] = []
        self.gone: list[tuple[str, tuple[Written, ...]]] = []
        self._before: dict[tuple[int, str], bytes | None] = {}
        self._after: dict[tuple[int, str], bytes | None] = {}
        self._targets = list(targets.by_spot.values())
        self._without = without

    def take_all(self, target: Target, own: Sequence[Written]) -> None:
        """What was written last goes first, so that what was put around other texts of ours is found."""
        number = self._targets.index(target)
        gone = []
        texts = [(each.path, each.text.decode("utf-8", "surrogateescape")) for each in own]
        for each, key in zip(own, keys_of(texts), strict=True):
            place = os.path.join(target.session.root, each.path)
            row = ExportItem(each.source, place, Fate.SKIPPED, "", each.text.decode("utf-8", "replace"), key=key, ticked=False)
            if key in self._without:
                self.items.append(row._replace(fate=Fate.LEFT, reason=YOU_LEFT_IT))
                continue
            try:
                reason = self._take(number, target, each)
            except (RuleBroken, StoreError, BadContent, BadTarget) as error:
                reason = error.message.removesuffix(" Nothing was written.").removesuffix(".")
            if not reason:
                gone.append(each)
            self.items.append(row._replace(fate=Fate.SKIPPED if reason else Fate.ADD, reason=reason, ticked=not reason))
        self.gone.append((target.session.root, tuple(gone)))

    def changes(self) -> tuple[Edit, ...]:
        """Every file that becomes another, or goes."""
        out = []
        for (number, path), after in self._after.items():
            session = self._targets[number].session
            if self._before[number, path] != after:
                out.append(Edit(session, session.ref_at(path), self._before[number, path], after))
        return tuple(sorted(out, key=lambda change: (change.after is None, change.ref.path)))

    def _take(self, number: int, target: Target, each: Written) -> str:
        """Why a text stays, as a clause; empty when it goes."""
        now = self._now(number, target, each.path)
        if now is None:
            return "the file is gone already"
        if each.is_whole:
            after = None if now == each.text else now
        else:
            taken = without_lines(now, each.text)
            after = taken if taken is None or taken.strip() else None
            after = now if taken is None else after
        if after == now:
            return "it does not stand there as it was written"
        if target.session.guard is not None:
            target.session.guard(each.path, now, after)
        self._after[number, each.path] = after
        return ""

    def _now(self, number: int, target: Target, path: str) -> bytes | None:
        if (number, path) not in self._after:
            place = os.path.join(target.session.root, path)
            if os.path.isdir(place):
                raise WriteFailed(place, f"{printable_path(path)} is a folder now.")
            self._before[number, path] = self._after[number, path] = files.read_if_there(place)
        return self._after[number, path]
