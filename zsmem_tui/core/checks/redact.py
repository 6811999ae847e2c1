"""The two sides of a diff as they may be shown: each credential cut down, everything else byte for byte.

Beside its first characters stands how long a credential is, so that a diff in which it is masked still shows that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from zsmem_tui.core.checks.secret import mask, secrets_in

_NO_TEXT: Final = re.compile("[\ud800-\udfff]")


def redacted(before: bytes | None, after: bytes | None) -> tuple[bytes | None, bytes | None]:
    """Both texts without a whole credential. One that stands in both looks the same in both, two that differ look different."""
    sides = [None if raw is None else raw.decode("utf-8", "surrogateescape") for raw in (before, after)]
    shown: dict[str, str] = {}
    for text in sides:
        for secret in _secrets(text or ""):
            if secret not in shown:
                shown[secret] = _shown(secret, set(shown.values()))
    if not shown:
        return before, after
    out = [None if text is None else _without(text, shown) for text in sides]
    raws = [None if text is None else text.encode("utf-8", "surrogateescape") for text in out]
    return raws[0], raws[1]


def _secrets(text: str) -> list[str]:
    found = secrets_in(text if text.isascii() else _NO_TEXT.sub("\ufffd", text))  # each place stays where it is
    return [text[spot.start : spot.end] for spot in found]


def _without(text: str, shown: Mapping[str, str]) -> str:
    """The text without any of these, also where only the other side tells them."""
    for secret in sorted(shown, key=len, reverse=True):  # one may stand within another
        text = text.replace(secret, shown[secret])
    return text


def _shown(secret: str, taken: Collection[str]) -> str:
    words = f"{mask(secret)} ({len(secret)} characters"
    number = 2
    out = f"{words})"
    while out in taken:
        out, number = f"{words}, number {number})", number + 1
    return out
