"""Putting an export in its place, or taking one out: one step of ours, and one of each store that it changes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from zsmem_tui.core.errors import MemError, StoreError
from zsmem_tui.service.joint import joint_batches
from zsmem_tui.service.plan import Edit
from zsmem_tui.service.session import Session
from zsmem_tui.store import step_record
from zsmem_tui.store.steps import Batch
from zsmem_tui.store.transfer import exports, written
from zsmem_tui.store.transfer.written import Written

_NOTHING = "Nothing was exported."

Beside = Sequence[tuple[str, str, bytes]]
Records = Sequence[tuple[str, Sequence[Written]]]


def land(session: Session, label: str, changes: Sequence[Edit], beside: Beside, records: Records) -> None:
    """Write these files; what of them is ours is remembered first, and forgotten when it came to nothing.

    Raises `Conflict`, `RuleBroken` or `StoreError`.
    """
    own = session.batch(label, relation=exports.RELATION, ends=True, nothing=_NOTHING)
    known = {root: written.records(root) for root, _ in records}
    for root, new in records:
        try:
            written.remember(root, new)
        except StoreError as error:
            own.recorder.fail(f"{error.message} It cannot be taken out again by itself.")
    try:
        _apply(session, own, changes, beside)
    except MemError:
        step_record.drop(own.recorder.batch)
        for root, new in records:
            with suppress(StoreError):
                written.forget(root, [each for each in new if each not in known[root]])
                paths = {each.path for each in new}
                written.remember(root, [each for each in known[root] if each.path in paths])  # they are ours as before
        raise


def take_out(session: Session, label: str, changes: Sequence[Edit]) -> None:
    """Make these files what they shall be, or take them away. Raises `Conflict`, `RuleBroken` or `StoreError`."""
    own = session.batch(label, relation=exports.RELATION, ends=True, nothing=_NOTHING)
    try:
        _apply(session, own, changes, ())
    except MemError:
        step_record.drop(own.recorder.batch)
        raise


def _apply(session: Session, own: Batch, changes: Sequence[Edit], beside: Beside) -> None:
    """One step over all of them; `own` marks in this store's history that it was made."""
    stores = list(dict.fromkeys(change.session for change in changes))
    with joint_batches(own.recorder.label, stores, also=[own], nothing=_NOTHING) as batches:
        first = stores[0]
        exports.remember(own.recorder, exports.Export(first.root, store=first.store, group=first.project))
        for root, name, raw in beside:
            at = next(number for number, each in enumerate(stores) if each.root == root)
            batches[at].update(name, partial(_first, raw=raw))
        for change in changes:
            batch = batches[stores.index(change.session)]
            batch.replace(change.ref.path, change.before, change.after)


def _first(now: bytes | None, raw: bytes) -> bytes | None:
    return raw if now is None else None
