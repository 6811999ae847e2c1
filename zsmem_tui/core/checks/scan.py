"""Find the parts of a text that an expensive rule has to examine: windows around the keywords it requires.

Nearly all of a memory is prose made of the same few thousand words. Each distinct word is checked for keywords once and cached, so
that searching hundreds of keywords costs as little as looking up the page's own words, and regular expressions run only on the
windows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from zsmem_tui.core.text import line_begin, line_end

_REACH: Final = 600
"""The most characters examined on each side of a keyword, so that a line of 10 MB is not read whole."""


class Window(NamedTuple):
    """A part of a text, made of whole lines unless they are too long."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a text that a check reports: offsets `start` to `end`; `spans` sets its lines (1-based)."""

    start: int
    end: int
    kind: str
    """The variant of the rule, as used in messages."""
    shown: str = ""
    """The text that may be quoted (masked for a secret, decoded for hidden text)."""
    sure: bool = True
    """False: uncertain, for a person to decide."""
    line: int = 0
    end_line: int = 0


def folded(text: str) -> str:
    """`text` in lower case with offsets kept (only U+0130 would become longer)."""
    return text.replace("\u0130", "I").lower()


_LONGEST: Final = 48
"""The most characters of a cached word: longer ones are data, or lines of scripts without blanks, and occur once."""
_MOST_KNOWN: Final = 100_000
"""The most cached words, about 10 MB: the vocabulary of some hundred megabytes of memory."""

_by_part: dict[str, frozenset[str]] = {}
"""All keywords, by their longest part without a blank: a text without that part does not contain the keyword."""
_by_start: dict[str, frozenset[str]] = {}
"""These parts by their first two letters."""
_of_word: dict[str, frozenset[str]] = {}
"""Cache: the keywords that may occur around a word of a text."""


def words(each: Iterable[str]) -> frozenset[str]:
    """Register keywords to be searched for and return them as a set. Other threads may be searching meanwhile.

    What they find without the new ones goes to the caches of before.
    """
    global _of_word, _of_last_text
    every = frozenset(each)
    for word in every:
        part = max(word.split(), key=len)
        _by_part[part] = _by_part.get(part, frozenset()) | {word}
        _by_start[part[:2]] = _by_start.get(part[:2], frozenset()) | {part}
    _of_word, _of_last_text = {}, {}
    return every


def _possible_keywords(text: str) -> frozenset[str]:
    """The keywords that a text may contain: a superset of those that it does contain."""
    key, cache = (hash(text), len(text)), _of_last_text
    if (known := cache.get(key)) is None:
        cache.clear()
        known = cache[key] = frozenset[str]().union(*map(_words_in, set(text.split())))
    return known


_of_last_text: dict[tuple[int, int], frozenset[str]] = {}
"""Cache of one text, by hash and length: several rules ask for the same one in turn. It does not hold the text."""


def _words_in(token: str) -> frozenset[str]:
    """The keywords that may occur where a text has this word."""
    cache = _of_word
    known = cache.get(token)
    if known is None:
        starts = [each for each in {*token, *(token[at : at + 2] for at in range(len(token)))} if each in _by_start]
        known = frozenset(word for start in starts for part in _by_start[start] if part in token for word in _by_part[part])
        if len(cache) >= _MOST_KNOWN:
            cache.clear()
        if len(token) <= _LONGEST:
            cache[token] = known
    return known


def found(text: str, group: frozenset[str]) -> list[tuple[int, str]]:
    """(offset, keyword) for all keywords of `group` in `text` (lower case), in order."""
    places: list[tuple[int, str]] = []
    for word in _possible_keywords(text) & group:
        at = text.find(word)
        while at >= 0:
            places.append((at, word))
            at = text.find(word, at + len(word))
    return sorted(places)


def windows(text: str, sought: frozenset[str]) -> list[Window]:
    """The windows of `text` that contain one of the keywords, in order and not overlapping."""
    return stretches(text, (at for at, _ in found(text, sought)))


def stretches(text: str, places: Iterable[int]) -> list[Window]:
    """The windows around the rising offsets `places`, in order and not overlapping."""
    out: list[Window] = []
    for at in places:
        if out and at < out[-1].end - _REACH // 2:
            continue
        most = min(len(text), at + _REACH)
        start, end = line_begin(text, at, at - _REACH), line_end(text, at, most)
        if out and start <= out[-1].end:
            out[-1] = Window(out[-1].start, max(end, out[-1].end))
        else:
            out.append(Window(start, end))
    return out


def runs(text: str, least: int) -> Iterator[int]:
    """The offsets of runs of `least` or more base64 characters, in order."""
    return (match.start() for match in re.finditer(rf"[A-Za-z0-9+/_~-]{{{least},}}", text))


def spans(text: str, hits: Iterable[Span]) -> list[Span]:
    """Sort hits by offset and set their lines; of overlapping ones keep the one that starts first (or is longer)."""
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
    """Replace each of these places by `instead(text)`; of overlapping ones, the first counts."""
    out: list[str] = []
    at = 0
    for spot in sorted(found, key=lambda each: each.start):
        if spot.start >= at:
            out += (text[at : spot.start], instead(text[spot.start : spot.end]))
            at = spot.end
    return "".join((*out, text[at:]))
