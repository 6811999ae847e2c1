"""What waits for the person in the folder they work in: a view over review, prompts, doctor and projects, as rows.

Here is what is asked at every start. How it is worked out, with prompts and the rules of the doctor, is in `today_rows`, which only
a store in which something waits needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.version import AuthorKind
from zsmem_tui.service import reviewing
from zsmem_tui.service.news import News, Today
from zsmem_tui.service.session import Session

if TYPE_CHECKING:
    from zsmem_tui.core.checks.finding import Finding


def unseen(session: Session) -> tuple[frozenset[MemRef], frozenset[MemRef]]:
    """The files that others changed, and those of them that are of the folder worked in. Raises `HistoryError`."""
    refs = reviewing.unreviewed(session)
    if not refs:
        return refs, refs
    from zsmem_tui.service import today_rows  # with every agent's rules and the doctor's, where something waits

    return refs, frozenset(ref for ref in refs if today_rows.is_here(session, ref))


def news(session: Session) -> News:
    """What others wrote in a store since the person last looked. A history that cannot be used is a sentence of the answer."""
    if problem := session.root_problem() or session.store_problem():
        return News(session, problem="" if session.refusal else problem)
    try:
        return _news(session)
    except MemError as error:
        return News(session, problem=error.message)


def _news(session: Session) -> News:
    waiting, found = reviewing.unreviewed(session), News(session)
    if waiting or session.history.outside:
        from zsmem_tui.service import today_rows  # as above

        found = today_rows.news(session, waiting)
    if waiting:
        return found
    last = reviewing.last_of_others(session)
    newest = None if last else next(iter(session.history.latest()), None)
    is_first = newest is not None and newest.author.kind is AuthorKind.BEFORE
    return found._replace(last=last, is_first=is_first)


def unconnected(session: Session) -> str:
    """The agents found on this machine of which none of the settings has anything of ours, as a sentence."""
    from zsmem_tui.service import connecting  # with the settings of every agent, once somebody looks

    try:
        found = [each for each in connecting.agents(session) if each.installed and not any(each.connected)]
    except MemError:
        return ""
    names = [each.title for each in found if not any(own.problem for own in each.connected)]
    if not names:
        return ""
    if len(names) == 1:
        return f"{names[0]} is not connected: no search of this memory for it."
    return f"{', '.join(names[:-1])} and {names[-1]} are not connected: no search of this memory for them."


def today(
    found: Sequence[News],
    faults: Sequence[tuple[Session, Sequence[Finding]]] = (),
    hints: Sequence[tuple[Session, str]] = (),
    agents: Sequence[tuple[Session, str]] = (),
) -> Today:
    """The rows: what others wrote, by agent and file, what became of the prompts, then the rest.

    `faults` is what the doctor found and the person does not ignore, as far as it has looked; `hints` says which memory seems to
    belong to the folder, `agents` which are not connected.
    """
    last = max((each.last for each in found if each.last is not None), key=lambda version: version.when, default=None)
    is_quiet = all(each.is_quiet for each in found) and not hints
    if is_quiet and not any(own for _, own in faults) and not any(text for _, text in agents):
        return Today(last=last)
    from zsmem_tui.service import today_rows  # as above

    return Today(tuple(today_rows.rows(found, faults, hints, agents)), last)
