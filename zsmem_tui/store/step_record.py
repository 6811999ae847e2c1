"""What undo has to know of a step beside the texts of its files: one document a step in the state folder.

Its parts are the stores that the step was made in, the folders that it made and removed, which file became which, and where an
export went. Each is kept by whoever knows it.
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
from zsmem_tui.store.disk import state
from zsmem_tui.store.history.journal import Recorder

_MOVES: Final = "moves"
_FORMER: Final = ("joint", "moves/*", "put-away/*", "exports/*")
"""Where the parts of a record lie that version 0.2 kept."""


class Moved(NamedTuple):
    """Folders that a step made and removed, below the root of its store, and the new path of each file that has another since."""

    made: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    carried: dict[str, str] | None = None


def put(batch: str, facts: Mapping[str, Any], outcome: str) -> None:
    """Keep these facts with what is known of a step. Raises `WriteFailed`, whose sentence ends with `outcome`."""
    state.put(_place(batch), json.dumps({**get(batch), **facts}).encode(), outcome)


def put_if_possible(recorders: Sequence[Recorder], facts: Mapping[str, Any], outcome: str) -> None:
    """The same; where that fails, the `problem` of its recorders says why it cannot be undone."""
    try:
        put(recorders[0].batch, facts, outcome)
    except WriteFailed as error:
        for recorder in recorders:
            recorder.fail(error.message)


def get(batch: str) -> dict[str, Any]:
    """What is known of a step; empty where nothing is."""
    found = state.document(_place(batch))
    if found is not None:
        return found
    former = (os.path.join(glob.escape(locate.state_folder()), kind, f"{glob.escape(batch)}.json") for kind in _FORMER)
    parts = [state.document(place) for pattern in former for place in glob.glob(pattern)]
    return {name: value for part in parts if part for name, value in part.items()}


def add_folders(made: Iterable[tuple[str, str, Sequence[str]]]) -> None:
    """Keep which folders a step made for its files: its batch, the root of a store, and paths relative to that.

    Where that fails, an undo leaves them, empty.
    """
    for batch, root, own in made:
        known = folders(batch)
        with contextlib.suppress(WriteFailed):
            put(batch, {"folders": {**known, root: [*known.get(root, ()), *own]}}, "")


def folders(batch: str) -> dict[str, list[str]]:
    """Which folders a step made for its files, relative to the root of each store."""
    found = get(batch).get("folders")
    every = found.items() if isinstance(found, dict) else ()
    return {root: [str(each) for each in own] for root, own in every if isinstance(own, list)}


def drop(batch: str) -> None:
    """Forget a step that came to nothing."""
    with contextlib.suppress(OSError):
        state.drop(_place(batch))


def put_moved(batch: str, root: str, moved: Moved, outcome: str) -> None:
    """Keep which folders a step makes and removes in one of its stores. Raises what `put` does."""
    known = get(batch).get(_MOVES)
    put(batch, {_MOVES: {**(known if isinstance(known, dict) else {}), os.path.realpath(root): moved._asdict()}}, outcome)


def moved(batch: str, root: str) -> Moved | None:
    """Which folders a step made or removed in a store, and which files it gave another path; None of one that did neither."""
    found = get(batch)
    if isinstance(known := found.get(_MOVES), dict):
        found = known.get(os.path.realpath(root)) or {}
    made, removed = (tuple(map(str, each)) if isinstance(each := found.get(name), list) else () for name in ("made", "removed"))
    known = found.get("carried")
    carried = {str(path): str(to) for path, to in known.items()} if isinstance(known, dict) else None
    return Moved(made, removed, carried) if made or removed or carried is not None else None


def _place(batch: str) -> str:
    return os.path.join(locate.state_folder(), "made-steps", f"{batch}.json")
