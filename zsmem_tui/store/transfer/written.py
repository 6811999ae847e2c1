"""What exports put into other agents' stores, word for word: what is ours there, so that it can be renewed and taken out again.

It is kept in our state folder for each store that was written to, never in it. A record claims nothing by itself: something is ours
only while it stands there just as it was written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import state

_NOT_REMEMBERED: Final = "What was exported is not remembered."


class Written(NamedTuple):
    """A text that an export put into the file at `path`: all of it when `is_whole`, else lines of it.

    `format` and `source` say what it is of, `origin` of which store of ours and `project` of which project.
    """

    path: str
    text: bytes
    is_whole: bool
    format: str
    origin: str
    project: str
    source: str


def records(root: str) -> list[Written]:
    """What was written into the store at `root`, in that order."""
    return _all(state.document(_place(root)) or {})


def _all(found: Mapping[str, object]) -> list[Written]:
    rows = found.get("items", [])
    return [each for row in rows if (each := _read(row)) is not None] if isinstance(rows, list) else []


def _is_whole(document: Mapping[str, object]) -> bool:
    rows = document.get("items")
    return isinstance(rows, list) and len(_all(document)) == len(rows)


def remember(root: str, new: Iterable[Written]) -> None:
    """Keep these beside what other processes keep at the same time; older texts of a whole file go. Raises `WriteFailed`."""
    _change(root, list(new), ())


def forget(root: str, gone: Iterable[Written]) -> None:
    """These are not there any more. Raises `WriteFailed`."""
    _change(root, [], list(gone))


def _change(root: str, new: list[Written], gone: Iterable[Written]) -> None:
    home = state.folder("exported", root)
    with state.held(home, _NOT_REMEMBERED):
        renewed, dropped = {each.path for each in new if each.is_whole}, set(gone) | set(new)
        known = _all(state.document_to_change(_place(root), _NOT_REMEMBERED, _is_whole))
        kept = [each for each in known if each not in dropped and not (each.is_whole and each.path in renewed)]
        about = {"root": printable_path(root), "items": [_row(each) for each in (*kept, *new)]}
        state.put(_place(root), json.dumps(about).encode(), _NOT_REMEMBERED)


def _row(each: Written) -> dict[str, Any]:
    return each._asdict() | {"text": each.text.decode("utf-8", "surrogateescape")}


def _read(row: object) -> Written | None:
    """A record; None for one that somebody has spoilt."""
    if not isinstance(row, dict) or set(row) != set(Written._fields):
        return None
    texts = {key: str(row[key]) for key in Written._fields if key not in ("text", "is_whole")}
    return Written(text=str(row["text"]).encode("utf-8", "surrogateescape"), is_whole=row["is_whole"] is True, **texts)


def _place(root: str) -> str:
    return os.path.join(state.folder("exported", root), "manifest.json")
