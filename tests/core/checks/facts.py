"""Facts of a text, as rules that compare them get them."""

from __future__ import annotations

from zsmem_tui.core.checks import copies
from zsmem_tui.core.checks.sheet import Text, sheet
from zsmem_tui.core.refs import MemRef, Role


def told(text: str, path: str = "notes/a.md", owner: str = "p") -> list[copies.Told]:
    return list(copies.told(Text(MemRef(path, Role.NOTE, owner), sheet(text), text)))
