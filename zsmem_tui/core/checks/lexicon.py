"""Which of the words that rules cannot do without a text can hold, told from the text's own words.

A memory says the same few thousand words over and over. A word that was looked at once is not looked at again, so that a thousand
words to look for cost a page what looking up its own words costs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zsmem_tui.core.checks.vocabulary import listed
from zsmem_tui.core.find import find, use_fastest

MOST_KNOWN: Final = 100_000
"""Words of texts that are remembered, about 10 MB: the vocabulary of some hundred megabytes of memory."""

LONGEST: Final = 48
"""Characters of a word that is remembered: what is longer is data, or a line of a script without blanks, and comes once."""

_LETTER_BY_LETTER: Final = 4_000
"""Characters of new words up to which reading them letter by letter is faster than looking for each of a thousand words."""


SLICE: Final = 1_000_000
_OVERLAP: Final = 100
"""Characters: no word that is looked for is longer."""
_START: Final = 3
_EVERYWHERE: Final = frozenset(listed("the a an all any and not no it its this that these those to of in on if is are be you your"))


class Lexicon:
    """Words to look for, and what is known of the words of texts."""

    def __init__(self) -> None:
        self._by_part: dict[str, list[str]] = {}
        """The words to look for by the rarest part of each that has no blank inside: a text without that part has not the word."""
        self._by_start: dict[str, list[str]] = {}
        """The parts of three and more letters by their first three."""
        self._short: list[str] = []
        """The shorter ones."""
        self._always: set[str] = set()
        self._without: set[str] = set()
        self._with: dict[str, tuple[str, ...]] = {}

    def add(self, sought: Iterable[str]) -> None:
        """Look for these, too."""
        for word in sought:
            part = _rarest_part(word)
            if not part.strip():
                self._always.add(word)
            elif part not in self._by_part:
                self._by_part[part] = [word]
                if len(part) < _START:
                    self._short.append(part)
                else:
                    self._by_start.setdefault(part[:_START], []).append(part)
            elif word not in self._by_part[part]:
                self._by_part[part].append(word)
        self._without, self._with = set(), {}

    def held(self, text: str) -> frozenset[str]:
        """The words to look for that `text` (in small letters) may hold: all that it does hold are among them."""
        without, known = self._without, self._with
        if len(without) + len(known) > MOST_KNOWN:
            self._without, self._with = without, known = set(), {}
        found = set(self._always)
        long: list[str] = []
        for token in _words_of(text) - without:
            parts = known.get(token)
            if parts is None:
                if len(token) > LONGEST or len(known) + len(without) > 2 * MOST_KNOWN:
                    long.append(token)
                    continue
                parts = tuple(self._read(token))
                if not parts:
                    without.add(token)
                    continue
                known[token] = parts
            for part in parts:
                found.update(self._by_part[part])
        if long:
            for part in self._among(long):
                found.update(self._by_part[part])
        return frozenset(found)

    def _among(self, long: list[str]) -> Iterable[str]:
        """The parts in words that are not remembered."""
        if sum(map(len, long)) <= _LETTER_BY_LETTER:
            return {part for token in long for part in self._read(token)}
        use_fastest()
        raw = f" {'  '.join(long)} ".encode("utf-8", "surrogatepass")
        return [part for part in self._by_part if find(raw, part.encode()) >= 0]

    def _read(self, token: str) -> set[str]:
        """The parts in one word, letter by letter."""
        by_start, apart = self._by_start, f" {token} "
        found = {part for part in self._short if part in apart}
        for start in by_start.keys() & {apart[at : at + _START] for at in range(len(apart) - _START + 1)}:
            found.update(part for part in by_start[start] if part in apart)
        return found


def _words_of(text: str) -> set[str]:
    """The words of a text; a large one is cut in slices, and what stands at a cut is whole in the next."""
    if len(text) <= SLICE:
        return set(text.split())
    every: set[str] = set()
    for at in range(0, len(text), SLICE):
        every.update(text[max(0, at - _OVERLAP) : at + SLICE].split())
    return every


def _rarest_part(word: str) -> str:
    """Of words with blanks between them the longest that is not in every sentence, with the blanks beside it."""
    inner = word.split()
    if not inner:
        return ""
    best = max(inner, key=lambda each: (each not in _EVERYWHERE, len(each)))
    at = f" {word} ".index(best) - 1
    before, behind = word[max(0, at - 1) : at], word[at + len(best) : at + len(best) + 1]
    return f"{before if before == ' ' else ''}{best}{behind if behind == ' ' else ''}"
