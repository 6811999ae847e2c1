"""Moves that make memory fit into the prompt, as words and rows. Pure functions."""

from __future__ import annotations

from zsmem_tui.core.fit import FitMove, MoveKind
from zsmem_tui.core.preview import Preview
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import fit
from zsmem_tui.service.fit import Proposal
from zsmem_tui.ui.format.budget import sentence
from zsmem_tui.ui.format.common import size
from zsmem_tui.ui.format.prompt import bar
from zsmem_tui.ui.widgets.row_list import ListRow

BAR_CELLS = 12
"""Cells of the bar that shows how full a block is: with its words it has to fit into 76."""


def move_row(move: FitMove, *, taken: bool) -> ListRow:
    """A move, ticked or not, and what it frees."""
    tick = ("[x] ", "mark") if taken else ("[ ] ", "quiet")
    return ListRow([tick, (visible_line(fit.describe(move)), "text" if taken else "quiet")], f"{size(move.frees):>5}")


def move_detail(move: FitMove) -> str:
    """What a move means beyond its own line: for whom, and for what was wanted."""
    parts = [f"Frees {counted(move.frees, 'byte')}: {visible_line(fit.describe(move))}."]
    if move.kind is MoveKind.DOUBLE:
        parts.append("Only copies of what stays leave the disk.")
    if narrows(move):
        where = visible_line(printable_path(move.target))
        parts.append(f"All projects see {visible_line(printable_path(move.path))}; {where} is a note of this project alone.")
    if move.wanted:
        parts.append(f"{counted(move.wanted, 'wanted line')} would be out of the prompt with it.")
    return " ".join(parts)


def narrows(move: FitMove) -> bool:
    """Whether what all projects see becomes what one project has."""
    return bool(move.target) and move.target != move.path and "/" not in move.path and "/" in move.target


def summary(proposal: Proposal, left_out: int) -> str:
    """The block before and after, in two lines."""
    before, after = proposal.fit.before, proposal.fit.after
    out = f" · {left_out} left out" if left_out else ""
    missing = f" · {counted(proposal.fit.missing, 'wanted line')} still out" if proposal.fit.missing else ""
    moves = f"{counted(len(proposal.fit.moves), 'move')}{out}{missing}"
    narrowed = sum(narrows(move) for move in proposal.fit.moves)
    if narrowed:
        moves += f" · {narrowed} into notes that only this project sees"
    return f"before  {block_line(before)}\nafter   {block_line(after)}\n{moves}"


def block_line(seen: Preview) -> str:
    """How full a block is."""
    filled = bar(min(seen.needed, seen.cap), seen.cap, BAR_CELLS) if seen.cap else ""
    return f"{filled} {sentence(seen)}".lstrip(" ")


def nothing(proposal: Proposal) -> str:
    """Why there is no move to propose."""
    if proposal.fit.before.lost:
        return "No move is left that would help."
    return f"It fits already: {block_line(proposal.fit.before)}."
