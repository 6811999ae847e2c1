"""Determine whether a planned write was made before its program was killed.

Before a file is replaced, the journal records the planned text, and afterwards that it was written. If the latter is missing, the
text found there next shows whether the write was made: then it belongs to its step like any other and is undone with it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from zsmem_tui.core.catalog import Fingerprint
from zsmem_tui.core.errors import HistoryError, Missing, StoreError, WriteFailed
from zsmem_tui.core.merge import lasts
from zsmem_tui.store.disk import files, lock
from zsmem_tui.store.disk.places import leads_out
from zsmem_tui.store.history import journal
from zsmem_tui.store.history.journal import Entry, Text, held


def settled(root: str, home: str, name: str, later: Sequence[str]) -> list[Entry] | None:
    """The content of a journal entry, with a plan resolved to `wrote` or `seen`; empty if the entry is incomplete.

    None while it is being written. `later` are the names of the entries after it. Waits for a write in progress.
    """
    found = journal.read(home, name)
    if not found and os.path.lexists(os.path.join(home, name)) and journal.is_under_way(name):
        return None
    if not found or found[0].kind != "plans":
        return found
    entry = found[0]
    seen = entry._replace(kind="seen", after=None)
    following = _following(home, entry, later)
    now: Text | None = None
    if following is None:
        try:
            with lock.writer(root):
                last = later[-1] if later else entry.name
                following = _following(home, entry, [name for name in journal.names(home) if name > last])
                now = held(files.read_if_there(os.path.join(root, entry.path))) if following is None else None
        except StoreError:
            return [seen]
    if following is not None:
        if following.kind == "wrote" and following.batch == entry.batch:
            return [seen]
        now = following.before
    return [entry._replace(kind="wrote") if _was_made(entry.before, entry.after, now) else seen]


def _following(home: str, entry: Entry, names: Sequence[str]) -> Entry | None:
    """The next entry that records what was in the same file, or that the plan was carried out."""
    for name in names:
        for found in journal.read(home, name):
            is_of_file = found.path == entry.path and found.kind not in ("mark", "left")
            if is_of_file and (found.kind != "seen" or found.batch != entry.batch):
                return found
    return None


def _was_made(before: Text | None, after: Text | None, now: Text | None) -> bool:
    """Whether the current text shows that `before` had become `after` before others changed it."""
    if now is None or after is None:
        return now is after
    if now.digest in (after.digest, before.digest if before else ""):
        return now.digest == after.digest
    if now.raw is None or after.raw is None or (before is not None and before.raw is None):
        return False
    return lasts((before and before.raw) or b"", after.raw, now.raw)


Texts = dict[str, tuple[Text | None, Fingerprint | None]]
"""The texts of files by path, with their fingerprints; None: no file."""


def read_now(root: str, pending: str, paths: Sequence[str]) -> tuple[Texts, list[str], frozenset[str]]:
    """Read these files of the store at `root`: (texts, entries of the journal `pending` from before, links out of the store).

    Such links are not read. The store is locked, so that no write of ours is half done. Raises `HistoryError`.
    """
    found: Texts = {}
    if not os.path.isdir(root):
        return {}, [], frozenset()
    try:
        with lock.writer(root):
            outside = frozenset(path for path in paths if leads_out(root, path))
            for path in paths:
                if path in outside:
                    continue  # the target of such a link is not memory: the previous version stays the last one
                try:
                    raw, fingerprint = files.read(os.path.join(root, path))
                    found[path] = (held(raw), fingerprint)
                except Missing:
                    found[path] = (None, None)
                except StoreError:
                    continue  # it exists but cannot be read: neither deleted nor changed
            return found, journal.names(pending), outside
    except WriteFailed as error:
        raise HistoryError(error.message, error.hint) from error
