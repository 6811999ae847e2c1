"""Running an action in a thread and showing its outcome; the only place that words outcomes and names the undo key."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.limits import MAX_COPY_BYTES
from zsmem_tui.service import patience
from zsmem_tui.ui.wording import is_typed, pressed, refusal, size, undoable

if TYPE_CHECKING:
    from textual.dom import DOMNode

    from zsmem_tui.core.outcomes import VerbResult
    from zsmem_tui.core.version import Version
    from zsmem_tui.service.session import Session
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.tool import Place

Answer = TypeVar("Answer")
Result = TypeVar("Result", bound="VerbResult")

UNDO = "u to undo"

LONG_SECONDS = 0.1
"""Seconds for which a pane may still show what it showed before."""

PATIENT_SECONDS = 0.4
"""Seconds for which an action waits for what follows from it, so that in all but large stores everything is shown at once."""


async def attempt(work: Awaitable[Answer], refused: Callable[[str], object]) -> Answer | None:
    """Await `work`; if it raises `MemError`, pass the reason to `refused` and return None."""
    try:
        return await work
    except MemError as error:
        refused(refusal(error))
        return None


async def late(answer: Awaitable[Answer], tell: Callable[[], object]) -> Answer:
    """Await `answer`; if that takes longer, call `tell`, which takes away what is on display about something else."""
    found = asyncio.ensure_future(answer)
    if not (await asyncio.wait({found}, timeout=LONG_SECONDS))[0]:
        tell()
    return await found


async def started(node: DOMNode, work: Callable[[], Awaitable[None]], group: str) -> bool:
    """Run `work` as a worker of the node and wait for it, but not for long; whether it is over. If not, it goes on by itself."""
    is_over = asyncio.Event()

    async def run() -> None:
        try:
            await work()
        finally:
            is_over.set()

    worker: Callable[[], Awaitable[None]] = run
    node.run_worker(worker, group=group)
    with suppress(TimeoutError):
        await asyncio.wait_for(is_over.wait(), PATIENT_SECONDS)
    return is_over.is_set()


async def perform(
    host: ZsmemApp,
    verb: Callable[[], Result],
    *places: Place | ZsmemApp,
    refresh: Callable[[Result], Awaitable[object]] | None = None,
    refused: Callable[[str], object] | None = None,
) -> Result | None:
    """Run `verb` in a thread and `show` its result; None if it was refused.

    `refused` gets the reason; by default it is shown where the result would be.
    """

    def tell(reason: str) -> None:
        for place in places or (host,):
            place.say(reason, warning=True)

    async with host.main.unpolled():  # `refresh` sees the screen as it was before the step
        done = await attempt(asyncio.to_thread(verb), refused or tell)
    if done is not None:
        await show(host, done, *places, refresh=refresh)
    return done


async def show(
    host: ZsmemApp,
    done: Result,
    *places: Place | ZsmemApp,
    refresh: Callable[[Result], Awaitable[object]] | None = None,
    key: str = UNDO,
) -> None:
    """Show the result of an action in `places` (default: on the visible screen).

    First, `refresh` updates what is on the screen; by default the store is polled. `key` is named as the undo key if there is a
    step that it can undo.
    """
    host.conversations.acted = True
    await (host.main.look_now() if refresh is None else refresh(done))
    words, warning = told(host, done, key)
    for place in places or (host,):
        place.say(words, warning=warning)


def copy(place: Place, text: str, what: str) -> bool:
    """Send a text, which is `what`, to the terminal's clipboard and say so; False, with the reason, if it is too long."""
    data = text.encode("utf-8", "replace")
    if len(data) > MAX_COPY_BYTES:
        big = f"{size(len(data))} is too much for a terminal's clipboard"
        place.warn(f"{big}. V selects lines for it; o opens the file in your own editor.")
        return False
    place.app.copy_to_clipboard(data.decode())
    place.say(f"Sent {what} to the terminal's clipboard ({size(len(data))}).")
    return True


async def show_then(place: Place, session: Session, version: Version) -> None:
    """Show the prompt just before a version was written, compared with the one after it."""
    from zsmem_tui.service import past, previewing  # deferred: needed only here

    points = await attempt(asyncio.to_thread(past.around, session, version), place.warn)
    if points is not None:
        group = session.ref_at(version.path).project or session.project
        place.host.open_prompt(previewing.subject(session)._replace(project=group, at=points[0]), points[1])


def told(host: ZsmemApp, done: VerbResult, key: str = UNDO) -> tuple[str, bool]:
    """The outcome of an action in words, and whether it is a warning.

    Call it after the store was polled: only then does the history record steps, and find out whether they can be undone.
    """
    problem = done.undo_problem or host.main.session.undo_problem
    if not done.changed:
        return with_others(done.message, done.warning)
    coming = [*host.conversations.coming, *(label for _, label in host.ahead)]
    key = "undo comes next" if coming[:1] == ["Undo"] else pressed(key, is_typed(host.tool or host.main))
    return with_others(undoable(done.message, problem, key), done.warning or bool(problem))


def with_others(words: str, warning: bool) -> tuple[str, bool]:
    """The outcome with a note on what others wrote to the same files meanwhile."""
    contended = patience.current().contended
    found = list(contended.values())
    contended.clear()
    return (" ".join([words, *map(patience.describe, found)]), True) if found else (words, warning)
