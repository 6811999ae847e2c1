"""What the doctor finds in a store that is open: looked at again and again, without what the person ignores."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from zsmem_tui.core.catalog import Catalog
from zsmem_tui.core.checks.checkup import Checkup
from zsmem_tui.core.checks.finding import Finding, Level
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.search import never
from zsmem_tui.core.text import counted
from zsmem_tui.service.doctor import Doctor
from zsmem_tui.service.doctor_apart import MUCH, Apart, Asked
from zsmem_tui.service.projects.known import folders_here
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store import ignored

AGAIN_BYTES: Final = 32 * 1024 * 1024
"""Bytes of a store that is looked into whole once more, when what was known of it was given back: half a minute of a core."""


class Rounds:
    """Looks at one store as often as asked; only what has changed is worked out again. For threads, one at a time."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._turn = threading.Lock()
        self._doctor = Doctor(session)
        self._apart = Apart(session)
        self._is_whole = False
        """Whether a person had every file looked into: what they have been told of is not hidden again."""

    def close(self) -> None:
        """End the process that looks into much, where there is one: the next look begins another."""
        self._apart.close()

    def look(
        self,
        folders: Sequence[str],
        *,
        catalog: Catalog | None = None,
        most: int | None = None,
        cancelled: Callable[[], bool] = never,
    ) -> Checkup:
        """Everything that is wrong in the store. `folders` are candidates for the folders of its projects, beside those known.

        `most` bytes of files that were never looked into are read, the rest is `left`; a store in which there is much, as far as
        `catalog` tells, is looked into by another process. Raises `Cancelled`.
        """
        with self._turn:
            every = (*folders, *folders_here(self._session))
            if self._is_whole and (catalog is None or catalog.size <= AGAIN_BYTES):
                most = None
            found = None
            if catalog is not None and catalog.size >= MUCH:
                found = self._apart.examine(Asked(every, self._session.clock().date(), most), cancelled)
            if found is None:
                self._doctor.know(every)
                found = self._doctor.examine(most=most, cancelled=cancelled)
            self._is_whole = self._is_whole or most is None
        known = ignored.read(self._session.root)
        problems = (*found.problems, known.problem) if known.problem else found.problems
        return _checkup(found.faults, known.ids, problems, found.left)


@says_undo
def ignore(session: Session, faults: Iterable[Finding], *, ignore: bool = True) -> VerbResult:
    """Show these findings no more, or again: a step to undo. The memory stays as it is. Raises `WriteFailed`."""
    ids = [fault.id for fault in faults]
    changed = ignored.change(session.root, ids, ignore=ignore)
    words = f"{'Ignored' if ignore else 'No longer ignored:'} {counted(len(ids), 'finding')}"
    if changed:
        session.recorder(words, relation=ignored.relation(changed, ignore=ignore)).record_step_end()
    return VerbResult(f"{words}. The memory stays as it is.", len(changed))


def _checkup(faults: tuple[Finding, ...], ids: frozenset[str], problems: tuple[str, ...], left: int) -> Checkup:
    by_id = {fault.id: fault for fault in faults}
    urgent = [fault for id, fault in by_id.items() if fault.level is not Level.INFO and id not in ids]
    lines: dict[str, set[int]] = {}
    for fault in urgent:
        lines.setdefault(fault.path, set()).update(range(fault.line - 1, fault.last_line))
    secrets: dict[str, set[str]] = {}
    for fault in faults:
        if fault.secret:
            secrets.setdefault(fault.path, set()).add(fault.secret)
    return Checkup(
        faults,
        by_id,
        ids & by_id.keys(),
        problems,
        Counter(fault.path for fault in urgent),
        {path: frozenset(own) for path, own in lines.items()},
        {path: tuple(sorted(own, key=len, reverse=True)) for path, own in secrets.items()},
        left,
    )
