"""Facts of a text, as rules that compare them get them."""

from __future__ import annotations

from zsmem_tui.core.checks import duplicates
from zsmem_tui.core.checks.document import Text, read_document
from zsmem_tui.core.refs import MemRef, Role


def pairs(text: str) -> list[tuple[str, str]]:
    """The two facts of each line, with a bar between them."""
    return [(one, other) for row in text.rstrip("\n").split("\n") for one, other in [row.split(" | ")]]


def told(text: str, path: str = "notes/a.md", owner: str = "p", role: Role = Role.NOTE) -> list[duplicates.Told]:
    return list(duplicates.told(Text(MemRef(path, role, owner), read_document(text), text)))
