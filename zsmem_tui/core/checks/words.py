"""What a fact says, for comparing: its key, its content words, its numbers and whether it denies."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from zsmem_tui.core.checks.vocabulary import IRREGULAR, KANJI_DIGITS, KANJI_POWERS, NEGATIONS, NUMBER_WORDS, PAIR_OF, SMALL
from zsmem_tui.core.text import words

FEWEST_WORDS: Final = 4
"""Words of a fact that is long enough to be compared."""

FEWEST_CJK: Final = 8
"""The same in Chinese or Japanese characters."""

_LINK: Final = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\n]*\)|\[[^\[\]]*\])")
_WIKI: Final = re.compile(r"\[\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\]")
_EDGE_UNDERSCORES: Final = re.compile(r"(?<![\w])_+(?=\w)|(?<=[^\W_])_+(?!\w)")
_MARKS: Final = str.maketrans({"*": None, "`": None, "\ufeff": None, "\u200b": None})
_CURLY: Final = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00a0": " "})
_FINAL: Final = ".\u3002\uff0e \t"

CJK: Final = "\u3005\u3006\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_CJK_CHAR: Final = re.compile(f"[{CJK}]")
_TOKEN: Final = re.compile(
    "[0-9]+(?:[.,:][0-9]+)*|[\u3005\u3006\u30f6\u3400-\u4dbf\u4e00-\u9fff]+|[\u30a1-\u30f5\u30f7-\u30fa\u30fc]+"
    "|[^\\W\\d_\u3005-\u30ff\u3400-\u4dbf\u4e00-\u9fff][^\\W\u3005-\u30ff\u3400-\u4dbf\u4e00-\u9fff]*(?:'[a-z]+)?|[%\u00b0\u20ac$\u00b5]"
)
"""Numbers, runs of kanji, runs of katakana, words, and signs that are units."""

_JA_POSITIVE: Final = re.compile(
    "(?:\u306a|\u306a\u304f)(?:\u3051\u308c\u3070|\u3066\u306f)\u306a\u3089\u306a\u3044|\u306a(?:\u3051\u308c\u3070|\u304f\u3066\u306f)(?:\u306a\u3089\u306a\u3044|\u3044\u3051\u306a\u3044)"
    "|\u5c11\u306a\u3044|\u3057\u304b\u306a\u3044|\u5371\u306a\u3044|\u304b\u3082\u3057\u308c\u306a\u3044|\u9055\u3044\u306a\u3044"
)
_JA_NEGATIVE: Final = re.compile(
    "\u306a\u3044|\u307e\u305b\u3093|\u7981\u6b62|\u4e0d\u53ef|\u4e0d\u8981|\u7981\u3058|\u306a\u3057|\u7121\u3057|(?<!\u307e)\u305a(?=[\u3001\u306b])|\u3079\u304b\u3089\u305a|\u6c7a\u3057\u3066"
)


class Bag(NamedTuple):
    """The content words of a text in their order, its numbers, and whether it denies.

    `is_long`: it is long enough to be compared by its words. `has_pair`: it has a word that excludes another.
    """

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    denies: bool
    is_long: bool
    has_pair: bool


def key(text: str) -> str:
    """The words of a fact without emphasis, code ticks, link targets and final stop, blanks folded, in small letters."""
    if "[" in text:
        text = _LINK.sub(r"\1", _WIKI.sub(lambda found: found[2] or found[1], text))
    if "*" in text or "`" in text or not text.isascii():
        text = text.translate(_MARKS)
    if "_" in text:
        text = _EDGE_UNDERSCORES.sub("", text)
    if not text.isascii():
        text = text.translate(_CURLY)
    if "~~" in text:
        text = text.replace("~~", "")
    folded = " ".join(text.split() if text.isascii() else words(text))
    return folded.lower().rstrip(_FINAL)


def is_comparable(own: str) -> bool:
    """Whether a key is long enough to be compared at all."""
    return len(own) >= FEWEST_CJK and (
        own.count(" ") >= FEWEST_WORDS - 1 or (not own.isascii() and len(_CJK_CHAR.findall(own[:400])) >= FEWEST_CJK)
    )


def bag(own: str) -> Bag:
    """The content of a key."""
    if not own.isascii():
        return _mixed([(own, None)])
    pieces = own.split(" ")
    forms = [*map(_FORMS.__getitem__, pieces)]
    if None in forms:
        return _mixed(zip(pieces, forms, strict=True))
    found = tuple(chain.from_iterable(form for form in forms if form))
    return Bag(found, (), False, len(found) >= FEWEST_WORDS, False)


def _mixed(pieces: Iterable[tuple[str, tuple[str, ...] | None]]) -> Bag:
    """The content of a key that has more than plain words, in pieces with the form of those that are plain."""
    found: list[str] = []
    numbers: list[str] = []
    denies = has_pair = is_long = False
    for piece, form in pieces:
        if form is not None:
            found += form
            continue
        for word in _TOKEN.findall(piece):
            kind, folded, is_one_of_pair = _sorted(word) if not "0" <= word[0] <= "9" else (_Kind.NUMBER, _plain(word), False)
            has_pair = has_pair or is_one_of_pair
            if kind is _Kind.WORD:
                found.append(folded)
            elif kind is _Kind.NUMBER:
                numbers.append(folded)
            elif kind is _Kind.DENIAL:
                denies = True
            elif kind is _Kind.CJK:
                _cjk(word, found, numbers)
        if not piece.isascii():
            denies = denies or denies_in_japanese(piece)
            is_long = is_long or len(_CJK_CHAR.findall(piece[:400])) >= FEWEST_CJK
    is_long = is_long or len(found) + len(numbers) + denies >= FEWEST_WORDS
    return Bag(tuple(found), tuple(sorted(numbers)), denies, is_long, has_pair)


class _Kind(Enum):
    """What a token of a key is."""

    SMALL = 0
    WORD = 1
    NUMBER = 2
    DENIAL = 3
    CJK = 4


@lru_cache(maxsize=65_536)
def _sorted(word: str) -> tuple[_Kind, str, bool]:
    """What a token is, in which form it is compared, and whether it excludes another."""
    first, is_one_of_pair = word[0], word in PAIR_OF
    if word in NEGATIONS or word.endswith("n't"):
        return _Kind.DENIAL, "", is_one_of_pair
    if word in SMALL:
        return _Kind.SMALL, "", is_one_of_pair
    if "0" <= first <= "9":
        return _Kind.NUMBER, _plain(word), False
    if word in NUMBER_WORDS:
        return _Kind.NUMBER, str(NUMBER_WORDS[word]), False
    if "\u3005" <= first <= "\u9fff":
        return _Kind.CJK, word, is_one_of_pair or "曜" in word
    return _Kind.WORD, stem(word), is_one_of_pair


class _Forms(dict[str, tuple[str, ...] | None]):
    """What each piece of a key between two blanks adds to its content words; None where it is more than plain words."""

    def __missing__(self, piece: str) -> tuple[str, ...] | None:
        if "0" <= piece[:1] <= "9":
            return None  # a number is none of the few thousand words that come again
        sorted_words = [_sorted(word) for word in _TOKEN.findall(piece)]
        is_plain = all(kind in (_Kind.WORD, _Kind.SMALL) and not is_one_of_pair for kind, _, is_one_of_pair in sorted_words)
        form = tuple(folded for kind, folded, _ in sorted_words if kind is _Kind.WORD) if is_plain else None
        if len(self) >= _MOST_FORMS:
            self.clear()
        if len(piece) <= _LONGEST_FORM:
            self[piece] = form
        return form


_MOST_FORMS: Final = 65_536
_LONGEST_FORM: Final = 48
"""Pieces whose form is kept, and characters of one: the vocabulary of some hundred megabytes of memory, in about 10 MB."""
_FORMS: Final = _Forms()


def denies_in_japanese(text: str) -> bool:
    """Whether a Japanese sentence forbids or denies."""
    return bool(_JA_NEGATIVE.search(_JA_POSITIVE.sub("", text)))


def _cjk(run: str, found: list[str], numbers: list[str]) -> None:
    """A run of kanji or katakana: kanji one by one (words run into each other), numerals as numbers, katakana as a word."""
    if "\u30a1" <= run[0] <= "\u30ff":
        found.append(run)
        return
    value = 0
    for char in run:
        if char in KANJI_DIGITS:
            value = value * 10 + KANJI_DIGITS[char]
            numbers.append(str(KANJI_DIGITS[char]))
        elif char in KANJI_POWERS:
            numbers.append(char)
        else:
            found.append(char)


def _plain(number: str) -> str:
    """A number as it is compared: `1,000` and `1000` are the same, `07` and `7` in a time are not told apart."""
    head, comma, tail = number.partition(",")
    number = head + tail if comma and len(tail) == 3 else number
    return ":".join(part.lstrip("0") or "0" for part in number.split(":")) if ":" in number else number


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A word with its ending folded, so that forms of one word are the same. It need not be a word."""
    word = word.split("'", 1)[0] if "'" in word else word
    word = IRREGULAR.get(word, word)
    size = len(word)
    if size < 4 or not word.isalpha():
        return word
    if size > 6 and word.startswith("ge") and word.endswith(("t", "en")):
        word = word[2:]  # the participle of most German verbs
        size -= 2
    if word.endswith(("ies", "ied")) and size > 4:
        return word[:-3] + "i"
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "ings", "es")):
        word = word[:-1]
    for ending in ("ingly", "edly", "ings", "ing", "ed", "ern", "en", "em", "es", "er", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= (4 if ending in ("en", "em", "er", "ern", "ly") else 3):
            word = word[: -len(ending)]
            break
    if word.endswith("ation") and len(word) > 7:
        word = word[:-3]  # `validation` as `validat-ed`
    if word.endswith("e") and len(word) > 4:
        word = word[:-1]  # `delete` as `delet-ed`
    if word.endswith("tt") and len(word) > 4:
        word = word[:-1]  # `committ-ed` as `commit`
    if word.endswith("t") and len(word) > 4:
        word = word[:-1]  # a German verb; other words lose it alike
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 2 else word
