"""Find text that another machine has forgotten, so that it is forgotten here, too."""

from __future__ import annotations

from typing import Final

FORGOTTEN: Final = b"[forgotten]"
"""Replaces forgotten text."""


def forgotten_in(old: bytes, new: bytes) -> bytes:
    """The string whose replacement by the mark turns `old` into `new`; empty if that is not the only difference."""
    pieces = new.split(FORGOTTEN)
    at = len(pieces[0])
    if old == new or len(pieces) < 2 or old[:at] != pieces[0]:
        return b""
    for number in range(1, len(pieces)):
        after = b"".join(pieces[number : number + 1])
        end = old.find(after, at) if after else len(old)
        while 0 <= end <= len(old):
            secret = old[at:end]
            if secret and secret != FORGOTTEN and old.replace(secret, FORGOTTEN) == new:
                return secret
            end = old.find(after, end + 1) if after else -1
        at += len(FORGOTTEN) + len(after)
        if old[:at] != FORGOTTEN.join(pieces[: number + 1]):
            return b""
    return b""
