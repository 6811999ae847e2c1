"""One step in several stores: every batch of it bears one name in its store's history, and undo finds them all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from zsmem_tui.service.session import Session
from zsmem_tui.store.history import joint_steps
from zsmem_tui.store.history.joint_steps import Part
from zsmem_tui.store.write_path.batch import Batch


@contextmanager
def joint_batches(label: str, sessions: Sequence[Session]) -> Iterator[list[Batch]]:
    """A batch in each of these stores. An error takes back what was written in all of them, in the last one first.

    Raises `StoreGone` where one is not there any more.
    """
    with ExitStack() as stack:
        batches = [stack.enter_context(session.batch(label)) for session in sessions]
        if len({os.path.realpath(session.root) for session in sessions}) > 1:
            parts = [Part(each.layout.kind, each.root, each.project, each.folder) for each in sessions]
            joint_steps.remember([batch.recorder for batch in batches], parts)
        else:
            for batch in batches:
                batch.recorder.batch = batches[0].recorder.batch
        yield batches


def undo_problem(sessions: Sequence[Session]) -> str:
    """Why a step that was just made in these stores cannot be undone, as a sentence; empty when it can."""
    return next((each.undo_problem for each in sessions if each.undo_problem), "")
