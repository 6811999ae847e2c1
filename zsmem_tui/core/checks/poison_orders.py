"""Sentences that give an agent orders which its user would hardly have written, in seven languages.

An order is told by what comes together in one sentence, not by its wording: a verb that overrides, a word for earlier, a word for
instructions. So each rule names what starts it, what else the sentence must hold and what makes of it something harmless, above all
a prohibition: "never ..." is how a user writes.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from zsmem_tui.core.checks import (
    poison_east,
    poison_english,
    poison_english_acts,
    poison_frames,
    poison_meanings,
    poison_sense_acts,
    poison_sense_deeds,
    poison_sense_habits,
    poison_sense_lies,
    poison_sense_orders,
    poison_sense_secrecy,
    poison_sense_theft,
    poison_west,
    poison_west_acts,
    poison_west_senses,
)
from zsmem_tui.core.checks.poison_rule import Order
from zsmem_tui.core.checks.scan import Hit, Words, found, stretches, words

_FRAMES: Final = (
    *poison_frames.ORDERS,
    *poison_meanings.ORDERS,
    *poison_sense_orders.ORDERS,
    *poison_sense_secrecy.ORDERS,
    *poison_sense_acts.ORDERS,
    *poison_sense_deeds.ORDERS,
    *poison_sense_lies.ORDERS,
    *poison_sense_habits.ORDERS,
    *poison_sense_theft.ORDERS,
)
_ENGLISH: Final = (*poison_english.ORDERS, *poison_english_acts.ORDERS)
_WEST: Final = (*poison_west.ORDERS, *poison_west_acts.ORDERS, *poison_west_senses.ORDERS)
ORDERS: Final[tuple[Order, ...]] = (*_ENGLISH, *_WEST, *poison_east.ORDERS, *_FRAMES)

_BY_WORD: Final[dict[str, list[Order]]] = {}
"""In small letters: a sentence without any of these words gives no such order."""


for _order in ORDERS:
    for _word in _order.words:
        _BY_WORD.setdefault(_word, []).append(_order)


def _group(orders: tuple[Order, ...], script: str, only_with: str = "") -> Words:
    """The words of some languages that are written with the letters of `script`, where the text has one of the signs."""
    letters = re.compile(script)
    every = sorted({word for each in orders for word in each.words if letters.fullmatch(word)})
    return words(every, only_with.split("|") if only_with else ())


_WESTERN: Final = (
    " der| die| das| den| dem| des | und | nicht| alle| ohne | dies| an | ein| ist |ä|ö|ü|ß| le | la "
    "| les | de | du |s les|é|è|ê|à|ç| el | los | las | que | en |ó|í|á|ñ|ú|ki:|ia:| al | se | lo | si |usuari|nutzer"
    "|utilisat|anweisung|instruc"
)
"""What no order in German, French or Spanish is without."""
_WORDS: Final = (
    _group((*_ENGLISH, *_FRAMES), r".+"),
    _group(_WEST, r"[^а-яё]+", _WESTERN),
    _group(_WEST, r".*[а-яё].*", "о|е|а|и"),
    _group(poison_east.ORDERS, r"[\x00-\x7f]+", "の|を|は|的|不|请|把|将|在|用|し|て|，|。|、|に"),
    _group(poison_east.ORDERS, r".*[^\x00-\x7f].*", "の|を|は|が|に|で|て|し|な|的|不|请|把|将|在|用|了|所有|，|。|、|忽|这|此|一"),
)

_ENDS: Final = re.compile(r"[.!?](?=[\s\"'”»)*_`]|$)|[。！？\n]")
_LONGEST_SENTENCE: Final = 480
"""Characters: what is longer is looked at in pieces, which overlap by half."""
_WRAPPED: Final = re.compile(r"\n(?<=[^\n.:!?|>]\n)(?=[ >]{0,4}[a-zà-öø-ÿа-яё])")
_PRETENDED: Final = str.maketrans({"’": "'", "‘": "'", "\u00a0": " ", "\u202f": " ", "—": "-", "–": "-", "‑": "-"})


def orders(small: str) -> Iterator[Hit]:
    """The orders in a text in small letters, wrapped lines and all."""
    places = found(small, *_WORDS)
    marks = [at for at, _ in places]
    for window in stretches(small, marks, around=1):
        held = _WRAPPED.sub(" ", small[window.start : window.end])
        held = held if held.isascii() else held.translate(_PRETENDED)
        for start, sentence in _sentences(held):
            first = bisect_left(marks, window.start + start)
            last = bisect_left(marks, window.start + start + len(sentence))
            if first < last:
                yield from _of(sentence, window.start + start, {word for _, word in places[first:last]})


def _of(sentence: str, start: int, held: set[str]) -> Iterator[Hit]:
    tried: set[int] = set()
    for word in held:
        for each in _BY_WORD[word]:
            if id(each) not in tried:
                tried.add(id(each))
                place = each.found(sentence)
                if place is not None:
                    yield Hit(start + place[0], start + place[1], each.family)
                    return


def is_order(text: str) -> bool:
    """Whether a text in small letters holds an order."""
    return next(orders(text), None) is not None


def _sentences(held: str) -> Iterator[tuple[int, str]]:
    at = 0
    for end in [*(match.end() for match in _ENDS.finditer(held)), len(held)]:
        while end - at > _LONGEST_SENTENCE:
            yield at, held[at : at + _LONGEST_SENTENCE]
            at += _LONGEST_SENTENCE // 2
        if end - at > 3:
            yield at, held[at:end]
        at = end
