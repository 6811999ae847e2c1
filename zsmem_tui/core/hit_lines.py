"""The matching lines of a search hit with the number of terms each contains, and the line to open."""

from __future__ import annotations

from typing import NamedTuple

from zsmem_tui.core.fold import fold
from zsmem_tui.core.search import SearchHit, fold_term
from zsmem_tui.core.text import lines


class MatchedLine(NamedTuple):
    """A line (0-based), how many terms it contains, and how many of these as whole words."""

    number: int
    text: str
    words: int
    whole: int = 0


def matched_lines(hit: SearchHit) -> list[MatchedLine]:
    """All lines of a hit that contain a term, top to bottom; empty for a hit by name."""
    if not hit.total_hits:
        return []
    text, terms = hit.file.raw, [fold_term(term) for term in hit.matched_terms]
    folded, plain = fold(text).split(b"\n"), lines(text.decode())
    return [MatchedLine(number, plain[number], *hit.terms_in(folded[number], terms)) for number in hit.hit_lines()]


def best_line(hit: SearchHit) -> int | None:
    """The line with the most terms, of several the one with the most whole words; None for a hit by name."""
    found = matched_lines(hit)
    return max(found, key=lambda line: (line.words, line.whole, -line.number)).number if found else None
