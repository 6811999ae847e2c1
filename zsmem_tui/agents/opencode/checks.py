"""What the doctor finds in opencode's blocks beside what any memory can have: blocks that it passes over or that are full."""

from __future__ import annotations

from collections.abc import Iterator

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.opencode.blocks import over
from zsmem_tui.agents.opencode.memory import OpencodeMemory, PassedOver
from zsmem_tui.core.checks.fault import Check, Fault, Level, Repair
from zsmem_tui.core.finding import Rule
from zsmem_tui.core.tree import Tree


class BlockChecks:
    """The rules of the blocks of one scope; the two folders are those of the blocks for all and of the project."""

    def __init__(self, scope: str, home: str, folder: str) -> None:
        self._scope = scope
        self._folders = (home, folder)

    def faults(self, tree: Tree, group: str) -> Iterator[Fault]:
        """What is wrong with blocks, which are of no group."""
        if not group:
            yield from _of_blocks(OpencodeMemory(tree, *self._folders), self._scope)


def _of_blocks(memory: OpencodeMemory, scope: str) -> Iterator[Fault]:
    for found in memory.files(scope):
        if isinstance(found, PassedOver):
            why = found.reason.rpartition(": ")[2]
            yield Fault(Check.BROKEN, Level.ERROR, found.file, kind=Rule.PASSED_OVER.value, text=why, quoted=why)
        elif over(found):
            size, limit = js.units(found.value), found.limit
            repair = Repair("move-tail")
            yield Fault(Check.OVER_BUDGET, Level.WARNING, found.file, kind=Rule.FULL.value, size=size, limit=limit, repair=repair)
