"""Where in a text a costly rule has to look: the lines around words that it cannot do without, and what it found there.

Nearly all of a memory is ordinary prose that says the same few thousand words over and over. A word that was looked at once is not
looked at again, so that hundreds of words to look for cost a page what looking up its own words costs, and the expressions see only
what stands around them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from zsmem_tui.core.text import line_end

_REACH: Final = 600
"""Characters of a line that are looked at on each side of a word: a line of 10 MB is not read whole for one word."""


class Window(NamedTuple):
    """A stretch of a text, from whole lines where they are not too long."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a text that a check points at: characters from `start` to `end`; `spans` counts its lines, from 1."""

    start: int
    end: int
    kind: str
    """Which shape it has (data, for the words)."""
    shown: str = ""
    """What may be quoted (a secret: masked; hidden text: decoded)."""
    sure: bool = True
    """False: perhaps, for a person to decide."""
    line: int = 0
    end_line: int = 0


def folded(text: str) -> str:
    """`text` in small letters, each character where it was (only U+0130 becomes longer when it is made small)."""
    return text.replace("\u0130", "I").lower()


_LONGEST: Final = 48
"""Characters of a word that is remembered: what is longer is data, or a line of a script without blanks, and comes once."""
_MOST_KNOWN: Final = 100_000
"""Words of texts that are remembered, about 10 MB: the vocabulary of some hundred megabytes of memory."""

_by_part: dict[str, set[str]] = {}
"""All words that rules look for, by the longest part of each without a blank: a text without that part has not the word."""
_by_start: dict[str, set[str]] = {}
"""Those parts by their first letters."""
_of_word: dict[str, frozenset[str]] = {}
"""Words of texts, and what of that may stand in them."""


def words(each: Iterable[str]) -> frozenset[str]:
    """`each`, ready to be looked for."""
    every = frozenset(each)
    for word in every:
        part = max(word.split(), key=len)
        _by_part.setdefault(part, set()).add(word)
        _by_start.setdefault(part[:2], set()).add(part)
    _of_word.clear()
    _held.cache_clear()
    return every


@lru_cache(maxsize=1)  # several rules ask for the same text, one after the other
def _held(text: str) -> frozenset[str]:
    """The words that a text may hold: all that it does hold are among them."""
    return frozenset[str]().union(*map(_words_in, set(text.split())))


def _words_in(token: str) -> frozenset[str]:
    """What may stand in a text for a word of it."""
    known = _of_word.get(token)
    if known is None:
        starts = _by_start.keys() & {*token, *(token[at : at + 2] for at in range(len(token)))}
        known = frozenset(word for start in starts for part in _by_start[start] if part in token for word in _by_part[part])
        if len(_of_word) >= _MOST_KNOWN:
            _of_word.clear()
        if len(token) <= _LONGEST:
            _of_word[token] = known
    return known


def found(text: str, group: frozenset[str]) -> list[tuple[int, str]]:
    """Where the words of `group` stand in `text` (in small letters), in order."""
    places: list[tuple[int, str]] = []
    for word in _held(text) & group:
        at = text.find(word)
        while at >= 0:
            places.append((at, word))
            at = text.find(word, at + len(word))
    return sorted(places)


def windows(text: str, sought: frozenset[str]) -> list[Window]:
    """The stretches of `text` that hold one of the words, in order and apart."""
    return stretches(text, (at for at, _ in found(text, sought)))


def stretches(text: str, places: Iterable[int]) -> list[Window]:
    """The stretches of `text` around `places` that rise, in order and apart."""
    out: list[Window] = []
    for at in places:
        if out and at < out[-1].end - _REACH // 2:
            continue
        least, most = max(0, at - _REACH), min(len(text), at + _REACH)
        start, end = text.rfind("\n", least, at) + 1 or least, line_end(text, at, most)
        if out and start <= out[-1].end:
            out[-1] = Window(out[-1].start, max(end, out[-1].end))
        else:
            out.append(Window(start, end))
    return out


def runs(text: str, least: int) -> Iterator[int]:
    """Where `least` or more letters, digits and signs of base64 stand without a blank, in order."""
    return (match.start() for match in re.finditer(rf"[A-Za-z0-9+/_~-]{{{least},}}", text))


def spans(text: str, hits: Iterable[Span]) -> list[Span]:
    """These with their lines, first place first; of two that overlap, the one that begins first (or is longer)."""
    out: list[Span] = []
    line, counted = 1, 0
    for hit in sorted(hits, key=lambda each: (each.start, -each.end, not each.sure)):
        if out and hit.start < out[-1].end:
            continue
        line += text.count("\n", counted, hit.start)
        counted = hit.start
        out.append(replace(hit, line=line, end_line=line + text.count("\n", hit.start, max(hit.start, hit.end - 1))))
    return out


def replaced(text: str, found: Iterable[Span], instead: Callable[[str], str]) -> str:
    """`text` with other words in each of these places; of two that overlap, the first counts."""
    out: list[str] = []
    at = 0
    for spot in sorted(found, key=lambda each: each.start):
        if spot.start >= at:
            out += (text[at : spot.start], instead(text[spot.start : spot.end]))
            at = spot.end
    return "".join((*out, text[at:]))
