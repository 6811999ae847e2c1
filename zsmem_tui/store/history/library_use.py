"""Keep the history up to date for programs that write through the library, without a session."""

from __future__ import annotations

import contextlib
import time
from typing import Final

from zsmem_tui.core.errors import HistoryError
from zsmem_tui.store.history.journal import Recorder

_MOST_WAITING: Final = 256
"""The number of journal entries after which they are moved to the history: reading them takes about as long as opening it."""


def take_if_many(root: str, recorder: Recorder) -> None:
    """Move the journal's entries into the history if there are many. On an error they stay in the journal."""
    if recorder.waiting <= _MOST_WAITING:
        return
    from zsmem_tui.store.history.history import History  # deferred: loads the repository, needed once in many writes

    with contextlib.suppress(HistoryError):
        History(root, time.time_ns).drain()
