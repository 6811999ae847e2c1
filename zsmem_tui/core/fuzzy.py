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

_EXACT, _START, _WORD, _INSIDE, _REST_WORD, _REST, _LETTERS, _REST_LETTERS, _NOT = range(0, 90, 10)
"""How well a word fits, the best first: the name itself, its start, the start of a word in it, inside; then all that else is known
of the thing; then only its letters in their order; then not at all."""

_NEARLY: Final = _LETTERS + 1
"""How well its letters have to fit beside names that hold a word whole: one is left out."""

_LONG: Final = 4
"""Letters of a word that is found, too, where only one of its letters is missing."""

_SAYS_NOTHING: Final = 2
"""Letters that say nothing inside a word of what else is known."""

_SIGNS: Final = r"\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORDS: Final = re.compile(rf"[{_SIGNS}]|[^\W_{_SIGNS}]+|[^\w\s]|_")
"""The words of a name: what blanks and signs stand between, each of these signs, and each character of Chinese or Japanese."""


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


def best(
    query: str, names: Sequence[Named], limit: int, *, sentences: bool = False, cancelled: Callable[[], bool] = never
) -> tuple[list[int], int]:
    """The places of the `limit` names that fit best, those that fit alike in the order given, and how many fit.

    A word that is only there letter by letter counts where there are fewer than `limit` that hold it whole; beside names that
    hold it whole, only where hardly a letter is left out. What else is known of a thing may be `sentences`: the inside of their
    words counts only where nothing fits better. Raises `Cancelled`.
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
    scored = _scored(wanted, whole, names)
    if sentences:
        scored = _scored(wanted, whole, names, _REST_WORD) or scored
    if len(scored) < limit:
        most = _NEARLY if any(score < _REST_WORD for score, _ in scored) else _REST_LETTERS
        held = set(whole)
        for start in _slices(names, cancelled):
            some = enumerate(names[start : start + _SLICE], start)
            loose = [at for at, name in some if at not in held and all(_may_fit(word, name) for word in wanted)]
            scored += _scored(wanted, loose, names, most)
    return [at for _, at in heapq.nsmallest(limit, scored)], len(scored)


def _scored(
    wanted: Sequence[str], found: Sequence[int], names: Sequence[Named], most: int = _REST_LETTERS
) -> list[tuple[int, int]]:
    """Those of the names that every word fits, none worse than `most`, each behind how well they do together."""
    scored: list[tuple[int, int]] = []
    for at in found:
        fits = [_fit(word, names[at]) for word in wanted]
        if max(fits) <= most:
            scored.append((sum(fits), at))
    return scored


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
        elif hit := _letters(word).search(text):
            at = hit.start()
            for letter in word:
                at = text.index(letter, at)
                found.append((at, at + 1))
                at += 1
    return found


def _may_fit(word: str, name: Named) -> bool:
    """Whether the letters of a word are there at all, in their order: whoever says no here is looked at no further."""
    return word in name.text or bool(_letters(word).search(name.text))


def _fit(word: str, name: Named) -> int:
    """How well a word fits: lower is better, `_NOT` where it does not."""
    at = name.text.find(word)
    if at < 0:
        left_out = _left_out(word, name.text[: name.size])
        if left_out is None and (hit := _letters(word).search(name.text, 0, name.size)) and len(word) >= _LONG:
            left_out = 1 if hit.end() - hit.start() == len(word) + 1 else None
        if left_out is not None:
            return _LETTERS + min(9, left_out)
        parts = _WORDS.findall(name.text, name.size)
        return _REST_LETTERS if any(_left_out(word, each) is not None for each in parts) else _NOT
    if at == 0:
        return _EXACT if len(word) == name.size else _START
    if at + len(word) <= name.size:
        return _WORD if _begins(name.text, word, 0, name.size) else _INSIDE
    if _begins(name.text, word, name.size, len(name.text)):
        return _REST_WORD
    return _REST if len(word) > _SAYS_NOTHING else _NOT


def _left_out(word: str, text: str) -> int | None:
    """How many letters a word leaves out, where its letters stand in order, those from each word of the text from its beginning.

    None where they do not, or where more is left out than is there.
    """
    reached = {0: 0}  # letters that are found by now, and the fewest that were left out on the way
    for part in _WORDS.findall(text):
        for count, out in sorted(reached.items(), reverse=True):
            at = -1
            while count < len(word):
                after = part.find(word[count], at + 1) if at >= 0 else 0 if part.startswith(word[count]) else -1
                if after < 0:
                    break
                out += after - at - 1
                at, count = after, count + 1
                reached[count] = min(out, reached.get(count, out))
    out = reached.get(len(word), len(word) + 1)
    return out if out <= len(word) else None


def _begins(text: str, word: str, start: int, end: int) -> bool:
    """Whether a word of a part of a text begins so, one that is not the first of the text."""
    at = text.find(word, start, end)
    while at >= 0:
        if not text[at - 1].isalnum():
            return True
        at = text.find(word, at + 1, end)
    return False


@cache
def _letters(word: str) -> re.Pattern[str]:
    """The letters of a word in their order. No part of the pattern can match in two ways, so that it never looks twice."""
    first, *others = map(re.escape, word)
    return re.compile(first + "".join(f"[^{letter}]*{letter}" for letter in others))
