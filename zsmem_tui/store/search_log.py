"""What was searched for in a store and what was read, in the state folder: for the person alone, and never sent anywhere."""

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
"""The share of a full log that stays, the newest of it: it is not written anew for each search."""

MOST_HITS: Final = 50
"""Hits of a search that are noted: nobody reads further down."""

_LONGEST_QUERY: Final = 200
_VERSION: Final = 1
_FAILED: Final = "The search is not noted."

_LAST_SECOND: Final = 1e11
"""A time behind this, in the year 5138, is none."""


class Log(NamedTuple):
    """What was noted, the oldest first, and what is to be said of it; empty when all is well."""

    events: tuple[Mapping[str, Any], ...]
    problem: str = ""


def note_search(root: str, client: str, query: str, hits: list[str], seconds: float) -> None:
    """Note a search of the store at `root`, with the paths that it found in their order. Raises `WriteFailed`.

    A credential that was searched for is masked.
    """
    from zsmem_tui.core.checks.secret import masked, secrets_in  # its shapes, which an answer need not wait for

    about = {
        "op": "search",
        "query": masked(query, secrets_in(query))[:_LONGEST_QUERY],
        "hits": hits[:MOST_HITS],
        "found": len(hits),
    }
    _note(root, {"t": seconds, "client": client} | about)


def note_read(root: str, client: str, path: str, seconds: float) -> None:
    """Note that a file was read or opened. Raises `WriteFailed`."""
    _note(root, {"t": seconds, "client": client, "op": "read", "path": path})


def read(root: str) -> Log:
    """What was noted. Lines that cannot be understood are passed over, and it is said that there are some."""
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
    """What tells one state of the log from another; None where there is no log."""
    try:
        return files.look(_place(root))
    except StoreError:
        return None


def _aside(place: str) -> str:
    """What is to be said of a log that was put aside, for as long as it lies there."""
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
    """The lines of a log; None where none can be understood, so that it is put aside."""
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
    """What a line notes; None for one that is damaged or of a newer version."""
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
