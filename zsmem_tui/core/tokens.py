"""Estimate the number of tokens of a text."""

from __future__ import annotations

import re
from typing import Final

_WIDE: Final = re.compile("[\u1100-\u11ff\u2e80-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def estimate_tokens(text: str) -> int:
    """Estimate tokens: nine tenths per wide (CJK) character, a quarter per other character; at least 1."""
    wide = 0 if text.isascii() else len(re.findall(_WIDE, text))
    return max(1, wide * 9 // 10 + (len(text) - wide) // 4)
