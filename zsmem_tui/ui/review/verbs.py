"""What is done about what others wrote: seen, taken back, moved; and versions that are put back."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted
from zsmem_tui.service import review_lines, reviewing
from zsmem_tui.service.reviewing import PendingReview
from zsmem_tui.ui.dialogs.ask import choose
from zsmem_tui.ui.history.verbs import look_again
from zsmem_tui.ui.perform import perform
from zsmem_tui.ui.review.marks import Which

if TYPE_CHECKING:
    from zsmem_tui.ui.history.screen import HistoryScreen
    from zsmem_tui.ui.review.screen import ReviewScreen


async def act(screen: ReviewScreen | HistoryScreen, verb: Callable[[], VerbResult]) -> None:
    """Do something with a version or a change, and show how things are then."""

    async def refresh(done: VerbResult) -> None:
        if not done.conflicted:
            await look_again(screen.host)
        screen.load()

    await perform(screen.host, verb, screen, refresh=refresh)


async def judge(screen: ReviewScreen, name: str, which: Which) -> None:
    """Do what a key says. What is meant is asked for only now, when what was done before is on the screen."""
    change = screen.change
    number = screen.diff.lines.at if screen.diff.lines.key is not None else None
    picks = screen.marks.picks(which, change.ref.path if change else "", number)
    match name:
        case "accept":
            await _decide(screen, lambda: review_lines.accept(screen.session, picks))
        case "put_back":
            await _decide(screen, lambda: review_lines.revert(screen.session, picks))
        case _ if change is None:
            screen.say("Nothing selected: there is no changed file.", warning=True)
        case "move":
            chosen = set(screen.diff.lines.chosen())
            added = (line.change.added for line in screen.lines if line.key in chosen)
            lines = frozenset(line for line in added if line is not None)
            if lines:
                await move_lines(screen, change, lines)
            else:
                screen.say("This change added no line that could be moved.", warning=True)
        case "edit":
            _edit(screen, change)
        case _:
            screen.host.open_history(change.ref)


async def _decide(screen: ReviewScreen, verb: Callable[[], VerbResult]) -> None:
    async def refresh(done: VerbResult) -> None:
        await look_again(screen.host)
        await screen.read()

    if await perform(screen.host, verb, screen, refresh=refresh) is None:
        await screen.read()


def _edit(screen: ReviewScreen, change: PendingReview) -> None:
    """Edit the file at the line; leaving the editor comes back to it."""
    lines = screen.diff.lines
    screen.host.edit_file(change.ref, lines.line(), row=lines.screen_row())


async def move_lines(screen: ReviewScreen | HistoryScreen, change: PendingReview, lines: Collection[int]) -> None:
    """Move lines of a change to another file."""
    project = change.ref.project or screen.session.project
    mem, layout = screen.session.mem(project), screen.session.layout
    own = screen.session.group_name(project)
    every = {
        "memory": (layout.ref(Role.FACTS, project), f"{layout.label(Role.FACTS)}, for every project"),
        "scratchpad": (layout.ref(Role.CHECKLIST, project), f"the scratchpad of {own}"),
        "daily": (layout.ref(Role.LOG, project, mem.today), f"today's log of {own}"),
        "inbox": (layout.ref(Role.NOTE, project, "inbox"), f"the note inbox of {own}"),
    }
    targets = {name: (ref, words) for name, (ref, words) in every.items() if ref is not None and ref.path != change.ref.path}
    answers = [(name, words) for name, (_, words) in targets.items()]
    answer = await choose(screen, "Move", f"Move {counted(len(lines), 'line')} to:", answers, names=True)
    if answer:
        await act(screen, lambda: reviewing.move_lines(screen.session, change, lines, targets[answer][0]))
