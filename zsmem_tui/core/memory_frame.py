"""The block of memory as it is handed to an agent that does not make it itself: no text in it can end its frame."""

from __future__ import annotations

import re
from typing import Final

_UNSEEN: Final = r"\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
"""What may stand between the letters of a mark without being seen."""

_NAMES: Final = ("memory", "system-reminder")
"""The frame of the block itself, and the one that an agent puts around what a hook answers."""

_ANY_NAME: Final = "|".join(f"[{_UNSEEN}]*".join(name) for name in _NAMES)
_MARK: Final = re.compile(rf"<(?=[\s{_UNSEEN}]*/?[\s{_UNSEEN}]*(?:{_ANY_NAME})(?![\w-]))", re.IGNORECASE)

NOTE: Final = "(Marks in these texts that would begin or end such a block are written with &lt; here.)"


def with_safe_frame(block: str) -> str:
    """The block with every mark inside that would begin or end a frame written with `&lt;`, which its first line says then.

    The bytes that zerostack itself has in its prompt are `context_block`: this is for hooks and prompts of other agents.
    """
    opening, closing = block.find(">") + 1, block.rfind("<")
    inner, count = _MARK.subn("&lt;", block[opening:closing])
    return f"{block[:opening]}\n{NOTE}{inner}{block[closing:]}" if count else block
