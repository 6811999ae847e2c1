"""What was taken out of a store and where to, so that it can be taken back; and bundles as files."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable
from typing import IO, Final, NamedTuple

from zsmem_tui.core.errors import BadTarget, Conflict, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk.folders import sync_folder
from zsmem_tui.store.disk.replace import NotSynced, put_over, replacing, sweep
from zsmem_tui.store.history.journal import Recorder, pending_folder
from zsmem_tui.store.transfer import all_or_none
from zsmem_tui.store.transfer.step_notes import StepNotes

_NOTES: Final = StepNotes("exports", "The export cannot be undone.")
_KEPT: Final = ".bak"
_NOTHING: Final = "Nothing was written."
_CHUNK: Final = 1 << 20


class Export(NamedTuple):
    """One export into the folder or, with a `digest`, the bundle at `place`. `before`: the digest of the bundle it replaced.

    `store` (`KIND:ROOT`) and `group` say what the folder is, where that is known.
    """

    place: str
    digest: str = ""
    before: str = ""
    store: str = ""
    group: str = ""


def remember(root: str, recorder: Recorder, export: Export, *, is_done: bool = True) -> None:
    """Keep where the export of this step goes. When that fails, the step's `problem` says why it cannot be undone.

    While it is not done, a start finishes, or clears away, what is left of it when the program is killed (`recover`).
    """
    try:
        _NOTES.put(root, recorder.batch, {**export._asdict(), "label": recorder.label, "is_done": is_done})
    except WriteFailed as error:
        recorder.fail(error.message)


def forget(root: str, batch: str) -> None:
    """The step came to nothing."""
    _NOTES.drop(root, batch)


def get(root: str, batch: str) -> Export | None:
    """Where the export of that step went; None when it is not known."""
    about = _NOTES.get(root, batch)
    if about is None or "place" not in about:
        return None
    return Export(**{key: str(about[key]) for key in Export._fields if key in about})


def recover(root: str) -> None:
    """See to bundles that dead processes were writing: one that is in its place is a step, of another one nothing is left."""
    for batch, about in _NOTES.unfinished(root):
        export = get(root, batch)
        if export is None or "pid" not in about:  # one of a time when every note was of a step that was done
            continue
        for folder in {os.path.dirname(export.place), os.path.dirname(os.path.realpath(export.place))}:
            sweep(folder, again=True)
        try:
            is_there = bool(export.digest) and digest(export.place) == export.digest
        except FileNotFoundError:
            is_there = False
        except OSError:
            continue  # its disk may be away: it stays noted, for the next time
        if not is_there:
            forget(root, batch)
            continue
        recorder = Recorder(pending_folder(root), time.time_ns, label=str(about.get("label", "")), relation=all_or_none.EXPORT)
        recorder.batch = batch
        if recorder.record_step_end():
            remember(root, recorder, export)


def write_bundle(place: str, write: Callable[[IO[bytes]], int], decided: Callable[[Export], None]) -> tuple[int, str]:
    """Put what `write` writes at `place` in one step: what `write` gave, and where the bundle went that was there (empty: none).

    `decided` is told before anything is in its place. Raises `BadTarget` when what is there is no bundle, or `StoreError`.
    """
    from zsmem_tui.store.transfer.bundle import DigestingWriter  # gzip and tarfile with it; every start looks for what was left

    shown = printable_path(place)
    kept = before = ""
    count, made, is_whole = 0, False, False
    folder = os.path.dirname(place) or "."
    sweep(folder)
    try:
        if os.path.lexists(place):
            if not _is_bundle(place):
                raise BadTarget(f"{shown} is there and is no bundle. {_NOTHING}", "Name another file.")
            before, kept = digest(place), f"{place}{_KEPT}"
            if os.path.lexists(kept) and not _is_bundle(kept):
                raise BadTarget(f"{printable_path(kept)} is there and is no bundle. {_NOTHING}", "Name another file.")
        target = os.path.realpath(place)
        mode = os.stat(target).st_mode & 0o777 if before else 0o666
        with replacing(target, mode=mode) as stream:
            sums = DigestingWriter(stream)
            count = write(sums)  # type: ignore[arg-type]
            stream.flush()
            os.fsync(stream.fileno())
            if kept:
                made = not os.path.lexists(kept)
                with replacing(kept, mode=mode) as copy, open(target, "rb") as old:
                    while piece := old.read(_CHUNK):
                        copy.write(piece)
            decided(Export(place, sums.digest, before))
            is_whole = True
    except OSError as error:
        if isinstance(error, NotSynced) and is_whole:
            return count, kept
        if made:
            with contextlib.suppress(OSError):
                os.unlink(kept)
        raise WriteFailed(place, f"{shown}: {error.strerror}. {_NOTHING}") from error
    return count, kept


def take_back(export: Export) -> None:
    """Delete a bundle, or put back the one that it replaced. Raises `Conflict` when it is another one now, or `WriteFailed`."""
    shown = printable_path(export.place)
    try:
        if digest(export.place) != export.digest:
            raise Conflict(f"{shown} is another file now. It was not deleted.")
        kept = f"{export.place}{_KEPT}"
        if export.before:
            if digest(kept) != export.before:
                raise Conflict(f"{printable_path(kept)} is not the bundle that was there before. {shown} stays.")
            with contextlib.suppress(NotSynced):  # it is in its place
                put_over(kept, os.path.realpath(export.place))
        else:
            os.unlink(export.place)
            sync_folder(os.path.dirname(export.place))
    except FileNotFoundError:
        raise Conflict(f"{shown} is gone already.", "zsmem undo --skip passes over it.") from None
    except OSError as error:
        raise WriteFailed(export.place, f"{shown}: {error.strerror}. It was not taken back.") from error


def digest(place: str) -> str:
    """The digest of a file of any size. Raises `OSError`."""
    with open(place, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _is_bundle(place: str) -> bool:
    """Whether a file begins as the bundles that we write do."""
    if not os.path.isfile(place):
        return False
    import tarfile  # as above
    import zlib  # as above

    from zsmem_tui.store.transfer.bundle import MANIFEST  # as above

    try:
        with tarfile.open(place, "r|gz", errors="surrogateescape") as archive:
            first = archive.next()
            return first is not None and first.name == MANIFEST
    except (tarfile.TarError, zlib.error, EOFError, ValueError):
        return False
