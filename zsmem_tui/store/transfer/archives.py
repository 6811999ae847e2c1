"""Projects put away: each a bundle in the state folder, and then no more in the store."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.core.errors import MemError, Missing, StoreError, WriteFailed
from zsmem_tui.core.layout import Layout
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files, folders, state
from zsmem_tui.store.disk.folders import make_private
from zsmem_tui.store.disk.replace import replacing
from zsmem_tui.store.history.journal import Recorder, pending_folder
from zsmem_tui.store.transfer.step_notes import StepNotes
from zsmem_tui.store.write_path import late
from zsmem_tui.store.write_path.batch import Batch

ENDING: Final = ".tar.gz"
_FAILED: Final = "Nothing was put away."
_NOTES: Final = StepNotes("put-away", _FAILED)


class Archived(NamedTuple):
    """Where the bundle is, how many files are in it, and which were written meanwhile and so stay."""

    place: str
    files: int
    stays: tuple[str, ...] = ()


def archive(
    root: str, homes: Sequence[str], paths: list[str], known: Mapping[str, str], layout: Layout, recorder: Recorder
) -> Archived:
    """Write the files of projects as a bundle, then take them out of the store, as one step.

    `paths` are all of them, `known` are the projects' folders by slug. Raises `StoreError`: the store is as it was then.
    """
    from zsmem_tui.store.transfer import bundle  # brings gzip and tarfile; every start looks for unfinished archives, and has none

    place = os.path.join(state.folder("archives", root), f"{recorder.batch}{ENDING}")
    try:
        make_private(os.path.dirname(place))
        with replacing(place) as stream:
            count = bundle.write(root, paths, known, layout, stream)
    except OSError as error:
        raise WriteFailed(place, f"{printable_path(place)}: {error.strerror}. {_FAILED}") from error
    removed = [
        path for home in homes for path in (home, *(f"{home}/{each}" for each in folders.inside(os.path.join(root, home)).folders))
    ]
    _NOTES.put(root, recorder.batch, {"label": recorder.label, "place": place, "removed": removed, "is_done": False})
    try:
        _take_away(root, place, layout, recorder)
    except MemError:
        _NOTES.drop(root, recorder.batch)
        raise
    folders.remove_empty(root, removed)
    _NOTES.put(root, recorder.batch, {"label": recorder.label, "place": place, "removed": removed, "is_done": True})
    return Archived(place, count, tuple(path for path in paths if os.path.lexists(os.path.join(root, path))))


def masked(place: str, secret: bytes, mask: bytes) -> bytes | None:
    """A bundle of ours with `mask` for `secret`; None where it is not in it. Raises `BadContent` or `StoreError`."""
    from zsmem_tui.store.transfer import bundle  # as above

    return bundle.replaced(place, secret, mask, ZEROSTACK)


def recover(root: str, layout: Layout) -> None:
    """Finish what dead processes had begun: a bundle that is whole is, and its files go."""
    for batch, about in _NOTES.unfinished(root):
        recorder = Recorder(pending_folder(root), time.time_ns, label=str(about.get("label")))
        recorder.batch = batch
        with contextlib.suppress(MemError, KeyError, TypeError):  # it stays noted, for the next time
            late.take_in(root, recorder)  # a file that was on its way out when the program was killed
            _take_away(root, str(about["place"]), layout, recorder)
            folders.remove_empty(root, map(str, about["removed"]))
            _NOTES.put(root, batch, about | {"is_done": True})


def folders_back(root: str, batch: str, *, redo: bool) -> None:
    """After such a step was undone, the project's folders are there again, also empty ones; with `redo`, gone."""
    about = _NOTES.get(root, batch)
    removed = about.get("removed") if about else None
    if not isinstance(removed, list):
        return
    if redo:
        folders.remove_empty(root, map(str, removed))
        return
    with contextlib.suppress(OSError):
        for folder in map(str, removed):
            folders.make_folders(os.path.join(root, folder))


def _take_away(root: str, place: str, layout: Layout, recorder: Recorder) -> None:
    """Delete what the bundle holds, as it holds it; what is something else now stays. Raises `MemError`."""
    with Batch(root, recorder, make_root=False) as batch:
        for path, raw in _texts(place, layout):
            try:
                batch.remove(path, expected=raw)
            except Missing:
                continue
            except WriteFailed:
                if _read(root, path) == raw:
                    raise


def _texts(place: str, layout: Layout) -> Iterator[tuple[str, bytes]]:
    from zsmem_tui.store.transfer import bundle  # as above

    for member, raw in bundle.texts(place, bundle.look(place, layout)):
        yield member.path, raw


def _read(root: str, path: str) -> bytes | None:
    try:
        return files.read_if_there(os.path.join(root, path))
    except StoreError:
        return None
