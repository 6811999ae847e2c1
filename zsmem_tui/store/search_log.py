"""The log of searches and reads in a store, in the state folder. It is only for the person and never sent anywhere."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from zsmem_tui.core.catalog import Fingerprint
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files, state

MOST_LINES: Final = 5_000
MOST_BYTES: Final = 1_000_000

_KEPT: Final = 3 / 4
"""The share of a full log that is kept, newest first, so that it is not trimmed at each search."""

MOST_HITS: Final = 50
"""The most hits logged for one search: nobody reads further down."""

_LONGEST_QUERY: Final = 200
_VERSION: Final = 1
_FAILED: Final = "The search is not noted."

_LAST_SECOND: Final = 1e11
"""Later times (year 5138 and after) are invalid."""


class Log(NamedTuple):
    """The logged events, oldest first, and a sentence on problems; empty if there are none."""

    events: tuple[Mapping[str, Any], ...]
    problem: str = ""


def note_search(root: str, client: str, query: str, hits: list[str], seconds: float) -> None:
    """Log a search of the store at `root`, with the paths found, in order. Raises `WriteFailed`.

    Credentials in the query are masked.
    """
    from zsmem_tui.core.checks.secret import masked, secrets_in  # deferred: loads many patterns, for which an answer need not wait

    about = {
        "op": "search",
        "query": masked(query, secrets_in(query))[:_LONGEST_QUERY],
        "hits": hits[:MOST_HITS],
        "found": len(hits),
    }
    _note(root, {"t": seconds, "client": client} | about)


def note_read(root: str, client: str, path: str, seconds: float) -> None:
    """Log that a file was read or opened. Raises `WriteFailed`."""
    _note(root, {"t": seconds, "client": client, "op": "read", "path": path})


def read(root: str) -> Log:
    """Read the log. Invalid lines are skipped and counted in `problem`."""
    place = _place(root)
    try:
        raw = files.read(place)[0]
    except StoreError as error:
        return Log((), f"{error.message}. Searches before this are not known." if os.path.lexists(place) else _aside(place))
    found = [_event(line) for line in raw.split(b"\n") if line]
    strange = found.count(None)
    words = f"{printable_path(place)}: {strange} of {len(found)} lines are damaged or of a newer zsmem, and were passed over."
    return Log(tuple(event for event in found if event is not None), words if strange else _aside(place))


def evidence(root: str) -> Fingerprint | None:
    """The fingerprint of the log file; None if there is no log."""
    return files.mark_of(_place(root))


def _aside(place: str) -> str:
    """A sentence about a damaged log that was put aside, as long as it exists; else empty."""
    aside = place + state.DAMAGED
    there = os.path.lexists(aside)
    return f"The searches in {printable_path(aside)} could not be read, and count for nothing: delete it." if there else ""


def _note(root: str, event: Mapping[str, Any]) -> None:
    place = _place(root)
    line = json.dumps({"v": _VERSION, **event}, ensure_ascii=False).encode("utf-8", "backslashreplace")
    with state.held(os.path.dirname(place), _FAILED):
        before = state.to_change(place, _lines, _FAILED) or []
        if len(before) >= MOST_LINES or sum(map(len, before)) + len(before) + len(line) >= MOST_BYTES:
            before = _newest(before)
        state.put(place, b"\n".join([*before, line, b""]), _FAILED, durable=False)


def _lines(raw: bytes) -> list[bytes] | None:
    """The lines of a log; None if no line is valid, so that the log is put aside as damaged."""
    found = [line for line in raw.split(b"\n") if line]
    return found if not found or any(_event(line) is not None for line in found) else None


def _newest(lines: list[bytes]) -> list[bytes]:
    room, kept = int(MOST_BYTES * _KEPT), 0
    for line in reversed(lines[-int(MOST_LINES * _KEPT) :]):
        room -= len(line) + 1
        if room < 0:
            break
        kept += 1
    return lines[len(lines) - kept :]


def _event(line: bytes) -> Mapping[str, Any] | None:
    """Parse a line of the log; None if it is damaged or of a newer version."""
    try:
        found = json_value(line)
    except ValueError:
        return None
    match found:
        case {"v": 1, "t": int() | float() as seconds, "client": str()} if 0 <= seconds < _LAST_SECOND:
            pass
        case _:
            return None
    match found:
        case {"op": "search", "query": str(), "hits": [*hits]} if all(isinstance(hit, str) for hit in hits):
            return found  # type: ignore[no-any-return]
        case {"op": "read", "path": str()}:
            return found  # type: ignore[no-any-return]
    return None


def _place(root: str) -> str:
    return os.path.join(state.folder("searches", root), "log.jsonl")
