"""Where words stand in a text, letter for letter in either case, as the memory's search compares them."""

from __future__ import annotations

from zsmem_tui.core.fold import fold


def occurrences(text: str, wanted: str) -> list[tuple[int, int]]:
    """Start and end of each place, in characters, from left to right; no two of them share a character."""
    needle = _folded(wanted)
    if not needle:
        return []
    folded = _folded(text)  # of the same length: a character becomes one character
    found: list[tuple[int, int]] = []
    at = folded.find(needle)
    while at >= 0:
        found.append((at, at + len(needle)))
        at = folded.find(needle, at + len(needle))
    return found


def _folded(text: str) -> str:
    return fold(text.encode("utf-8", "replace")).decode("utf-8", "replace")
