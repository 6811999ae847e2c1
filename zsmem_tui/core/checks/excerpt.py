"""Lines of a text as the doctor shows them: as many as there are, credentials masked, what nobody sees decoded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from zsmem_tui.core.checks.poison.hidden import hidden
from zsmem_tui.core.checks.secret import mask, secrets_in

BLANK: Final = " "
LONGEST: Final = 2_000
"""Characters of a line that are shown."""


def without(words: str, secrets: Iterable[str]) -> str:
    """Words with each of these credentials cut down."""
    for secret in secrets:
        words = words.replace(secret, mask(secret))
    return words


def shown(rows: Sequence[str]) -> str:
    """The rows as one text. Each stays a line of its own, whatever is cut down in it."""
    text = "\n".join(row if len(row) <= LONGEST else f"{row[:LONGEST].rpartition(BLANK)[0]} …" for row in rows)
    put = {(spot.start, spot.end): mask(text[spot.start : spot.end]) for spot in secrets_in(text)}
    put |= {(hit.start, hit.end): f"⟦{hit.shown or 'invisible characters'}⟧" for hit in hidden(text)}
    out: list[str] = []
    at = 0
    for (start, end), instead in sorted(put.items()):
        if start >= at:
            out += (text[at:start], instead, "\n" * text.count("\n", start, end))
            at = end
    return "".join((*out, text[at:]))
