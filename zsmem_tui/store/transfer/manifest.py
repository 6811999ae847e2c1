"""What was imported into a store before: so that it is not offered again, and finds its way back as it was.

It is kept in our state folder, never in the store (what stands there costs every prompt).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import state

_NOT_REMEMBERED: Final = "What was imported is not remembered."


class Imported(NamedTuple):
    """One item that was imported: the file of ours that it went to, and the exact text that was written there.

    `format`, `source` and `file` say where it comes from, `head` has what stood around its text there, as it was written. `digest`
    is that of the whole file there, which lies at `place`; `within` says where in it. `batch` is the step that brought it in, and
    `undone` is not empty where that was taken back: then it counts as never imported. All but `path` are empty for an item of
    which only that was kept.
    """

    path: str
    format: str = ""
    source: str = ""
    text: str = ""
    head: str = ""
    digest: str = ""
    file: str = ""
    place: str = ""
    within: str = ""
    batch: str = ""
    undone: str = ""

    @property
    def origin(self) -> tuple[str, str, str]:
        """What is the same of it and of what its source says later: the format, the place of the file there, where within that."""
        return self.format, self.place, self.within


def imported(root: str) -> dict[str, str]:
    """What was imported into a store before: marks of items with the path that each went to."""
    return {key: each.path for key, each in items(root).items()}


def items(root: str) -> dict[str, Imported]:
    """The same, with all that is known of each."""
    return {key: each for key, each in _every(root).items() if not each.undone}


def step_undone(root: str, batch: str, *, redo: bool) -> None:
    """What a step brought in is not imported any more, or with `redo`, is so again. Raises `WriteFailed`."""
    if not batch or all(each.batch != batch for each in _every(root).values()):
        return
    with state.held(state.folder("imports", root), _NOT_REMEMBERED):
        every = _to_change(root)
        own = {key: each._replace(undone="" if redo else "yes") for key, each in every.items() if each.batch == batch}
        _put(root, every | own)


def _every(root: str) -> dict[str, Imported]:
    return _all(state.document(_place(root)) or {})


def _to_change(root: str) -> dict[str, Imported]:
    return _all(state.document_to_change(_place(root), _NOT_REMEMBERED, _is_whole))


def _all(document: Mapping[str, Any]) -> dict[str, Imported]:
    found = document.get("items", {})
    if not isinstance(found, dict):
        return {}
    return {key: each for key, row in found.items() if (each := _read(row)) is not None}


def _is_whole(document: Mapping[str, Any]) -> bool:
    rows = document.get("items")
    return isinstance(rows, dict) and len(_all(document)) == len(rows)


def remember(root: str, new: Mapping[str, str | Imported]) -> None:
    """Keep what was imported, by mark, the latest last, beside what another process keeps meanwhile. Raises `WriteFailed`."""
    with state.held(state.folder("imports", root), _NOT_REMEMBERED):
        every = _to_change(root)
        before = {key: each for key, each in every.items() if key not in new}
        _put(root, before | {key: _again(each, every.get(key)) for key, each in new.items()})


def _again(each: str | Imported, before: Imported | None) -> Imported:
    """An item as it is kept: where it had come before, it was by that step, and to undo the later one does not undo that."""
    found = Imported(each) if isinstance(each, str) else each
    return found if before is None or before.undone else found._replace(batch=before.batch)


def _put(root: str, every: Mapping[str, Imported]) -> None:
    about = {"root": printable_path(root), "items": {key: _row(each) for key, each in every.items()}}
    state.put(_place(root), json.dumps(about).encode(), _NOT_REMEMBERED)


def item_key(format: str, source: str, text: str) -> str:
    """What tells one imported item from every other."""
    raw = f"{format}\0{source.rpartition(':')[0] or source}\0{text}".encode("utf-8", "surrogateescape")
    return hashlib.sha256(raw).hexdigest()[:32]


def _place(root: str) -> str:
    return os.path.join(state.folder("imports", root), "manifest.json")


def _row(each: Imported) -> str | dict[str, str]:
    """An item as it is kept: its path alone, where no more is known."""
    return each.path if each == Imported(each.path) else each._asdict()


def _read(row: Any) -> Imported | None:
    """An item; None for one that somebody has spoilt. Older programs kept the path alone."""
    if isinstance(row, str):
        return Imported(row)
    if not isinstance(row, dict) or "path" not in row:
        return None
    return Imported(**{key: str(row[key]) for key in Imported._fields if key in row})
