"""The checklist: which of its lines the agent sees (specification, section 8)."""

from __future__ import annotations

from zsmem_tui.core.text import lines, trim_start


def open_items(text: str) -> list[str]:
    """The lines that are injected, indentation kept: those that start `- [ ]` or `* [ ]` after white space."""
    return [line for line in lines(text) if trim_start(line).startswith(("- [ ]", "* [ ]"))]
