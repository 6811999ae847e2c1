"""Undo and redo of what was done here, across files and restarts, merged with what others wrote since."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from zsmem_tui.core.errors import Conflict, HistoryError, StoreGone, WriteFailed
from zsmem_tui.core.merge import Overlap, merge
from zsmem_tui.core.outcomes import Conflicted, VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import Origin, Version
from zsmem_tui.service import wanted
from zsmem_tui.service.applying import step_batches
from zsmem_tui.service.projects import carried
from zsmem_tui.service.results import Clash, Resolution, says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store import ignored, interrupted, project_register, step_record, steps
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.folders import remove_empty
from zsmem_tui.store.history import review_baseline
from zsmem_tui.store.history.journal import Recorder, is_of_here
from zsmem_tui.store.history.undo_log import Step
from zsmem_tui.store.transfer import connections, exports, records

_PASS: Final = "`zsmem undo --skip` passes over it."


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoResult(VerbResult):
    """What undoing did to which files, by `places` also where they lie. `clashes` not empty: nothing was written.

    `sessions` are those of the stores that the step was made in; none: there was no step. `another` is a step that another process
    made, where that was not to be undone unasked: nothing was written.
    """

    files: tuple[MemRef, ...] = ()
    places: tuple[str, ...] = ()
    clashes: tuple[Clash, ...] = ()
    sessions: tuple[Session, ...] = ()
    another: Step | None = None

    @property
    def done(self) -> bool:
        """Whether there was a step that was undone."""
        return self.changed > 0


@dataclass(frozen=True, slots=True)
class _Goal:
    session: Session
    ref: MemRef
    now: bytes | None
    wanted: bytes | None


class _Part(NamedTuple):
    session: Session
    step: Step


_Folders = tuple[Sequence[str], Sequence[str]]
_Answers = Mapping[tuple[str, MemRef], Resolution]


@says_undo
def undo(
    session: Session,
    *,
    redo: bool = False,
    resolved: Sequence[Resolution] = (),
    dry_run: bool = False,
    among: Sequence[Session] = (),
    unasked: Container[str] | None = None,
) -> UndoResult:
    """Take back the last step made here, or with `redo`, make the one again that was taken back last.

    A step that was made in several stores is taken back in all of them, or in none; `among` are sessions that are open, so that
    they are not opened again for it. A file that others changed since is merged. Where they changed the same lines nothing is
    written: call again with what each such file shall hold in `resolved`. With `unasked`, a step of another process is undone only
    when its `order` is in that; it is `another` of the answer otherwise. Raises `HistoryError`, `StoreError`, or
    `Conflict` when what was exported is no longer there as it was.
    """
    session.require_store()
    interrupted.recover()
    step = session.history.step(redo=redo)
    verb = "redo" if redo else "undo"
    if step is None:
        return UndoResult(message=f"Nothing to {verb}.", warning=True)
    if unasked is not None and step.order not in unasked and not is_of_here(step.order):
        left = f"Nothing was {'redone' if redo else 'undone'} of: {describe(step)}"
        return UndoResult(message=left, another=step, warning=True)
    if is_one(step.versions[0].relation):
        return _own_state(session, step, redo, dry_run)
    if step.versions[0].relation == exports.RELATION:
        return _elsewhere(session, step, redo, resolved, dry_run)
    if step.versions[0].relation == connections.RELATION:
        return _settings(session, step, redo, dry_run)
    parts = _parts(session, step, redo, among)
    answers = {(each.root, each.ref): each for each in resolved}
    found = [_plan(part.session, part.step, redo, answers) for part in parts]
    goals = [goal for own, _ in found for goal in own]
    clashes = [clash for _, own in found for clash in own]
    what, where = describe(step), tuple(part.session for part in parts)
    if clashes:
        names = ", ".join(printable_path(clash.ref.path) for clash in clashes)
        message = f"{names} changed since. Nothing was undone of: {what}"
        return UndoResult(message=message, clashes=tuple(clashes), sessions=where, warning=True)
    is_empty = not goals and not answers and all(step_record.moved(step.batch, part.session.root) is None for part in parts)
    left = f"Nothing was left to {verb} of: {what}. It {'would be' if dry_run else 'is'} passed over."
    done = UndoResult(
        message=left if is_empty else f"{'Redid' if redo else 'Undid'}: {what}",
        changed=max(len(goals), 1),
        files=tuple(goal.ref for goal in goals),
        places=tuple(goal.session.path(goal.ref) for goal in goals),
        sessions=where,
    )
    came = "" if redo else _came_by_sync(parts, goals, dry_run)
    done = replace(done, message=f"{done.message}.{came}" if came else done.message, warning=bool(came))
    if not dry_run:
        _apply(parts, goals, redo, [_folders(part, redo) for part in parts])
        for part in parts:
            carried.undone(part.session, part.step, redo=redo)
    return done


def _came_by_sync(parts: Sequence[_Part], goals: Sequence[_Goal], dry_run: bool) -> str:
    """What of other machines goes with the undo of a sync, as a sentence; empty for nothing, and for every other step."""
    if not parts[0].step.versions[0].origin.is_sync:
        return ""
    from zsmem_tui.service.sync import taken_back  # only where a sync is undone

    found = [
        taken_back.of_step(part.session, (each for each in part.step.versions if each.path == goal.ref.path), goal.now, goal.wanted)
        for part in parts
        for goal in goals
        if goal.session is part.session
    ]
    return taken_back.after_undo(taken_back.together(found), dry_run=dry_run)


def undo_newest(
    sessions: Sequence[Session],
    *,
    redo: bool = False,
    resolved: Sequence[Resolution] = (),
    unasked: Container[str] | None = None,
) -> UndoResult:
    """`undo` of the step that was made last in any of these stores; with `redo`, of the one that was taken back last.

    A store whose history cannot be used now is passed over as long as there is another. Raises what `undo` raises.
    """
    newest: tuple[str, Session] | None = None
    problem: HistoryError | StoreGone | None = None
    for session in sessions:
        try:
            session.require_store()
            step = session.history.step(redo=redo)
        except (HistoryError, StoreGone) as error:
            problem = problem or error
            continue
        if step is not None and (newest is None or step.order > newest[0]):
            newest = (step.order, session)
    if newest is None and problem is not None:
        raise problem
    if newest is None:
        return UndoResult(message=f"Nothing to {'redo' if redo else 'undo'}.", warning=True)
    return undo(newest[1], redo=redo, resolved=resolved, among=sessions, unasked=unasked)


def _parts(session: Session, step: Step, redo: bool, among: Sequence[Session]) -> list[_Part]:
    """The step in each store that it was made in. One that it had not come to, when the program ended, is left out."""
    parts = [_Part(session, step)]
    for part in steps.stores_of(step.batch):
        if os.path.realpath(part.root) == os.path.realpath(session.root):
            continue
        if not os.path.isdir(part.root):
            verb = "redone" if redo else "undone"
            raise HistoryError(f"{printable_path(part.root)} is not there. Nothing was {verb} of: {describe(step)}", _PASS)
        other = next((each for each in among if each.root == part.root), None) or _opened(session, part)
        own = other.history.step(redo=redo, batch=step.batch)
        if own is not None:
            parts.append(_Part(other, own))
    return parts


def _opened(session: Session, part: steps.Store) -> Session:
    from zsmem_tui.service.stores import open_store  # every agent's rules, which a step in one store can do without

    place = f"{part.kind}:{part.root}"
    return open_store(session.config, place, group=part.group, cwd=part.folder or session.folder, clock=session.clock)


def _elsewhere(session: Session, step: Step, redo: bool, resolved: Sequence[Resolution], dry_run: bool) -> UndoResult:
    """Take back an export, or make it again: what it wrote lies outside the store, in a folder with a history of its own."""
    found = exports.get(step.batch)
    if found is None:
        raise HistoryError(f"Where it was exported to is not known any more: {describe(step)}. Nothing was done.", _PASS)
    if found.digest:
        if redo:
            raise HistoryError("A bundle is not written again by redo. Nothing was done.", "Export it again.")
        if not dry_run:
            exports.take_back(found)
    else:
        kind, _, _ = found.store.partition(":")
        inner = _opened(session, steps.Store(kind or "markdown", found.place, found.group))
        last = inner.history.step(redo=redo) if redo or os.path.isdir(found.place) else None
        if last is None or last.batch != step.batch:
            raise Conflict(f"{printable_path(found.place)} is not as this export left it. Nothing was undone.", _PASS)
        done = undo(inner, redo=redo, resolved=resolved, dry_run=dry_run)
        if done.clashes:
            return done
        for root, made in step_record.folders(step.batch).items() if not (redo or dry_run) else ():
            remove_empty(root, made)
    if not dry_run:
        _recorder(session, step, redo).record_step_end()
    return UndoResult(message=f"{'Redid' if redo else 'Undid'}: {describe(step)}", changed=1, sessions=(session,))


def _settings(session: Session, step: Step, redo: bool, dry_run: bool) -> UndoResult:
    """Take back that an agent was connected, or connect it again: what it wrote are settings of the agent's."""
    from zsmem_tui.service import connecting  # every agent's settings, which a step in a store can do without

    recorder = _recorder(session, step, redo)
    places = connecting.take_back(session.root, step.batch, recorder, redo=redo, dry_run=dry_run)
    if not places:
        raise HistoryError(f"What it changed is not known any more: {describe(step)}. Nothing was done.", _PASS)
    message = f"{'Redid' if redo else 'Undid'}: {describe(step)}"
    return UndoResult(message=message, changed=len(places), places=places, sessions=(session,))


def _own_state(session: Session, step: Step, redo: bool, dry_run: bool) -> UndoResult:
    """Take back what wrote no file of the store, or do it again."""
    if not dry_run:
        try:
            is_done = back(session, step.versions[0].relation, redo=redo)
        except HistoryError as error:
            raise HistoryError(error.message, error.hint or _PASS) from error
        if not is_done:
            verb = "redone" if redo else "undone"
            raise HistoryError(f"It is not as this step left it any more. Nothing was {verb} of: {describe(step)}", _PASS)
        _recorder(session, step, redo).record_step_end()
    return UndoResult(message=f"{'Redid' if redo else 'Undid'}: {describe(step)}", changed=1, sessions=(session,))


def _recorder(session: Session, step: Step, redo: bool) -> Recorder:
    """What takes down that a step which wrote outside of the store is undone; where that fails, it is offered again."""
    return session.recorder(_label(step, redo), Origin.UNDO, relation=_relation(step, redo))


def describe(step: Step) -> str:
    """What a step did, in words."""
    if step.label:
        return printable_path(step.label)
    paths = sorted({version.path for version in step.versions})
    return f"changed {printable_path(paths[0])}" if len(paths) == 1 else f"changed {len(paths)} files"


def _label(step: Step, redo: bool) -> str:
    return f"{'Redid' if redo else 'Undid'}: {describe(step)}"


def _relation(step: Step, redo: bool) -> str:
    return f"{'redoes' if redo else 'undoes'} {step.batch}"


def skip(session: Session) -> UndoResult:
    """Pass over the last step without changing anything: the one before it can be undone then. Raises `HistoryError`."""
    step = session.history.step()
    if step is None:
        return UndoResult(message="Nothing to undo.", warning=True)
    parts = [_Part(session, step)]
    with suppress(HistoryError):  # a store that is not there keeps its part; this one is passed over all the same
        parts = _parts(session, step, False, ())
    _apply(parts, [], redo=False)
    return UndoResult(message=f"Passed over: {describe(step)}", changed=1)


def _plan(session: Session, step: Step, redo: bool, resolved: _Answers) -> tuple[list[_Goal], list[Clash]]:
    """What every file of a step shall hold, and where that clashes with what others wrote."""
    goals: list[_Goal] = []
    clashes: list[Clash] = []
    for path in dict.fromkeys(version.path for version in step.versions if version.path):
        ref = session.ref_at(path)
        answer = resolved.get((session.root, ref)) or resolved.get(("", ref))
        if answer is not None:
            if answer.text is not None:
                goals.append(_Goal(session, ref, answer.theirs, answer.text))
            continue
        own = [version for version in step.versions if version.path == path]
        now = files.read_if_there(session.path(ref))
        wanted = now
        for version in own if redo else reversed(own):
            source, goal = (session.history.text(id) for id in _ends(version, redo))
            found = _changed_back(wanted, source, goal)
            if isinstance(found, Clash):
                clashes.append(found._replace(ref=ref, theirs=now, root=session.root))
                break
            wanted = found
        else:
            if wanted != now:
                goals.append(_Goal(session, ref, now, wanted))
    return goals, clashes


def _folders(part: _Part, redo: bool) -> _Folders:
    """The folders that are to be there once a step is undone, or with `redo` done again, and those that are to be gone."""
    moved = step_record.moved(part.step.batch, part.session.root)
    if moved is None:
        return (), ()
    return (moved.made, moved.removed) if redo else (moved.removed, moved.made)


def _ends(version: Version, redo: bool) -> tuple[str, str]:
    return (version.before, version.after) if redo else (version.after, version.before)


def _changed_back(now: bytes | None, source: bytes | None, goal: bytes | None) -> bytes | Clash | None:
    """`now` with what led from `goal` to `source` taken back."""
    if now in (source, goal):
        return goal
    found = merge(source or b"", goal or b"", now or b"")
    if isinstance(found, Overlap) or now is None:
        proposal = found.proposal if isinstance(found, Overlap) else goal or b""
        return Clash(MemRef(""), goal or b"", now, proposal, source or b"")
    return found.text or (None if goal is None else b"")


def _apply(parts: Sequence[_Part], goals: list[_Goal], redo: bool, folders: Sequence[_Folders] = ()) -> None:
    """Write texts first, in whatever store, then delete; all of it, or nothing. Raises `StoreError`.

    `folders` of the parts are there afterwards, and gone where they are empty.
    """
    step = parts[0].step
    label, relation = _label(step, redo), _relation(step, redo)
    sessions = [part.session for part in parts]
    with step_batches(label, sessions, Origin.UNDO, relation=relation, ends=True) as opened:
        batches = dict(zip((each.root for each in sessions), opened, strict=True))
        for each, own_folders in zip(opened, folders, strict=False):
            each.makes_folders, each.removes_folders = own_folders
        made = step_record.folders(step.batch) if goals and not redo else {}
        for root, batch in batches.items():  # the root and those above it stay: who has the store open would miss it
            own = (each for each in made.get(os.path.abspath(root), ()) if each.partition("/")[0] not in (".", ".."))
            batch.removes_folders = (*batch.removes_folders, *own)
        for goal in sorted(goals, key=lambda goal: goal.wanted is None):
            batch = batches[goal.session.root]
            if goal.wanted is None:
                if goal.now is not None:
                    batch.remove(goal.ref.path, expected=goal.now)
            elif isinstance(batch.save(goal.ref.path, goal.wanted, goal.now), Conflicted):
                raise WriteFailed(goal.ref.path, f"{printable_path(goal.ref.path)} changed just now. Nothing was undone.")
    if goals:
        for part in parts:
            with suppress(WriteFailed):  # the files are as they were: at worst it is not offered again
                records.step_undone(part.session.root, part.step.batch, redo=redo)


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
