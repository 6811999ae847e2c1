"""Steps that touched several stores: each store's history has its part, under one batch; which stores those are is kept here."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import NamedTuple

from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.store.disk import state
from zsmem_tui.store.history.journal import Recorder


class Part(NamedTuple):
    """One store of such a step: what opens it again."""

    kind: str
    root: str
    group: str
    folder: str = ""


def remember(recorders: Sequence[Recorder], parts: Sequence[Part]) -> None:
    """Make these recorders take down one step, and keep which stores it is in, before anything is written.

    When that fails, their `problem` says why it cannot be undone as one.
    """
    batch = recorders[0].batch
    for recorder in recorders:
        recorder.batch = batch
    raw = json.dumps({"parts": [list(part) for part in parts]}).encode()
    try:
        for part in parts:
            state.put(_place(part.root, batch), raw, "The step can only be undone store by store.")
    except WriteFailed as error:
        for recorder in recorders:
            recorder.fail(error.message)


def parts_of(root: str, batch: str) -> list[Part]:
    """The stores that a step of this store was made in; none when it was made in this one only."""
    found = state.document(_place(root, batch))
    try:
        return [Part(*map(str, part)) for part in found["parts"]] if found else []
    except (KeyError, TypeError):
        return []


def _place(root: str, batch: str) -> str:
    return os.path.join(state.folder("joint", root), f"{batch}.json")
