"""What the doctor finds in opencode's blocks beside what any memory can have: blocks that it passes over or that are full."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import count

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.opencode.blocks import Block, over
from zsmem_tui.agents.opencode.files import checked_label, label_of
from zsmem_tui.agents.opencode.memory import OpencodeMemory, PassedOver
from zsmem_tui.core.checks.by_kind import Checks
from zsmem_tui.core.checks.finding import Finding, Fix, Level, LineEdit
from zsmem_tui.core.checks.whole import BROKEN, OVER_BUDGET, PASSED_OVER, TOO_MUCH
from zsmem_tui.core.errors import RuleBroken, StoreError
from zsmem_tui.core.markdown import OPENING, scan
from zsmem_tui.core.text import raw_lines
from zsmem_tui.core.tree import Tree, read_if_there


class BlockChecks(Checks):
    """The rules of the blocks of one scope; the two folders are those of the blocks for all and of the project."""

    def __init__(self, scope: str, home: str, folder: str) -> None:
        self._scope = scope
        self._folders = (home, folder)

    def faults(self, tree: Tree, group: str) -> Iterator[Finding]:
        """What is wrong with blocks, which are of no group."""
        if not group:
            yield from _of_blocks(tree, OpencodeMemory(tree, *self._folders), self._scope)


def _of_blocks(tree: Tree, memory: OpencodeMemory, scope: str) -> Iterator[Finding]:
    blocks = memory.files(scope)
    taken = {found.file for found in blocks}
    for found in blocks:
        if isinstance(found, PassedOver):
            why = found.reason.rpartition(": ")[2]
            yield Finding(
                BROKEN,
                found.file,
                says="The file is passed over without a word: {text}.",
                level=Level.ERROR,
                kind=PASSED_OVER,
                text=why,
                quoted=why,
            )
        elif over(found):
            size, limit = js.units(found.value), found.limit
            yield Finding(
                OVER_BUDGET,
                found.file,
                says="The file has {size} characters, and its limit is {limit}: the agent can write no more into it.",
                kind="full",
                size=size,
                limit=limit,
                fix=_parted(tree, found, taken),
            )


def _parted(tree: Tree, block: Block, taken: set[str]) -> Fix:
    """What is too much for a block as further blocks of the same limit, which every prompt has too; the first lines stay."""
    try:
        rows = raw_lines((read_if_there(tree, block.file) or b"").decode())
        parts = _pieces(rows[block.first_line :], block.limit)
        names = _names(block.file, len(parts) - 1, taken)
    except (UnicodeDecodeError, StoreError, RuleBroken):
        return TOO_MUCH
    if len(parts) < 2:
        return TOO_MUCH
    bare = [row.removesuffix("\r") for row in rows]
    first = block.first_line + len(parts[0])
    end = len(bare) - (not bare[-1])
    edits = [LineEdit(block.file, first + 1, tuple(bare[first:end]), ())]
    about = json.dumps(f"What does not fit into {label_of(block.file)}.", ensure_ascii=False)
    at = first
    for name, part in zip(names, parts[1:], strict=True):
        held = [*bare[at : at + len(part)]]
        at += len(part)
        while held and not held[-1].strip():
            held.pop()
        edits.append(LineEdit(name, 0, (), ("---", f"description: {about}", f"limit: {block.limit}", "---", *held)))
    taken.update(names)
    return Fix("Move what is too much into {file}.", ", ".join(names), tuple(edits))


def _pieces(rows: Sequence[str], limit: int) -> list[list[str]]:
    """Lines in parts that fit into a limit each; none where a line is too long for it, or a fence would be cut."""
    parts: list[list[str]] = [[]]
    size = 0
    found = scan(rows, tags=False)
    for at, row in enumerate(rows):
        own = js.units(row) + 1
        if size + own > limit and js.units(js.trim("\n".join([*parts[-1], row]))) > limit:
            if (found[at].is_code and found[at].leaf is not OPENING) or js.units(js.trim(row)) > limit:
                return []
            parts.append([])
            size = 0
        parts[-1].append(row)
        size += own
    return parts


def _names(file: str, wanted: int, taken: set[str]) -> list[str]:
    """Names for further blocks that nobody has. Raises `RuleBroken` where opencode would not take them."""
    stem = file.removesuffix(".md")
    free = (name for number in count(2) if (name := f"{stem}-{number}.md") not in taken)
    names = [next(free) for _ in range(wanted)]
    for name in names:
        checked_label(label_of(name))
    return names
