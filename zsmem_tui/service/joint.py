"""Doing what was planned, in one store or several: every batch bears one name in its store's history, and undo finds them all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import Origin
from zsmem_tui.service.plan import Applied, Edit, Plan
from zsmem_tui.service.session import Session
from zsmem_tui.store import steps
from zsmem_tui.store.steps import Batch, Store


@contextmanager
def joint_batches(
    label: str,
    sessions: Sequence[Session],
    origin: Origin = Origin.YOU,
    *,
    relation: str = "",
    ends: bool = False,
    nothing: str = "",
    dry_run: bool = False,
    also: Sequence[Batch] = (),
) -> Iterator[list[Batch]]:
    """A batch in each of these stores, written as one step when the context ends without an error.

    Sessions of one store have one batch. `also` are batches that belong to the step and are undone in another way; `ends` and
    `nothing` are those of `Batch`; with `dry_run` nothing is written.
    Raises `StoreGone` where a store is not there any more, and what `steps.apply` raises.
    """
    by_root: dict[str, Batch] = {}
    stores: list[Store] = []
    for session in sessions:
        if (real := os.path.realpath(session.root)) not in by_root:
            by_root[real] = session.batch(label, origin, relation=relation, ends=ends, nothing=nothing)
            stores.append(Store(session.layout.kind, session.root, session.project, session.folder))
    every = [*also, *by_root.values()]
    for batch in every:
        batch.recorder.waits = every[0].recorder.waits
    yield [by_root[os.path.realpath(session.root)] for session in sessions]
    if sessions and not (dry_run or any(session.dry_run for session in sessions)):
        steps.join([batch.recorder for batch in every], stores)
        steps.apply(every)


def apply(plan: Plan) -> Applied:
    """Do what was planned, as one step: all of it, or nothing.

    Raises `Conflict` when a file is not as it was shown any more, and cannot be merged; `RuleBroken` or `StoreError`. Nothing was
    written then, or the sentence says what was. Nothing is while a credential would go out that nobody has decided about.
    """
    plan.gate.check()
    is_dry = any(each.dry_run for each in (*plan.sessions, *(row.store for row in plan.rows)))
    with joint_batches(plan.label, plan.sessions, nothing=plan.nothing, dry_run=is_dry) as batches:
        for edit in plan.edits:
            put(batches[plan.sessions.index(edit.session)], edit)
    changed = sum(len(batch.edits) for batch in dict.fromkeys(batches))
    problem = next((each.undo_problem for each in plan.sessions if each.undo_problem and not is_dry), "")
    message = printable_path(plan.done if changed else plan.unchanged)
    warning = plan.warning or bool(plan.left) or not all(row.is_taken for row in plan.rows)
    return Applied(message=message, changed=changed, undo_problem=problem, warning=warning, plan=plan)


def put(batch: Batch, edit: Edit) -> None:
    """Collect one change of a plan, made from what the file holds then. Raises what `apply` does."""
    if edit.renamed:
        batch.rename(edit.ref.path, edit.renamed)
    elif edit.after is None or not edit.changes:
        if not batch.replace(edit.ref.path, edit.before, edit.after).changed and edit.before is not None and edit.after is None:
            raise batch.changed(edit.ref.path)  # somebody took it away
    else:
        for change in edit.changes:
            batch.update(edit.ref.path, change)
