r"""Text functions with JavaScript's rules for white space, length and slicing, as agents written in TypeScript use them.

Lengths count UTF-16 units, so an emoji is two, and a slice may leave half of one. Python's `strip`, `\\s` and `len` differ.
"""

from __future__ import annotations

import re
from typing import Final

SPACE: Final = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""White space; includes U+FEFF, but not U+0085 and U+001C to U+001F."""

SPACES: Final = f"[{SPACE}]"
"""A regular expression for one of them."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")


def trim(text: str) -> str:
    """`text` without white space at both ends."""
    return text.strip(SPACE)


def trim_start(text: str) -> str:
    """`text` without leading white space."""
    return text.lstrip(SPACE)


def first_line(text: str) -> int:
    """The 1-based number of the first non-blank line."""
    return text[: len(text) - len(trim_start(text))].count("\n") + 1


def trim_end(text: str) -> str:
    """`text` without trailing white space."""
    return text.rstrip(SPACE)


def units(text: str) -> int:
    """The length of `text` in UTF-16 units."""
    return len(text) if text.isascii() else len(text) + len(_ASTRAL.findall(text))


def first_units(text: str, count: int) -> str:
    """The first `count` units; the last may be half an emoji."""
    count = max(count, 0)
    if units(text) == len(text):
        return text[:count]
    return _of_units(_to_units(text)[: 2 * count])


def last_units(text: str, count: int) -> str:
    """The last `count` units; the first may be half an emoji."""
    if count <= 0:
        return ""
    if units(text) == len(text):
        return text[-count:]
    return _of_units(_to_units(text)[-2 * count :])


def decode(raw: bytes) -> str:
    """Decode a file: invalid parts become U+FFFD, a byte order mark stays."""
    return raw.decode("utf-8", "replace")


def encode(text: str) -> bytes:
    """Encode a text; a lone surrogate becomes U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()


def sort_key(text: str) -> bytes:
    """A key that sorts texts by UTF-16 units."""
    return text.encode("utf-16-be", "surrogatepass")


def _to_units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _of_units(raw: bytes) -> str:
    return raw.decode("utf-16-le", "surrogatepass")
