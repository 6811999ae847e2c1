"""Catch up with a large store in a helper process: the program stays responsive, and the memory used is released.

The helper runs the same code at a lower priority, with the same result. If it cannot be started or dies, the work is done here. It
ends with its parent, and the next start continues the work.
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
"""Bytes. With less than this, and fewer files, the work is done before a helper process could start."""


class Bounds(NamedTuple):
    """The days and the bytes of versions that are kept; 0: unlimited."""

    days: int = 0
    size: int = 0


def catch_up(history: History, catalog: Catalog, bounds: Bounds, *, cancelled: Callable[[], bool] = lambda: False) -> None:
    """Record what changed while no zsmem was running, like `History.catch_up`, and drop versions out of bounds.

    Raises `HistoryError`.
    """
    is_there = not catalog.problem and os.path.isdir(history.root)
    if is_there and _is_much(catalog) and _catch_up_in_helper(history, catalog, bounds, cancelled):
        return
    if not cancelled():
        history.catch_up(catalog, cancelled=cancelled)
    if not cancelled():
        apply_retention(history, history.now(), *bounds)


def _is_much(catalog: Catalog) -> bool:
    entries = list(index.entries_of(catalog))
    return len(entries) >= MUCH_FILES or sum(each.fingerprint.size for each in entries if each.fingerprint) >= MUCH_BYTES


def _catch_up_in_helper(history: History, catalog: Catalog, bounds: Bounds, cancelled: Callable[[], bool]) -> bool:
    """Run in a helper process; return whether it is done or was cancelled. Raises `HistoryError` if it would fail here, too."""
    try:
        helper = beside.Helper(__name__)
    except (OSError, ValueError):
        return False
    try:
        raw = helper.ask(
            pickle.dumps((history.root, history.home, history.now(), bounds, index.present(catalog))), cancelled=cancelled
        )
    finally:
        helper.close()  # also on an exception in this thread: the helper must not go on
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
    """The helper process: answer requests until the parent is gone."""
    beside.serve(_answer)


def _answer(request: bytes, _cancelled: Callable[[], bool]) -> bytes:
    """Process one request; the answer is an error (message, hint; empty if done) and the links that leave the store."""
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
