"""The ids of doctor findings that a person ignores, stored per store in the state folder."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Final, NamedTuple

from zsmem_tui.core.errors import Missing, StoreError
from zsmem_tui.core.json_value import json_object, json_value
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files, state

IGNORES: Final = "ignores "
"""The prefix of the relation of a step that changed which findings are ignored."""

_NOTHING_KEPT: Final = "What is ignored is as it was."


class Ignored(NamedTuple):
    """The ignored ids; `problem` says why they cannot be read, empty if they can."""

    ids: frozenset[str] = frozenset()
    problem: str = ""


def read(root: str) -> Ignored:
    """The ignored findings of a store. If the file is damaged, nothing is ignored and `problem` says so."""
    place = place_of(root)
    try:
        raw = files.read(place)[0]
    except Missing:
        return Ignored()
    except StoreError as error:
        return Ignored(problem=f"{error.message}. Every finding is shown.")
    found = _understood(raw)
    if found is None:
        return Ignored(problem=f"{printable_path(place)} is damaged: what you ignored is not known, and every finding is shown.")
    return Ignored(found)


def change(root: str, ids: Iterable[str], *, ignore: bool) -> frozenset[str]:
    """Ignore these ids, or stop ignoring them; return the ids whose state changed.

    A damaged file is kept beside the new one. Raises `WriteFailed`; nothing has changed then, unless the message says otherwise.
    """
    place = place_of(root)
    with state.held(os.path.dirname(place), _NOTHING_KEPT):
        known = state.to_change(place, _understood, _NOTHING_KEPT) or frozenset()
        wanted = known | frozenset(ids) if ignore else known - frozenset(ids)
        state.put(place, json.dumps({"ids": sorted(wanted)}).encode(), _NOTHING_KEPT)
        return wanted ^ known


def relation(ids: Iterable[str], *, ignore: bool) -> str:
    """The relation recorded in the history for such a step."""
    return IGNORES + json.dumps([ignore, sorted(ids)])


def change_back(root: str, relation: str, *, redo: bool) -> bool:
    """Revert such a step, or with `redo` apply it again; return whether anything changed. Raises `WriteFailed`."""
    ignore, ids = json_value(relation.removeprefix(IGNORES))
    return bool(change(root, map(str, ids), ignore=bool(ignore) is redo))


def place_of(root: str) -> str:
    """The path of the file with the ignored ids."""
    return os.path.join(state.folder("doctor", root), "ignored.json")


def _understood(raw: bytes) -> frozenset[str] | None:
    ids = (json_object(raw) or {}).get("ids")
    return frozenset(ids) if isinstance(ids, list) and all(isinstance(each, str) for each in ids) else None
