"""Where words stand in a text, letter for letter in either case, as the memory's search compares them."""

from __future__ import annotations

from zsmem_tui.core.fold import fold
from zsmem_tui.core.whole_words import word_places


def occurrences(text: str, wanted: str, *, whole_words: bool = False) -> list[tuple[int, int]]:
    """Start and end of each place, in characters, from left to right; no two of them share a character.

    With `whole_words`, only where it stands as a word of its own.
    """
    needle = _folded(wanted)
    if not needle:
        return []
    folded = _folded(text)  # of the same length: a character becomes one character
    if whole_words:
        return list(word_places(folded, needle))
    found: list[tuple[int, int]] = []
    at = folded.find(needle)
    while at >= 0:
        found.append((at, at + len(needle)))
        at = folded.find(needle, at + len(needle))
    return found


def _folded(text: str) -> str:
    return fold(text.encode("utf-8", "replace")).decode("utf-8", "replace")
