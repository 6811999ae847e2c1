"""Running a verb and showing how it ended: the one place that words it, and that promises that it can be undone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from zsmem_tui.core.errors import MemError
from zsmem_tui.service import patience
from zsmem_tui.ui.wording import is_typed, pressed, refusal, undoable

if TYPE_CHECKING:
    from zsmem_tui.core.outcomes import VerbResult
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.tool import Place

Answer = TypeVar("Answer")
Result = TypeVar("Result", bound="VerbResult")

UNDO = "u to undo"


async def attempt(work: Awaitable[Answer], refused: Callable[[str], object]) -> Answer | None:
    """What `work` answers; None when it was refused, with the reason handed to `refused`."""
    try:
        return await work
    except MemError as error:
        refused(refusal(error))
        return None


async def perform(
    host: ZsmemApp,
    verb: Callable[[], Result],
    *places: Place | ZsmemApp,
    refresh: Callable[[Result], Awaitable[None]] | None = None,
    refused: Callable[[str], object] | None = None,
) -> Result | None:
    """Run a verb in a thread and `show` its end; None when it was refused.

    `refused` gets the reason of a refusal, which is else told where an end would be.
    """

    def tell(reason: str) -> None:
        for place in places or (host,):
            place.say(reason, warning=True)

    done = await attempt(asyncio.to_thread(verb), refused or tell)
    if done is not None:
        await show(host, done, *places, refresh=refresh)
    return done


async def show(
    host: ZsmemApp,
    done: Result,
    *places: Place | ZsmemApp,
    refresh: Callable[[Result], Awaitable[None]] | None = None,
    key: str = UNDO,
) -> None:
    """Tell how a verb ended in `places` (none: where the person looks).

    `refresh` shows what is different now, before the sentence appears; without it the store is looked at. `key` takes the step
    back: it is named only when there is a step that it can.
    """
    if refresh is None:
        await host.main.look_now()
    else:
        await refresh(done)
    words, warning = told(host, done, key)
    for place in places or (host,):
        place.say(words, warning=warning)


def told(host: ZsmemApp, done: VerbResult, key: str = UNDO) -> tuple[str, bool]:
    """How a verb ended, in words, and whether they should stand out. Ask once the store has been looked at.

    The history takes steps in later than they are made: it may say only then that they cannot be undone.
    """
    problem = done.undo_problem or host.main.session.undo_problem
    if not done.changed:
        return with_others(done.message, done.warning)
    key = pressed(key, is_typed(host.tool or host.main))
    return with_others(undoable(done.message, problem, key), done.warning or bool(problem))


def with_others(words: str, warning: bool) -> tuple[str, bool]:
    """How something ended, with what others did to it meanwhile."""
    contended = patience.current().contended
    found = list(contended.values())
    contended.clear()
    return (" ".join([words, *map(patience.describe, found)]), True) if found else (words, warning)
