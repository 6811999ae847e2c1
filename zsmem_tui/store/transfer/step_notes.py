"""Notes of steps over many files, in the state folder: by them a start finishes what a process that died had begun."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, Final

from zsmem_tui.store.disk import processes, state

_DONE: Final = "is_done"


class StepNotes:
    """The notes of one kind of step, one a batch; `outcome` ends the sentence when one cannot be kept.

    A note says with `is_done` whether the step has ended; one that has is kept for its undo.
    """

    def __init__(self, kind: str, outcome: str) -> None:
        self._kind = kind
        self._outcome = outcome

    def put(self, root: str, batch: str, about: Mapping[str, Any]) -> None:
        """Keep a note, as of this process. Raises `WriteFailed`."""
        state.put(self._place(root, batch), json.dumps({**about, "pid": os.getpid()}).encode(), self._outcome)

    def get(self, root: str, batch: str) -> dict[str, Any] | None:
        """The note of a step; None where there is none that can be read."""
        return state.document(self._place(root, batch))

    def drop(self, root: str, batch: str) -> None:
        """Forget a step that came to nothing."""
        with contextlib.suppress(OSError):
            state.drop(self._place(root, batch))

    def unfinished(self, root: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The steps that processes have left in the middle which are not there any more; none while the store is away."""
        home = state.folder(self._kind, root)
        for batch, about in state.documents(home):
            if not about.get(_DONE) and os.path.isdir(root) and not _is_at_work(os.path.join(home, f"{batch}.json"), about):
                yield batch, about

    def _place(self, root: str, batch: str) -> str:
        return os.path.join(state.folder(self._kind, root), f"{batch}.json")


def _is_at_work(place: str, about: Mapping[str, Any]) -> bool:
    try:
        return processes.owns(int(about["pid"]), os.stat(place).st_mtime_ns)
    except (OSError, KeyError, TypeError, ValueError):
        return False
