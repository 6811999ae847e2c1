"""Fuzzy search by name: every word of the query must occur in a name, if need be as a subsequence of its letters."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from zsmem_tui.core.fold import folded_text
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.core.text import words

_SLICE: Final = 4_000
"""Names searched between two calls of `cancelled`: about 2 ms."""

_EXACT, _START, _WORD, _INSIDE, _REST_WORD, _REST, _LETTERS, _REST_LETTERS, _NOT = range(0, 90, 10)
"""Scores, best first: the whole name, its start, the start of a word in it, inside a word; then the same in the rest of what is
known; then only as a subsequence of letters; then no match.
"""

_PART: Final = _WORD + 1
"""The score of the whole name of a part; its start scores one more, and the start of a word in it two."""

_NEARLY: Final = _LETTERS + 1
"""The worst score of a subsequence match beside names that contain the whole word: at most one letter skipped."""

_LONG: Final = 4
"""From this length on, a word also matches if the text has one letter more in its middle."""

_SAYS_NOTHING: Final = 2
"""Matches of at most this many letters inside a word of the rest are ignored."""

_SIGNS: Final = r"\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORDS: Final = re.compile(rf"[{_SIGNS}]|[^\W_{_SIGNS}]+|[^\w\s]|_")
"""Split into words: letters and digits between blanks and punctuation, each punctuation mark, each CJK character."""


class Named(NamedTuple):
    """The searchable text of a thing, folded: its name (`size` characters), a line feed, and the rest of what is known of it.

    The first `stem` characters are as good as the whole name. The name of a part goes behind those in which a word starts.
    """

    text: str
    size: int
    stem: int = 0
    is_part: bool = False


def named(name: str, rest: str = "", ending: str = "") -> Named:
    """Make the searchable text for a name, which may be typed without its ending, and whatever else is known."""
    folded = folded_text(name)
    return Named(f"{folded}\n{folded_text(rest)}", len(folded), len(folded.removesuffix(ending)))


def best(
    query: str, names: Sequence[Named], limit: int, *, sentences: bool = False, cancelled: Callable[[], bool] = never
) -> tuple[list[int], int]:
    """Return the indexes of the `limit` best names (ties in the given order) and the number of all matches.

    Subsequence matches are used only if fewer than `limit` names contain the words whole; beside such names, only if at most one
    letter is skipped. With `sentences`, the rest is prose: matches inside its words count only if nothing fits better. Raises
    `Cancelled`.
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
    """(score, index) of those names that every word matches with a score of at most `most`."""
    scored: list[tuple[int, int]] = []
    for at in found:
        fits = [_score(word, names[at]) for word in wanted]
        if max(fits) <= most:
            scored.append((sum(fits), at))
    return scored


def _slices(names: Sequence[Named], cancelled: Callable[[], bool]) -> Iterator[int]:
    """Yield the start index of each slice of the names. Raises `Cancelled`."""
    for start in range(0, len(names), _SLICE):
        if cancelled():
            raise Cancelled
        yield start


def marks(query: str, label: str) -> list[tuple[int, int]]:
    """The (start, end) ranges of a label to highlight for a query: its words, else their letters one by one. Offsets are
    characters.
    """
    text = folded_text(label)
    if len(text) != len(label):
        return []
    found: list[tuple[int, int]] = []
    for word in (folded_text(each) for each in words(query)):
        at = text.find(word)
        if at >= 0:
            found.append((at, at + len(word)))
        elif hit := _subsequence_pattern(word).search(text):
            at = hit.start()
            for letter in word:
                at = text.index(letter, at)
                found.append((at, at + 1))
                at += 1
    return found


def _may_fit(word: str, name: Named) -> bool:
    """Whether the letters of a word occur at all in order: a quick test before `_score`."""
    return word in name.text or bool(_subsequence_pattern(word).search(name.text))


def _score(word: str, name: Named) -> int:
    """Score how well a word matches a name: lower is better, `_NOT` if it does not."""
    at = name.text.find(word)
    if at < 0:
        left_out = _letters_skipped(word, name.text[: name.size])
        if left_out is None and (hit := _subsequence_pattern(word).search(name.text, 0, name.size)) and len(word) >= _LONG:
            left_out = 1 if hit.end() - hit.start() == len(word) + 1 else None
        if left_out is not None:
            return _LETTERS + min(9, left_out)
        parts = _WORDS.findall(name.text, name.size)
        return _REST_LETTERS if any(_letters_skipped(word, each) is not None for each in parts) else _NOT
    if at == 0:
        score = _EXACT if len(word) in (name.size, name.stem) else _START
        return _PART + (score > _EXACT) if name.is_part else score
    if at + len(word) <= name.size:
        return (_PART + 2 if name.is_part else _WORD) if _begins(name.text, word, 0, name.size) else _INSIDE
    if _begins(name.text, word, name.size, len(name.text)):
        return _REST_WORD
    return _REST if len(word) > _SAYS_NOTHING else _NOT


def _letters_skipped(word: str, text: str) -> int | None:
    """How many letters of the text a word skips, if its letters occur in order and each part starts at the beginning of a word.

    None if they do not, or if more letters are skipped than matched.
    """
    reached = {0: 0}  # number of letters matched so far: fewest letters skipped for that
    for part in _WORDS.findall(text):
        for count, out in list(reached.items()):
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
    """Whether a word that starts with `word` begins between `start` (above 0) and `end`."""
    at = text.find(word, start, end)
    while at >= 0:
        if not text[at - 1].isalnum():
            return True
        at = text.find(word, at + 1, end)
    return False


@cache
def _subsequence_pattern(word: str) -> re.Pattern[str]:
    """A pattern for the letters of a word in order. No part can match in two ways, so there is no backtracking."""
    first, *others = map(re.escape, word)
    return re.compile(first + "".join(f"[^{letter}]*{letter}" for letter in others))
