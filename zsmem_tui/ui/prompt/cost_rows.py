"""What memory costs as rows. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zsmem_tui.core.text import counted, plural, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.costing import Total, Twice
from zsmem_tui.service.previewing import Cost
from zsmem_tui.ui.prompt.wording import BAR_CELLS, bar
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import size

_NUMBERS: Final = 16
"""Cells of the numbers of a prompt, with the blanks behind them."""

_TWICE: Final = 18
"""Those of a text that is paid for twice."""


def heading(words: str) -> ListRow:
    """What stands over the costs; `words` say what has them."""
    return ListRow([(f" {'bytes':>6} {'tokens':>7}  {words}, then its sections", "head")], heading=True)


def subtitle(count: int, word: str, taken: Total, twice: Sequence[Twice]) -> str:
    """What all of them take together."""
    again = f" · {size(sum(each.size for each in twice))} paid for twice" if twice else ""
    return f"{count} {plural(word, count)} · {size(taken.size)} · {taken.tokens} tokens, what is shared counted once{again}"


def cost_row(cost: Cost, whose: str, dearest: int, agent: str = "", own: int | None = None) -> ListRow:
    """A prompt in the table; its bar is its share of the dearest. `own` are the bytes that stand in no other prompt, if some do."""
    pieces = [(f"{size(cost.size):>6} {cost.tokens:>7}  ", "text"), (f"{bar(cost.size, dearest)}  ", "mark")]
    pieces += [(f"{agent} · ", "text")] if agent else []
    pieces.append((visible_line(whose), "head"))
    pieces += [(f" · {size(own)} its own", "quiet")] if own is not None else []
    lost = [(f"  ! {cost.lost.brief}", "warn")] if cost.lost.lines else []
    return ListRow([*pieces, *lost], hang=_NUMBERS + BAR_CELLS + 2)


def part_row(cost: Cost, number: int, prompts: int = 0) -> ListRow:
    """A section of a prompt in the table; it may be the same in several `prompts`."""
    part = cost.sections[number]
    several = f" · in {prompts} prompts, listed once" if prompts else ""
    return ListRow([(f"{size(part.size):>6} {part.tokens:>7}    {visible_line(part.title)}{several}", "quiet")], hang=_NUMBERS + 2)


def twice_heading(twice: Sequence[Twice]) -> ListRow:
    """What stands over the text that is paid for more than once."""
    lines, taken = sum(each.lines for each in twice), sum(each.size for each in twice)
    return ListRow(
        [(f"Paid for more than once in this folder: {size(taken)} too many, {counted(lines, 'line')}", "head")], heading=True
    )


def twice_row(twice: Twice) -> ListRow:
    """The places that the same text stands in."""
    places = " = ".join(f"{place.name}:{line + 1}" for place, line in zip(twice.places, twice.at, strict=True))
    return ListRow(
        [(f"{size(twice.size):>6} {counted(twice.lines, 'line'):>9}  ", "text"), (visible_line(printable_path(places)), "head")],
        hang=_TWICE,
    )


def quote_row(twice: Twice) -> ListRow:
    """The first line of that text."""
    more = f"  and {counted(twice.lines - 1, 'line')} more" if twice.lines > 1 else ""
    return ListRow([(f"{'':>{_TWICE}}{visible_line(twice.quoted)}{more}", "quiet")], heading=True, hang=_TWICE)
