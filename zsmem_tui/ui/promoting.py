"""Promoting: the question where facts go, and going to the instructions of a folder, for every screen that promotes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.layout import has_main_file
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service import applying
from zsmem_tui.service.plan import Handling, Plan
from zsmem_tui.service.session import Session
from zsmem_tui.ui.deciding import VerbScreen
from zsmem_tui.ui.dialogs.ask import choose
from zsmem_tui.ui.perform import perform

if TYPE_CHECKING:
    from zsmem_tui.service.facts.rows import FactRow

_MEMORY: Final = "memory"
"""The answer for a place within the store."""


class PromotingScreen(VerbScreen):
    """A screen with items that can be promoted."""

    def can_promote(self, project: str) -> bool:
        """Whether there is a place that facts of a project can be promoted to."""
        from zsmem_tui.service import instructions  # with every kind of store

        session = self.session
        return bool(self.within(project) or (instructions.is_place(session.folder) and instructions.goals(session, session.folder)))

    def within(self, project: str, *, is_down: bool = False) -> str:
        """Where promoting leads within the store, in words; empty: nowhere."""
        layout = self.session.layout
        if not has_main_file(layout, project):
            return ""
        if is_down:
            return "A note of this store …"
        return "Long-term memory" if layout.ref(Role.FACTS, project) is not None else "The index, MEMORY.md"

    async def is_within_store(
        self, items: Sequence[Any], rows: Sequence[FactRow], within: str, *, is_down: bool = False, noun: str = "fact"
    ) -> bool:
        """Whether `items`, which are these facts, go to the place `within` the store.

        Else they go to instructions that the person chose, or nowhere.
        """
        from zsmem_tui.service import instructions, promoting  # with every kind of store, before the first fact is promoted

        session = self.session
        if any(row.ref.role is Role.INSTRUCTIONS for row in rows):
            return True
        is_place = instructions.is_place(session.folder)
        takers = await asyncio.to_thread(instructions.goals, session, session.folder) if is_place else ()
        if not takers:
            if not within:
                unread = "has no file that is in every prompt, and is not known to read instructions of a folder"
                self.warn(f"{session.layout.title} {unread}. Nothing was done.")
            return bool(within)
        folder = printable_path(shortened(session.folder))
        files = [(name, f"{name}, the instructions of {folder}") for name in takers]
        answers = [*([(_MEMORY, within)] if within else []), *files]
        name = meant_name(rows, noun)
        title, question = "Promote", f"Promote {name} to:"
        if is_down:
            title, question = "Promote or demote", f"{name.capitalize()} {'goes' if len(rows) == 1 else 'go'} to:"
        answer = await choose(self, title, question, answers, names=True)
        if answer is not None and answer != _MEMORY:
            goal = self._instructions_of(session.folder)
            plan = partial(promoting.plan_promote, session, rows, goal, answer)
            await self.show_and_do(items, f"Promote to {answer}", lambda secrets: plan(secrets=secrets))
        return answer == _MEMORY

    def _instructions_of(self, folder: str) -> Session:
        """The store of a folder's instructions: the one that is open, where it is."""
        from zsmem_tui.service import instructions  # likewise

        every = (store.session for store in self.host.main.stores if store.session.layout.kind == instructions.KIND)
        found = next((each for each in every if each.root == folder), None)
        return found or instructions.open_folder(self.session.config, folder, clock=self.session.clock)

    async def show_and_do(self, items: Sequence[Any], title: str, make: Callable[[Handling], Plan]) -> None:
        """Show what every file would hold; then do it, in one step."""
        from zsmem_tui.ui.dialogs.plan import plan_and_show  # with the diff
        from zsmem_tui.ui.plans import Draft  # likewise

        plan = await plan_and_show(self, Draft(title, make, is_move=True))
        if plan is None:
            return

        async def refresh(_: VerbResult) -> None:
            main = self.host.main
            for store in main.stores:
                if store.session in plan.sessions:
                    await main.look_now(store)
            if not self.closed:
                await self.read_again(items)

        done = await perform(self.host, lambda: applying.apply(plan), self, refresh=refresh)
        if done is not None and not self.closed:
            self.next_after(items)


def meant_name(items: Sequence[Any], noun: str = "fact") -> str:
    """What is meant, to speak of it in a question."""
    return f"this {noun}" if len(items) == 1 else counted(len(items), noun)
