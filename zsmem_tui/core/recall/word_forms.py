"""Recognize forms of the same word, in English and German."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+")
_RUN: Final = re.compile("[぀-ゟ]+|[゠-ヿㇰ-ㇿー]+|[㐀-䶿一-鿿豈-﫿々]+|[\U00020000-\U0003ffff]+|[฀-๿]+|[຀-໿]+|[ក-៿]+|[က-႟]+")
"""Runs of one script without blanks: Hiragana, Katakana, Han, Thai, Lao, Khmer, Burmese."""

_SPELLED: Final = (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "s"), ("æ", "ae"), ("ø", "oe"), ("å", "a"), ("œ", "oe"))
_ALIKE: Final = (
    *(("ogue", "og"), ("ae", "a"), ("oe", "o"), ("ue", "u"), ("our", "or"), ("isation", "ization"), ("ise", "ize")),
    *(("ising", "izing"), ("yse", "yze"), ("ysing", "yzing"), ("ph", "f"), ("ck", "k"), ("ce", "se"), ("ci", "si"), ("cy", "sy")),
    *(("tre", "ter"), ("y", "i")),
)
"""Alternative spellings (umlauts, British and American), with the common form for both."""

_ENDINGS: Final = tuple(
    sorted(
        (
            *("ization", "izations", "izing", "ized", "izes", "ize", "ations", "ation", "ating", "ated", "ates", "ate"),
            *("ions", "ion", "ings", "ing", "edli", "ed", "es", "s", "ers", "er", "ors", "or", "li", "ments", "ment"),
            *("nes", "able", "ible", "als", "al", "ity", "ities", "iveli", "ive", "e", "y", "i", "ures", "ure", "ance"),
            *("ense", "ant"),
            *("ungen", "ung", "en", "n", "ern", "em", "st", "te", "ten", "t", "lich", "keit", "heit", "ig", "isch", "is"),
        ),
        key=len,
        reverse=True,
    )
)
_INFLECTIONS: Final = ("ings", "ing", "edli", "ed", "es", "en", "ern", "em", "s", "e", "n", "i", "te", "ten", "t")
_SHORTEST_STEM: Final = 3
_SHORTEST_PARTICIPLE: Final = 6
_DOUBLED: Final = re.compile(r"([^\W\d_aeiou])\1")
_SHORT: Final = 5
"""Words of up to this length may have one wrong letter, longer ones two."""

_LEAST_SPELLED: Final = 4
_LONG: Final = 8
LONGEST_TERM: Final = 64
"""The most letters of a term to examine: a longer one is no word."""


_APART: Final = {code: " " for code in range(128) if not chr(code).isalnum()} | {code: chr(code + 32) for code in range(65, 91)}
"""A translation table for ASCII text: lower-cases letters, keeps digits, turns all else into blanks. Faster than a regex."""


def words_of(text: str) -> set[str]:
    """All words of a text in lower case; for scripts without blanks, whole runs of text."""
    return set(text.translate(_APART).split() if text.isascii() else _WORD.findall(text.casefold()))


def plain(word: str) -> str:
    """A word in lower case and normal width (NFKC)."""
    return unicodedata.normalize("NFKC", word).casefold()


@lru_cache(maxsize=65536)
def sound(word: str) -> str:
    """Normalize alternative spellings, so that `colour` equals `color` and `Gebühr` equals `Gebuehr`."""
    word = plain(word)
    if not word.isascii():
        for letter, instead in _SPELLED:
            word = word.replace(letter, instead)
        word = "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))
    for letters, instead in _ALIKE:
        if letters in word:
            word = word.replace(letters, instead)
    return _DOUBLED.sub(r"\1", word)


@lru_cache(maxsize=65536)
def inflected(word: str) -> str:
    """A stem common to all inflected forms (case, number, tense) of a word; not necessarily a word."""
    return _without(sound(word), _INFLECTIONS, _SHORTEST_STEM)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A stem common to all derived words, such as `migrate`, `migration`, `migrations`; not necessarily a word."""
    return _without(_without(sound(word), _ENDINGS, _SHORTEST_STEM), _ENDINGS, _SHORTEST_STEM + 1)


def _without(word: str, endings: tuple[str, ...], least: int) -> str:
    return next((word[: -len(each)] for each in endings if word.endswith(each) and len(word) - len(each) >= least), word)


def spellings(word: str) -> set[str]:
    """A word without its ending, with umlauts spelled both ways."""
    bare = _without(word, _INFLECTIONS, _SHORTEST_STEM + 1)
    apart = close = bare
    for letter, letters in _SPELLED[:3]:
        apart, close = apart.replace(letter, letters), close.replace(letters, letter)
    return {apart, close}


def before_participle(word: str) -> str:
    """A German participle without its prefix (`gekündigt`: `kündigt`); empty for other words."""
    found = plain(word)
    return found[2:] if found.startswith("ge") and len(found) > _SHORTEST_PARTICIPLE and found.endswith(("t", "en")) else ""


def mistakes(word: str) -> int:
    """How many letters of a word may be wrong before it counts as another word."""
    if len(word) < _LEAST_SPELLED or word.isdigit() or runs_of(word):
        return 0
    return 1 if len(word) <= _SHORT else 2


def is_misspelled(one: str, other: str) -> bool:
    """Whether a word is probably another one with a wrong letter (two if it is long), the first letter being right."""
    most = min(mistakes(one), 1 if len(one) < _LONG else 2)
    return most > 0 and one[0] == other[0] and distance(one, other, most) <= most


def runs_of(word: str) -> list[str]:
    """The runs of one script in a word of scripts without blanks; empty for other words."""
    return _RUN.findall(plain(word))


def between_runs(word: str) -> list[str]:
    """What stands before, between and after those runs, such as a word in Latin letters; empty if there are none."""
    parts = _RUN.split(word)
    return [part for part in parts if part] if len(parts) > 1 else []


def distance(one: str, other: str, most: int) -> int:
    """The edit distance (insert, delete, replace, swap neighbors) of two words, counted up to `most` + 1."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        line = [row]
        for column, its in enumerate(other, 1):
            least = min(last[column] + 1, line[-1] + 1, last[column - 1] + (letter != its))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == its:
                least = min(least, before[column - 2] + 1)
            line.append(least)
        if min(line) > most:
            return most + 1
        before, last = last, line
    return last[-1]
