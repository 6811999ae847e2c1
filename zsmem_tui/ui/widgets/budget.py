"""The budget bar: how much of the prompt each part of memory takes, as a stacked bar below a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from zsmem_tui.core.preview import Preview
from zsmem_tui.core.text import of_cap
from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui import signs
from zsmem_tui.ui.prompt.wording import HIGH, kilobytes
from zsmem_tui.ui.widgets.row_lines import Piece
from zsmem_tui.ui.wording import part_of

OTHER: Final = "other"

SIGNS: Final = {
    **dict(zip(("MEMORY", "scratchpad", "logs"), signs.BAR_PARTS, strict=True)),
    OTHER: signs.BAR_REST,
    "lost": signs.BAR_LOST,
    "free": signs.BAR_FREE,
}
"""The character for each part, so that parts can be told apart without colour."""

ALWAYS: Final = ("MEMORY", "scratchpad", "logs")
"""Parts that are listed even if empty, for agents whose prompt has sections for them."""


class Part(NamedTuple):
    """A part of the bar. `said` is its size as text; `drawn` its character if its name has none in `SIGNS`."""

    name: str
    size: int
    said: str = ""
    drawn: str = SIGNS[OTHER]

    @property
    def sign(self) -> str:
        """The character that the part is drawn with."""
        return SIGNS.get(self.name, self.drawn)


def parts(seen: Preview, names: Mapping[str, str]) -> list[Part]:
    """The parts in the prompt, and what is lost or else what is free; `names` maps a section's path to its name.

    Sizes include the sections' headings, as the agent counts them.
    """
    if seen.rule:
        return _parts_in_unit(seen, names)
    sizes = dict.fromkeys(SIGNS, 0)
    for use in seen.uses:
        name = names.get(use.path, OTHER)
        sizes[name] = sizes.get(name, 0) + use.size
        sizes["lost"] += use.full - use.size
    if not sizes["lost"]:
        sizes["free"] = max(seen.cap - sum(sizes.values()), 0)
    always = () if set(names.values()) - set(ALWAYS) else ALWAYS
    ordered = sorted(sizes, key=lambda name: (name in ("lost", "free"), name == "free"))
    return [Part(name, sizes[name], kilobytes(sizes[name])) for name in ordered if sizes[name] or name in always]


def _parts_in_unit(seen: Preview, names: Mapping[str, str]) -> list[Part]:
    """The parts in the unit of the agent's cap. If each file has its own cap, only the file that the sentence is about."""
    sizes: dict[str, int] = {}
    lost = sum(use.wants - use.took for use in seen.uses)
    lost = seen.needed - seen.uses[0].took if lost and seen.of and len(seen.uses) == 1 else lost
    if seen.meters and seen.of and not lost:
        sizes[visible_line(seen.of)] = seen.needed
    else:
        for use in seen.uses:
            name = names.get(use.path, OTHER)
            sizes[name] = sizes.get(name, 0) + use.took
    if lost:
        sizes["lost"] = lost
    elif not seen.meters or seen.of:
        sizes["free"] = max(seen.cap - seen.needed, 0)
    drawn = dict(zip((name for name in sizes if name not in SIGNS), signs.BAR_PARTS, strict=False))
    return [Part(name, size, f"{size:,}", drawn.get(name, SIGNS[OTHER])) for name, size in sizes.items() if size]


def sentence(seen: Preview) -> str:
    """A sentence on what the memory needs, what is loaded, and what is lost."""
    if not seen.uses and seen.instructed:
        return seen.instructed
    if not seen.uses:
        cap = f"{seen.cap:,} {seen.unit}" if seen.rule else kilobytes(seen.cap)
        return f"No memory goes into the prompt{f'; {cap} would fit' if seen.cap and not seen.of else ''}"
    if seen.rule:
        return _sentence_in_unit(seen)
    wanted = seen.in_all
    if not (seen.lost or seen.closed):
        return f"{part_of(wanted, seen.cap, kilobytes)} of {kilobytes(seen.cap)}, {seen.loss()}"
    loaded = kilobytes(seen.cap)
    if seen.needed <= seen.cap:  # a whole file is lost, whatever there is room for
        loaded = f"{kilobytes(sum(use.size for use in seen.uses))} of {loaded}"
    if seen.closed:
        return f"{seen.closed}; {loaded} loaded{f', {seen.loss()}' if seen.lost else ''}"
    return f"{kilobytes(wanted)} in all, {loaded} loaded, {seen.loss()}"


def _sentence_in_unit(seen: Preview) -> str:
    of = f" of {visible_line(seen.of)}" if seen.of else ""
    lost = seen.loss()
    if seen.lost and seen.needed > seen.cap > 0:
        is_bytes = seen.unit == "bytes" and len(seen.uses) == 1  # whole lines, so that less than the cap is loaded
        loaded = seen.uses[0].size if is_bytes else seen.cap
        return f"{seen.needed:,} {seen.unit}{of} in all, {loaded:,} loaded, {lost}"
    return f"{visible_line(of_cap(seen.needed, seen.cap, seen.unit, seen.of))}, {lost}"


def compared(seen: Preview, whole: int, cells: int) -> str:
    """A bar of exactly `cells` cells, scaled to `whole`: what fits, what is free, the cap, and what exceeds it."""
    wanted = seen.in_all
    at = min(cells - 1, seen.cap * (cells - 1) // max(whole, 1))
    full = min(at, max(1 if wanted else 0, min(wanted, seen.cap) * (cells - 1) // max(whole, 1)))
    over = 0 if wanted <= seen.cap else max(1, (wanted - seen.cap) * (cells - 1) // max(whole, 1))
    drawn = f"{signs.BAR_PARTS[0] * full}{signs.BAR_FREE * (at - full)}{signs.BAR_CAP}{signs.BAR_LOST * over}"
    return drawn[:cells].ljust(cells)


def bar(found: Sequence[Part], cells: int) -> list[Piece]:
    """The stacked bar in exactly `cells` cells, with names and sizes inside of parts that have room.

    Each part that is not empty gets at least one cell; a line precedes what is lost.
    """
    there = [part for part in found if part.size]
    edge = 1 if any(part.name == "lost" for part in there) and len(there) > 1 else 0
    room = cells - edge
    if room < len(there) or not there:
        return [(" " * max(cells, 0), "free")]
    out: list[Piece] = []
    for part, width in zip(there, _shares([part.size for part in there], room), strict=True):
        if part.name == "lost" and edge:
            out.append((signs.BAR_CAP, "edge"))
        out += _bar_piece(part, width)
    return out


def _shares(sizes: Sequence[int], cells: int) -> list[int]:
    """Divide `cells` in proportion to the sizes, with at least one cell for each."""
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


def _bar_piece(part: Part, width: int) -> list[Piece]:
    """A part of the bar with its name, and if there is room, its size, in the middle."""
    drawn = part.sign
    for words in (f" {part.name} {part.said} ", f" {part.name} "):
        if len(words) + 2 <= width:
            before = (width - len(words)) // 2
            return [(drawn * before, part.name), (words, "words"), (drawn * (width - before - len(words)), part.name)]
    return [(drawn * width, part.name)]


STYLES: Final[Mapping[str, str]] = {
    "MEMORY": "$primary",
    "scratchpad": "$accent",
    "logs": "$success",
    OTHER: "$secondary",
    "lost": "$error",
    "free": "$text-muted",
    "edge": "bold $warning",
    "words": "",
    "quiet": "$text-muted",
}


class BudgetBar(Widget):
    """Sentence and bar for a prompt; the sentence alone where there is no bar, or little room above a list."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._seen: Preview | None = None
        self._names: Mapping[str, str] = {}

    def show(self, seen: Preview | None, names: Mapping[str, str] = MappingProxyType({})) -> None:
        """Show the budget of a prompt, or nothing; `names` maps a section's path to its name."""
        self._seen, self._names = seen, names
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Two rows, or one."""
        is_small = viewport.height < HIGH and any(map(self.screen.has_class, ("-low", "-narrow", "-tiny")))
        return 2 if self._seen is not None and self._seen.cap and self._seen.uses and not is_small else 1

    def render(self) -> Content:
        """Render sentence and bar."""
        if self._seen is None:
            return Content("")
        width = self.size.width
        found = parts(self._seen, self._names)
        style = "bold $warning" if self._seen.lost or self._seen.closed else "bold"
        pieces = bar(found, width) if self.size.height > 1 else []
        drawn = Content.assemble(*((words, STYLES.get(name, "$primary")) for words, name in pieces))
        said = sentence(self._seen)
        if cell_len(said) > width:
            said = f"{set_cell_size(said, max(width - 1, 0))}…"
        tokens = "" if self._seen.instructed else f" · {self._seen.tokens:,} tokens"
        first = Content.assemble((said, style), (tokens if len(said) + len(tokens) <= width else "", "$text-muted"))
        return Content("\n").join([first, drawn][: max(self.size.height, 1)])
