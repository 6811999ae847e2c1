"""Undo and redo of the user's steps, across files, stores and restarts, merged with what others wrote since."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, NamedTuple

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.errors import Conflict, HistoryError, MemError, StoreGone, WriteFailed
from zsmem_tui.core.merge import Overlap, merge
from zsmem_tui.core.moments import to_the_minute
from zsmem_tui.core.outcomes import Conflicted, VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, grouped, listed, printable_path
from zsmem_tui.core.version import Origin
from zsmem_tui.service import wanted
from zsmem_tui.service.applying import step_batches
from zsmem_tui.service.history import since_when
from zsmem_tui.service.projects import carried
from zsmem_tui.service.results import Clash, Resolution, says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.service.titles import title_of
from zsmem_tui.store import ignored, interrupted, project_register, step_record, steps
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.folders import mode_of, remove_empty
from zsmem_tui.store.history import review_baseline
from zsmem_tui.store.history.journal import Recorder, is_of_here
from zsmem_tui.store.history.undo_log import Step
from zsmem_tui.store.transfer import connections, exports, records
from zsmem_tui.store.write_path.locating import refuse_gone

_MANY: Final = 20
"""Files up to which a step is undone unasked."""

_MOST_NAMED: Final = 3
"""Most files of a step that are named."""

_SKIP_HINT: Final = "`zsmem undo --skip` passes over it."


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoResult(VerbResult):
    """The result of an undo: the changed files, and their absolute paths in `places`. With `clashes`, nothing was written.

    `sessions` are the stores that the step was made in; empty: there was no step. `another` is a step of another process, or of
    many files (`is_many`), that may only be undone on request; then nothing was written, and `about` says what it is about. `step`
    is what was undone.
    """

    files: tuple[MemRef, ...] = ()
    places: tuple[str, ...] = ()
    clashes: tuple[Clash, ...] = ()
    sessions: tuple[Session, ...] = ()
    another: Step | None = None
    about: str = ""
    is_many: bool = False
    step: Step | None = None

    @property
    def done(self) -> bool:
        """Whether a step was undone."""
        return self.changed > 0


@dataclass(frozen=True, slots=True)
class _Goal:
    session: Session
    ref: MemRef
    now: bytes | None
    wanted: bytes | None
    modified: int | None = None
    """Since when a file that comes back had its text, as far as known; None for one that changes."""
    mode: int = 0
    """The permission bits of the moved file that it is brought back from, or of the deleted one; 0: the default."""
    joins: bool = False
    """Whether a file is brought back that was made anew meanwhile."""
    keeps: bool = False
    """Whether the file has more than the step left in it, which stays."""


class Part(NamedTuple):
    """A step in a store that it was made in."""

    session: Session
    step: Step


_Folders = tuple[Sequence[str], Sequence[str]]
_Answers = Mapping[tuple[str, MemRef], Resolution]
_Back = Callable[[Session, str, bool], bool]
"""Undoes (or redoes) a step by its relation; returns whether there was anything to do. Raises `WriteFailed` or `HistoryError`."""


@says_undo
def undo(
    session: Session,
    *,
    redo: bool = False,
    resolved: Sequence[Resolution] = (),
    dry_run: bool = False,
    among: Sequence[Session] = (),
    unasked: Container[str] | None = None,
    batch: str = "",
) -> UndoResult:
    """Undo the last step made here, or the step `batch`; with `redo`, redo the one undone last.

    A step made in several stores is undone in all of them or in none; `among` are open sessions to reuse. A file that others
    changed since is merged. If they changed the same lines, nothing is written: call again with the wanted content of these files
    in `resolved`. With `unasked`, a step of another process, or an undo that makes or deletes many files, is only done if the
    step's `order` is in it; otherwise the step is returned as `another`. Raises `HistoryError`, `StoreError`, or `Conflict` if
    exported files have changed.
    """
    session.require_store()
    refuse_gone(session.root)
    interrupted.recover()
    step = session.history.step(redo=redo, batch=batch)
    verb = "redo" if redo else "undo"
    if step is None:
        return UndoResult(message=f"Nothing to {verb}.", warning=True)
    left = f"Nothing was {'redone' if redo else 'undone'} of: {describe(step)}"
    asks = unasked is not None and step.order not in unasked
    if asks and not is_of_here(step.order):
        about = f"{', '.join(_named(session, step))}." if step.label else ""
        return UndoResult(message=left, another=step, about=about, warning=True)
    if (back := next((back for start, back in _BACK.items() if step.versions[0].relation.startswith(start)), None)) is not None:
        return _undo_own_state(_parts(session, step, redo, among), back, redo, dry_run)
    if step.versions[0].relation == exports.RELATION:
        return _undo_export(session, step, redo, resolved, dry_run)
    if step.versions[0].relation == connections.RELATION:
        return _undo_connection(session, step, redo, dry_run)
    parts = _parts(session, step, redo, among)
    answers = {(each.root, each.ref): each for each in resolved}
    found = [_plan(part.session, part.step, redo, answers) for part in parts]
    goals = [goal for own, _ in found for goal in own]
    clashes = [clash for _, own in found for clash in own]
    what, where = describe(step), tuple(part.session for part in parts)
    if clashes:
        names = ", ".join(printable_path(clash.ref.path) for clash in clashes)
        message = f"{names} changed since. Nothing was undone of: {what}"
        return UndoResult(message=message, clashes=tuple(clashes), sessions=where, warning=True, step=step)
    anew = [printable_path(goal.ref.path) for goal in goals if goal.joins]  # titles for whoever shows it, as in the label
    was, has = ("were", "have") if anew[1:] else ("was", "has")
    joined = f". {listed(anew, _MOST_NAMED)} {was} made anew meanwhile, and {has} both texts" if anew else ""
    more = listed([printable_path(goal.ref.path) for goal in goals if goal.keeps], _MOST_NAMED)
    joined += f". What was written since stays in {more}" if more else ""
    stands = {goal.wanted for goal in goals}
    if asks and not redo and (about := _much(goals)):
        return UndoResult(message=left, another=step, about=about, is_many=True, warning=True)
    gone = [goal for goal in goals if not redo and goal.now and not goal.wanted and goal.now not in stands]
    for state, own in (
        ("deleted", [each for each in gone if each.wanted is None]),
        ("empty", [each for each in gone if each.wanted == b""]),
    ):
        be = "is" if len(own) == 1 else "are"
        names = printable_path(listed([goal.ref.path.rpartition("/")[2] for goal in own], _MOST_NAMED))
        joined += f". {names} {be} {state}" if own else ""
    is_empty = not goals and all(step_record.moved(step.batch, part.session.root) is None for part in parts)
    nothing = f"Nothing was left to {verb} of: {what}. It is passed over."
    nothing = f"Left as it is: nothing was {'redone' if redo else 'undone'}." if answers else nothing
    done = UndoResult(
        message=nothing if is_empty else f"{_label(step, redo)}{joined}",
        changed=0 if is_empty and answers else max(len(goals), 1),
        files=tuple(goal.ref for goal in goals),
        places=tuple(goal.session.path(goal.ref) for goal in goals),
        sessions=where,
        step=step,
    )
    came = "" if redo else _sync_note(parts, goals, dry_run)
    done = replace(done, message=f"{done.message}.{came}" if came else done.message, warning=bool(came))
    if not dry_run:
        _apply(parts, goals, redo, [_folders(part, redo) for part in parts])
        for part in parts:
            carried.undone(part.session, part.step, redo=redo)
    return done


def _much(goals: Sequence[_Goal]) -> str:
    """A sentence on how many files come and go, if they are many; a moved one does both."""
    came = Counter(each.wanted for each in goals if each.now is None)
    gone = Counter(each.now for each in goals if each.wanted is None)
    moved = came & gone
    counts = {"deletes": (gone - moved).total(), "brings back": (came - moved).total(), "moves": moved.total()}
    said = [f"{verb} {counted(count, 'file')}" for verb, count in counts.items() if count]
    return f"It {' and '.join(said)}." if sum(counts.values()) > _MANY else ""


def _sync_note(parts: Sequence[Part], goals: Sequence[_Goal], dry_run: bool) -> str:
    """A sentence on other machines' changes that the undo of a sync removes; empty for none, and for other steps."""
    if not parts[0].step.versions[0].origin.is_sync:
        return ""
    from zsmem_tui.service.sync import taken_back  # deferred: only needed to undo a sync

    versions = grouped(((part.session.root, each.path), each) for part in parts for each in part.step.versions)

    def gone(goal: _Goal, _: object) -> taken_back.Taken:
        return taken_back.of_step(goal.session, versions[goal.session.root, goal.ref.path], goal.now, goal.wanted)

    own = ([goal for goal in goals if goal.session is part.session] for part in parts)
    pieces = (part.session.history.in_pieces(some, gone) for part, some in zip(parts, own, strict=True))
    found = chain.from_iterable(chain.from_iterable(pieces))
    return taken_back.after_undo(taken_back.together(found), dry_run=dry_run)


def newest(sessions: Sequence[Session], *, redo: bool = False) -> Session | None:
    """The store in which the last step of any of these was made, or with `redo` undone; None if there is none.

    What was undone can be redone until something is done in any of them. A store with an unavailable history is skipped as long as
    another has a step. Raises `HistoryError` or `StoreGone`.
    """
    found, made = list[tuple[str, Session]](), ""
    problem: HistoryError | StoreGone | None = None
    for session in sessions:
        try:
            session.require_store()
            step = session.history.step(redo=redo)
            last = session.history.step() if redo else None
        except (HistoryError, StoreGone) as error:
            problem = problem or error
            continue
        found += [(step.order, session)] if step is not None else []
        made = max(made, last.batch if last is not None else "")
    if not found and problem is not None:
        raise problem
    order, store = max(found, key=lambda each: each[0], default=("", None))
    return None if made > order else store


def undo_newest(
    sessions: Sequence[Session],
    *,
    redo: bool = False,
    resolved: Sequence[Resolution] = (),
    unasked: Container[str] | None = None,
) -> UndoResult:
    """`undo` of the newest step in any of these stores; with `redo`, of the one undone last. Raises what `undo` raises."""
    session = newest(sessions, redo=redo)
    if session is None:
        return UndoResult(message=f"Nothing to {'redo' if redo else 'undo'}.", warning=True)
    return undo(session, redo=redo, resolved=resolved, among=sessions, unasked=unasked)


def own_step(sessions: Sequence[Session]) -> Part | None:
    """The last step that this process made in any of these stores, where it can be undone without those made elsewhere since."""
    found: list[Part] = []
    for session in sessions:
        with suppress(HistoryError, StoreGone):
            session.require_store()
            step = session.history.own_step()
            found += [Part(session, step)] if step is not None else []
    last = max(found, key=lambda each: each.step.order, default=None)
    if last is not None:
        with suppress(MemError):
            done = undo(last.session, among=sessions, batch=last.step.batch, dry_run=True)
            return last if done.done and not done.clashes else None
    return None


def _parts(session: Session, step: Step, redo: bool, among: Sequence[Session]) -> list[Part]:
    """The step in each store that it was made in, except stores that it did not reach before the program ended."""
    parts = [Part(session, step)]
    for part in steps.stores_of(step.batch):
        if os.path.realpath(part.root) == os.path.realpath(session.root):
            continue
        is_made = redo and "." in step_record.folders(step.batch).get(os.path.abspath(part.root), ())  # the undo removed it again
        if not os.path.isdir(part.root) and not is_made:
            verb = "redone" if redo else "undone"
            raise HistoryError(f"{printable_path(part.root)} is not there. Nothing was {verb} of: {describe(step)}", _SKIP_HINT)
        other = next((each for each in among if each.root == part.root), None) or _opened(session, part)
        own = other.history.step(redo=redo, batch=step.batch)
        if own is not None:
            parts.append(Part(other, own))
    return parts


def _opened(session: Session, part: steps.Store) -> Session:
    from zsmem_tui.service.stores import open_store  # deferred: every agent's rules, only needed for steps in several stores

    place = f"{part.kind}:{part.root}"
    return open_store(session.config, place, group=part.group, cwd=part.folder or session.folder, clock=session.clock)


def _undo_export(session: Session, step: Step, redo: bool, resolved: Sequence[Resolution], dry_run: bool) -> UndoResult:
    """Undo or redo an export, whose files are outside of the store, in a folder with its own history."""
    found = exports.get(step.batch)
    if found is None:
        raise HistoryError(f"Where it was exported to is not known any more: {describe(step)}. Nothing was done.", _SKIP_HINT)
    more, places = "", [found.place]
    if found.digest:
        state = "is the one before it again" if found.before else "is deleted"
        more = f". {printable_path(shortened(found.place))} {state}"
        if redo:
            raise HistoryError("A bundle is not written again by redo. Nothing was done.", "Export it again.")
        if not dry_run:
            exports.take_back(found)
    else:
        kind, _, _ = found.store.partition(":")
        inner = _opened(session, steps.Store(kind or "markdown", found.place, found.group))
        last = inner.history.step(redo=redo) if redo or os.path.isdir(found.place) else None
        if last is None or last.batch != step.batch:
            raise Conflict(f"{printable_path(found.place)} is not as this export left it. Nothing was undone.", _SKIP_HINT)
        done = undo(inner, redo=redo, resolved=resolved, dry_run=dry_run)
        if done.clashes:
            return done
        _, _, more = done.message.partition(_label(last, redo))
        places = [each.root for each in done.sessions]
        for root, made in step_record.folders(step.batch).items() if not (redo or dry_run) else ():
            remove_empty(root, made)
    if not dry_run:
        with suppress(WriteFailed):  # as in `_apply`
            records.step_undone(session.root, step.batch, redo=redo)
        _recorder(session, step, redo).record_step_end()
    return UndoResult(message=f"{_label(step, redo)}{more}", changed=1, places=(*places,), sessions=(session,), step=step)


def _undo_connection(session: Session, step: Step, redo: bool, dry_run: bool) -> UndoResult:
    """Undo or redo the connection of an agent, which changed its settings files."""
    from zsmem_tui.service import connecting  # deferred: every agent's settings

    recorder = _recorder(session, step, redo)
    places = connecting.take_back(session.root, step.batch, recorder, redo=redo, dry_run=dry_run)
    if not places:
        raise HistoryError(f"What it changed is not known any more: {describe(step)}. Nothing was done.", _SKIP_HINT)
    return UndoResult(message=_label(step, redo), changed=len(places), places=places, sessions=(session,), step=step)


def _undo_own_state(parts: Sequence[Part], back: _Back, redo: bool, dry_run: bool) -> UndoResult:
    """Undo or redo a step that wrote no file of the store; nothing is left of one whose project moved, if the move was skipped."""
    step = parts[0].step
    for own, part in parts if not dry_run else ():
        try:
            is_done = back(own, part.versions[0].relation, redo)
        except HistoryError as error:
            raise HistoryError(error.message, error.hint or _SKIP_HINT) from error
        if not is_done:
            verb = "redone" if redo else "undone"
            raise HistoryError(f"It is not as this step left it any more. Nothing was {verb} of: {describe(step)}", _SKIP_HINT)
        _recorder(own, part, redo).record_step_end()
    return UndoResult(message=_label(step, redo), changed=len(parts), sessions=tuple(own for own, _ in parts), step=step)


def _recorder(session: Session, step: Step, redo: bool) -> Recorder:
    """A recorder for the undo of a step outside of the store; if recording fails, the step is offered for undo again."""
    return session.recorder(_label(step, redo), Origin.UNDO, relation=_relation(step, redo))


def describe(step: Step) -> str:
    """Describe a step in words."""
    if step.label:
        return printable_path(step.label)
    paths = sorted({version.path for version in step.versions})
    return f"changed {printable_path(paths[0])}" if len(paths) == 1 else f"changed {len(paths)} files"


def when_and_where(session: Session, step: Step) -> str:
    """When a step was made, and in which files, or to where it exported."""
    return f"This step was made on {to_the_minute(step.versions[0].when)}: {', '.join(_named(session, step))}."


def _named(session: Session, step: Step) -> list[str]:
    """The titles of the files of a step, of many only the first, or to where it exported."""
    refs = [session.ref_at(path) for path in sorted({version.path for version in step.versions if version.path})]
    names = [title_of(ref, session) for ref in refs[:_MOST_NAMED]]
    if not names:
        export = exports.get(step.batch)
        names = [printable_path(shortened(export.place if export else session.root))]
    return names + ([counted(len(refs) - _MOST_NAMED, "more file")] if refs[_MOST_NAMED:] else [])


def _label(step: Step, redo: bool) -> str:
    return f"{'Redid' if redo else 'Undid'}: {describe(step)}"


def _relation(step: Step, redo: bool) -> str:
    return f"{'redoes' if redo else 'undoes'} {step.batch}"


def skip(session: Session, *, dry_run: bool = False) -> UndoResult:
    """Skip the last step without changing files, so that the one before it can be undone. Raises `HistoryError`."""
    step = session.history.step()
    if step is None:
        return UndoResult(message="Nothing to undo.", warning=True)
    parts = [Part(session, step)]
    with suppress(HistoryError):  # parts in stores that are missing remain; this part is skipped nevertheless
        parts = _parts(session, step, False, ())
    if not dry_run:
        _apply(parts, [], redo=False)
    return UndoResult(message=f"Passed over: {describe(step)}", changed=1, step=step)


def _plan(session: Session, step: Step, redo: bool, resolved: _Answers) -> tuple[list[_Goal], list[Clash]]:
    """The wanted content of each file of a step, and clashes with changes by others."""
    moved = step_record.moved(step.batch, session.root)
    carried = (moved and moved.carried) or {}
    elsewhere = carried | {to: path for path, to in carried.items()}
    gone = step_record.gone(step.batch, session.root)
    versions, redo = (step.undone, False) if redo and step.undone else (step.versions, redo)
    by_path = grouped((version.path, version) for version in versions if version.path)
    holders = grouped((id, version.path) for version in versions for id in {version.before, version.after} if id)

    def goal(path: str) -> _Goal | Clash | None:
        ref, own = session.ref_at(path), by_path[path]
        answer = resolved.get((session.root, ref)) or resolved.get(("", ref))
        if answer is not None:
            return None if answer.text in (None, answer.theirs) else _Goal(session, ref, answer.theirs, answer.text)
        now = files.read_if_there(session.path(ref))
        wanted = now
        for version in own if redo else reversed(own):
            ids = (version.before, version.after) if redo else (version.after, version.before)
            source, goal = map(session.history.text, ids)
            if wanted in (source, goal):
                wanted = goal
                continue
            found = merge(source or b"", goal or b"", wanted or b"")
            if isinstance(found, Overlap) or wanted is None:
                return Clash(ref, goal or b"", now, source or b"", session.root)
            wanted = found.text or (None if goal is None else b"")
        if wanted == now:
            return None
        back = own[-1].after if redo else own[0].before
        was = gone.get(path, step_record.UNKNOWN) if now is None else step_record.UNKNOWN
        since = was.modified or since_when(session, path, back) if now is None else None  # who read it sees that it changed
        left = own[0].before if redo else own[-1].after
        joins = now is not None and not left
        keeps = bool(now and wanted and left) and now != session.history.text(left)
        # the other file of the step that has the text, as a renamed note has; what was merged into another has its own bits
        same = next((each for each in holders.get(back, ()) if each != path), "")
        mode = _mode(session, same) or was.mode or _mode(session, elsewhere.get(path))
        return _Goal(session, ref, now, wanted, since, mode, joins, keeps)

    found = [*chain.from_iterable(session.history.in_pieces([*by_path], lambda path, _: goal(path)))]
    return [each for each in found if isinstance(each, _Goal)], [each for each in found if isinstance(each, Clash)]


def _mode(session: Session, path: str | None) -> int:
    return mode_of(os.path.join(session.root, path)) if path else 0


def _folders(part: Part, redo: bool) -> _Folders:
    """(folders to create, folders to remove) when a step is undone, or redone with `redo`."""
    moved = step_record.moved(part.step.batch, part.session.root)
    if moved is None:
        return (), ()
    return (moved.made, moved.removed) if redo else (moved.removed, moved.made)


def _apply(parts: Sequence[Part], goals: list[_Goal], redo: bool, folders: Sequence[_Folders] = ()) -> None:
    """Write the files, in any store, new content before deletions, all or nothing. Raises `StoreError`.

    Of each part's `folders`, the first are created, and the second removed if empty.
    """
    step = parts[0].step
    label, relation = _label(step, redo), _relation(step, redo)
    sessions = [part.session for part in parts]
    with step_batches(label, sessions, Origin.UNDO, relation=relation, ends=True) as opened:
        batches = dict(zip((each.root for each in sessions), opened, strict=True))
        for each, own_folders in zip(opened, folders, strict=False):
            each.makes_folders, each.removes_folders = own_folders
        made = step_record.folders(step.batch) if goals and not redo else {}
        for root, batch in batches.items():  # the root and its parents stay, since another program may have the store open
            own = (each for each in made.get(os.path.abspath(root), ()) if each.partition("/")[0] not in (".", ".."))
            batch.removes_folders = (*batch.removes_folders, *own)
        for goal in sorted(goals, key=lambda goal: goal.wanted is None):
            batch = batches[goal.session.root]
            if goal.wanted is None:
                if goal.now is not None:
                    batch.remove(goal.ref.path, expected=goal.now)
            elif isinstance(batch.save(goal.ref.path, goal.wanted, goal.now, modified=goal.modified, mode=goal.mode), Conflicted):
                raise WriteFailed(goal.ref.path, f"{printable_path(goal.ref.path)} changed just now. Nothing was undone.")
    if goals:
        for part in parts:
            with suppress(WriteFailed):  # the files are restored: at worst the next import does not offer these items
                records.step_undone(part.session.root, part.step.batch, redo=redo)


def _unsee(session: Session, relation: str, redo: bool) -> bool:
    made = review_baseline.made_by(relation)
    with session.history.opened() as repo:
        review_baseline.move_back(repo, {path: pair[::-1] for path, pair in made.items()} if redo else made)
    return True


_BACK: Final[dict[str, _Back]] = {
    project_register.LABELS: lambda session, relation, redo: carried.label_back(session, relation, redo=redo),
    ignored.IGNORES: lambda session, relation, redo: ignored.change_back(session.root, relation, redo=redo),
    wanted.WANTS: lambda session, relation, redo: wanted.mark_back(session, relation, redo=redo),
    review_baseline.SEES: _unsee,
}
