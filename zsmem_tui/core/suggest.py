"""What somebody may have meant by a word that means nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_LIKE: Final = 0.6
"""How alike two words must be, from 0 to 1: a letter lost, doubled, changed or two swapped in a word of four or more."""


def near(word: str, known: Iterable[str]) -> str:
    """The known word that is meant, as far as one can guess: one of a part and this, one that begins so, else the most alike."""
    from difflib import get_close_matches  # 6 ms, only after a mistake

    words = sorted(known)
    ends = [each for each in words if each.endswith(f".{word}")]
    begun = ends or [each for each in words if len(word) > 1 and each.lower().startswith(word.lower())]
    found = begun[:1] or get_close_matches(word, words, 1, _LIKE) or get_close_matches(word.lower(), words, 1, _LIKE)
    return found[0] if found else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The question behind a refusal, with a blank before it; empty where nothing is near."""
    found = near(word, known)
    return f" Did you mean {found!r}?" if found else ""
