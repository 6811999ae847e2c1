"""Make the memory block safe to embed in another agent's prompt: no text in it can close the surrounding tags."""

from __future__ import annotations

import re
from typing import Final

_UNSEEN: Final = r"\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
"""Invisible characters that may be hidden between the letters of a tag."""

_NAMES: Final = ("memory", "system-reminder")
"""The tag of the block itself, and the one that an agent puts around the output of a hook."""

_ANY_NAME: Final = "|".join(f"[{_UNSEEN}]*".join(name) for name in _NAMES)
_MARK: Final = re.compile(rf"<(?=[\s{_UNSEEN}]*/?[\s{_UNSEEN}]*(?:{_ANY_NAME})(?![\w-]))", re.IGNORECASE)

NOTE: Final = "(Marks in these texts that would begin or end such a block are written with &lt; here.)"


def with_safe_frame(block: str) -> str:
    """Escape `<` as `&lt;` in every tag inside the block that would open or close a frame; a note at its start then says so.

    For hooks and prompts of other agents; the bytes in zerostack's own prompt are `context_block`.
    """
    opening, closing = block.find(">") + 1, block.rfind("<")
    inner, count = _MARK.subn("&lt;", block[opening:closing])
    return f"{block[:opening]}\n{NOTE}{inner}{block[closing:]}" if count else block
