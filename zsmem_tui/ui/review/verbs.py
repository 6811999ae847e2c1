"""Judging what others wrote, moving it, and bringing it into the prompt: on the page and on the full screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.checks.finding import without_secrets
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.text import counted
from zsmem_tui.service import review_facts, review_lines
from zsmem_tui.service.facts import acts, raising
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.review_lines import Pick
from zsmem_tui.ui.dialogs.ask import Asked, choose, lets_in
from zsmem_tui.ui.facts.verbs import applied, choose_target
from zsmem_tui.ui.perform import attempt, perform
from zsmem_tui.ui.tool import ToolScreen

if TYPE_CHECKING:
    from zsmem_tui.service.facts.rows import FactRow
    from zsmem_tui.ui.open_store import OpenStore
    from zsmem_tui.ui.tool import Place

Parts = Mapping["OpenStore", Sequence[Pick]]
"""What is meant, by store."""

_EVERY: Final = "every"
"""The answer for all facts."""


async def run(place: Place, verb: Callable[[], VerbResult], stores: Sequence[OpenStore] | Parts) -> None:
    """Run `verb`, then poll these stores, also if it was refused."""

    async def refresh(_: VerbResult | None = None) -> None:
        for store in stores:
            await place.host.main.look_after(store)
        if isinstance(place, ToolScreen):
            await place.read()

    if await perform(place.host, verb, place if isinstance(place, ToolScreen) else place.host, refresh=refresh) is None:
        await refresh()


async def _facts(place: Place, store: OpenStore, picks: Sequence[Pick]) -> list[FactRow]:
    """The facts that begin in these lines; empty, with a message, if there are none."""
    found = await attempt(asyncio.to_thread(review_facts.facts_of, store.session, picks), place.warn)
    if found == []:
        place.warn("This is no fact of a file: enter reads it, e edits it.")
    return found or []


async def move(place: Place, store: OpenStore, picks: Sequence[Pick]) -> None:
    """Move the facts of these lines to another file, which accepts them."""
    if not (facts := await _facts(place, store, picks)) or not place.host.main.use(store):
        return
    project = facts[0].ref.project or store.session.project
    where = choose_target(place, store.session, facts, project, Asked(place), "Move", leaves=True)
    if (target := await attempt(where, place.warn)) is not None:
        judged = review_facts.picks_of(facts, picks)
        await _apply(place, store, partial(acts.move, store.session, facts, target), judged, project, lifts=False)


async def lift(place: Place, store: OpenStore, picks: Sequence[Pick]) -> None:
    """Move the facts of these lines into the prompt; of several, only those in the same state as the first not loaded."""
    found = await _facts(place, store, picks)
    first = next((each for each in found if each.prompt is not Prompt.WHOLE), None)
    if first is None:
        if found:
            place.warn("It is loaded already.")
        return
    facts = [each for each in found if each.prompt is not Prompt.WHOLE and each.is_out == first.is_out]
    if any(each.numbers is None for each in picks) and len(facts) > 1:
        names = [(str(at), without_secrets(row.fact.says)) for at, row in enumerate(facts)]
        every = (_EVERY, f"All {counted(len(facts), 'fact')}")
        answer = await choose(place, "Into the prompt", "Which facts does the agent always need?", [every, *names], names=True)
        if answer is None:
            return
        facts = facts if answer == _EVERY else [facts[int(answer)]]
    if not place.host.main.use(store) or not await lets_in(place, [each.fact.text for each in facts]):
        return
    project = facts[0].ref.project or store.session.project
    judged = picks if facts == found else review_facts.picks_of(facts, picks)
    await _apply(place, store, partial(raising.to_top, store.session, facts), judged, project, lifts=True)


async def _apply(
    place: Place, store: OpenStore, make: Callable[[], Plan], picks: Sequence[Pick], project: str, *, lifts: bool
) -> None:
    """Apply the plan, accept these changes with it, and show the effect on the prompt."""

    def plan() -> Plan:
        return review_lines.judging(make(), picks)

    await run(place, lambda: applied(store.session, plan, project, lifts=lifts), [store])
