"""Text as the agents written in TypeScript understand it: white space, lengths and cuts are JavaScript's.

Lengths count UTF-16 units, so an emoji is two, and a cut may leave half of one. Python's `strip`, `\\s` and `len` differ.
"""

from __future__ import annotations

import re
from typing import Final

SPACE: Final = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""White space. U+FEFF is in it, U+0085 and U+001C to U+001F are not."""

SPACES: Final = f"[{SPACE}]"
"""One of them, in a regular expression."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")


def trim(text: str) -> str:
    """`text` without white space at both ends."""
    return text.strip(SPACE)


def trim_start(text: str) -> str:
    """`text` without white space in front."""
    return text.lstrip(SPACE)


def trim_end(text: str) -> str:
    """`text` without white space at its end."""
    return text.rstrip(SPACE)


def units(text: str) -> int:
    """The length of `text` in UTF-16 units."""
    return len(text) if text.isascii() else len(text) + len(_ASTRAL.findall(text))


def first_units(text: str, count: int) -> str:
    """The first `count` units; half an emoji may be the last."""
    count = max(count, 0)
    if units(text) == len(text):
        return text[:count]
    return _of_units(_to_units(text)[: 2 * count])


def last_units(text: str, count: int) -> str:
    """The last `count` units; half an emoji may be the first."""
    if count <= 0:
        return ""
    if units(text) == len(text):
        return text[-count:]
    return _of_units(_to_units(text)[-2 * count :])


def decode(raw: bytes) -> str:
    """The text of a file: each ill-formed part becomes U+FFFD, a byte order mark stays."""
    return raw.decode("utf-8", "replace")


def encode(text: str) -> bytes:
    """The bytes of a text; half an emoji becomes U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()


def sort_key(text: str) -> bytes:
    """Orders texts by their units."""
    return text.encode("utf-16-be", "surrogatepass")


def _to_units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _of_units(raw: bytes) -> str:
    return raw.decode("utf-16-le", "surrogatepass")
