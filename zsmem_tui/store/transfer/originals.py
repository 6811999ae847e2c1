"""Files of other agents' memories that were imported as a whole, byte for byte, so that they can go back as they were there.

They are kept in our state folder for each store that they were brought into, never in it, with where each text of them went.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import state

_NOT_REMEMBERED: Final = "What was imported is not remembered."
_NAME: Final = "originals.json"


class Part(NamedTuple):
    """A text that was written to the file at `path` of our store."""

    path: str
    text: str


class Original(NamedTuple):
    """A file called `file` in the memory of a format, which lies at `place`, and where all of it went.

    `raw` is what it held, `digest` the digest of that.
    `follows` are the files there that its lines speak of, where it is an index: it is as it was only while these are.
    """

    format: str
    file: str
    digest: str
    raw: bytes
    parts: tuple[Part, ...]
    follows: tuple[str, ...] = ()
    place: str = ""


def originals(root: str) -> list[Original]:
    """What was imported as a whole into a store, the latest of each file."""
    return _all(state.document(_place(root)) or {})


def _all(found: Mapping[str, object]) -> list[Original]:
    rows = found.get("files", [])
    return [each for row in rows if (each := _read(row)) is not None] if isinstance(rows, list) else []


def _is_whole(document: Mapping[str, object]) -> bool:
    rows = document.get("files")
    return isinstance(rows, list) and len(_all(document)) == len(rows)


def remember(root: str, new: Iterable[Original]) -> None:
    """Keep these beside what another process keeps at the same time. Raises `WriteFailed`."""
    with state.held(state.folder("imports", root), _NOT_REMEMBERED):
        every = {
            (each.format, each.file, each.place): each
            for each in (*_all(state.document_to_change(_place(root), _NOT_REMEMBERED, _is_whole)), *new)
        }
        about = {"root": printable_path(root), "files": [_row(each) for each in every.values()]}
        state.put(_place(root), json.dumps(about).encode(), _NOT_REMEMBERED)


def _row(each: Original) -> dict[str, object]:
    return each._asdict() | {"raw": base64.b64encode(each.raw).decode()}


def _read(row: object) -> Original | None:
    """A file; None for one that somebody has spoilt."""
    if not isinstance(row, dict):
        return None
    try:
        parts = tuple(Part(str(path), str(text)) for path, text in row["parts"])
        raw = base64.b64decode(row["raw"], validate=True)
        follows = tuple(map(str, row["follows"]))
    except (KeyError, TypeError, ValueError, binascii.Error):
        return None
    return Original(
        str(row.get("format", "")),
        str(row.get("file", "")),
        str(row.get("digest", "")),
        raw,
        parts,
        follows,
        str(row.get("place", "")),
    )


def _place(root: str) -> str:
    return os.path.join(state.folder("imports", root), _NAME)
