"""Saving a text that a person edited while others may have written the same file."""

from __future__ import annotations

from zsmem_tui.core.errors import WriteConflict
from zsmem_tui.core.merge import Overlap, merge
from zsmem_tui.core.outcomes import Conflicted, Saved, SaveOutcome, Unchanged
from zsmem_tui.store import writing
from zsmem_tui.store.history.journal import Recorder, own_recorder
from zsmem_tui.store.write_path import confirming
from zsmem_tui.store.write_path.placing import WriteResult


def save(
    root: str,
    path: str,
    mine: bytes,
    base: bytes | None,
    *,
    confirm: bool = True,
    recorder: Recorder | None = None,
    make_root: bool = True,
) -> SaveOutcome:
    """Make the file hold `mine`, which was made from `base` (None: from no file), merged with what others wrote since.

    With `confirm`, the file is watched for a moment, and the text put back where somebody wrote over it.
    Raises `OutsideStore` or `WriteFailed`; nothing has been written then.
    """
    recorder = recorder or own_recorder(root, path)
    outcome, done = put(root, path, mine, base, recorder=recorder, make_root=make_root)
    if done is None or not confirm or not isinstance(outcome, Saved):
        return outcome
    again = confirming.confirm(root, path, done, recorder)
    return Saved(again.after or b"", outcome.kept_lines + again.kept_lines - done.kept_lines, again.confirmed)


def put(
    root: str, path: str, mine: bytes, base: bytes | None, *, recorder: Recorder, make_root: bool = True
) -> tuple[SaveOutcome, WriteResult | None]:
    """The same without watching, with what was written (None: nothing), for who watches several files at once."""
    conflict: Conflicted | None = None
    kept = 0

    def change(now: bytes | None) -> bytes | None:
        nonlocal conflict, kept
        if now == base:
            return mine
        if now is None:
            conflict = Conflicted(None, mine)
            return None
        found = merge(base or b"", mine, now)
        if isinstance(found, Overlap):
            conflict = Conflicted(now, found.proposal)
            return None
        kept = found.kept_lines
        return found.text

    try:
        done = writing.update(root, path, change, recorder=recorder, make_root=make_root)
    except WriteConflict as error:
        found = merge(base or b"", mine, error.theirs)
        return Conflicted(error.theirs, found.proposal if isinstance(found, Overlap) else found.text), None
    if conflict is not None:
        return conflict, None
    if not done.changed:
        return Unchanged(done.after or b""), None
    return Saved(done.after or b"", kept + done.kept_lines, done.confirmed), done
