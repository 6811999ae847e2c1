"""Plan the way back of an export: what was put into another agent's store is taken out of it, as far as it stands there still."""

from __future__ import annotations

import os
from collections.abc import Collection
from functools import partial
from typing import Final

from zsmem_tui.agents.format import Format
from zsmem_tui.config.locate import shortened
from zsmem_tui.core.errors import BadContent, BadTarget, RuleBroken, StoreError, WriteFailed
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.line_changes import lines_of
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service.export_targets import NOTHING, Target, open_targets
from zsmem_tui.service.exporting import keys_of
from zsmem_tui.service.formats import title_of
from zsmem_tui.service.plan import YOU_LEFT_IT, Draft, Fate, Plan, Row
from zsmem_tui.service.session import Session
from zsmem_tui.store.transfer import records
from zsmem_tui.store.transfer.records import Records, Written, written

LISTED: Final = "a note that it lists stays"
"""The reason for lines of an index that are not taken out."""


def plan(
    session: Session, format: Format, path: str = "", *, group: str = "", user: str = "", without: Collection[str] = ()
) -> Plan:
    """Plan the removal of what was exported of the session's project: a row per text, with fate `take out` if it will be removed.

    `without` are the keys of rows to keep. Raises what an export raises.
    """
    draft = Draft()
    rows: list[Row] = []
    gone: dict[str, tuple[Written, ...]] = {}
    left: dict[str, tuple[Written, ...]] = {}
    for target in open_targets(session, format, path, group, user).by_spot.values():
        if target.problem:
            continue
        # newest first, so that a text that was put around an earlier one of ours is found; but what lists others after these
        every = [
            each
            for each in reversed(written(target.session.root))
            if (each.format, each.project) == (format.recorded_as, session.project)
            and (each.origin == os.path.realpath(session.root) or ":" in each.origin)  # with ":", made by a transfer
        ]
        own = sorted(every, key=lambda each: _is_index(target, each) * (1 + each.text.startswith(b"#")))
        keys = keys_of((each.path, each.text.decode("utf-8", "surrogateescape")) for each in own)
        stays: list[Written] = []
        placed = [_row(draft, target, each, key, without, stays) for each, key in zip(own, keys, strict=True)]
        gone[target.session.root] = tuple(each for each, row in zip(own, placed, strict=True) if row.ticked)
        left[target.session.root] = tuple(stays)
        rows += placed
    changes = sorted(draft.edits(), key=lambda change: (change.after is None, change.ref.path))
    stay = sum(row.fate is Fate.SKIPPED and row.reason != LISTED for row in rows)
    more = f" {counted(stay, 'item')} stayed: somebody changed what stood there, or took it away." if stay else ""
    taken = counted(sum(row.ticked for row in rows), "item")
    roots = dict.fromkeys(printable_path(shortened(change.session.root)) for change in changes)
    return Plan(
        f"Took out what was exported to {format.name}",
        f"Took {taken} out of {title_of(format.name)} again: {counted(len(changes), 'file')} in {', '.join(roots)}.{more}",
        tuple(changes),
        nothing=f"{NOTHING}.",
        rows=tuple(rows),
        warning=stay > 0,
        unchanged="Nothing stands there as it was exported. Nothing was taken out.",
        format=format.name,
        marks=session,
        within=partial(records.kept, Records(left, gone)),
    )


def _row(draft: Draft, target: Target, each: Written, key: str, without: Collection[str], stays: list[Written]) -> Row:
    place = os.path.join(target.session.root, each.path)
    row = Row(each.source, place, Fate.SKIPPED, "", each.text.decode("utf-8", "replace"), key=key, ticked=False)
    if key in without:
        return row._replace(fate=Fate.LEFT, reason=YOU_LEFT_IT, can_be=True)
    try:
        reason = _take_out(draft, target, each, stays)
    except (RuleBroken, StoreError, BadContent, BadTarget) as error:
        reason = error.reason
    return row._replace(reason=reason) if reason else row._replace(fate=Fate.TAKEN, ticked=True, can_be=True)


def _take_out(draft: Draft, target: Target, each: Written, stays: list[Written]) -> str:
    """Remove a text from the draft; return why it stays, as a clause, or empty if it was removed.

    A part that stays is added to `stays`.
    """
    place = os.path.join(target.session.root, each.path)
    if os.path.isdir(place):
        raise WriteFailed(place, f"{printable_path(each.path)} is a folder now.")
    now = draft.now(target.session, each.path)
    if now is None:
        return "the file is gone already"
    part = b""
    if each.is_whole:
        after = None if now == each.text else now
    else:
        rows = lines_of(now, each.text)
        goes = [*rows] if not _is_index(target, each) else _unneeded(draft, target, each.path, now, rows)
        if rows and not goes:
            return LISTED
        have = now.split(b"\n")
        part = b"".join(have[number] + b"\n" for number in rows if number not in goes)
        taken = b"\n".join(line for number, line in enumerate(have) if number not in goes)
        after = taken if taken.strip() else None
    if after == now:
        return "it does not stand there as it was written"
    if target.session.guard is not None:
        target.session.guard(each.path, now, after)
    draft.put(target.session, each.path, after)
    stays += [each._replace(text=part)] if part else []
    return ""


def _is_index(target: Target, each: Written) -> bool:
    """Whether a text is part of a file that lists others."""
    ref = None if each.is_whole else find_ref(target.layout, target.path_of(each.path))
    return ref is not None and ref.role is Role.INDEX


def _unneeded(draft: Draft, target: Target, path: str, now: bytes, rows: range) -> list[int]:
    """Those of the lines of an index that lead to no file that stays; its heading stays with all that is below it."""
    told = target.layout.lists.told(target.tree, target.path_of(path), now)
    goes = [
        number
        for number in rows
        if number + 1 not in told or draft.now(target.session, target.place(told[number + 1].path)) is None
    ]
    have = now.split(b"\n")
    first = next((number for number in rows if have[number].strip() and not have[number].startswith(b"#")), rows.stop)
    is_headed = any(have[number].startswith(b"#") for number in range(rows.start, first))
    is_above = any(have[number].strip() for number in range(first, len(have)) if number not in goes)
    return [number for number in goes if number >= first] if is_headed and is_above else goes
