"""Write bundles as one step, and remember exports so that they can be undone."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable
from typing import IO, Final, NamedTuple

from zsmem_tui.core.errors import BadTarget, Conflict, MemError, WriteFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.store import step_record
from zsmem_tui.store.disk.files import digest_of_file
from zsmem_tui.store.disk.folders import delete_if_possible, sync_folder
from zsmem_tui.store.disk.replace import NotSynced, put_over, replacing, sweep
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.interrupted import Note, Outside, Place

RELATION: Final = "export"
"""The relation of a step that wrote outside the store."""

_KEPT: Final = ".bak"
_NOTHING: Final = "Nothing was written."


class Export(NamedTuple):
    """One export to `place`: a folder or, with a `digest`, a bundle. `before` is the digest of the bundle it replaced.

    `store` (`KIND:ROOT`) and `group` describe the folder, if known.
    """

    place: str
    digest: str = ""
    before: str = ""
    store: str = ""
    group: str = ""


def remember(recorder: Recorder, export: Export) -> None:
    """Store where the export of this step goes. On failure, the recorder's `problem` says why it cannot be undone."""
    step_record.put_if_possible([recorder], export._asdict(), "The export cannot be undone.")


def get(batch: str) -> Export | None:
    """Where the export of that step went; None if unknown."""
    about = step_record.get(batch)
    return Export(**{key: str(about[key]) for key in Export._fields if key in about}) if "place" in about else None


def write_bundle(root: str, recorder: Recorder, place: str, write: Callable[[IO[bytes]], int]) -> tuple[int, str]:
    """Write a bundle by `write` to `place`, as one step of the store at `root`.

    Returns the result of `write`, and the path to which a previous bundle was copied (empty: none). Raises `BadTarget` if what is
    there is no bundle, or `StoreError`.
    """
    step = [Place(root, recorder, ends=True)]
    with Note(_NOTHING) as begun, Note(_NOTHING) as decided:
        begun.fill(step, outside=Outside(place))

        def decide(made: Export) -> None:
            remember(recorder, made)
            decided.fill(step, outside=Outside(place, made.digest))
            begun.drop()

        try:
            done = _put_bundle(place, write, decide)
        except MemError:
            step_record.drop(recorder.batch)
            raise
        if not recorder.problem:
            recorder.record_step_end()
        return done


def _put_bundle(place: str, write: Callable[[IO[bytes]], int], decided: Callable[[Export], None]) -> tuple[int, str]:
    from zsmem_tui.store.transfer.bundle import DigestingWriter  # deferred: loads gzip and tarfile

    shown = printable_path(place)
    kept = before = ""
    count, made, is_whole = 0, False, False
    folder = os.path.dirname(place) or "."
    sweep(folder)
    try:
        if os.path.lexists(place):
            if not _is_bundle(place):
                raise BadTarget(f"{shown} is there and is no bundle. {_NOTHING}", "Name another file.")
            before, kept = digest_of_file(place), f"{place}{_KEPT}"
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
                    shutil.copyfileobj(old, copy)
            decided(Export(place, sums.digest, before))
            is_whole = True
    except (OSError, MemError) as error:
        if isinstance(error, NotSynced) and is_whole:
            return count, kept
        if made:
            delete_if_possible(kept)
        if isinstance(error, MemError):
            raise
        raise WriteFailed(place, f"{shown}: {error.strerror}. {_NOTHING}") from error
    return count, kept


def take_back(export: Export) -> None:
    """Delete a bundle, or restore the one it replaced. Raises `Conflict` if it is another file now, or `WriteFailed`."""
    shown = printable_path(export.place)
    try:
        if digest_of_file(export.place) != export.digest:
            raise Conflict(f"{shown} is another file now. It was not deleted.")
        kept = f"{export.place}{_KEPT}"
        if export.before:
            if digest_of_file(kept) != export.before:
                raise Conflict(f"{printable_path(kept)} is not the bundle that was there before. {shown} stays.")
            with contextlib.suppress(NotSynced):  # it is in place
                put_over(kept, os.path.realpath(export.place))
        else:
            os.unlink(export.place)
            with contextlib.suppress(OSError):  # it is gone, though a power cut may bring it back
                sync_folder(os.path.dirname(export.place))
    except FileNotFoundError:
        raise Conflict(f"{shown} is gone already.", "zsmem undo --skip passes over it.") from None
    except OSError as error:
        raise WriteFailed(export.place, f"{shown}: {error.strerror}. It was not taken back.") from error


def _is_bundle(place: str) -> bool:
    """Whether a file starts like our bundles."""
    if not os.path.isfile(place):
        return False
    import tarfile  # deferred as above
    import zlib  # deferred as above

    from zsmem_tui.store.transfer.bundle import MANIFEST  # deferred as above

    try:
        with tarfile.open(place, "r|gz", errors="surrogateescape") as archive:
            first = archive.next()
            return first is not None and first.name == MANIFEST
    except (tarfile.TarError, zlib.error, EOFError, ValueError):
        return False
