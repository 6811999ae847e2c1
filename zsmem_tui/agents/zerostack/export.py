"""Our memory as another zerostack store."""

from __future__ import annotations

from collections.abc import Mapping

from zsmem_tui.agents.outgoing import Ours, Outgoing, Spot, Wish, WithoutIndex
from zsmem_tui.core.refs import Role
from zsmem_tui.core.tree import Tree


class ZerostackWriter(WithoutIndex):
    """The same files in the same places."""

    name = "zerostack"
    title = "zerostack"
    losses = "Nothing is lost."
    group_kinds: tuple[str, ...] = ()

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """The store that was named."""
        return {"": Spot(self.name, wish.path, wish.group)} if wish.path else {}

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """Every file, byte for byte."""
        every = [(held, Role.NOTE) for held in ours.notes] + [(held, Role.LOG) for held in ours.logs]
        every += [(held, role) for held, role in ((ours.tasks, Role.CHECKLIST), (ours.facts, Role.FACTS)) if held is not None]
        return [
            Outgoing(
                held.source,
                held.text,
                role,
                held.name,
                is_written=True,
                adds_lines=role in (Role.FACTS, Role.CHECKLIST),
                in_prompt=role in (Role.FACTS, Role.CHECKLIST),
            )
            for held, role in every
        ]
