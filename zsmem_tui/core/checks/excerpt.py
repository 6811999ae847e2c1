"""Lines of a text as the doctor shows them: credentials masked, invisible text decoded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from zsmem_tui.core.checks.poison.hidden import hidden
from zsmem_tui.core.checks.scan import replaced
from zsmem_tui.core.checks.secret import mask, secrets_in

BLANK: Final = " "
LONGEST: Final = 2_000
"""The most characters of a line that are shown."""


def without(words: str, secrets: Iterable[str]) -> str:
    """Mask each of these credentials in a text."""
    for secret in secrets:
        words = words.replace(secret, mask(secret))
    return words


def shown(rows: Sequence[str]) -> str:
    """Join rows for display; each remains one line, whatever is masked in it."""
    text = "\n".join(row if len(row) <= LONGEST else f"{row[:LONGEST].rpartition(BLANK)[0]} …" for row in rows)
    text = replaced(text, secrets_in(text), lambda own: mask(own) + "\n" * own.count("\n"))
    unseen = list(hidden(text))
    said = {text[hit.start : hit.end]: hit.shown or "invisible characters" for hit in unseen}
    return replaced(text, unseen, lambda own: f"⟦{said[own]}⟧")
