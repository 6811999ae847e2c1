"""A page of help with only what holds some words."""

from __future__ import annotations

from zsmem_tui.core.fuzzy import folded_text
from zsmem_tui.core.text import lines, words


def only(text: str, query: str) -> str:
    """The lines of a page of Markdown that hold every word of `query`, below their headings; the whole page where there is none.

    Where no line does, a sentence.
    """
    wanted = [folded_text(word) for word in words(query)]
    if not wanted:
        return text
    kept: list[str] = []
    headings: list[str] = []
    for line in lines(text):
        if line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            headings = [each for each in headings if len(each) - len(each.lstrip("#")) < level] + [line]
        elif all(word in folded_text(line) for word in wanted):
            for each in headings:
                kept += ["", each, ""]
            headings = []
            kept.append(line if line.startswith(("- ", "|", " ")) else f"- {line}")
    return "\n".join(kept) if kept else f"Nothing on this page holds “{query}”. esc shows all of it again."
