"""The errors that the doctor found, cached in the state folder, so that a shell prompt can count them without reading files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.store.disk import files, state

_NOTHING_KEPT: Final = "What is known of errors is as it was."


def keep(root: str, errors: Mapping[str, Sequence[str]], is_examined: Callable[[str], bool], since_ns: int) -> None:
    """Store the ids of errors by file, as examined since `since_ns`; entries of files that were not examined stay.

    If it cannot be stored, that is ignored.
    """
    place = _place_of(root)
    known = (state.document(place) or {}).get("files")
    before: dict[str, Any] = known if isinstance(known, dict) else {}
    now = {path: row for path, row in before.items() if not is_examined(path)}
    for path, ids in errors.items():
        evidence = files.mark_of(os.path.join(root, path))
        if evidence and evidence.ctime_ns <= since_ns:
            now[path] = {"was": evidence, "ids": [*ids]}
    if now != before:
        with suppress(WriteFailed):
            state.put(place, json.dumps({"files": now}).encode(), _NOTHING_KEPT, durable=False)


def waiting(root: str) -> dict[str, list[str]]:
    """The ids of the errors of each file that has not changed since they were found."""
    known = (state.document(_place_of(root)) or {}).get("files")
    rows = known.items() if isinstance(known, dict) else ()
    return {
        path: [*map(str, row["ids"])]
        for path, row in rows
        if isinstance(row, dict) and isinstance(row.get("ids"), list) and (was := row.get("was"))
        if was == [*(files.mark_of(os.path.join(root, path)) or ())]
    }


def _place_of(root: str) -> str:
    return os.path.join(state.folder("doctor", root), "errors.json")
