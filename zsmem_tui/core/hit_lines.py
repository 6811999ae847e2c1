"""The matching lines of a hit, each with how many of the words it holds, and the one to open it on."""

from __future__ import annotations

from typing import NamedTuple

from zsmem_tui.core.search import SearchHit, fold_term


class MatchedLine(NamedTuple):
    """A line, numbered from 0, and how many of the words stand in it."""

    number: int
    text: str
    words: int


def matched_lines(hit: SearchHit) -> list[MatchedLine]:
    """Every line of a hit that holds some word, from top to bottom; none for a hit by name."""
    if not hit.total_hits:
        return []
    text, terms = hit.document.text, [fold_term(term) for term in hit.matched_terms]
    folded, raw = text.folded.split(b"\n"), text.raw.split(b"\n")
    return [
        MatchedLine(number, raw[number].removesuffix(b"\r").decode(), sum(term in folded[number] for term in terms))
        for number in hit.hit_lines()
    ]


def best_line(hit: SearchHit) -> int | None:
    """The line that holds the most of the words, the first of several; None for a hit by name."""
    found = matched_lines(hit)
    return max(found, key=lambda line: (line.words, -line.number)).number if found else None
