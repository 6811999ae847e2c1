"""What Claude Code calls the memory of a project."""

from __future__ import annotations

import re
from typing import Final

INDEX: Final = "MEMORY.md"

LONGEST: Final = 200
"""Characters of a name before a hash takes the place of the rest."""

_OTHERS: Final = re.compile(r"[^A-Za-z0-9]+")


def encoded(folder: str) -> str:
    """The name of a folder's memory: everything but ASCII letters and digits becomes `-`, by UTF-16 unit."""
    name = _OTHERS.sub(lambda found: "-" * sum(2 if char > "\uffff" else 1 for char in found[0]), folder)
    if len(name) <= LONGEST:
        return name
    units = folder.encode("utf-16-le", "surrogatepass")
    codes = [int.from_bytes(units[at : at + 2], "little") for at in range(0, len(units), 2)]
    value = 0
    for code in codes:
        value = (31 * value + code) & 0xFFFFFFFF
    value = abs(value - (1 << 32) if value >> 31 else value)
    digits = ""
    while value:
        value, digit = divmod(value, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return f"{name[:LONGEST]}-{digits or '0'}"
