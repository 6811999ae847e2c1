"""Sentences that give an agent orders which its user would hardly have written, in seven languages.

An order is told by what comes together in one sentence, not by its wording: a verb that overrides, a word for earlier, a word for
instructions. So each rule names what starts it, what else the sentence must hold and what makes of it something harmless, above all a
prohibition: "never ..." is how a user writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zsmem_tui.core.checks import poison_east, poison_english, poison_west
from zsmem_tui.core.checks.poison_rule import Order
from zsmem_tui.core.checks.scan import Hit, Window

ORDERS: Final[tuple[Order, ...]] = (*poison_english.ORDERS, *poison_west.ORDERS, *poison_east.ORDERS)

WORDS: Final = tuple(dict.fromkeys(word for order in ORDERS for word in order.words))
"""In small letters: a sentence without one of them gives no such order."""

_ENDS: Final = re.compile(r"[.!?](?=[\s\"'”»)*_`]|$)|[。！？\n]")
_LONGEST_SENTENCE: Final = 480
"""Characters: what is longer is looked at in pieces, which overlap by half."""
_WRAPPED: Final = re.compile(r"(?<=[^\n.:!?|>])\n(?=[ >]{0,4}[a-zà-öø-ÿа-яё])")
_PRETENDED: Final = str.maketrans({"’": "'", "‘": "'", "\u00a0": " ", "\u202f": " ", "—": "-", "–": "-", "‑": "-"})


def orders(small: str, window: Window) -> Iterator[Hit]:
    """The orders in a stretch of a text (`small`: the text in small letters, wrapped lines and all)."""
    held = _WRAPPED.sub(" ", small[window.start : window.end]).translate(_PRETENDED)
    for start, sentence in _sentences(held):
        for order in ORDERS:
            found = order.found(sentence)
            if found is not None:
                yield Hit(window.start + start + found[0], window.start + start + found[1], order.family)
                break


def is_order(text: str) -> bool:
    """Whether a short text holds an order."""
    return next(orders(text, Window(0, len(text))), None) is not None


def _sentences(held: str) -> Iterator[tuple[int, str]]:
    at = 0
    for end in [*(match.end() for match in _ENDS.finditer(held)), len(held)]:
        while end - at > _LONGEST_SENTENCE:
            yield at, held[at : at + _LONGEST_SENTENCE]
            at += _LONGEST_SENTENCE // 2
        if end - at > 3:
            yield at, held[at:end]
        at = end
