"""Where in a text a costly rule has to look: the lines around words that it cannot do without.

Nearly all of a memory is ordinary prose. Looking for a hundred fixed words is a hundred times cheaper than trying a hundred
regular expressions at every character, so each rule names its words and the expressions see only what stands around them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from zsmem_tui.core.checks.spot import Spot
from zsmem_tui.core.find import find

_REACH: Final = 600
"""Characters of a line that are looked at on each side of a word: a line of 10 MB is not read whole for one word."""


class Window(NamedTuple):
    """A stretch of a text, from whole lines where they are not too long."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hit:
    """What an expression matched, before its line is counted."""

    start: int
    end: int
    kind: str
    shown: str = ""
    sure: bool = True


def folded(text: str) -> str:
    """`text` in small letters, each character where it was (only U+0130 becomes longer when it is made small)."""
    return text.replace("\u0130", "I").lower()


def windows(text: str, words: Iterable[str], around: int = 0) -> list[Window]:
    """The stretches of `text` that hold one of `words`, in order and apart, with `around` more lines on each side."""
    raw = text.encode("utf-8", "surrogatepass")
    places: list[int] = []
    for word in words:
        if find(raw, word.encode()) < 0:
            continue
        at = text.find(word)
        while at >= 0:
            places.append(at)
            at = text.find(word, at + len(word))
    out: list[Window] = []
    for at in sorted(places):
        if out and at < out[-1].end - _REACH // 2:
            continue
        start, end = _line_start(text, at, around), _line_end(text, at, around)
        if out and start <= out[-1].end:
            out[-1] = Window(out[-1].start, max(end, out[-1].end))
        else:
            out.append(Window(start, end))
    return out


def _line_start(text: str, at: int, around: int) -> int:
    least = max(0, at - _REACH)
    for _ in range(around + 1):
        before = text.rfind("\n", least, at)
        if before < 0:
            return least
        at = before
    return at + 1


def _line_end(text: str, at: int, around: int) -> int:
    most = min(len(text), at + _REACH)
    for _ in range(around + 1):
        after = text.find("\n", at, most)
        if after < 0:
            return most
        at = after + 1
    return at - 1


def spots(text: str, hits: Iterable[Hit]) -> list[Spot]:
    """The places of `hits` with their lines, first place first; of two that overlap, the one that begins first (or is longer)."""
    out: list[Spot] = []
    line, counted = 1, 0
    for hit in sorted(hits, key=lambda each: (each.start, -each.end, not each.sure)):
        if out and hit.start < out[-1].end:
            continue
        line += text.count("\n", counted, hit.start)
        counted = hit.start
        last = line + text.count("\n", hit.start, max(hit.start, hit.end - 1))
        out.append(Spot(line, last, hit.start, hit.end, hit.kind, hit.shown, hit.sure))
    return out
