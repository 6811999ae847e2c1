"""Find the occurrences of a string in a text, case-insensitively, by the same folding as the memory's search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zsmem_tui.core.fold import fold_text
from zsmem_tui.core.whole_words import word_places


def occurrences(text: str, wanted: str, *, whole_words: bool = False) -> list[tuple[int, int]]:
    """(start, end) character offsets of each occurrence, left to right, not overlapping.

    With `whole_words`, only where it is a word of its own.
    """
    return list(_places(_folded(text), _folded(wanted), whole_words))  # same length: folding keeps the number of characters


def marks(text: str, terms: Sequence[str], *, whole_words: bool = False) -> list[tuple[int, int]]:
    """(start, end) of each occurrence of any folded term, left to right; overlapping or adjacent ones are joined."""
    folded = _folded(text) if terms else ""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(place for term in terms for place in _places(folded, term, whole_words)):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _places(folded: str, needle: str, whole_words: bool) -> Iterable[tuple[int, int]]:
    if whole_words:
        yield from word_places(folded, needle)
        return
    at = folded.find(needle) if needle else -1
    while at >= 0:
        yield at, at + len(needle)
        at = folded.find(needle, at + len(needle))


def _folded(text: str) -> str:
    return fold_text(text).decode()
