"""Fitting memory into the prompt: the proposed moves are shown as a plan, and applied in one step."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.fit import FitMove, FitStore, MoveKind, applied
from zsmem_tui.core.text import counted
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import applying, doctor_fixes
from zsmem_tui.service import fit as fitting
from zsmem_tui.service.facts.rows import FactRow
from zsmem_tui.service.fit import Proposal
from zsmem_tui.service.plan import Edit, Fate, Plan, Row
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.session import Session
from zsmem_tui.ui.dialogs.plan import plan_and_show
from zsmem_tui.ui.perform import perform
from zsmem_tui.ui.plans import Draft, Pulse, Sides, box, sides_of
from zsmem_tui.ui.prompt.wording import kilobytes
from zsmem_tui.ui.widgets.budget import compared, sentence
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import size

if TYPE_CHECKING:
    from zsmem_tui.ui.tool import Place

BAR_CELLS: Final = 20
"""Width of the bars; with their text they must fit in 74 cells."""


class FitDraft(Draft):
    """A plan of moves after which nothing is cut, and the facts `keep` are in; if one is left out, others replace it."""

    changes = frozenset({"plan.tick", "plan.all"})

    def __init__(self, session: Session, about: Subject, keep: Sequence[FactRow] = ()) -> None:
        super().__init__(f"Fit: {visible_line(session.group_name(about.project))} into its prompt", fitting.plan)
        self._session = session
        self._about = about
        self._keep = keep
        self._moves: dict[str, tuple[FitMove, FitStore]] = {}
        """The moves by id, each with the texts that it was computed for."""

    @property
    def proposal(self) -> Proposal:
        """The proposal that the plan was made from."""
        found: Proposal = self.plan.read
        return found

    def make(self, pulse: Pulse) -> Plan:
        """Propose moves without those left out. Raises `MemError`."""
        without = [self._moves[id][0] for id in self.left_out]
        found = fitting.propose(self._session, self._about, without=without, keep=self._keep)
        return replace(fitting.plan(self._session, found, found.fit.moves), read=found)

    def take(self, plan: Plan) -> None:
        """Store the plan; moves that were left out stay in the list."""
        store = plan.read.store
        proposed = {move.id: (move, store) for move in plan.read.fit.moves}
        kept = proposed.keys() | self.left_out
        known = {id: (move, texts) for id, (move, texts) in self._moves.items() if id in kept and move.path in store.texts}
        self._moves = known | proposed
        super().take(replace(plan, rows=tuple(_row(self._session, move, proposed) for move, _ in self._moves.values())))
        self.nothing = reason_for_nothing(plan.read)

    @property
    def head(self) -> str:
        """The block's size before and after."""
        return summary(self.proposal, len(self.left_out))

    def draw_row(self, row: Row) -> ListRow:
        """Render a move with its tick box and the size that it frees."""
        return ListRow([box(row), (visible_line(row.source), "text" if row.ticked else "quiet")], f"{size(row.cost):>5}")

    def row_sides(self, row: Row) -> Sides:
        """The file that a move changes, with this move alone."""
        move, store = self._moves[row.key]
        before, ref = store.texts[move.path], self._session.ref_at(move.path)
        after = applied(store, [move]).get(move.path, before)
        return sides_of(row.source, Edit(self._session, ref, before.encode(), after.encode()))


def _row(session: Session, move: FitMove, proposed: Collection[str]) -> Row:
    ref = session.ref_at(move.path)
    return Row(
        fitting.describe(move),
        session.path(ref),
        Fate.MOVED,
        move_words(move),
        cost=move.frees,
        key=move.id,
        ticked=move.id in proposed,
        can_be=True,
        ref=ref,
    )


def move_words(move: FitMove) -> str:
    """What a move does, in sentences."""
    parts = [f"Frees {counted(move.frees, 'byte')}: {fitting.describe(move)}."]
    if move.kind is MoveKind.DOUBLE:
        parts.append("Only copies of what stays leave the disk.")
    elif move.lost:
        parts.append("The prompt has none of it now; it stays on disk.")
    elif move.kind is not MoveKind.TOP:
        parts += ["What is lost is not enough."] if move.kind is not MoveKind.DONE else []
        parts.append("It leaves every prompt and stays on disk.")
    return " ".join(parts)


def summary(proposal: Proposal, left_out: int) -> str:
    """The block before and after and a summary of the moves, in three lines."""
    before, after = proposal.fit.before, proposal.fit.after
    out = f" · {left_out} left out" if left_out else ""
    missing = f" · {counted(proposal.fit.missing, 'line')} to keep still out" if proposal.fit.missing else ""
    moves = f"{counted(len(proposal.fit.moves), 'move')}{out}{missing}"
    whole, freed = max(before.cap, before.in_all, after.in_all), before.in_all - after.in_all
    told = f"{kilobytes(freed)} freed: " if freed > 0 else ""
    bars = [f"{name} {compared(seen, whole, BAR_CELLS)} {sentence(seen)}" for name, seen in (("before", before), ("after ", after))]
    return "\n".join([*bars, " · ".join(filter(None, (f"{told}{moves}", fitting.leaving(proposal), fitting.spare(proposal))))])


def reason_for_nothing(proposal: Proposal) -> str:
    """Why there are no moves."""
    if reason := fitting.reason_for_no_moves(proposal):
        return reason
    if proposal.fit.before.lost:
        return "No move is left that would help."
    seen = proposal.fit.before
    filled = f"{compared(seen, max(seen.cap, seen.in_all), BAR_CELLS)} " if seen.cap else ""
    return f"It fits already: {filled}{sentence(seen)}."


async def fit(place: Place, about: Subject, keep: Sequence[FactRow] = ()) -> None:
    """Propose moves that make a prompt's block fit, and apply the chosen ones: for all that is lost, or for the facts `keep`.

    The result is shown on `place`.
    """
    session = place.session
    found = None if keep else await asyncio.to_thread(fitting.shortening, session, about.project)
    if found is not None and found.fix is not None:
        shorter = await plan_and_show(
            place, Draft(found.fix.sentence.rstrip("."), lambda _: doctor_fixes.fitted(session, found), is_move=True)
        )
        if shorter is not None:
            await perform(place.host, partial(applying.apply, shorter), place)
        return
    draft = FitDraft(session, about, keep)
    plan = await plan_and_show(place, draft, shows=lambda plan: bool(plan.read.fit.moves))
    if plan is None:
        return
    if plan.read.fit.moves:
        await perform(place.host, partial(applying.apply, plan), place)
    else:
        place.say(reason_for_nothing(plan.read), warning=bool(plan.read.fit.before.lost))
