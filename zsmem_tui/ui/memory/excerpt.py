"""A line of a hit, cut to the room there is."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from zsmem_tui.core.fold import fold
from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui.wording import marks


def excerpt(text: str, terms: list[str], width: int, *, whole_words: bool = False) -> Content:
    """As much of one line around its first match as `width` cells hold, `…` where there is more.

    Matches are underlined, and bold where they are words of their own; with `whole_words` only these are matches. The first
    of those is what is shown where there is one.
    """
    shown = visible_line(text[:4_000].replace("\t", " ")).lstrip(" ")
    folded = fold(shown.encode("utf-8", "replace")).decode("utf-8", "replace")
    is_alike = len(folded) == len(shown)
    whole = marks(shown, folded, terms, whole_words=True) if is_alike else []
    found = marks(shown, folded, terms) if is_alike and not whole_words else whole
    start = 0
    if found and cell_len(shown) > width:
        low, high = (whole or found)[0]
        if cell_len(shown[:high]) >= width:
            start = max(0, low - width // 3)
            while start and cell_len(shown[start - 1 :]) < width:  # the end of the line leaves room for more before the match
                start -= 1
    before = "…" if start else ""
    piece, room = shown[start:], width - len(before)
    if cell_len(piece) > room:
        piece = set_cell_size(piece, max(room - 1, 0)) + "…"
    content = Content(before + piece)
    shift = start - len(before)
    strong = {place for span in whole for place in range(*span)}
    for low, high in (run for span in found for run in _runs(span, strong)):
        if high > start and low - shift < len(content):
            style = "bold underline $accent" if low in strong else "underline $accent"
            content = content.stylize(style, max(low - shift, len(before)), min(high - shift, len(content)))
    return content


def _runs(span: tuple[int, int], strong: Collection[int]) -> Iterator[tuple[int, int]]:
    """A match in as many pieces as it has parts that are in words of their own, or are not."""
    low, high = span
    for at in range(low + 1, high):
        if (at in strong) != (low in strong):
            yield low, at
            low = at
    yield low, high
