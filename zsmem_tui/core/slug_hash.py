"""The hash in a slug, taken part by part and taken back (specification, section 2).

A slug has the low 32 bits of the hash alone. Multiplying and mixing in a byte never carry a higher bit down, so 32 bits are enough
to go on from a folder to those in it, and as the factor is odd, to go back: from a slug and the name it ends in to the hash of the
folder above. Naming a thousand slugs among as many folders then takes a look-up a folder, not a million hashes.
"""

from __future__ import annotations

from typing import Final, NamedTuple

START: Final = 0x84222325
"""The hash of no bytes."""

_PRIME: Final = 0x1B3
_SIZE: Final = 1 << 32
_MASK: Final = _SIZE - 1
_INVERSE: Final = pow(_PRIME, -1, _SIZE)
_DIGITS: Final = 8


class SlugParts(NamedTuple):
    """What a slug says: the cleaned name of the folder, and the hash of its path."""

    base: str
    value: int


def onwards(value: int, raw: bytes) -> int:
    """The hash of a path that goes on with `raw` after one whose hash is `value`."""
    for byte in raw:
        value = ((value ^ byte) * _PRIME) & _MASK
    return value


def back(value: int, raw: bytes) -> int:
    """The hash of what stood before `raw` in a path whose hash is `value`."""
    for byte in reversed(raw):
        value = ((value * _INVERSE) & _MASK) ^ byte
    return value


def parts(slug: str) -> SlugParts | None:
    """The two parts of a slug; None for a name that no folder has as its slug."""
    base, hyphen, digits = slug.rpartition("-")
    if not base or not hyphen or len(digits) != _DIGITS or any(char not in "0123456789abcdef" for char in digits):
        return None
    return SlugParts(base, int(digits, 16))


def folders_above(slug: SlugParts) -> tuple[int, int]:
    """The hash of the folder in which one of this slug lies, if its name needed no cleaning; the second is for the root, whose path
    ends in the slash."""
    name = slug.base.encode()
    return back(slug.value, b"/" + name), back(slug.value, name)
