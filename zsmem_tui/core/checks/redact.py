"""Mask credentials in both sides of a diff and leave everything else unchanged.

The length of each masked credential is shown, so that a difference in it remains visible.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from zsmem_tui.core.checks.secret import mask, secrets_in

_NO_TEXT: Final = re.compile("[\ud800-\udfff]")


def redacted(before: bytes | None, after: bytes | None) -> tuple[bytes | None, bytes | None]:
    """Both texts with credentials masked. Equal credentials get equal masks on both sides, different ones different masks."""
    sides = [None if raw is None else raw.decode("utf-8", "surrogateescape") for raw in (before, after)]
    shown: dict[str, str] = {}
    for text in sides:
        for secret in _secrets(text or ""):
            if secret not in shown:
                shown[secret] = _unique_mask(secret, set(shown.values()))
    if not shown:
        return before, after
    out = [None if text is None else _without(text, shown) for text in sides]
    raws = [None if text is None else text.encode("utf-8", "surrogateescape") for text in out]
    return raws[0], raws[1]


def _secrets(text: str) -> list[str]:
    found = secrets_in(text if text.isascii() else _NO_TEXT.sub("\ufffd", text))  # keeps all offsets
    return [text[spot.start : spot.end] for spot in found]


def _without(text: str, shown: Mapping[str, str]) -> str:
    """Mask these credentials in a text, including those recognized only on the other side."""
    for secret in sorted(shown, key=len, reverse=True):  # one may be part of another
        text = text.replace(secret, shown[secret])
    return text


def _unique_mask(secret: str, taken: Collection[str]) -> str:
    words = f"{mask(secret)} ({len(secret)} characters"
    number = 2
    out = f"{words})"
    while out in taken:
        out, number = f"{words}, number {number})", number + 1
    return out
