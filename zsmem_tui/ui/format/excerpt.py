"""A line of a hit, cut to the room there is."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from zsmem_tui.core.fold import fold
from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui.format.common import marks


def excerpt(text: str, terms: list[str], width: int) -> Content:
    """As much of one line around its first match as `width` cells hold, `…` where there is more; matches bold and underlined."""
    shown = visible_line(text[:4_000].replace("\t", " ")).lstrip(" ")
    folded = fold(shown.encode("utf-8", "replace")).decode("utf-8", "replace")
    found = marks(shown, folded, terms) if len(folded) == len(shown) else []
    start = 0
    if found and cell_len(shown) > width and cell_len(shown[: found[0][1]]) >= width:
        start = max(0, found[0][0] - width // 3)
        while start and cell_len(shown[start - 1 :]) < width:  # the end of the line leaves room for more before the match
            start -= 1
    before = "…" if start else ""
    piece, room = shown[start:], width - len(before)
    if cell_len(piece) > room:
        piece = set_cell_size(piece, max(room - 1, 0)) + "…"
    content = Content(before + piece)
    shift = start - len(before)
    for low, high in found:
        if high > start and low - shift < len(content):
            content = content.stylize("bold underline $accent", max(low - shift, len(before)), min(high - shift, len(content)))
    return content
