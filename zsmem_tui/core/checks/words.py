"""Reduce a fact or a lead to what is compared: its key, its content words, its numbers and whether it is negated."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Final, NamedTuple

from zsmem_tui.core.checks.document import COLONS
from zsmem_tui.core.text import words as listed

SMALL: Final = frozenset(
    listed("""a an the this that these those it its they them their there here he she his her we our us you your i me my one ones
    s t is are was were be been being am do does did done has have had having will would shall should can could may
    might must of in at to from by for with without into onto out as than then so and or but nor if when while where
    which who whom whose what how why any some each every all both same such very just also too only own about
    between during through again ever yes etc via per because since until der die das den dem des ein eine einen
    einem einer und oder ist sind war wird werden hat haben im am an auf aus bei bis mit nach von vom vor zu zum zur
    durch für als wie auch noch nur wenn es er sie wir man sich""")
)
"""Words without a meaning of their own. Words with an opposite, such as on and off, are not included."""

NEGATIONS: Final = frozenset(
    listed("""not no never none nor cannot cant dont doesnt isnt arent wont mustnt shouldnt didnt avoid forbid forbidden
    prohibited banned disallowed neither without nicht nie niemals kein keine keinen keinem keiner keines verboten
    ohne 禁止 厳禁 不可 不要""")
)

ORDER: Final = re.compile(
    r"(?:(?:we|you|please|should|must|always) )*(?:(?P<verb>use|prefer|run|call|write|commit|push|merge|add|put|keep|store"
    r"|import|install|deploy|log|send|edit|delete|change|start|restart|mock|indent|squash|pin|ask|(?<=always )[a-z]+)"
    r"|(?:(?:never|do not|don't|not|mustn't|shouldn't)(?: ever)?|avoid(?= [a-z]+ing )) (?P<forbidden>[a-z]+)|avoid) "
)
"""The start of a sentence that orders or forbids something."""

FEWEST_WORDS: Final = 4
"""The fewest words of a fact that is compared."""

FEWEST_CJK: Final = 8
"""The fewest CJK characters of a fact that is compared."""

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
"""Numbers, runs of kanji, runs of katakana, words, and signs of units."""

_DENIED: Final = re.compile("ない|ません|禁止|不可|不要|なし|無し|ず[、に]|べからず")
"""Negations in Japanese sentences."""


class Bag(NamedTuple):
    """The content words of a text in order, its numbers, and whether it is negated."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    denies: bool


def key(text: str) -> str:
    """Normalize a fact's text: no emphasis, backticks, link targets or final stop; single blanks; lower case."""
    if "[" in text:
        text = _LINK.sub(r"\1", _WIKI.sub(lambda found: found[2] or found[1], text))
    if "*" in text or "`" in text or not text.isascii():
        text = text.translate(_MARKS)
    if "_" in text:
        text = _EDGE_UNDERSCORES.sub("", text)
    if not text.isascii():
        text = text.translate(_CURLY)
    text = text.replace("~~", "")
    folded = " ".join(text.split() if text.isascii() else listed(text))
    return folded.lower().rstrip(_FINAL)


def is_comparable(own: str) -> bool:
    """Whether a key is long enough to be compared."""
    return len(own) >= FEWEST_CJK and (
        own.count(" ") >= FEWEST_WORDS - 1 or (not own.isascii() and len(_CJK_CHAR.findall(own[:400])) >= FEWEST_CJK)
    )


def bag(own: str) -> Bag:
    """The content words, numbers and negation of a key."""
    pieces = own.split(" ")
    is_kept = len(max(pieces, key=len)) <= _LONGEST_KEPT
    parts = [*map(_parts if is_kept else _parts.__wrapped__, pieces)]
    found = tuple(chain.from_iterable(map(itemgetter(0), parts)))
    numbers = tuple(sorted(chain.from_iterable(map(itemgetter(1), parts))))
    denies = any(map(itemgetter(2), parts))
    return Bag(found, numbers, denies)


_LONGEST_KEPT: Final = 48
"""The longest cached piece, in characters: the vocabulary of some hundred megabytes of memory fits in about 10 MB."""


@lru_cache(maxsize=65_536)
def _parts(piece: str) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """The content words, numbers and negation of a piece without blanks."""
    found: list[str] = []
    numbers: list[str] = []
    denies = False
    for word in _TOKEN.findall(piece):
        first = word[0]
        if word in NEGATIONS or word.endswith("n't"):
            denies = True
        elif "0" <= first <= "9":
            numbers.append(_normalized_number(word))
        elif "\u3005" <= first <= "\u9fff":
            found += [word] if "\u30a1" <= first <= "\u30ff" else word  # kanji one by one, since words are not separated
        elif word not in SMALL:
            found.append(stem(word))
    return tuple(found), tuple(numbers), denies or (not piece.isascii() and bool(_DENIED.search(piece)))


def _normalized_number(number: str) -> str:
    """Normalize a number: `1,000` to `1000`, and leading zeros removed in times."""
    head, comma, tail = number.partition(",")
    number = head + tail if comma and len(tail) == 3 else number
    return ":".join(part.lstrip("0") or "0" for part in number.split(":")) if ":" in number else number


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Reduce a word to a stem, equal for its inflected forms. The stem need not be a word."""
    word = word.split("'", 1)[0]
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "su":
        word = word[:-1]
    for ending in ("ion", "ing", "ed", "en", "er", "ly", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls" else word


_GENERAL: Final = frozenset(
    map(
        stem,
        listed("""rule preference convention general generally guideline guide note memory fact misc miscellaneous other tool
        tooling command setup workflow working development environment style code coding project basics important remember standard
        practice principle default decision session learned lesson overview summary user feedback team stack dependency package
        manager build instruction context knowledge people person contact regel allgemein werkzeug notiz sonstiges
        agent claude gemini copilot md"""),
    )
)
"""Words of headings that name no subject: an order below them holds everywhere."""


def subject(lead: str) -> str:
    """The normalized text of a heading or a lead, as two are compared."""
    return key(lead).rstrip(":\uff1a")


def names_nothing(heading: str) -> bool:
    """Whether a heading names no subject; a line that ends with a colon is over the lines below it alone."""
    own = bag(key(heading))
    return _GENERAL.issuperset(own.words) and not (own.denies or own.numbers or heading.endswith(COLONS))
