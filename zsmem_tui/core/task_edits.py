"""Every change to the items of a text that leaves all other bytes as they are.

An item is meant by its lines in the very text that is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from zsmem_tui.core import list_edits
from zsmem_tui.core.block_edits import cut, ending_of, swapped
from zsmem_tui.core.checklist import Box, Item, box_of, item_parts, items
from zsmem_tui.core.markdown import columns, ended_lines, heading_level, heading_words
from zsmem_tui.core.text import one_line, raw_lines, trim, words


def ticked(text: str, wanted: Iterable[Item], *, done: bool) -> str:
    """The text with these items done or open again: one character of each changes. Those without a box to tick stay."""
    lines = ended_lines(text)
    for item in wanted:
        match = item_parts(lines[item.line])
        if match and match["mark"] and box_of(match) is not (Box.DONE if done else Box.OPEN):
            at = match.start("mark")
            lines[item.line] = f"{lines[item.line][:at]}{'x' if done else ' '}{lines[item.line][at + 1 :]}"
    return "".join(lines)


def can_tick(text: str, item: Item) -> bool:
    """Whether an item has a box with room for a mark."""
    match = item_parts(ended_lines(text)[item.line])
    return bool(match and match["mark"])


def reworded(text: str, item: Item, new: str) -> str:
    """The text with other words for an item; bullet, box and line end stay."""
    lines = ended_lines(text)
    match = item_parts(lines[item.line])
    if match:
        start, stop = match.span("text")
        old = match["text"]
        gap = old[: len(old) - len(old.lstrip(" \t"))] or " "
        tail = old[len(old.rstrip(" \t")) :] if old.strip(" \t") else ""
        lines[item.line] = f"{lines[item.line][:start]}{gap}{one_line(new)}{tail}{lines[item.line][stop:]}"
    return "".join(lines)


def blocks(text: str, wanted: Iterable[Item]) -> list[str]:
    """The blocks of these items, indentation taken off, each line ended; one that lies in another's is not given twice."""
    lines = raw_lines(text)
    every = ((start, lines[start:stop]) for start, stop in _ranges(wanted))
    return ["".join(f"{list_edits.moved_in(line, -columns(lines[start]))}\n" for line in own) for start, own in every]


def without(text: str, wanted: Iterable[Item]) -> str:
    """The text without the blocks of these items; of the blank lines around each, those on one side go with it."""
    return cut(text, {row for start, stop in _ranges(wanted) for row in range(start, stop)})


def added(text: str, block: str, heading: str | None = None) -> str:
    """The text with a block at the end of its items, or of those below a heading. Raises `ValueError` when that is not there."""
    lines = ended_lines(text)
    ending = ending_of(text)
    own = [line.removesuffix("\n").removesuffix("\r") + ending for line in ended_lines(block)]
    at = _end_of(lines, items(text), heading)
    if at and lines and not lines[at - 1].endswith("\n"):
        lines[at - 1] += ending
    lines[at:at] = own
    return "".join(lines)


def shifted(text: str, item: Item, step: int) -> str:
    """The text with an item's block one place further down (`step` 1) or up (-1) among those beside it; unchanged at an end."""
    found = items(text)
    beside = [
        each
        for each in found
        if each.depth == item.depth and each.heading == item.heading and _parent(found, each) == _parent(found, item)
    ]
    at = next((place for place, each in enumerate(beside) if each.line == item.line), -1) + step
    if item not in beside or not 0 <= at < len(beside):
        return text
    first, second = sorted((item, beside[at]))
    return swapped(text, (first.line, first.stop), (second.line, second.stop))


def indented(text: str, wanted: Iterable[Item], step: int) -> str:
    """The text with the blocks of these items one step further in (1) or out (-1): to where the items beside them stand."""
    lines = ended_lines(text)
    bare = [line.rstrip("\r\n") for line in lines]
    for start, _ in reversed(_ranges(wanted)):
        rows = list_edits.shifted(bare, start, start, step)
        for number, line in enumerate(rows.lines, rows.first) if rows else ():
            lines[number] = line + lines[number][len(bare[number]) :]
    return "".join(lines)


def as_items(text: str) -> str:
    """Lines that a person typed or pasted, as open items; a line that has a box already keeps it, blank ones go."""
    kept = [line.removesuffix("\n").removesuffix("\r") for line in ended_lines(text) if trim(line)]
    return "".join(f"{line if item_parts(line) else f'- [ ] {_without_bullet(line)}'}\n" for line in kept)


def one_fact(block: str) -> str:
    """A block as one line of long-term memory: its words, without boxes."""
    parts = []
    for line in ended_lines(block):
        match = item_parts(line)
        parts.append(match["text"] if match else line)
    return f"- {' '.join(word for part in parts for word in words(part))}"


def _ranges(wanted: Iterable[Item]) -> list[tuple[int, int]]:
    """The lines of these blocks, rising; those inside another are part of it."""
    out: list[tuple[int, int]] = []
    for item in sorted(wanted):
        if not out or item.line >= out[-1][1]:
            out.append((item.line, item.stop))
    return out


def _end_of(lines: list[str], found: list[Item], heading: str | None) -> int:
    """Where a new item goes: after the last item, or the last line that is not blank below a heading."""
    if heading is None:
        return found[-1].stop if found else len(lines)
    below = [item for item in found if item.heading == heading]
    if below:
        return below[-1].stop
    for number, line in enumerate(lines):
        if heading_level(line) and heading_words(line) == heading:
            return number + 1
    raise ValueError(heading)


def _parent(found: Sequence[Item], item: Item) -> int:
    """The line of the item that one is nested in; -1 for none."""
    return max((each.line for each in found if each.line < item.line < each.stop), default=-1)


def _without_bullet(line: str) -> str:
    return re.sub(r"^[ \t]*(?:[-*+\u2022][ \t]+)?", "", line)
