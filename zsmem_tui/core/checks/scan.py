"""Where in a text a costly rule has to look: the lines around words that it cannot do without.

Nearly all of a memory is ordinary prose. Looking for fixed words is a hundred times cheaper than trying a hundred regular
expressions at every character, so each rule names its words and the expressions see only what stands around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from zsmem_tui.core.checks.lexicon import Lexicon
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


@dataclass(frozen=True, slots=True)
class Words:
    """Words that a rule cannot do without, ready to be looked for; not one of `only_with` in a text: none of them is looked for."""

    words: frozenset[str]
    only_with: tuple[str, ...] = ()


_LEXICON: Final = Lexicon()
"""The words of all rules: a text's own words are looked up once for all of them."""


_known: dict[tuple[int, int], frozenset[str]] = {}
"""What the last texts hold, by their length and hash: several rules ask for the same text, and a large one is not kept for that."""
_MOST_KNOWN: Final = 8


def words(each: Iterable[str], only_with: Iterable[str] = ()) -> Words:
    """`each`, ready to be looked for."""
    every = frozenset(each)
    _LEXICON.add(every)
    _known.clear()
    return Words(every, tuple(only_with))


def held(text: str, group: Words) -> frozenset[str]:
    """The words of `group` that `text` (in small letters) may hold: all that it does hold are among them."""
    own = (len(text), hash(text))
    near = _known.get(own)
    if near is None:
        near = _LEXICON.held(text)
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[own] = near
    near = near & group.words
    return near if near and (not group.only_with or any(sign in text for sign in group.only_with)) else frozenset()


def found(text: str, *groups: Words) -> list[tuple[int, str]]:
    """Where the words of `groups` stand in `text` (in small letters), in order."""
    sought = [word for group in groups for word in held(text, group)]
    if not sought:
        return []
    narrow = text.encode("latin-1", "replace")  # one byte a character, so that places are the same
    places: list[tuple[int, str]] = []
    for word in sought:
        if word.isascii():
            wanted = word.encode()
            at = find(narrow, wanted)
            while at >= 0:
                places.append((at, word))
                at = find(narrow, wanted, at + len(wanted))
        else:
            at = text.find(word)
            while at >= 0:
                places.append((at, word))
                at = text.find(word, at + len(word))
    return sorted(places)


def windows(text: str, sought: Words, around: int = 0) -> list[Window]:
    """The stretches of `text` that hold one of the words, in order and apart, with `around` more lines on each side."""
    return stretches(text, (at for at, _ in found(text, sought)), around)


def stretches(text: str, places: Iterable[int], around: int = 0) -> list[Window]:
    """The stretches of `text` around `places` that rise, in order and apart."""
    out: list[Window] = []
    for at in places:
        if out and at < out[-1].end - _REACH // 2:
            continue
        start, end = _line_start(text, at, around), _line_end(text, at, around)
        if out and start <= out[-1].end:
            out[-1] = Window(out[-1].start, max(end, out[-1].end))
        else:
            out.append(Window(start, end))
    return out


_RUN_CHARACTERS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-")
_TO_RUNS: Final = bytes(ord("a") if code in _RUN_CHARACTERS else 0x20 for code in range(256))


def runs(text: str, least: int) -> Iterator[int]:
    """Where `least` or more letters, digits and signs of base64 stand without a blank, in order."""
    raw = text.encode("latin-1", "replace").translate(_TO_RUNS)
    run = b"a" * least
    at = find(raw, run)
    while at >= 0:
        yield at
        end = raw.find(b" ", at)
        at = find(raw, run, end) if end >= 0 else -1


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
