"""Putting an export in its place, or taking one out: one step of ours, and one of each store that it changes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from zsmem_tui.core.errors import Conflict, MemError, StoreError
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.file_change import FileChange
from zsmem_tui.service.joint import joint_batches
from zsmem_tui.service.session import Session
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.transfer import all_or_none, exports, written
from zsmem_tui.store.transfer.written import Written

_NOTHING = "Nothing was exported"

Beside = Sequence[tuple[str, str, bytes]]
Records = Sequence[tuple[str, Sequence[Written]]]


def land(session: Session, label: str, changes: Sequence[FileChange], beside: Beside, records: Records) -> None:
    """Write these files; what of them is ours is remembered first, and forgotten when it came to nothing.

    Raises `Conflict`, `RuleBroken` or `StoreError`.
    """
    own = session.recorder(label, relation=all_or_none.EXPORT)
    stores = list(dict.fromkeys(change.session for change in changes))
    known = {root: written.records(root) for root, _ in records}
    for root, new in records:
        try:
            written.remember(root, new)
        except StoreError as error:
            own.fail(f"{error.message} It cannot be taken out again by itself.")
    try:
        if len(stores) == 1:
            _alone(session, stores[0], own, changes, beside)
        else:
            _together(session, stores, own, changes, beside)
    except MemError:
        exports.forget(session.root, own.batch)
        for root, new in records:
            with suppress(StoreError):
                written.forget(root, [each for each in new if each not in known[root]])
                paths = {each.path for each in new}
                written.remember(root, [each for each in known[root] if each.path in paths])  # they are ours as before
        raise


def _alone(session: Session, target: Session, own: Recorder, changes: Sequence[FileChange], beside: Beside) -> None:
    """In one store: finished by the next start when the program is killed."""
    recorder = target.recorder(own.label)
    recorder.batch = own.batch
    exports.remember(session.root, own, exports.Export(target.root, store=target.store, group=target.project))
    items = [
        all_or_none.Item(
            each.ref.path, all_or_none.digest_of(each.before), each.after or b"", 0, None, backup=each.before is not None
        )
        for each in changes
    ]
    items += [all_or_none.Item(name, all_or_none.NOTHING, raw, 0, None) for _, name, raw in beside]
    all_or_none.put_in(target.root, items, recorder, _NOTHING, step=own)


def take_out(session: Session, label: str, changes: Sequence[FileChange]) -> None:
    """Make these files what they shall be, or take them away. Raises `Conflict`, `RuleBroken` or `StoreError`."""
    own = session.recorder(label, relation=all_or_none.EXPORT)
    try:
        _together(session, list(dict.fromkeys(change.session for change in changes)), own, changes, ())
    except MemError:
        exports.forget(session.root, own.batch)
        raise


def _together(session: Session, stores: Sequence[Session], own: Recorder, changes: Sequence[FileChange], beside: Beside) -> None:
    """In several stores, or with files that go: one step over all of them."""
    with joint_batches(own.label, stores) as batches:
        own.batch = batches[0].recorder.batch
        exports.remember(session.root, own, exports.Export(stores[0].root, store=stores[0].store, group=stores[0].project))
        for root, name, raw in beside:
            at = next(number for number, each in enumerate(stores) if each.root == root)
            batches[at].update(name, partial(_first, raw=raw))
        for change in changes:
            batch = batches[stores.index(change.session)]
            if change.after is None:
                batch.remove(change.ref.path, expected=change.before)
                continue

            def put(now: bytes | None, change: FileChange = change) -> bytes | None:
                if now not in (change.before, change.after):
                    shown = printable_path(change.ref.path)
                    raise Conflict(f"Somebody changed {shown} since the plan was made. {_NOTHING}.", "Make the plan anew.")
                return change.after

            batch.update(change.ref.path, put)
    own.record_step_end()


def _first(now: bytes | None, raw: bytes) -> bytes | None:
    return raw if now is None else None
