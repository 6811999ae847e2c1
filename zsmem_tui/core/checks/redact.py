"""Mask credentials: in both sides of a diff, where all else is unchanged, and in lines to show, where invisible text is decoded.

In a diff the length of each masked credential is shown, so that a difference in it remains visible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from zsmem_tui.core.checks.poison.hidden import hidden
from zsmem_tui.core.checks.scan import replaced
from zsmem_tui.core.checks.secret import mask, secrets_in
from zsmem_tui.core.text import earlier


def redacted(before: bytes | None, after: bytes | None) -> tuple[bytes | None, bytes | None]:
    """Both texts with credentials masked. Equal credentials get equal masks on both sides, different ones different masks."""
    sides = [None if raw is None else raw.decode("utf-8", "surrogateescape") for raw in (before, after)]
    shown: dict[str, str] = {}
    for text in sides:
        for secret in secret_words(text or ""):
            if secret not in shown:
                shown[secret] = _unique_mask(secret, set(shown.values()))
    if not shown:
        return before, after
    out = [None if text is None else _without(text, shown) for text in sides]
    raws = [None if text is None else text.encode("utf-8", "surrogateescape") for text in out]
    return raws[0], raws[1]


def secret_words(text: str) -> list[str]:
    """The credentials in a text."""
    return [text[spot.start : spot.end] for spot in secrets_in(text)]


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


def hidden_lines(lines: Iterable[str], shown: Iterable[str]) -> dict[str, str]:
    """Each of these lines that is `shown` with a credential masked, in that form; of lines masked alike, the later are numbered."""
    out = {line: masked for line, masked in zip(lines, shown, strict=True) if line != masked}
    for (line, masked), nth in zip(out.items(), earlier(out.values()), strict=True):
        out[line] = f"{masked} (another, number {nth + 1})" if nth else masked
    return out


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
