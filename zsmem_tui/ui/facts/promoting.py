"""Promote and demote: facts between memory and the instruction files of the folder, once the changes of every file were seen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.layout import has_main_file, main_file
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service.facts.rows import FactRow
from zsmem_tui.service.plan import Handling
from zsmem_tui.ui.dialogs.ask import choose
from zsmem_tui.ui.perform import attempt, perform

if TYPE_CHECKING:
    from zsmem_tui.core.outcomes import VerbResult
    from zsmem_tui.service.plan import Plan
    from zsmem_tui.service.session import Session
    from zsmem_tui.ui.open_store import OpenStore
    from zsmem_tui.ui.tool import Facts

_MEMORY: Final = "memory"
"""The answer for a place within the store."""


async def promote(screen: Facts, rows: list[FactRow], *, above: str) -> bool:
    """Offer the instruction files of the folder that the agent reads beside `above`, which promotes in the store.

    `above` is empty where the store has no such place. False: that was chosen, or there is nothing else.
    Facts of an instruction file are demoted instead.
    """
    from zsmem_tui.service import instructions, promoting  # with every kind of store, before the first fact is promoted

    session = screen.session
    if session.layout.kind == instructions.KIND:
        await _demote(screen, rows)
        return True
    if any(row.ref.role is Role.INSTRUCTIONS for row in rows):
        return False
    is_place = instructions.is_place(session.folder)
    takers = await asyncio.to_thread(instructions.goals, session, session.folder) if is_place else ()
    if not takers:
        if not above:
            nothing = (
                f"{session.layout.title} has no file that is in every prompt, and is not known to read instructions of a folder."
            )
            screen.say(f"{nothing} Nothing was done.", warning=True)
        return not above
    folder = printable_path(shortened(session.folder))
    files = [(name, f"{name}, the instructions of {folder}") for name in takers]
    question = f"Promote {_what(rows)} to:"
    within = [(_MEMORY, above)] if above else []
    answer = await choose(screen, "Promote", question, [*within, *files], names=True)
    if answer == _MEMORY:
        return False
    if answer is not None:
        told = _told(screen, session.folder)
        await _plan_and_do(
            screen,
            rows,
            f"Promote to {answer}",
            lambda secrets: promoting.plan_promote(session, rows, told, answer, secrets=secrets),
        )
    return True


async def _demote(screen: Facts, rows: list[FactRow]) -> None:
    """Facts between the markers go back into long-term memory of an agent that has such."""
    from zsmem_tui.service import instructions, promoting  # as above

    told = screen.session
    found = await attempt(asyncio.to_thread(_between, told, rows), lambda reason: screen.say(reason, warning=True))
    if found is None:
        return
    if len(found) < len(rows):
        screen.say("Only facts between the markers of zerostack's memory can be demoted: this stands outside them.", warning=True)
        return
    names = {row.ref.path for row in rows}
    stores = [store for store in screen.host.main.stores if has_main_file(store.session.layout, store.session.project)]

    def reading() -> list[OpenStore]:
        return [each for each in stores if names <= {*instructions.goals(each.session, told.root)}]

    readers = await asyncio.to_thread(reading)
    open_now = {store.key: store for store in readers}
    if not open_now:
        files = printable_path(" and ".join(sorted(names)))
        screen.say(f"No agent that is open reads {files} and has memory to demote to. Nothing was done.", warning=True)
        return
    answers = [
        (key, f"{main_file(store.session.layout, store.session.project).path} of {store.title}") for key, store in open_now.items()
    ]
    one = answers[0][0] if len(answers) == 1 else None
    key = one or await choose(screen, "Demote", f"Demote {_what(rows)} to:", answers, names=True)
    if key is not None:
        goal = open_now[key]
        title = f"Demote to {goal.title}"
        await _plan_and_do(screen, rows, title, lambda secrets: promoting.plan_demote(told, found, goal.session, secrets=secrets))


def _between(told: Session, rows: Sequence[FactRow]) -> list[FactRow]:
    """Those of the facts that stand between the markers. Raises `BadContent` or `StoreError`."""
    from zsmem_tui.service import promoting  # as above

    between = {
        (row.ref.path, row.fact.line, row.fact.says)
        for ref in dict.fromkeys(row.ref for row in rows)
        for row in promoting.promoted(told, ref)
    }
    return [row for row in rows if (row.ref.path, row.fact.line, row.fact.says) in between]


def _told(screen: Facts, folder: str) -> Session:
    """The store of a folder's instructions: the one that is open, where it is."""
    from zsmem_tui.service import instructions  # as above

    session = screen.session
    every = (store.session for store in screen.host.main.stores if store.session.layout.kind == instructions.KIND)
    found = next((each for each in every if each.root == folder), None)
    return found or instructions.open_folder(session.config, folder, clock=session.clock)


async def _plan_and_do(screen: Facts, rows: list[FactRow], title: str, plan: Callable[[Handling], Plan]) -> None:
    """Show what every file would hold; then do it, in one step."""
    from zsmem_tui.service import applying  # with the write path
    from zsmem_tui.ui.dialogs.plan import plan_and_show  # with the diff, likewise
    from zsmem_tui.ui.plans import Draft  # likewise

    wanted = await plan_and_show(screen, Draft(title, plan, is_move=True))
    if wanted is None:
        return

    async def refresh(_: VerbResult) -> None:
        main = screen.host.main
        for store in main.stores:
            if store.session in wanted.sessions:
                await main.look_now(store)
        if not screen.closed:
            await screen.read()

    done = await perform(screen.host, lambda: applying.apply(wanted), screen, refresh=refresh)
    if done is not None and not screen.closed:
        screen.next_after(rows)


def _what(rows: Sequence[FactRow]) -> str:
    return "this fact" if len(rows) == 1 else counted(len(rows), "fact")
