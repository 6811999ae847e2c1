"""What takes the prompt, as one stacked bar: parts, a sentence, a legend. Pure functions; each part has a sign of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len

from zsmem_tui.core.preview import Preview, State
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted
from zsmem_tui.ui.format.prompt import kilobytes

Piece = tuple[str, str]
"""Words and their style."""

NAMES: Final[Mapping[Role | None, str]] = {
    Role.FACTS: "MEMORY",
    Role.CHECKLIST: "scratchpad",
    Role.LOG: "logs",
}
"""What a section is called by the role of its file."""

OTHER: Final = "other"

SIGNS: Final = {"MEMORY": "█", "scratchpad": "▓", "logs": "▒", OTHER: "▚", "lost": "░", "free": "·"}
"""What a part is drawn with, so that it is told from others where there is no colour."""


class Part(NamedTuple):
    """A part of the bar, with its bytes."""

    name: str
    size: int


def parts(seen: Preview, names: Mapping[str, str]) -> list[Part]:
    """What stands in the block, what is lost, or else what is free; `names` says what the section of a path is called.

    Sizes are those of sections with their headings, as the agent counts them.
    """
    sizes = dict.fromkeys(SIGNS, 0)
    for use in seen.uses:
        sizes[names.get(use.path, OTHER)] += use.size
        sizes["lost"] += use.full - use.size
    if not sizes["lost"]:
        sizes["free"] = max(seen.cap - sum(sizes.values()), 0)
    always = ("MEMORY", "scratchpad", "logs")
    return [Part(name, size) for name, size in sizes.items() if size or name in always]


def sentence(seen: Preview) -> str:
    """The whole of it in words: what the memory wants, what fits, what is lost."""
    if not seen.uses:
        return f"Nothing goes into the prompt; {kilobytes(seen.cap)} would fit"
    wanted = seen.needed + sum(use.full for use in seen.uses if use.state is State.SKIPPED)
    if not seen.lost:
        return f"{kilobytes(wanted)} of {kilobytes(seen.cap)}, no line lost"
    fit = seen.cap if seen.needed > seen.cap else sum(use.size for use in seen.uses)
    return f"{kilobytes(wanted)} wanted, {kilobytes(fit)} fit, {counted(len(seen.lost), 'line')} lost"


def bar(found: Sequence[Part], cells: int) -> list[Piece]:
    """The parts side by side in just `cells` cells, the ones that have room for it with their names and sizes in them.

    A part that is there at all has a cell; what is lost begins behind a line.
    """
    there = [part for part in found if part.size]
    edge = 1 if any(part.name == "lost" for part in there) and len(there) > 1 else 0
    room = cells - edge
    if room < len(there) or not there:
        return [(" " * max(cells, 0), "free")]
    out: list[Piece] = []
    for part, width in zip(there, _shares([part.size for part in there], room), strict=True):
        if part.name == "lost" and edge:
            out.append(("┃", "edge"))
        out += _filled(part, width)
    return out


def legend(found: Sequence[Part], cells: int) -> list[Piece]:
    """What the signs of the bar mean, with numbers; what does not fit is left out from the end."""
    out: list[Piece] = []
    left = cells
    for part in found:
        words = f" {part.name} {kilobytes(part.size)}"
        left -= cell_len(words) + 1
        if left < 0:
            break
        out += [(SIGNS[part.name], part.name), (f"{words}  ", "words")]
        left -= 2
    return out


def _shares(sizes: Sequence[int], cells: int) -> list[int]:
    """Cells in proportion to sizes, one at least for each, `cells` in all."""
    whole = sum(sizes)
    shares = [max(1, size * cells // whole) for size in sizes]
    order = sorted(range(len(sizes)), key=lambda place: -(sizes[place] * cells % whole))
    at = 0
    while sum(shares) != cells:
        if sum(shares) < cells:
            shares[order[at % len(order)]] += 1
        else:
            shares[shares.index(max(shares))] -= 1
        at += 1
    return shares


def _filled(part: Part, width: int) -> list[Piece]:
    """A part of the bar: its sign all along, with as much of its name and size in the middle as there is room for."""
    sign = SIGNS[part.name]
    for words in (f" {part.name} {kilobytes(part.size)} ", f" {part.name} "):
        if len(words) + 2 <= width:
            before = (width - len(words)) // 2
            return [(sign * before, part.name), (words, "words"), (sign * (width - before - len(words)), part.name)]
    return [(sign * width, part.name)]
