"""The frontmatter of opencode's blocks, as `core.carried.Dress`."""

from __future__ import annotations

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.opencode import files, writes
from zsmem_tui.agents.opencode.blocks import parse
from zsmem_tui.agents.opencode.frontmatter import fields, split
from zsmem_tui.core.carried import Carried
from zsmem_tui.core.errors import RuleBroken


class BlockDress:
    """Blocks of one scope."""

    kept_fields = ("label", "description", "name")

    def __init__(self, scope: str) -> None:
        self._scope = scope

    def unwrapped(self, path: str, raw: bytes) -> Carried:
        """The value of a block, where opencode can read it."""
        try:
            block = parse(self._scope, path, raw)
        except RuleBroken:
            return Carried(raw)
        yaml, body = split(js.decode(raw))
        if yaml is None:
            return Carried(raw)
        about = block.description if block.is_described else ""
        return Carried(js.encode(body), block.label, about, tuple(fields(yaml, path)))

    def wrapped(self, path: str, text: Carried) -> bytes:
        """A block with opencode's own limit. Raises `RuleBroken` where it is longer, or cannot be called so."""
        return writes.new_block(files.label_of(path), js.decode(text.body), description=text.about)
