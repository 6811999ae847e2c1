"""History where no session takes care of it: a program that writes through the library."""

from __future__ import annotations

import contextlib
import time
from typing import Final

from zsmem_tui.core.errors import HistoryError
from zsmem_tui.store.history.journal import Recorder

_MOST_WAITING: Final = 256
"""Journal entries after which the history takes them: reading them takes about as long as opening it."""


def take_if_many(root: str, recorder: Recorder) -> None:
    """Let the history take what the journal holds, when it has become much. What it cannot take waits for whoever reads it."""
    if recorder.waiting <= _MOST_WAITING:
        return
    from zsmem_tui.store.history.history import History  # with its repository, once in many writes

    with contextlib.suppress(HistoryError):
        History(root, time.time_ns).drain()
