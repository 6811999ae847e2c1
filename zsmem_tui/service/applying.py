"""Apply a plan in one or several stores: all batches share one id in the histories, by which undo finds them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from zsmem_tui.core.errors import Conflict, HistoryError, MemError
from zsmem_tui.core.merge import split
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import Origin
from zsmem_tui.service.plan import Applied, Edit, Plan
from zsmem_tui.service.session import Session, as_it_was
from zsmem_tui.store import interrupted, step_record, steps
from zsmem_tui.store.disk.files import digest_of
from zsmem_tui.store.steps import Batch, Store, remade
from zsmem_tui.store.transfer import exports


@contextmanager
def step_batches(
    label: str,
    sessions: Sequence[Session],
    origin: Origin = Origin.YOU,
    *,
    relation: str = "",
    ends: bool = False,
    nothing: str = "",
    dry_run: bool = False,
    also: Sequence[Batch] = (),
) -> Iterator[list[Batch]]:
    """Yield a batch for each of these stores; they are written as one step when the block ends without an error.

    Sessions of one store share a batch. `also` are batches of the step that are undone in another way; `ends` and `nothing` are
    those of `Batch`; with `dry_run` nothing is written. Raises `StoreGone` if a store has disappeared, and what `steps.apply`
    raises.
    """
    by_root: dict[str, Batch] = {}
    stores: list[Store] = []
    for session in sessions:
        if (real := os.path.realpath(session.root)) not in by_root:
            by_root[real] = session.batch(label, origin, relation=relation, ends=ends, nothing=nothing)
            stores.append(Store(session.layout.kind, session.root, session.project, session.folder))
    every = [*also, *by_root.values()]
    for batch in every:
        batch.recorder.waits = every[0].recorder.waits
    yield [by_root[os.path.realpath(session.root)] for session in sessions]
    if sessions and not (dry_run or any(session.dry_run for session in sessions)):
        steps.join([batch.recorder for batch in every], stores)
        steps.apply(every)


def apply(plan: Plan, *, dry_run: bool = False, step: str = "", cancelled: Callable[[], bool] = lambda: False) -> Applied:
    """Apply a plan as one step or as a part of `step`, all or nothing. `cancelled` is called before each file.

    Raises `Conflict` if a file changed and cannot be merged, `RuleBroken` (also for credentials that are undecided) or
    `StoreError`. Then nothing was written, or the message says what was.
    """
    plan.gate.check()
    if plan.act is not None:
        done = plan.act()
        return Applied(message=done.message, changed=done.changed, undo_problem=done.undo_problem, warning=done.warning, plan=plan)
    sessions = plan.sessions
    marks = [plan.marks] if plan.marks is not None and sessions else []
    among = (*sessions, *marks, *(row.store for row in plan.rows if row.store is not None))
    is_dry = dry_run or any(each.dry_run for each in among)
    for session in sessions if plan.deletes and not is_dry else ():
        session.require_undo()
    own = [each.batch(plan.label, relation=exports.RELATION, ends=True, nothing=plan.nothing) for each in marks if not is_dry]
    batches: list[Batch] = []
    problems: list[str] = []

    def go_on(number: int, of: int) -> None:
        if cancelled():
            raise Conflict(f"You stopped it. {plan.nothing}")

    try:
        with ExitStack() as held:
            if plan.within is not None and not is_dry:
                problems = held.enter_context(plan.within(lambda: (own or batches)[0].recorder))
            for batch in own:
                first = sessions[0]
                exports.remember(batch.recorder, exports.Export(first.root, store=first.store, group=first.project))
            relation = plan.relation if is_dry else plan.relation or _carrying(plan)
            how: dict[str, Any] = {"relation": relation, "nothing": plan.nothing, "dry_run": is_dry, "also": own}
            batches += held.enter_context(step_batches(plan.label, sessions, plan.origin, **how))
            for batch in batches:
                batch.recorder.batch, root = step or batch.recorder.batch, f"{batch.root}/"
                writers = ((place, who) for place, who in plan.writers.items() if place.startswith(root))
                batch.recorder.writers = {place.removeprefix(root): who for place, who in writers}
            for batch in (own or batches)[:1]:
                batch.progress = go_on
            of_session = {id(session): batch for session, batch in zip(sessions, batches, strict=True)}
            for session, moved in plan.moved.items() if not is_dry else ():
                batch = next(each for each in batches if os.path.realpath(each.root) == os.path.realpath(session.root))
                if session.guard is not None:  # files keep their content, even those that the agent itself generates
                    batch.recorder.guard = as_it_was(session.guard)
                batch.removes_folders = moved.removed
                step_record.put_moved(batches[0].recorder.batch, session.root, moved, plan.nothing)
            for edit in plan.beside:
                put(of_session[id(edit.session)], edit)
            beside = sum(len(batch.edits) for batch in dict.fromkeys(batches))
            for edit in plan.every():
                put(of_session[id(edit.session)], edit)
    except MemError:
        for batch in own or (batches if plan.moved and not step else ()):
            step_record.drop(batch.recorder.batch)
        raise
    for session, moved in plan.moved.items() if not is_dry else ():
        from zsmem_tui.service.projects import carried  # deferred: facts and projects, which most steps do not need

        carried.follow(session, moved.carried or {})
    changed = sum(len(batch.edits) for batch in dict.fromkeys(batches)) - beside
    problem = next((each.undo_problem for each in (*sessions, *marks) if each.undo_problem and not is_dry), "")
    said = " ".join([plan.done if changed else plan.unchanged, *problems])
    warning = plan.warning or bool(plan.left)
    made, lasts = next((batch.recorder.batch for batch in batches), ""), all(batch.lasting for batch in batches)
    how = {"changed": changed, "undo_problem": problem, "warning": warning}
    done = Applied(message=printable_path(said), plan=plan, step=made, lasting=lasts, **how)
    return plan.follow(done) if plan.follow is not None and not is_dry else done


def _carrying(plan: Plan) -> str:
    """The relation of a step that moves lines which nobody reviewed to another store; empty for any other."""
    gone: dict[Session, dict[MemRef, Counter[bytes]]] = {}
    for edit in plan.edits if len(plan.sessions) > 1 else ():
        if lines := Counter(split(edit.before or b"")) - Counter(split(edit.after or b"")):
            gone.setdefault(edit.session, {})[edit.ref] = lines
    if not gone:
        return ""
    from zsmem_tui.service import reviewing  # deferred: most steps are of one store
    from zsmem_tui.store.history.review_baseline import carrying  # deferred as well

    found = Counter[bytes]()
    for session, of_ref in gone.items():
        with suppress(HistoryError):  # then it is not known what waits
            session.history.observe([ref.path for ref in of_ref])
            for each in reviewing.pending(session, of_ref):
                found += (Counter(split(each.now or b"")) - Counter(split(each.reviewed or b""))) & of_ref[each.ref]
    return carrying(found)


def put(batch: Batch, edit: Edit) -> None:
    """Add one edit of a plan to the batch, recomputed from the current content. Raises what `apply` does."""
    if edit.renamed:
        batch.rename(edit.ref.path, edit.renamed)
    elif edit.is_left:
        now = interrupted.standing(batch.root, edit.ref.path)
        if now is None:
            raise batch.changed(edit.ref.path)  # somebody deleted it
        if now == edit.before:
            batch.remove(edit.ref.path, expected=edit.before, is_left=True)
    elif edit.after is None:
        if not batch.replace(edit.ref.path, edit.before, None).changed and edit.before is not None:
            raise batch.changed(edit.ref.path)  # somebody deleted it
    elif edit.changes:
        batch.update(
            edit.ref.path,
            lambda now: edit.after if now == edit.before else remade(now, edit.changes),
            mode=edit.mode,
            modified=edit.modified,
        )
    else:
        expected = digest_of(edit.before) if edit.expected is None else edit.expected
        batch.put(edit.ref.path, expected, edit.after, mode=edit.mode, modified=edit.modified)
