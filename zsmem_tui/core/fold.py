"""Simple Unicode case folding, one character to one (specification, section 6).

Text is folded once, when it is read; matching is then a plain search for the folded term. ASCII is folded by `bytes.lower()`, other
characters by a table, which is made only if a text is not ASCII: a page of Japanese costs no more than a page of English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from zsmem_tui.core.find import spans
from zsmem_tui.core.text import grouped, words

_ASCII: Final = bytes(range(128))
_WITH_CAPITALS: Final = (
    *((0xB5, 0x24E), (0x345, 0x556), (0x10A0, 0x10CD), (0x13F8, 0x13FD), (0x1C80, 0x1CBF), (0x1E00, 0x1FFC), (0x2126, 0x2183)),
    *((0x24B6, 0x24CF), (0x2C00, 0x2CF2), (0xA640, 0xA69A), (0xA722, 0xA7F5), (0xAB70, 0xABBF), (0xFF21, 0xFF3A)),
    *((0x10400, 0x10427), (0x104B0, 0x104D3), (0x10570, 0x10595), (0x10C80, 0x10CB2), (0x118A0, 0x118BF), (0x16E40, 0x16E5F)),
    (0x1E900, 0x1E921),
)
"""The first and the last character of the ranges in which folding changes any."""
_SINCE_UNICODE_15: Final = dict(
    zip(
        "\u1c89\u1fd3\u1fe3\ua7cb\ua7cc\ua7da\ua7dc\ufb06" + "".join(map(chr, range(0x10D50, 0x10D66))),
        "\u1c8a\u0390\u03b0\u0264\ua7cd\ua7db\u019b\ufb05" + "".join(map(chr, range(0x10D70, 0x10D86))),
        strict=True,
    )
)
"""What older versions of Python do not fold yet."""


@cache
def _table() -> dict[str, str]:
    """The non-ASCII characters that folding changes, with what they fold to: the small letter where full folding gives several."""
    chars = (chr(code) for first, last in _WITH_CAPITALS for code in range(first, last + 1))
    found = {char: same if len(same := char.casefold()) == 1 else char.lower() for char in chars}
    return {char: same for char, same in found.items() if same != char and len(same) == 1} | _SINCE_UNICODE_15


@cache
def _codes() -> dict[int, str]:
    return str.maketrans(_table())


@cache
def _forms() -> dict[str, list[bytes]]:
    """The non-ASCII characters, as UTF-8, by what they fold to: a query may have thousands of terms."""
    return grouped((same, char.encode()) for char, same in _table().items())


def fold(raw: bytes) -> bytes:
    """Case-fold `raw`; bytes that are not UTF-8 stay as they are."""
    if not changed_in(raw):
        return raw.lower()
    return re.sub(rb"[\x80-\xff]+", _folded_run, raw.lower())


def _folded_run(run: re.Match[bytes]) -> bytes:
    return run[0].decode("utf-8", "surrogateescape").translate(_codes()).encode("utf-8", "surrogateescape")


def fold_text(text: str) -> bytes:
    """Case-fold a text; lone surrogates become `?`."""
    return fold(text.encode("utf-8", "replace"))


def folded_text(text: str) -> str:
    """`fold_text` as text, with as many characters."""
    return fold_text(text).decode()


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
    """The non-ASCII characters in `raw` that folding changes, each once, as UTF-8."""
    if raw.isascii():
        return []
    found: set[str] = set()
    for piece in spans(raw):
        found |= _table().keys() & piece.translate(None, _ASCII).decode("utf-8", "ignore")
    return [char.encode() for char in found]
