"""Making the memory of a project fit into the prompt: the moves are shown, and made as one step when the person says so."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import applying
from zsmem_tui.service import fit as fitting
from zsmem_tui.ui.dialogs import fit_rows as format_fit
from zsmem_tui.ui.dialogs.ask import choose_moves
from zsmem_tui.ui.perform import attempt, perform

if TYPE_CHECKING:
    from zsmem_tui.ui.host import Place


async def fit(place: Place, project: str = "") -> None:
    """Propose moves that make the block of a project (default: the session's) fit, and make those that are wanted.

    For whichever screen asks: how it ends is told there, and the tool on the screen is read again.
    """
    session = place.session

    def refused(reason: str) -> None:
        place.say(f"{reason} Nothing was moved.", warning=True)

    first = await attempt(asyncio.to_thread(fitting.propose, session, project), refused)
    if first is None:
        return
    if not first.fit.moves:
        place.say(format_fit.nothing(first), warning=bool(first.fit.before.lost))
        return
    chosen = await choose_moves(
        place,
        visible_line(session.group_name(project)),
        first,
        lambda left_out: fitting.propose(session, project, without=left_out),
    )
    if chosen is None or not chosen.fit.moves:
        place.say("Nothing was moved.")
        return
    await perform(place.host, lambda: applying.apply(fitting.plan(session, chosen, chosen.fit.moves)), place)
