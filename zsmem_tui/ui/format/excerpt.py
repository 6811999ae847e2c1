"""A line of a hit, cut to the room there is."""

from __future__ import annotations

from textual.content import Content

from zsmem_tui.core.fold import fold
from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui.format.common import marks


def excerpt(text: str, terms: list[str], width: int) -> Content:
    """One line around its first match, matches bold and underlined."""
    shown = visible_line(text[:4_000].replace("\t", " "))
    folded = fold(shown.encode("utf-8", "replace")).decode("utf-8", "replace")
    found = marks(shown, folded, terms) if len(folded) == len(shown) else []
    start = 0
    if found and found[0][1] > width:
        start = max(0, found[0][0] - width // 3)
    indent = len(shown) - len(shown.lstrip(" ")) if not start else 0
    start = start or indent
    piece = shown[start : start + width]
    content = Content(f"{'…' if start > indent else ''}{piece}")
    shift = start - (1 if start > indent else 0)
    for low, high in found:
        if high > start and low < start + width:
            content = content.stylize("bold underline $accent", max(low - shift, 0), high - shift)
    return content
