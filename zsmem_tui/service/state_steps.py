"""Steps that write no memory file but change what zsmem keeps itself: what was seen, ignored, wanted, and what a project is called.

They stand in the history like any other, told apart by how their relation begins, so that undo is about what was done last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from zsmem_tui.service import wanted
from zsmem_tui.service.projects import carried
from zsmem_tui.service.session import Session
from zsmem_tui.store import ignored, project_register
from zsmem_tui.store.history import review_baseline


def is_one(relation: str) -> bool:
    """Whether a step of this relation is one of these."""
    return _back_of(relation) is not None


def back(session: Session, relation: str, *, redo: bool) -> bool:
    """Take such a step back, or with `redo` do it again; whether there was anything of it to take back.

    Nothing is left of one whose project went elsewhere, and whose move was passed over. Raises `WriteFailed` or `HistoryError`;
    nothing was done then.
    """
    undo = _back_of(relation)
    return undo is not None and undo(session, relation, redo)


def _back_of(relation: str) -> Callable[[Session, str, bool], bool] | None:
    return next((undo for start, undo in _BACK.items() if relation.startswith(start)), None)


def _unsee(session: Session, relation: str, redo: bool) -> bool:
    made = review_baseline.made_by(relation)
    with session.history.opened() as repo:
        review_baseline.move_back(repo, {path: pair[::-1] for path, pair in made.items()} if redo else made)
    return True


_BACK: Final[dict[str, Callable[[Session, str, bool], bool]]] = {
    project_register.LABELS: lambda session, relation, redo: carried.label_back(session, relation, redo=redo),
    ignored.IGNORES: lambda session, relation, redo: ignored.change_back(session.root, relation, redo=redo),
    wanted.WANTS: lambda session, relation, redo: wanted.mark_back(session, relation, redo=redo),
    review_baseline.SEES: _unsee,
}
