"""Find words in a text, folded as the memory's search does: anywhere, or only whole words, as a person may ask who searches `port`
and does not mean `report`.

The agent's search has no whole words (specification, section 6); this only narrows its results.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from zsmem_tui.core.fold import folded_text

_WITHOUT_BLANKS: Final = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FFF),  # radicals
    (0x3005, 0x3007),  # signs that repeat a character, zero
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x3100, 0x312F),  # Bopomofo
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xA9E0, 0xA9FE),  # Burmese of the Shan
    (0xAA60, 0xAA7F),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x1B000, 0x1B16F),
    (0x20000, 0x3FFFF),
)
"""Characters of scripts without blanks between words: any position counts as a word boundary."""

_STARTS: Final = [first for first, _ in _WITHOUT_BLANKS]


def word_places(folded: str, word: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each place where `word` occurs as a whole word in `folded`, left to right."""
    at = folded.find(word) if word else -1
    while at >= 0:
        end = at + len(word)
        if is_whole(folded, at, end):
            yield at, end
            at = folded.find(word, end)
        else:
            at = folded.find(word, at + 1)


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether a part of a text begins and ends at word boundaries: words consist of letters, digits, marks and `_`."""
    return not (_joined(text, start) or _joined(text, end))


def holds_word(line: bytes, word: bytes) -> bool:
    """Whether a line of folded text contains a folded word as a whole word."""
    return word in line and any(True for _ in word_places(line.decode(), word.decode()))


def count_words(line: bytes, word: bytes) -> int:
    """How often a line of folded text contains a folded word as a whole word."""
    return sum(1 for _ in word_places(line.decode(), word.decode())) if word in line else 0


def word_finder(word: bytes) -> Callable[[bytes], bool]:
    """A function like `holds_word` for one word, quicker when called for many lines."""
    if not (word and word.isascii()):
        return partial(holds_word, word=word)
    # ASCII neighbors are checked by a pattern, in a tenth of the time
    before = rb"(?<![0-9A-Za-z_\x80-\xff])" if _is_part(chr(word[0])) else b""
    after = rb"(?![0-9A-Za-z_\x80-\xff])" if _is_part(chr(word[-1])) else b""
    plainly = re.compile(before + re.escape(word) + after).search
    return lambda line: plainly(line) is not None or (not line.isascii() and holds_word(line, word))


def _joined(text: str, at: int) -> bool:
    """Whether the characters on both sides of an offset belong to one word."""
    return 0 < at < len(text) and _is_part(text[at - 1]) and _is_part(text[at])


def _is_part(char: str) -> bool:
    """Whether a character belongs to words delimited by blanks or punctuation."""
    if char.isascii():
        return char.isalnum() or char == "_"
    place = bisect_right(_STARTS, ord(char)) - 1
    if place >= 0 and ord(char) <= _WITHOUT_BLANKS[place][1]:
        return False
    import unicodedata  # deferred: a cold search of ASCII text does not need it

    return unicodedata.category(char)[0] in "LMN"


def occurrences(text: str, wanted: str, *, whole_words: bool = False) -> list[tuple[int, int]]:
    """(start, end) character offsets of each occurrence, left to right, not overlapping.

    With `whole_words`, only where it is a word of its own.
    """
    return list(_places(folded_text(text), folded_text(wanted), whole_words))


def marks(text: str, terms: Sequence[str], *, whole_words: bool = False) -> list[tuple[int, int]]:
    """(start, end) of each occurrence of any folded term, left to right; overlapping or adjacent ones are joined."""
    folded = folded_text(text) if terms else ""
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
