"""Suggest known words for a mistyped one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_LIKE: Final = 0.7
"""The least similarity from 0 to 1: one letter lost, doubled or changed, or two swapped, in a word of four or more."""


def near(word: str, known: Iterable[str]) -> str:
    """The most likely known word: one that ends in `.word`, one that starts with `word`, else the most similar; empty if none.

    Of those with the same last part after a dot, the one whose front is similar, else the first that is known.
    """
    from difflib import get_close_matches  # deferred: 6 ms, needed only after a mistake

    words = list(known)
    front, dot, last = word.rpartition(".")
    if alike := [each[: -len(last) - 1] for each in words if dot and each.endswith(f".{last}")]:
        return f"{(get_close_matches(front, alike, cutoff=_LIKE) or alike)[0]}.{last}"
    words.sort()
    ends = [each for each in words if each.endswith(f".{word}")]
    begun = ends or [each for each in words if len(word) > 1 and each.lower().startswith(word.lower())]
    found = begun or get_close_matches(word, words, cutoff=_LIKE) or get_close_matches(word.lower(), words, cutoff=_LIKE)
    return found[0] if found else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The question to append to a message, with a leading blank; empty if nothing is similar."""
    found = near(word, known)
    return f" Did you mean {found!r}?" if found else ""
