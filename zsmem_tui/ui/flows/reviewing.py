"""What is done about what others wrote: seen, taken back, moved; and versions that are put back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service import reviewing
from zsmem_tui.service.reviewing import PendingReview
from zsmem_tui.ui.flows.asking import choose
from zsmem_tui.ui.flows.history_flows import look_again
from zsmem_tui.ui.flows.perform import perform
from zsmem_tui.ui.host import Place


class Listing(Place, Protocol):
    """A screen that shows versions or changes."""

    def load(self) -> object:
        """Show how things are now."""


async def act(screen: Listing, verb: Callable[[], VerbResult]) -> None:
    """Do something with a version or a change, and show how things are then."""

    async def refresh(done: VerbResult) -> None:
        if not done.conflicted:
            await look_again(screen.host)
        screen.load()

    await perform(screen.host, verb, screen, refresh=refresh)


async def move_lines(screen: Listing, change: PendingReview, lines: range) -> None:
    """Move lines of a change to another file."""
    project = change.ref.project or screen.session.project
    mem = screen.session.mem(project)
    targets = {
        "memory": (mem.ref(Role.FACTS), "MEMORY.md, for every project"),
        "scratchpad": (mem.ref(Role.CHECKLIST), f"the scratchpad of {printable_path(project)}"),
        "daily": (mem.ref(Role.LOG), f"today's log of {printable_path(project)}"),
        "inbox": (mem.ref(Role.NOTE, "inbox"), f"the note inbox of {printable_path(project)}"),
    }
    answers = [(name, words) for name, (ref, words) in targets.items() if ref.path != change.ref.path]
    answer = await choose(screen, "Move", f"Move {counted(len(lines), 'line')} to:", answers, names=True)
    if answer:
        await act(screen, lambda: reviewing.move_lines(screen.session, change, lines, targets[answer][0]))
