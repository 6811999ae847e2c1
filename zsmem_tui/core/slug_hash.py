"""Compute the hash in a slug incrementally, and reverse it (specification, section 2).

A slug has the low 32 bits of the hash. Neither multiplication nor XOR carries higher bits down, so 32 bits are enough to go on from
a folder's hash to those of its subfolders; since the factor is odd, it can be inverted: a slug and the folder's name give the hash
of its parent. Naming a thousand slugs among as many folders takes one look-up per folder, not a million hashes.
"""

from __future__ import annotations

from typing import Final, NamedTuple

START: Final = 0x84222325
"""The hash of an empty path."""

_PRIME: Final = 0x1B3
_SIZE: Final = 1 << 32
_MASK: Final = _SIZE - 1
_INVERSE: Final = pow(_PRIME, -1, _SIZE)
_DIGITS: Final = 8


class SlugParts(NamedTuple):
    """The parts of a slug: the folder's cleaned name and the hash of its path."""

    base: str
    value: int


def onwards(value: int, raw: bytes) -> int:
    """The hash of a path extended by `raw`; `value` is the hash before."""
    for byte in raw:
        value = ((value ^ byte) * _PRIME) & _MASK
    return value


def back(value: int, raw: bytes) -> int:
    """The hash of a path before `raw` was appended; `value` is the hash after."""
    for byte in reversed(raw):
        value = ((value * _INVERSE) & _MASK) ^ byte
    return value


def parts(slug: str) -> SlugParts | None:
    """Split a slug; None if the name has not the form of a slug."""
    base, hyphen, digits = slug.rpartition("-")
    if not base or not hyphen or len(digits) != _DIGITS or any(char not in "0123456789abcdef" for char in digits):
        return None
    return SlugParts(base, int(digits, 16))


def folders_above(slug: SlugParts) -> tuple[int, int]:
    """The hash of the parent folder, if the name needed no cleaning; the second value is for the root as parent, whose path ends in
    a slash.
    """
    name = slug.base.encode("utf-8", "surrogateescape")
    return back(slug.value, b"/" + name), back(slug.value, name)
