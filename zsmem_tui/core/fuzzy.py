"""Finding things by what one half remembers of their names: every word typed must be in there, if need be letter by letter."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from zsmem_tui.core.fold import fold
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.core.text import words

_SLICE: Final = 4_000
"""Names between two looks at whether somebody still wants to know: about 2 ms."""

_EXACT, _START, _WORD, _INSIDE, _REST_WORD, _REST, _LETTERS, _REST_LETTERS = range(0, 80, 10)
"""How well a word fits, the best first: the name itself, its start, the start of a word in it, inside; then all that else is known
of the thing; then only its letters in their order."""


class Named(NamedTuple):
    """What something is found by, folded: its `name`, and what `else` is known of it. Both in one text, `size` where they meet."""

    text: str
    size: int


def named(name: str, rest: str = "") -> Named:
    """What a thing with this name is found by."""
    folded = folded_text(name)
    return Named(f"{folded}\n{folded_text(rest)}", len(folded))


def folded_text(text: str) -> str:
    """A text in which letters that differ only in case are the same."""
    return fold(text.encode("utf-8", "replace")).decode("utf-8", "replace")


def best(query: str, names: Sequence[Named], limit: int, *, cancelled: Callable[[], bool] = never) -> tuple[list[int], int]:
    """The places of the `limit` names that fit best, those that fit alike in the order given, and how many fit.

    A word that is only there letter by letter counts where there are fewer than `limit` that hold it whole. Raises `Cancelled`.
    """
    wanted = [folded_text(word) for word in words(query)]
    if not wanted:
        return list(range(min(limit, len(names)))), len(names)
    first, *others = sorted(wanted, key=len, reverse=True)
    whole: list[int] = []
    for start in _slices(names, cancelled):
        whole += [at for at, name in enumerate(names[start : start + _SLICE], start) if first in name.text]
    for word in others:
        whole = [at for at in whole if word in names[at].text]
    found = whole
    if len(whole) < limit:
        held = set(whole)
        for start in _slices(names, cancelled):
            some = enumerate(names[start : start + _SLICE], start)
            found = found + [at for at, name in some if at not in held and all(_loosely(word, name) for word in wanted)]
    scored = [(sum(_fit(word, names[at]) for word in wanted), at) for at in found]
    return [at for _, at in heapq.nsmallest(limit, scored)], len(found)


def _slices(names: Sequence[Named], cancelled: Callable[[], bool]) -> Iterator[int]:
    """Where each slice of the names begins, as long as somebody wants to know."""
    for start in range(0, len(names), _SLICE):
        if cancelled():
            raise Cancelled
        yield start


def marks(query: str, label: str) -> list[tuple[int, int]]:
    """Which parts of a label to mark for a query: the words in it, else their letters one by one. Cells are not counted."""
    text = folded_text(label)
    if len(text) != len(label):
        return []
    found: list[tuple[int, int]] = []
    for word in (folded_text(each) for each in words(query)):
        at = text.find(word)
        if at >= 0:
            found.append((at, at + len(word)))
        elif hit := _letters(word).anywhere.search(text):
            at = hit.start()
            for letter in word:
                at = text.index(letter, at)
                found.append((at, at + 1))
                at += 1
    return found


def _loosely(word: str, name: Named) -> bool:
    """Whether a word is there: whole anywhere, by its letters in the name, or by its letters in one word of the rest."""
    patterns = _letters(word)
    return bool(
        patterns.anywhere.search(name.text, 0, name.size) or word in name.text or patterns.in_a_word.search(name.text, name.size)
    )


def _fit(word: str, name: Named) -> int:
    """How well a word fits that is in there: lower is better."""
    at = name.text.find(word)
    if at < 0:
        hit = _letters(word).anywhere.search(name.text, 0, name.size)
        return _LETTERS + min(9, (hit.end() - hit.start() - len(word)) // 2) if hit else _REST_LETTERS
    if at == 0:
        return _EXACT if len(word) == name.size else _START
    if at + len(word) <= name.size:
        return _WORD if _begins(name.text, word, 0, name.size) else _INSIDE
    return _REST_WORD if _begins(name.text, word, name.size, len(name.text)) else _REST


def _begins(text: str, word: str, start: int, end: int) -> bool:
    """Whether a word of a part of a text begins so."""
    at = text.find(word, start, end)
    while at >= 0:
        if at == 0 or not text[at - 1].isalnum():
            return True
        at = text.find(word, at + 1, end)
    return False


class _Letters(NamedTuple):
    """The letters of a word in their order. No part of a pattern can match in two ways, so that it never looks twice."""

    anywhere: re.Pattern[str]
    in_a_word: re.Pattern[str]


@cache
def _letters(word: str) -> _Letters:
    first, *others = map(re.escape, word)
    anywhere = first + "".join(f"[^{letter}]*{letter}" for letter in others)
    return _Letters(re.compile(anywhere), re.compile(first + "".join(rf"[^\s{letter}]*{letter}" for letter in others)))
