"""Our facts in a folder's instruction file, between the markers of promoted memory. Nothing else of it is ever written."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Final

from zsmem_tui.agents.instructions import files
from zsmem_tui.agents.outgoing import MAIN, CameFrom, Held, Ours, Outgoing, Spot, Wish, WithoutIndex, bare_facts, stands_in
from zsmem_tui.core import memory_block
from zsmem_tui.core.fact_edits import Block, blocks
from zsmem_tui.core.refs import Role
from zsmem_tui.core.tree import Tree

_TWICE: Final = "It is in MEMORY.md as well, so that agents that read both pay for it twice: promote moves it."


class InstructionsWriter(WithoutIndex):
    """Facts only: whatever stands there is an order to every agent, on every turn."""

    name = "agents-md"
    title = "AGENTS.md"
    losses = "Only facts go along, without their headings: what stands there is in every prompt of every agent."
    group_kinds: tuple[str, ...] = ()

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """The project's folder; a path may name that, or the file in it."""
        path = wish.path.rstrip("/") or wish.folder
        if posixpath.basename(path) in files.TAKE_MEMORY:
            path = posixpath.dirname(path) or "/"
        return {MAIN: Spot("instructions", path)} if path else {}

    def came_from(self, file: str) -> CameFrom | None:
        """The file itself, of which only what is between the markers is ours."""
        return CameFrom(MAIN, file, is_written=False)

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """A row for each fact, and one for each file that stays."""
        named = posixpath.basename(wish.path.rstrip("/"))
        goal = named if named in files.TAKE_MEMORY else files.TAKE_MEMORY[0]
        out = [_fact(source, blocks([fact])[0], goal) for source, fact in bare_facts(ours.fact_files())]
        rest: list[Held] = [*([ours.tasks] if ours.tasks else []), *ours.notes, *ours.logs]
        out += [Outgoing(held.source, held.text, skip="instructions take facts only") for held in rest]
        return out


def _fact(source: str, block: Block, goal: str) -> Outgoing:
    def join(now: bytes | None) -> bytes | None:
        text = (now or b"").decode()
        if stands_in(block.text, text):
            return None
        after = memory_block.added(text, [block])
        return None if after == text else after.encode()

    return Outgoing(source, block.text, Role.INSTRUCTIONS, path=goal, join=join, warnings=(_TWICE,), in_prompt=True, losses=())
