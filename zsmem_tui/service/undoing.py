"""Undo and redo of what was done here, across files and restarts, merged with what others wrote since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from zsmem_tui.core.changes import Origin, Version
from zsmem_tui.core.errors import Missing, StoreError, WriteFailed
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.merge import Overlap, merge
from zsmem_tui.core.outcomes import Conflicted
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import Session
from zsmem_tui.store import files, saving, writing
from zsmem_tui.store.steps import Step


class Clash(NamedTuple):
    """A file whose lines were changed by others too: `mine` is what undoing wants, `theirs` what is there (None: no file)."""

    ref: MemRef
    mine: bytes
    theirs: bytes | None
    proposal: bytes


class Undone(NamedTuple):
    """What undoing did. `clashes` not empty: nothing was written. `done` False: there was nothing to undo."""

    message: str
    files: tuple[MemRef, ...] = ()
    clashes: tuple[Clash, ...] = ()
    done: bool = False


class _Goal(NamedTuple):
    ref: MemRef
    now: bytes | None
    wanted: bytes | None


def undo(session: Session, *, redo: bool = False, resolved: Mapping[MemRef, bytes] | None = None, dry_run: bool = False) -> Undone:
    """Take back the last step made here, or with `redo`, make the one again that was taken back last.

    A file that others changed since is merged. Where they changed the same lines nothing is written: call again with what each
    such file shall hold in `resolved`. Raises `HistoryError` or `StoreError`.
    """
    history = session.history
    step = history.step(redo=redo)
    verb = "redo" if redo else "undo"
    if step is None:
        return Undone(f"Nothing to {verb}.")
    goals, clashes = _plan(session, step, redo, resolved or {})
    what = describe(step)
    if clashes:
        names = ", ".join(printable_path(clash.ref.path) for clash in clashes)
        return Undone(f"{names} changed since. Nothing was undone of: {what}", clashes=tuple(clashes))
    done = Undone(f"{'Redid' if redo else 'Undid'}: {what}", tuple(goal.ref for goal in goals), done=True)
    if not dry_run:
        _apply(session, step, goals, redo)
    return done


def describe(step: Step) -> str:
    """What a step did, in words."""
    if step.label:
        return printable_path(step.label)
    paths = sorted({version.path for version in step.versions})
    return f"changed {printable_path(paths[0])}" if len(paths) == 1 else f"changed {len(paths)} files"


def _plan(session: Session, step: Step, redo: bool, resolved: Mapping[MemRef, bytes]) -> tuple[list[_Goal], list[Clash]]:
    """What every file of a step shall hold, and where that clashes with what others wrote."""
    goals: list[_Goal] = []
    clashes: list[Clash] = []
    for path, (before, after) in _ends(step.versions).items():
        source, goal = (session.history.text(id) for id in ((before, after) if redo else (after, before)))
        ref = find_ref(session.layout, path) or MemRef(path)
        try:
            now: bytes | None = files.read(session.path(ref))[0]
        except Missing:
            now = None
        if ref in resolved:
            goals.append(_Goal(ref, now, resolved[ref]))
        elif now == source:
            goals.append(_Goal(ref, now, goal))
        elif now != goal:
            found = merge(source or b"", goal or b"", now or b"")
            if isinstance(found, Overlap) or now is None:
                proposal = found.proposal if isinstance(found, Overlap) else found.text
                clashes.append(Clash(ref, goal or b"", now, proposal))
            else:
                goals.append(_Goal(ref, now, found.text or (goal and b"")))
    return goals, clashes


def _ends(versions: tuple[Version, ...]) -> dict[str, tuple[str, str]]:
    """For each path of a step, the id of its text before and after."""
    ends: dict[str, tuple[str, str]] = {}
    for version in versions:
        first = ends[version.path][0] if version.path in ends else version.before
        ends[version.path] = (first, version.after)
    return ends


def _apply(session: Session, step: Step, goals: list[_Goal], redo: bool) -> None:
    """Write texts first, then delete: a failure between leaves two files, never none."""
    relation = f"{'redoes' if redo else 'undoes'} {step.batch}"
    recorder = session.recorder(f"{'Redid' if redo else 'Undid'}: {describe(step)}", Origin.UNDO, relation=relation)
    written: list[str] = []
    try:
        for goal in sorted(goals, key=lambda goal: goal.wanted is None):
            if goal.wanted is None:
                if goal.now is not None:
                    writing.remove(session.root, goal.ref.path, expected=goal.now, recorder=recorder)
            else:
                outcome = saving.save(session.root, goal.ref.path, goal.wanted, goal.now, confirm=False, recorder=recorder)
                if isinstance(outcome, Conflicted):
                    shown = printable_path(goal.ref.path)
                    raise WriteFailed(goal.ref.path, f"{shown} changed just now. It was not written.")
            written.append(printable_path(goal.ref.path))
    except StoreError as error:
        if written:
            error.message += f" Before that, these were written: {', '.join(written)}. u takes the rest back, U these."
        raise
    recorder.mark()
