"""Moves that make memory fit into the prompt, as words and rows. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zsmem_tui.core.fit import FitMove, MoveKind
from zsmem_tui.core.preview import Preview
from zsmem_tui.core.text import counted
from zsmem_tui.core.visible import visible, visible_line
from zsmem_tui.service import fit
from zsmem_tui.service.fit import Proposal
from zsmem_tui.ui import signs
from zsmem_tui.ui.prompt.wording import kilobytes
from zsmem_tui.ui.widgets.budget_words import compared, needed, sentence
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import size

BAR_CELLS = 20
"""Cells of the bar that shows how full a block is: with its words it has to fit into 74."""


def move_row(move: FitMove, *, taken: bool) -> ListRow:
    """A move, ticked or not, and what it frees."""
    tick = (f"{signs.TICKED} ", "mark") if taken else (f"{signs.UNTICKED} ", "quiet")
    return ListRow([tick, (visible_line(fit.describe(move)), "text" if taken else "quiet")], f"{size(move.frees):>5}")


def move_detail(move: FitMove) -> str:
    """What a move means beyond its own line: for whom, and for what was wanted."""
    parts = [f"Frees {counted(move.frees, 'byte')}: {visible_line(fit.describe(move))}."]
    if move.kind is MoveKind.DOUBLE:
        parts.append("Only copies of what stays leave the disk.")
    if move.kind not in (MoveKind.DOUBLE, MoveKind.TOP):
        parts.append("It leaves every prompt and stays on disk.")
    if move.wanted:
        parts.append(f"{counted(move.wanted, 'wanted line')} would be out of the prompt with it.")
    return " ".join(parts)


def title(whose: str, proposal: Proposal) -> str:
    """Whose memory it is about, and how many facts leave the prompt."""
    return " · ".join(filter(None, (f"Fit: {whose}", fit.leaving(proposal))))


def summary(proposal: Proposal, left_out: int) -> str:
    """The block before and after, in two lines."""
    before, after = proposal.fit.before, proposal.fit.after
    out = f" · {left_out} left out" if left_out else ""
    missing = f" · {counted(proposal.fit.missing, 'wanted line')} still out" if proposal.fit.missing else ""
    moves = f"{counted(len(proposal.fit.moves), 'move')}{out}{missing}"
    whole = max(before.cap, needed(before), needed(after))
    freed = needed(before) - needed(after)
    told = f"{kilobytes(freed)} freed: " if freed > 0 else ""
    bars = [f"{name} {compared(seen, whole, BAR_CELLS)} {sentence(seen)}" for name, seen in (("before", before), ("after ", after))]
    return "\n".join([*bars, f"{told}{moves}"])


def block_line(seen: Preview) -> str:
    """How full a block is."""
    filled = compared(seen, max(seen.cap, needed(seen)), BAR_CELLS) if seen.cap else ""
    return f"{filled} {sentence(seen)}".lstrip(" ")


def move_page(move: FitMove, lines: Sequence[str]) -> str:
    """A move as a page: what it means, and the lines that it takes, in a fence that none of them can end."""
    fence = "`" * max(3, 1 + max((len(run) for line in lines for run in re.findall("`+", line)), default=0))
    return "\n".join([visible(move_detail(move)), "", fence, *(visible_line(line) for line in lines), fence, ""])


def no_such_key(name: str) -> str:
    """What is said of a key that means nothing among the moves."""
    return f"{name} does nothing here: enter shows the lines, space leaves a move out, A applies, esc closes."


def nothing(proposal: Proposal) -> str:
    """Why there is no move to propose."""
    if reason := fit.reason_for_no_moves(proposal):
        return reason
    if proposal.fit.before.lost:
        return "No move is left that would help."
    return f"It fits already: {block_line(proposal.fit.before)}."
