"""Find sentences that give the reader of a memory orders which its user is unlikely to have written.

The patterns are in one table per language (`*.toml` beside this module): verbs, objects, and examples of each entry. A sentence is
an order if a verb and an object are close together in it and nothing before them makes them harmless: a prohibition ("never ..." is
how a user writes), or words that only report such an order.

A table has `harmless` (what before an order makes it none), `opening` (what before a verb makes it an order), `spaced` (false: no
blanks between words), `objects_first` (true: the verb comes last) and `words`, named lists that can be inserted as `{name}`. An
entry belongs to a family and has `look` (it is only tried on texts with one of these words: the rarer, the cheaper), `verbs`,
`examples`, and optionally `objects`, `gap` (the most characters between verb and object), `unless` (must not be in the sentence),
`opens` (true: the verb starts a clause) and `bare` (true: nothing makes it harmless). All but `look` are alternatives of a regular
expression, in lower case; a line may be broken before any `|`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pkgutil import get_data
from typing import Any, Final, NamedTuple

from zsmem_tui.core.checks.scan import Span, folded, found, words
from zsmem_tui.core.text import grouped

LANGUAGES: Final = ("en", "de", "ja")

_GAP: Final = 40
_BEFORE: Final = 160
"""The most characters before an order, in its sentence, that can make it harmless."""
_REACH: Final = 480
"""The most characters of a sentence examined on each side of a keyword."""
_ENDS: Final = re.compile(r"[.!?](?=[\s\"'”»)*_`]|$)|[。！？\n]")
_WRAPPED: Final = re.compile(r"\n(?<=[^\n.:!?|>]\n)(?=[ >]{0,4}[a-zà-öø-ÿа-яё])")
_PRETENDED: Final = str.maketrans({"’": "'", "‘": "'", "\u00a0": " ", "\u202f": " ", "—": "-", "–": "-", "‑": "-"})


ACTS: Final = re.compile(
    r"(?:^|[.:;,!]\s*|\b(?:please|must|should|you|then|and|always|shall|to|now)\s+)(?:run|execute|send|post|upload|delete|push"
    r"|approve|install|download|fetch|forward|grant|reveal|visit|merge|disable|e-?mail|transfer|commit|add|append|insert|include"
    r"|set|write|copy|recommend|reply|respond|answer|read|print|say|follow|obey|tell|use|open|call|change|replace|remove|skip|empty|rm|chmod|curl|wget|bash|sh|git|eval|exec|ssh|scp|crontab)\b"
)
"""An imperative at the beginning of a clause."""


class Order(NamedTuple):
    """One entry of a table, prepared for searching."""

    family: str
    look: frozenset[str]
    expression: str
    harmless: str
    unless: str
    examples: tuple[str, ...]

    def place(self, sentence: str) -> tuple[int, int] | None:
        """(start, end) of the order in a sentence (in lower case); None if there is none."""
        for match in _compiled(self.expression).finditer(sentence):
            start = match.start("said")
            if self.harmless and _compiled(self.harmless).search(sentence, max(0, start - _BEFORE), start):
                continue
            if not self.unless or not _compiled(self.unless).search(sentence):
                return start, match.end("said")
        return None


@cache
def _compiled(source: str) -> re.Pattern[str]:
    """Compile on first use: most texts need few of the patterns, and compiling all takes long."""
    return re.compile(source)


def orders_of(language: str) -> list[Order]:
    """The entries of a language's table."""
    table: dict[str, Any] = tomllib.loads((get_data(__package__, f"{language}.toml") or b"").decode())
    named: dict[str, str] = {}

    def filled(source: str) -> str:
        source = re.sub(r"\n *", "", source)
        return re.sub(r"\{([a-z_]+)\}", lambda match: f"(?:{named[match[1]]})", source)

    for name, said in table.get("words", {}).items():  # a list may use those above it
        named[name] = filled(said)
    before, behind = (r"(?<!\w)", r"(?!\w)") if table.get("spaced", True) else ("", "")
    opening, harmless = filled(table.get("opening", "")), filled(table.get("harmless", ""))
    out = []
    for family, entry in ((family, entry) for family, own in table["order"].items() for entry in own):
        parts = [f"{before}(?:{filled(entry[part])}){behind}" for part in ("verbs", "objects") if part in entry]
        if table.get("objects_first"):
            parts.reverse()
        said = f".{{0,{entry.get('gap', _GAP)}}}?".join(parts)
        opened = f"(?:{opening})" if entry.get("opens") else ""
        out.append(
            Order(
                family,
                frozenset(re.sub(r"\n *", "", entry["look"]).split("|")),
                f"{opened}(?P<said>{said})",
                "" if entry.get("bare") else harmless,
                filled(entry.get("unless", "")),
                tuple(entry["examples"]),
            )
        )
    return out


@cache
def _by_word() -> tuple[frozenset[str], dict[str, list[Order]]]:
    """The keywords to search for, and the orders that each may belong to."""
    by_word = grouped((word, each) for language in LANGUAGES for each in orders_of(language) for word in each.look)
    return words(by_word), by_word


def orders(small: str, text: str = "") -> Iterator[Span]:
    """Yield the orders in a text (in lower case), one per sentence at most; the original `text` shows which lines are wrapped."""
    sought, by_word = _by_word()
    places = found(small, sought)
    if not places:
        return
    flat = folded(_WRAPPED.sub(" ", text or small))
    start = end = 0
    own: dict[Order, None] = {}
    for at, word in places:
        if at >= end:
            yield from _first_order(flat[start:end], start, own)
            start, end = _sentence(flat, at, end)
            own = {}
        own |= dict.fromkeys(by_word[word])
    yield from _first_order(flat[start:end], start, own)


def _first_order(sentence: str, start: int, own: dict[Order, None]) -> Iterator[Span]:
    sentence = sentence if sentence.isascii() else sentence.translate(_PRETENDED)
    for each in own:
        place = each.place(sentence)
        if place is not None:
            yield Span(start + place[0], start + place[1], each.family)
            return


def is_order(text: str) -> bool:
    """Whether a text (in lower case) contains an order."""
    return next(orders(text), None) is not None


def _sentence(flat: str, at: int, least: int) -> tuple[int, int]:
    """(start, end) of the sentence around an offset, starting at `least` or later."""
    start = max(least, at - _REACH)
    for match in _ENDS.finditer(flat, start, at):
        start = match.end()
    end = _ENDS.search(flat, at, at + _REACH)
    return start, end.end() if end else min(len(flat), at + _REACH)
