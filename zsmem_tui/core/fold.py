"""Simple Unicode case folding, one character to one (specification, section 6).

Text is folded once, when it is read; matching is then a plain search for the folded term. ASCII is folded by `bytes.lower()`, other
characters by the table in `fold_table`, which is used only if a text contains a character it changes: a page of Japanese costs no
more than a page of English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from zsmem_tui.core.find import spans
from zsmem_tui.core.fold_table import FOLDED_FROM, FOLDED_TO
from zsmem_tui.core.text import words

_ASCII: Final = bytes(range(128))


_CHANGED: Final = frozenset(FOLDED_FROM)


@cache
def _table() -> dict[int, str]:
    return dict(zip(map(ord, FOLDED_FROM), FOLDED_TO, strict=True))


@cache
def _forms() -> dict[str, list[bytes]]:
    """The non-ASCII characters, as UTF-8, by what they fold to: a query may have thousands of terms."""
    found: dict[str, list[bytes]] = {}
    for char, same in zip(FOLDED_FROM, FOLDED_TO, strict=True):
        if char > "\x7f":
            found.setdefault(same, []).append(char.encode())
    return found


def fold(raw: bytes) -> bytes:
    """Case-fold `raw`, which must be valid UTF-8."""
    if raw.isascii():
        return raw.lower()
    if not changed_in(raw):
        return raw.lower()
    table = _table()
    return re.sub(rb"[\x80-\xff]+", lambda run: run[0].decode().translate(table).encode(), raw.lower())


def fold_text(text: str) -> bytes:
    """Case-fold a text; lone surrogates become `?`."""
    return fold(text.encode("utf-8", "replace"))


def terms_of(wanted: str) -> list[bytes]:
    """Split what a person typed into a filter into folded words that must all be found."""
    return [fold_text(word) for word in words(wanted)]


def holds(text: str, terms: Sequence[bytes]) -> bool:
    """Whether a text contains all of these folded terms."""
    if not terms:
        return True
    folded = fold_text(text)
    return all(term in folded for term in terms)


def others_of(needle: bytes) -> list[bytes]:
    """The non-ASCII characters, as UTF-8, that fold to a character of `needle`."""
    try:
        chars = dict.fromkeys(needle.decode())
    except UnicodeDecodeError:
        return []
    forms = _forms()
    return [form for char in chars for form in forms.get(char, ())]


def changed_in(raw: bytes) -> list[bytes]:
    """The non-ASCII characters in `raw` (valid UTF-8) that folding changes, each once, as UTF-8."""
    if raw.isascii():
        return []
    found: set[str] = set()
    for piece in spans(raw):
        found |= _CHANGED.intersection(piece.translate(None, _ASCII).decode())
    return [char.encode() for char in found]
