"""Credentials on their way into another memory: asked about once, before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from zsmem_tui.service.plan import Gate, Handling
from zsmem_tui.ui.flows.asking import choose

if TYPE_CHECKING:
    from zsmem_tui.ui.format.plan import PlanRow
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


async def decided(place: Place, gate: Gate, *, is_move: bool = False) -> Handling | None:
    """What becomes of credentials that would go out; None when the person does not say, and nothing may be written."""
    answer = await choose(place, "Credentials would go out", gate.said, _MOVED if is_move else _ANSWERS)
    if answer is None:
        place.say("Nothing was written.")
        return None
    return Handling(answer)
