"""Sync on the screen: set it up, run it, and resolve conflicts between machines; also runs in the background."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.errors import MemError, RuleBroken
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service.plan import Handling
from zsmem_tui.service.sync import deciding, running, setting_up
from zsmem_tui.service.sync.running import Outcome
from zsmem_tui.service.sync.standing import standing
from zsmem_tui.ui.dialogs.ask import Typed, ask_until, choose, resolve
from zsmem_tui.ui.perform import attempt, show
from zsmem_tui.ui.wording import folder_name, size, title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zsmem_tui.service.session import Session
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.memory.screen import MainScreen

_MOST_GROUPS: Final = 8
"""Groups listed by name before setting up."""


async def sync(host: ZsmemApp) -> None:
    """Sync; if it is not set up, ask for the remote first and show what would be sent."""
    main = host.main
    stands = await attempt(asyncio.to_thread(setting_up.status), partial(host.say, warning=True))
    if stands is None or (not stands.is_on and not await _set_up(host, stands.shown)):
        return
    host.say("Syncing …")
    done = await _run(host)
    if done is None:
        return
    await _refresh(main)
    host.say(done.told, warning=bool(done.left))
    await _ask_for_folders(host, done)


async def _set_up(host: ZsmemApp, remote: str) -> bool:
    async def set_up(remote: str) -> bool:
        host.say("Looking at what would go …")
        made = await asyncio.to_thread(partial(setting_up.offer, host.main.session.config, remote.strip()))
        kinds = [(each, each.group.partition("/")[0]) for each in made.going]
        names = [f"{folder_name(each.folder)} ({kind})" if each.folder else printable_path(each.group) for each, kind in kinds]
        sizes = [f"{counted(each.files, 'file')}, {size(each.size)}" for each in made.going]
        groups = [f"{name}: {taken}" for name, taken in zip(names, sizes, strict=True)]
        more = [f"and {len(groups) - _MOST_GROUPS} more"] if len(groups) > _MOST_GROUPS else []
        shown = "\n".join([made.said, "", *groups[:_MOST_GROUPS], *more, *made.left[:_MOST_GROUPS]])
        answers = [("no", "Not now: nothing is sent"), ("yes", "Set it up, and sync")]
        if await choose(host.tool or host.main, "Sync: what would go", shown, answers, late=True) != "yes":
            host.say("Nothing was set up, and nothing is sent.")
            return False
        await asyncio.to_thread(setting_up.confirm, made)
        return True

    text = "A git repository that your machines reach: a folder, ssh://, https:// or host:path. You see first what would go."
    return await ask_until(host.tool or host.main, "Sync: the remote", text, set_up, remote, mend=True) or False


async def _run(host: ZsmemApp) -> Outcome | None:
    """Run a sync, asking about credentials if needed; None if it failed or was declined, with a message."""
    return await attempt(_run_or_ask(host, Handling.STOP), partial(host.say, warning=True))


async def _run_or_ask(host: ZsmemApp, handling: Handling) -> Outcome | None:
    try:
        return await asyncio.to_thread(partial(running.sync, host.main.session.config, secrets=handling))
    except RuleBroken as error:
        if error.rule != "secret":
            raise
        found = error.message
    answers = [("no", "Stop: nothing is sent"), ("mask", "Mask them on the way out"), ("allow", "Let them go as they are")]
    answer = await choose(host.tool or host.main, "Sync: credentials", found, answers, late=True)
    if answer not in ("mask", "allow"):
        host.say("Nothing was sent.", warning=True)
        return None
    return await _run_or_ask(host, Handling.MASK if answer == "mask" else Handling.ALLOW)


async def _ask_for_folders(host: ZsmemApp, done: Outcome) -> None:
    """If exactly one folder here has the name of a group from another machine, ask whether they are the same memory."""
    found = await asyncio.to_thread(setting_up.candidates, host.main.session.config) if done.waiting else {}
    for group, folder in found.items():
        text = f"{printable_path(group)} is on another machine. Is it the memory of {folder_name(folder)}?"
        answers = [("no", "No"), ("yes", "Yes: bring it there")]
        if await choose(host.tool or host.main, "Sync: one memory?", text, answers, late=True) == "yes":
            joined = asyncio.to_thread(setting_up.join, host.main.session.config, group, folder)
            said = await attempt(joined, partial(host.say, warning=True))
            if said is not None and (again := await _run(host)) is not None:
                await _refresh(host.main)
                host.say(again.told)


async def decide(host: ZsmemApp) -> None:
    """Go through the lines that two machines changed, and ask what to keep."""
    found = await attempt(asyncio.to_thread(deciding.undecided), partial(host.say, warning=True))
    if found is None:
        return
    if not found:
        host.say("No line waits that two machines changed.")
    sessions = [store.session for store in host.main.stores]
    for each in found:
        name = _title(sessions, each.place)
        async with Typed(place := host.tool or host.main) as typed:
            text = await resolve(
                place,
                name,
                each.found,
                names=("One machine's", "The other's"),
                leaving="leave both lines there",
                keep=partial(deciding.keep, sessions, each),
                typed=typed,
            )
            if text is None:
                return
            done = await attempt(asyncio.to_thread(deciding.decide, sessions, each, text), partial(host.say, warning=True))
            if done is not None:
                typed.written()
        if done is not None:
            await show(host, done)


def _title(sessions: Sequence[Session], place: str) -> str:
    """A file's title."""
    session = next((each for each in sessions if place.startswith(f"{each.root}/")), None)
    return title_of(session.ref_at(place.removeprefix(f"{session.root}/")), session) if session else folder_name(place)


async def in_background(main: MainScreen) -> None:
    """Run a sync in the background; what needs an answer is left and shown as a message."""
    done = await attempt(asyncio.to_thread(running.sync, main.session.config), partial(main.say, news=True))
    if done is not None and done.changed:
        await _refresh(main)
        main.say(done.told, news=True)


async def _refresh(main: MainScreen) -> None:
    """Show the changes."""
    main.show_sync((await asyncio.to_thread(standing, main.host.now_ns())).words)
    with suppress(MemError):
        for store in main.stores:
            await main.look_after(store)
