"""Find the steps that can be undone or redone in the list of versions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import NamedTuple, assert_never

from zsmem_tui.core.version import Origin, Version
from zsmem_tui.store.history.version_log import ANOTHER_STORE, Row


class Step(NamedTuple):
    """One step: a batch with its changes, in order.

    Of the steps of several stores, the one with the greatest `order` was made, redone or undone last. `undone` are the changes of
    its undo, in order, if it is to be redone: redo takes them back, since others may have changed the files before that undo.
    """

    batch: str
    label: str
    versions: tuple[Version, ...]
    order: str = ""
    undone: tuple[Version, ...] = ()


def step_of(rows: list[Row], batch: str, *, redo: bool) -> Step | None:
    """The step of a batch, to be undone or, with `redo`, redone; None if there is no such batch."""
    versions = tuple(row.version for row in reversed(rows) if batch and row.version.batch == batch)
    if not versions:
        return None
    done = f"{'undoes' if redo else 'redoes'} {batch}"
    orders = (row.version.batch for row in rows if row.version.relation == done)
    last = takewhile(lambda each: each.relation != f"redoes {batch}", (row.version for row in rows)) if redo else ()
    undone = [each for each in last if each.relation == done and each.path]
    return Step(batch, versions[0].label, versions, next(orders, "" if redo else batch), tuple(reversed(undone)))


def undoable(rows: Iterable[Row], is_meant: Callable[[str], bool] = bool) -> str:
    """The last batch made here, of those that are meant, that is not undone; empty if there is none."""
    undone: dict[str, bool] = {}
    for version in _lasting(rows):
        if version.relation == ANOTHER_STORE:
            return ""
        match version.origin:
            case Origin.UNDO:
                if not version.path:  # the step-end mark: a partly undone step can be continued
                    verb, _, batch = version.relation.partition(" ")
                    undone.setdefault(batch, verb == "undoes")
            case Origin.YOU | Origin.IMPORTED | Origin.SYNCED:
                if version.batch and not undone.get(version.batch) and is_meant(version.batch):
                    return version.batch
            case Origin.OTHER:
                pass
            case _:
                assert_never(version.origin)
    return ""


def redoable(rows: Iterable[Row]) -> str:
    """The batch that was undone last, unless something was done since; empty if there is none."""
    settled: set[str] = set()
    for version in _lasting(rows):
        if version.relation == ANOTHER_STORE:
            break
        match version.origin:
            case Origin.UNDO:
                verb, _, batch = version.relation.partition(" ")
                if not version.path and verb == "undoes" and batch not in settled:
                    return batch
                settled.add(batch)
            case Origin.YOU | Origin.IMPORTED | Origin.SYNCED:
                if version.batch:
                    break
            case Origin.OTHER:
                pass
            case _:
                assert_never(version.origin)
    return ""


def _lasting(rows: Iterable[Row]) -> Iterator[Version]:
    """The versions without those of steps that were taken back as a whole, newest first."""
    taken_back: set[str] = set()
    for _, version in rows:
        if version.takes_back:
            if not version.path:  # the step-end mark: what could not be taken back can still be undone
                taken_back.add(version.relation.partition(" ")[2])
        elif version.batch not in taken_back:
            yield version
