"""Plans are shown before anything is written; what becomes of credentials that leave their memory is asked about once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final

from zsmem_tui.service.plan import Gate, Handling
from zsmem_tui.ui.dialogs.ask import choose, confirm_plan
from zsmem_tui.ui.dialogs.plan_rows import APPLY
from zsmem_tui.ui.perform import attempt

if TYPE_CHECKING:
    from zsmem_tui.service.plan import Plan
    from zsmem_tui.ui.dialogs.plan_rows import PlanRow
    from zsmem_tui.ui.host import Place

_ANSWERS: Final = (
    (Handling.MASK, "Mask them on the way out; the store keeps them"),
    (Handling.ALLOW, "Let them go out as they are"),
)

_MOVED: Final = (
    (Handling.MASK, "Mask them on the way out; only the history keeps them"),
    (Handling.ALLOW, "Let them go out as they are"),
)


def asks(gate: Gate) -> str:
    """What a plan says of credentials; empty when none would go out."""
    return f"{gate.said} A asks what becomes of them." if gate.stops else gate.said


def told(rows: Sequence[PlanRow], gate: Gate) -> list[PlanRow]:
    """The rows of a plan, the first of which says what is known of credentials."""
    said = asks(gate)
    return [row._replace(detail=f"{said} {row.detail}" if said and not at else row.detail) for at, row in enumerate(rows)]


async def agreed(
    place: Place,
    title: str,
    make: Callable[[Handling], Plan],
    rows: Callable[[Plan], list[PlanRow]],
    *,
    is_move: bool = False,
    shows: Callable[[Plan], bool] = lambda plan: True,
    renamed: Callable[[str], Awaitable[None]] | None = None,
) -> Plan | None:
    """The plan that the person wants done; None when nothing shall be, which is said.

    It is shown where `shows` says so. `renamed` asks for another name for the file at a place.
    """
    secrets, at = Handling.STOP, 0
    while True:
        plan = await attempt(asyncio.to_thread(make, secrets), lambda reason: place.say(reason, warning=True))
        if plan is None or secrets is not Handling.STOP or not shows(plan):
            return plan
        shown = told(await asyncio.to_thread(rows, plan), plan.gate)
        answer = await confirm_plan(place, title, shown, at=at)
        if answer is None:
            place.say("Nothing was written.")
            return None
        if answer != APPLY and renamed is not None:
            at = answer
            await renamed(shown[answer].name)
        elif not plan.gate.stops:
            return plan
        elif (found := await decided(place, plan.gate, is_move=is_move)) is None:
            return None
        else:
            secrets = found


async def decided(place: Place, gate: Gate, *, is_move: bool = False) -> Handling | None:
    """What becomes of credentials that would go out; None when the person does not say, and nothing may be written."""
    answer = await choose(place, "Credentials would go out", gate.said, _MOVED if is_move else _ANSWERS)
    if answer is None:
        place.say("Nothing was written.")
        return None
    return Handling(answer)
