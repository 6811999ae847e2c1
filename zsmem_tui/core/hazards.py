"""What makes a text suspicious: keys, orders to the agent, hidden characters."""

from __future__ import annotations

import re
from typing import Final

_KEYS: Final = re.compile(
    r"sk-[A-Za-z0-9_-]{16,}|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{20,}|xox[baprs]-[A-Za-z0-9-]{10,}|AIza[0-9A-Za-z_-]{30,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}"
    r"|(?i:password|passwd|secret|token|api[_-]?key)\s*[:=]\s*['\"]?[^\s'\"]{8,}"
)
_ORDERS: Final = re.compile(
    r"(?i)\b(?:ignore|disregard|forget)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all)\b[^.\n]{0,30}"
    r"\b(?:instruction|prompt|rule|message)s?"
    r"|\byou are now\b|\bsystem prompt\b|\bdo not tell the user\b|\bwithout (?:asking|telling) the user\b"
    r"|<\s*/?\s*(?:system|assistant)\s*>"
)
_HIDDEN: Final = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufff9-\ufffb\U000e0000-\U000e007f]")


def hazards(text: str) -> str:
    """Why a text should be looked at before it is taken; empty when nothing stands out."""
    found = []
    if "</memory>" in text:
        found.append("holds </memory>, which would end the prompt block early")
    if _KEYS.search(text):
        found.append("has the shape of a key or password")
    if _ORDERS.search(text):
        found.append("reads like an order to the agent")
    if _HIDDEN.search(text):
        found.append("holds hidden characters")
    return ", ".join(found)
