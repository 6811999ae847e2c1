"""What waits for the user in the current folder: changes by others, prompts, doctor and projects combined as rows.

This module has what every start asks for. `today_rows` does the work, and is only loaded if something waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted
from zsmem_tui.service import reviewing
from zsmem_tui.service.news import Kind, News, Today
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store import ignored
from zsmem_tui.store.disk.state import has_history

if TYPE_CHECKING:
    from zsmem_tui.core.checks.finding import Finding


def unseen(session: Session) -> tuple[frozenset[MemRef], frozenset[MemRef]]:
    """(files changed by others, those of the current folder). Raises `HistoryError`."""
    refs = reviewing.unreviewed(session)
    if not refs:
        return refs, refs
    from zsmem_tui.service import prompts  # deferred: every agent's rules, only needed if something waits

    return refs, frozenset(ref for ref in refs if prompts.is_here(session, ref))


def waited(session: Session) -> bool:
    """Whether files changed by others waited for the person at the last run already. Raises `HistoryError`."""
    return has_history(session.root) and bool(reviewing.unreviewed(session))


def errors_known(session: Session, ids: frozenset[str] | None = None) -> dict[str, int]:
    """The number of known errors per unchanged file of the current folder, without those in `ids`, the ignored ones."""
    from zsmem_tui.store import known_errors  # deferred: `json`, not needed for the first frame

    if not (found := known_errors.waiting(session.root)):
        return {}
    from zsmem_tui.service import prompts  # deferred, as above

    known = ignored.read(session.root).ids if ids is None else ids
    here = {path: len({*ids} - known) for path, ids in found.items() if prompts.is_here(session, session.ref_at(path))}
    return {path: count for path, count in here.items() if count}


def news(session: Session, *, is_of_all: bool = False, most_files: int = 0) -> News:
    """What others wrote in a store since the last review, in the current folder or `is_of_all`.

    If the history is unavailable, `problem` says why. Of more than `most_files` some have no rows; 0: of more than
    `today_rows.MOST_FILES`.
    """
    gone = reviewing.what_is_gone(session)
    if problem := session.root_problem() or session.store_problem() or gone:  # the second names the folder, too
        return News(session, problem="" if session.refusal else problem)
    ids = ignored.read(session.root).ids
    known = (*errors_known(session, ids).items(),)
    try:
        waiting, found = reviewing.unreviewed(session), News(session)
        if waiting or session.history.outside:
            from zsmem_tui.service import today_rows  # deferred, as above

            found = today_rows.news(session, waiting, is_of_all, most_files or today_rows.MOST_FILES)
        if not waiting:
            last, newest = reviewing.last_not_ours(session), next(iter(session.history.latest()), None)
            found = found._replace(last=last, is_first=newest is not None and newest.author.is_before)
        elif not found.here and not found.unread:
            from zsmem_tui.service import prompts  # deferred, as above

            found = found._replace(last=reviewing.last_not_ours(session, partial(prompts.is_here, session)))
        problem = " ".join(filter(None, (found.problem, *session.folder_problems())))
        return found._replace(ignored=ids, errors=known, problem=problem)
    except MemError as error:
        return News(session, problem=error.message, errors=known)


def unconnected(session: Session) -> dict[str, str]:
    """The titles, by id, of other installed agents that are not connected in any of their settings.

    Empty if connecting would not give them this store's memory, or if that is unknown.
    """
    from zsmem_tui.service import connecting  # deferred: the settings of every agent

    if not connecting.is_given(session):
        return {}
    try:
        others = (each for each in connecting.agents(session) if each.name != session.layout.kind)
        found = [each for each in others if each.installed and not any(each.connected)]
    except MemError:
        return {}
    return {f"{Kind.AGENTS} {each.name}": each.title for each in found if not any(own.problem for own in each.connected)}


@says_undo
def hide(session: Session, ids: Iterable[str]) -> VerbResult:
    """Stop listing these unconnected agents, by id: an undoable step. Raises `WriteFailed`."""
    changed = ignored.change(session.root, ids, ignore=True)
    if changed:
        words = f"Hid that {counted(len(changed), 'agent')} {'is' if len(changed) == 1 else 'are'} not connected"
        session.recorder(words, relation=ignored.relation(changed, ignore=True)).record_step_end()
    return VerbResult("Review names them no more. Connect an agent, in the palette, lists all of them.", len(changed))


def today(
    found: Sequence[News],
    faults: Sequence[tuple[Session, Sequence[Finding]]] = (),
    hints: Sequence[tuple[Session, str]] = (),
    agents: Sequence[tuple[Session, Mapping[str, str]]] = (),
    unchecked: int | None = 0,
    most_lines: int = 0,
) -> Today:
    """The rows: changes by others by agent and file, effects on prompts, errors of the doctor, then the rest.

    `faults` are the findings that are not ignored, of each examined store; for others, the errors known from before are used.
    `hints` say which memory seems to belong to the folder, `agents` which are not connected (`unconnected`). `unchecked` counts
    files not examined. Of more than `most_lines` changed lines some have no row; 0: of more than `today_rows.MOST_LINES`.
    """
    hidden = frozenset(id for each in found for id in each.ignored)
    named = [(session, own) for session, every in agents if (own := {id: each for id, each in every.items() if id not in hidden})]
    every = (each.last for each in found if each.last is not None)
    last = max(every, key=lambda version: (not version.author.is_before, version.when), default=None)
    is_quiet = all(each.is_quiet and not each.errors for each in found) and not hints
    if is_quiet and not any(own for _, own in faults) and not named:
        return Today(last=last, unchecked=unchecked)
    from zsmem_tui.service import today_rows  # deferred, as above

    return Today(tuple(today_rows.rows(found, faults, hints, named, most_lines or today_rows.MOST_LINES)), last, unchecked)
