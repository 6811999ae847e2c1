"""Edit the check list items of a text, leaving all other bytes unchanged.

An `Item` is identified by its line numbers in the very text that is passed in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from zsmem_tui.core import list_edits
from zsmem_tui.core.block_edits import cut, ended_with, ending_of, swapped
from zsmem_tui.core.checklist import Box, Item, box_of, item_parts, items
from zsmem_tui.core.markdown import columns, ended_lines, heading_level, heading_words
from zsmem_tui.core.text import one_line, raw_lines, trim, words


def ticked(text: str, wanted: Iterable[Item], *, done: bool) -> str:
    """Mark these items as done, or open them again: one character of each changes. Items without room for a mark stay."""
    lines = ended_lines(text)
    for item in wanted:
        match = item_parts(lines[item.line])
        if match and match["mark"] and box_of(match) is not (Box.DONE if done else Box.OPEN):
            at = match.start("mark")
            lines[item.line] = f"{lines[item.line][:at]}{'x' if done else ' '}{lines[item.line][at + 1 :]}"
    return "".join(lines)


def can_tick(text: str, item: Item) -> bool:
    """Whether the item's box has room for a mark."""
    match = item_parts(ended_lines(text)[item.line])
    return bool(match and match["mark"])


def reworded(text: str, item: Item, new: str) -> str:
    """Replace the words of an item; bullet, box and line ending stay."""
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
    """The blocks of these items, without indentation, each line ended; an item inside another's block is not repeated."""
    lines = raw_lines(text)
    every = ((start, lines[start:stop]) for start, stop in _ranges(wanted))
    return ["".join(f"{list_edits.moved_in(line, -columns(lines[start]))}\n" for line in own) for start, own in every]


def without(text: str, wanted: Iterable[Item]) -> str:
    """Remove the blocks of these items, and the blank lines on one side of each."""
    return cut(text, {row for start, stop in _ranges(wanted) for row in range(start, stop)})


def added(text: str, block: str, heading: str | None = None) -> str:
    """Insert a block after the last item, or the last item below a heading. Raises `ValueError` if there is no such heading."""
    lines = ended_lines(text)
    ending = ending_of(text)
    at = _end_of(lines, items(text), heading)
    if at and lines and not lines[at - 1].endswith("\n"):
        lines[at - 1] += ending
    lines[at:at] = [ended_with(block, ending)]
    return "".join(lines)


def shifted(text: str, item: Item, step: int) -> str:
    """Move an item's block one position down (`step` 1) or up (-1) among its siblings; unchanged if it is at the end."""
    found = items(text)
    parents = dict(zip(found, _parents(found), strict=True))
    if item not in parents:
        return text
    own = item.depth, item.heading, parents[item]
    beside = [each for each in found if (each.depth, each.heading, parents[each]) == own]
    at = beside.index(item) + step
    if not 0 <= at < len(beside):
        return text
    first, second = sorted((item, beside[at]))
    return swapped(text, (first.line, first.stop), (second.line, second.stop))


def indented(text: str, wanted: Iterable[Item], step: int) -> str:
    """Indent (`step` 1) or unindent (-1) the blocks of these items, to the indentation of the items they will be among."""
    lines = ended_lines(text)
    bare = [line.rstrip("\r\n") for line in lines]
    for start, _ in reversed(_ranges(wanted)):
        rows = list_edits.shifted(bare, start, start, step)
        for number, line in enumerate(rows.lines, rows.first) if rows else ():
            lines[number] = line + lines[number][len(bare[number]) :]
    return "".join(lines)


def as_items(text: str) -> str:
    """Turn typed or pasted lines into open items; lines that have a box keep it, blank lines are dropped."""
    kept = filter(trim, raw_lines(ended_with(text, "\n")))
    return "".join(f"{line if item_parts(line) else f'- [ ] {_without_bullet(line)}'}\n" for line in kept)


def one_fact(block: str) -> str:
    """Turn a block into one line of long-term memory: a list item with its words, without boxes."""
    parts = []
    for line in ended_lines(block):
        match = item_parts(line)
        parts.append(match["text"] if match else line)
    return f"- {' '.join(word for part in parts for word in words(part))}"


def _ranges(wanted: Iterable[Item]) -> list[tuple[int, int]]:
    """The line ranges of these items' blocks, rising; a block inside another is left out."""
    out: list[tuple[int, int]] = []
    for item in sorted(wanted):
        if not out or item.line >= out[-1][1]:
            out.append((item.line, item.stop))
    return out


def _end_of(lines: list[str], found: list[Item], heading: str | None) -> int:
    """The line to insert a new item at: after the last item (below the heading), else right below the heading."""
    if heading is None:
        return found[-1].stop if found else len(lines)
    below = [item for item in found if item.heading == heading]
    if below:
        return below[-1].stop
    for number, line in enumerate(lines):
        if heading_level(line) and heading_words(line) == heading:
            return number + 1
    raise ValueError(heading)


def _parents(found: Iterable[Item]) -> Iterator[int]:
    """The line of the parent of each of these items, which are in order; -1 if it has none."""
    around: list[Item] = []
    for each in found:
        while around and around[-1].stop <= each.line:
            around.pop()
        yield around[-1].line if around else -1
        around.append(each)


def _without_bullet(line: str) -> str:
    return re.sub(r"^[ \t]*(?:[-*+\u2022][ \t]+)?", "", line)
