"""Catching up with a large store in a process of its own: the program answers keys meanwhile, and the memory goes back.

It is this same history that works there, at a lower priority: what it records is the same, byte for byte. A process that cannot be
begun, or dies, is made up for here. One whose parent dies ends at once, and what it had not finished is done at the next start.
"""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from zsmem_tui.core.catalog import Catalog
from zsmem_tui.core.errors import HistoryError
from zsmem_tui.store.disk import beside
from zsmem_tui.store.history import index
from zsmem_tui.store.history.history import History
from zsmem_tui.store.history.retention import apply_retention

MUCH_FILES: Final = 2_000
MUCH_BYTES: Final = 32 * 1024 * 1024
"""Bytes. Less than that, and than so many files, is recorded before another process has begun."""


class Bounds(NamedTuple):
    """How many days of versions, and how many bytes of them, are kept; 0: all."""

    days: int = 0
    size: int = 0


def catch_up(history: History, catalog: Catalog, bounds: Bounds, *, cancelled: Callable[[], bool] = lambda: False) -> None:
    """Record what changed while nobody watched, as `History.catch_up` does, and drop what is out of bounds.

    Raises `HistoryError`.
    """
    is_there = not catalog.problem and os.path.isdir(history.root)
    if is_there and _is_much(catalog) and _done_apart(history, catalog, bounds, cancelled):
        return
    if not cancelled():
        history.catch_up(catalog, cancelled=cancelled)
    if not cancelled():
        apply_retention(history, history.now(), *bounds)


def _is_much(catalog: Catalog) -> bool:
    entries = list(index.entries_of(catalog))
    return len(entries) >= MUCH_FILES or sum(each.fingerprint.size for each in entries if each.fingerprint) >= MUCH_BYTES


def _done_apart(history: History, catalog: Catalog, bounds: Bounds, cancelled: Callable[[], bool]) -> bool:
    """Whether another process did it, or was told to stop. Raises `HistoryError` where it could have been done here no better."""
    try:
        helper = beside.Helper(__name__)
    except (OSError, ValueError):
        return False
    try:
        raw = helper.ask(
            pickle.dumps((history.root, history.home, history.now(), bounds, index.present(catalog))), cancelled=cancelled
        )
    finally:
        helper.close()  # also where this thread is interrupted: nobody works on unwatched
    if raw is None:
        return cancelled()
    told, history.outside = pickle.loads(raw)
    if told:
        history.problem = told[0]
        raise HistoryError(*told)
    history.is_new, history.problem = False, ""
    return True


# -- in the other process ---------------------------------------------------------------------------------------------


def serve() -> None:
    """Do what is asked for. Ends when who asked is gone."""
    beside.give_way()
    beside.serve(_done)


def _done(request: bytes) -> bytes:
    """What went wrong, as a sentence and a hint, none when all is done; and the links out of the store."""
    root, home, now, bounds, present = pickle.loads(request)
    started = time.monotonic_ns()
    history = History(root, lambda: int(now) + time.monotonic_ns() - started, home)
    told: list[str] = []
    try:
        history.catch_up_with(present)
        apply_retention(history, history.now(), *bounds)
    except HistoryError as error:
        told = [error.message, error.hint]
    return pickle.dumps((told, history.outside))
