"""Our memory as another zerostack store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zsmem_tui.agents.outgoing import Ours, Outgoing, Spot, Wish, WithoutIndex
from zsmem_tui.core.names import is_like_slug
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.tree import Tree

_OF_ONE: Final = "They are of one project here and in every prompt of zerostack there."


class ZerostackWriter(WithoutIndex):
    """The same files in the same places."""

    name = "zerostack"
    title = "zerostack"
    losses = ""
    group_kinds: tuple[str, ...] = ()

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """The store that was named; a project of it is named after a folder."""
        problem = "" if wish.group else "its projects are named after folders, and none is known: name one with --group"
        if wish.group and not is_like_slug(wish.group):
            problem = f"zerostack takes no group called {printable_path(wish.group)!r}: its projects have slugs, as app-2cf21588"
        return {"": Spot(self.name, wish.path, wish.group, problem=problem)} if wish.path else {}

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """Every file, byte for byte."""
        every = [(held, Role.NOTE) for held in ours.texts()] + [(held, Role.LOG) for held in ours.logs]
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
                warnings=(_OF_ONE,) if role is Role.FACTS and not ours.is_shared else (),
            )
            for held, role in every
        ]
