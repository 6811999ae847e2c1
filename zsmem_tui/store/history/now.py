"""Files of the store as they are now, for the history to keep."""

from __future__ import annotations

import os
from collections.abc import Sequence

from zsmem_tui.core.catalog import Fingerprint
from zsmem_tui.core.errors import HistoryError, Missing, StoreError, WriteFailed
from zsmem_tui.store.disk import files, lock
from zsmem_tui.store.history import journal
from zsmem_tui.store.history.journal import Text, held


def read_now(root: str, pending: str, paths: Sequence[str]) -> tuple[dict[str, tuple[Text | None, Fingerprint | None]], list[str]]:
    """The files of the store at `root`, and the entries of the journal `pending` that were written before they were read.

    No write of ours is half done meanwhile: the store is held. Raises `HistoryError`.
    """
    found: dict[str, tuple[Text | None, Fingerprint | None]] = {}
    if not os.path.isdir(root):
        return {}, []
    try:
        with lock.writer(root):
            for path in paths:
                try:
                    raw, fingerprint = files.read(os.path.join(root, path))
                    found[path] = (held(raw), fingerprint)
                except Missing:
                    found[path] = (None, None)
                except StoreError:
                    continue  # it is there and cannot be read: not gone, and nothing to record
            return found, journal.names(pending)
    except WriteFailed as error:
        raise HistoryError(error.message, error.hint) from error
