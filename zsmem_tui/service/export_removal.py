"""Taking out of another agent's memory again what exports put there: only what still stands there just as it was written."""

from __future__ import annotations

import os
from collections.abc import Collection

from zsmem_tui.core.errors import BadContent, BadTarget, RuleBroken, StoreError, WriteFailed
from zsmem_tui.core.line_changes import without_lines
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service.export_targets import NOTHING, Target, open_targets, writer_of
from zsmem_tui.service.exporting import Named, keys_of
from zsmem_tui.service.plan import YOU_LEFT_IT, Draft, Fate, Plan, Row
from zsmem_tui.service.session import Session
from zsmem_tui.store.transfer.records import Records, Written, written


def plan(
    session: Session, format: Named, path: str = "", *, group: str = "", user: str = "", without: Collection[str] = ()
) -> Plan:
    """What taking out what was exported of the session's project would do: a row for each text, `add` where it goes.

    `without` are the keys of what stays. Raises what `exporting.plan` raises.
    """
    writer = writer_of(format.name)
    draft = Draft()
    rows: list[Row] = []
    gone: dict[str, tuple[Written, ...]] = {}
    for target in open_targets(session, writer, path, group, user).by_spot.values():
        if target.problem:
            continue
        # what was written last goes first, so that what was put around other texts of ours is found
        own = [
            each
            for each in reversed(written(target.session.root))
            if (each.format, each.project) == (writer.name, session.project)
            and (each.origin == os.path.realpath(session.root) or ":" in each.origin)  # of a transfer, which ours never had
        ]
        keys = keys_of((each.path, each.text.decode("utf-8", "surrogateescape")) for each in own)
        placed = [_row(draft, target, each, key, without) for each, key in zip(own, keys, strict=True)]
        gone[target.session.root] = tuple(each for each, row in zip(own, placed, strict=True) if row.ticked)
        rows += placed
    changes = sorted(draft.edits(), key=lambda change: (change.after is None, change.ref.path))
    stay = sum(row.fate is Fate.SKIPPED for row in rows)
    more = f" {counted(stay, 'text')} that somebody changed since stayed." if stay else ""
    return Plan(
        f"Took out what was exported to {writer.name}",
        f"Took it out of {counted(len(changes), 'file')}.{more}",
        tuple(changes),
        nothing=f"{NOTHING}.",
        rows=tuple(rows),
        warning=stay > 0,
        unchanged="Nothing stands there as it was exported. Nothing was taken out.",
        format=writer.name,
        marks=session,
        keeps=Records(gone=gone),
    )


def _row(draft: Draft, target: Target, each: Written, key: str, without: Collection[str]) -> Row:
    place = os.path.join(target.session.root, each.path)
    row = Row(each.source, place, Fate.SKIPPED, "", each.text.decode("utf-8", "replace"), key=key, ticked=False)
    if key in without:
        return row._replace(fate=Fate.LEFT, reason=YOU_LEFT_IT, can_be=True)
    try:
        reason = _taken(draft, target, each)
    except (RuleBroken, StoreError, BadContent, BadTarget) as error:
        reason = error.message.removesuffix(" Nothing was written.").removesuffix(".")
    return row._replace(reason=reason) if reason else row._replace(fate=Fate.ADD, ticked=True, can_be=True)


def _taken(draft: Draft, target: Target, each: Written) -> str:
    """Take a text out of the files as they would be; why it stays, as a clause, empty when it goes."""
    place = os.path.join(target.session.root, each.path)
    if os.path.isdir(place):
        raise WriteFailed(place, f"{printable_path(each.path)} is a folder now.")
    now = draft.now(target.session, each.path)
    if now is None:
        return "the file is gone already"
    if each.is_whole:
        after = None if now == each.text else now
    else:
        taken = without_lines(now, each.text)
        after = now if taken is None else taken if taken.strip() else None
    if after == now:
        return "it does not stand there as it was written"
    if target.session.guard is not None:
        target.session.guard(each.path, now, after)
    draft.put(target.session, each.path, after)
    return ""
