"""Which findings of the doctor a person ignores, kept in the state folder by their ids, for each store by itself."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Final, NamedTuple

from zsmem_tui.core.errors import Missing, StoreError
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files, state

IGNORES: Final = "ignores "
"""How the relation of a step begins that ignored findings, or ignored them no longer."""

_NOTHING_KEPT: Final = "What is ignored is as it was."


class Ignored(NamedTuple):
    """The ids; `problem` says why they are not known, empty when they are."""

    ids: frozenset[str] = frozenset()
    problem: str = ""


def read(root: str) -> Ignored:
    """What is ignored in a store. A file that cannot be understood is said: nothing is ignored then, and everything shown."""
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
    """Ignore these from now on, or not any more: those of which that is another state now.

    A damaged file is kept beside the new one. Raises `WriteFailed`; it is as it was then, unless the sentence says otherwise.
    """
    place = place_of(root)
    with state.held(os.path.dirname(place), _NOTHING_KEPT):
        known = state.to_change(place, _understood, _NOTHING_KEPT) or frozenset()
        wanted = known | frozenset(ids) if ignore else known - frozenset(ids)
        state.put(place, json.dumps({"ids": sorted(wanted)}).encode(), _NOTHING_KEPT)
        return wanted ^ known


def relation(ids: Iterable[str], *, ignore: bool) -> str:
    """What the history keeps of a step that did it."""
    return IGNORES + json.dumps([ignore, sorted(ids)])


def change_back(root: str, relation: str, *, redo: bool) -> bool:
    """Take such a step back, or with `redo` do it again; whether that changed anything. Raises `WriteFailed`."""
    ignore, ids = json_value(relation.removeprefix(IGNORES))
    return bool(change(root, map(str, ids), ignore=bool(ignore) is redo))


def place_of(root: str) -> str:
    """Where they are kept."""
    return os.path.join(state.folder("doctor", root), "ignored.json")


def _understood(raw: bytes) -> frozenset[str] | None:
    try:
        found = json_value(raw)
    except ValueError:
        return None
    ids = found.get("ids") if isinstance(found, dict) else None
    return frozenset(ids) if isinstance(ids, list) and all(isinstance(each, str) for each in ids) else None
