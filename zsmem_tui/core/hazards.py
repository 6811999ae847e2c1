"""What makes a text suspicious: keys, orders to the agent, hidden characters."""

from __future__ import annotations

import re
from typing import Final

from zsmem_tui.core.constants import BLOCK_END
from zsmem_tui.core.finding import Finding, Rule

_CLOSING: Final = re.compile(re.escape(BLOCK_END))
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


_HAZARDS: Final = (
    (Rule.ENDS_BLOCK, _CLOSING),
    (Rule.SECRET, _KEYS),
    (Rule.ORDER, _ORDERS),
    (Rule.HIDDEN_CHARACTERS, _HIDDEN),
)


def hazards(text: str, place: str = "") -> tuple[Finding, ...]:
    """Why a text should be looked at before it is taken, each with its first line; `place` is where the text stands.

    A key is not quoted: a finding may be shown, logged or sent.
    """
    return tuple(_found(rule, place, text, match) for rule, shape in _HAZARDS if (match := shape.search(text)))


def ends_block(text: str, place: str = "", end: str = BLOCK_END) -> tuple[Finding, ...]:
    """The mark that ends the prompt block, where a text holds it."""
    match = re.search(re.escape(end), text)
    return (_found(Rule.ENDS_BLOCK, place, text, match),) if match else ()


def _found(rule: Rule, place: str, text: str, match: re.Match[str]) -> Finding:
    quoted = match[0] if rule is Rule.ENDS_BLOCK else ""
    return Finding(rule, place, text.count("\n", 0, match.start()) + 1, quoted)
