"""Facts needed to undo a step beside the texts of its files: one JSON document per step in the state folder.

It has the stores of the step, the folders created and removed, renamed files, what deleted files were like, the target of an
export, and what was taken out of one. Each module stores its own part.
"""

from __future__ import annotations

import contextlib
import glob
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from zsmem_tui.config import locate
from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.store.disk import files, state
from zsmem_tui.store.disk.folders import delete_if_possible, stat_of
from zsmem_tui.store.history.journal import Recorder

_MOVES: Final = "moves"
_GONE: Final = "gone"
_FORMER: Final = ("joint", "moves/*", "put-away/*", "exports/*")
"""Where version 0.2 stored the parts of a record."""


class Moved(NamedTuple):
    """Folders created and removed by a step, below the root of its store, and the new paths of renamed files by old path."""

    made: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    carried: dict[str, str] | None = None


class Gone(NamedTuple):
    """What a deleted file was like: its permission bits (0: unknown) and its modification time in nanoseconds (None: unknown)."""

    mode: int = 0
    modified: int | None = None


UNKNOWN: Final = Gone()


def put(batch: str, facts: Mapping[str, Any], outcome: str) -> None:
    """Store facts about a step, merged with those already stored. Raises `WriteFailed` with a message that ends with `outcome`."""
    state.put(_place(batch), json.dumps({**get(batch), **facts}).encode(), outcome)


def put_if_possible(recorders: Sequence[Recorder], facts: Mapping[str, Any], outcome: str) -> None:
    """Like `put`; if it fails, the recorders' `problem` says why the step cannot be undone."""
    try:
        put(recorders[0].batch, facts, outcome)
    except WriteFailed as error:
        for recorder in recorders:
            recorder.fail(error.message)


def get(batch: str) -> dict[str, Any]:
    """The facts stored about a step; empty if there are none."""
    found = state.document(_place(batch))
    if found is not None:
        return found
    former = (os.path.join(glob.escape(locate.state_folder()), kind, f"{glob.escape(batch)}.json") for kind in _FORMER)
    parts = [state.document(place) for pattern in former for place in glob.glob(pattern)]
    return {name: value for part in parts if part for name, value in part.items()}


def known() -> list[str]:
    """The batch ids of all steps with a record."""
    return [name.removesuffix(".json") for name in files.list_all(os.path.dirname(_place(""))) if name.endswith(".json")]


def add_folders(made: Iterable[tuple[str, str, Sequence[str]]]) -> None:
    """Store the folders that steps created for their files, given as (batch, store root, paths relative to it).

    If it fails, an undo leaves these folders behind, empty.
    """
    for batch, root, own in made:
        known = folders(batch)
        with contextlib.suppress(WriteFailed):
            put(batch, {"folders": {**known, root: [*known.get(root, ()), *own]}}, "")


def folders(batch: str) -> dict[str, list[str]]:
    """The folders that a step created for its files, by store root, relative to it."""
    return {root: [*map(str, own)] for root, own in _by_root(batch, "folders").items() if isinstance(own, list)}


def add_gone(batch: str, root: str, paths: Iterable[str]) -> None:
    """Store the permission bits and times of files that a step is about to delete.

    If it fails, a file that is brought back gets the default ones.
    """
    every = {path: seen for path in paths if (seen := stat_of(os.path.join(root, path)))}
    if every:
        found = {path: [seen.st_mode & 0o777, seen.st_mtime_ns] for path, seen in every.items()}
        with contextlib.suppress(WriteFailed):
            put(batch, {_GONE: _by_root(batch, _GONE) | {os.path.realpath(root): found}}, "")


def gone(batch: str, root: str) -> dict[str, Gone]:
    """What each file was like that a step deleted in a store, by path."""
    found = _by_root(batch, _GONE).get(os.path.realpath(root))
    try:
        return {path: Gone(int(mode) & 0o777, int(when)) for path, (mode, when) in dict(found or {}).items()}
    except (TypeError, ValueError):
        return {}


def drop(batch: str) -> None:
    """Delete the record of a step, if there is one."""
    delete_if_possible(_place(batch))


def put_moved(batch: str, root: str, moved: Moved, outcome: str) -> None:
    """Store the folders that a step creates and removes in one of its stores. Raises like `put`."""
    put(batch, {_MOVES: _by_root(batch, _MOVES) | {os.path.realpath(root): moved._asdict()}}, outcome)


def moved(batch: str, root: str) -> Moved | None:
    """The folders that a step created or removed in a store, and the files it renamed; None if there are none."""
    found = get(batch)
    if isinstance(known := found.get(_MOVES), dict):
        found = known.get(os.path.realpath(root)) or {}
    made, removed = (tuple(map(str, each)) if isinstance(each := found.get(name), list) else () for name in ("made", "removed"))
    known = found.get("carried")
    carried = {str(path): str(to) for path, to in known.items()} if isinstance(known, dict) else None
    return Moved(made, removed, carried) if made or removed or carried is not None else None


def _by_root(batch: str, kind: str) -> dict[str, Any]:
    """Facts of one kind about a step, by the real root of the store."""
    known = get(batch).get(kind)
    return known if isinstance(known, dict) else {}


def _place(batch: str) -> str:
    return os.path.join(locate.state_folder(), "made-steps", f"{batch}.json")
