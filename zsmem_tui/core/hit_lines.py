"""The matching lines of a hit, each with how many of the words it holds, and the one to open it on."""

from __future__ import annotations

from typing import NamedTuple

from zsmem_tui.core.fold import fold
from zsmem_tui.core.search import SearchHit, fold_term
from zsmem_tui.core.whole_words import holds_word


class MatchedLine(NamedTuple):
    """A line, numbered from 0, how many of the words stand in it, and how many of these as words of their own."""

    number: int
    text: str
    words: int
    whole: int = 0


def matched_lines(hit: SearchHit) -> list[MatchedLine]:
    """Every line of a hit that holds some word, from top to bottom; none for a hit by name."""
    if not hit.total_hits:
        return []
    text, terms = hit.file.raw, [fold_term(term) for term in hit.matched_terms]
    folded, raw = fold(text).split(b"\n"), text.split(b"\n")
    found: list[MatchedLine] = []
    for number in hit.hit_lines():
        whole = sum(holds_word(folded[number], term) for term in terms)
        held = whole if hit.whole_words else sum(term in folded[number] for term in terms)
        found.append(MatchedLine(number, raw[number].removesuffix(b"\r").decode(), held, whole))
    return found


def best_line(hit: SearchHit) -> int | None:
    """The line that holds the most of the words, of several the one with the most whole ones; None for a hit by name."""
    found = matched_lines(hit)
    return max(found, key=lambda line: (line.words, line.whole, -line.number)).number if found else None
