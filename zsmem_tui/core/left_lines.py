"""What a transfer left behind, line by line: which lines of a text are not in the files that it went to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from zsmem_tui.core.text import raw_lines, trim

_WORD: Final = re.compile(r"\w+")
_BOM: Final = "\ufeff"


class LeftLine(NamedTuple):
    """A line that is not, as it stands, where its text went. `source` is its file, `number` counts from 1.

    `is_changed`: its words are there, in their order, but not what stands around them: a box, a bullet, backticks, a link.
    """

    source: str
    number: int
    text: str
    is_changed: bool = False


def left_lines(source: str, text: str, texts: Sequence[str]) -> list[LeftLine]:
    """The lines of a text, blank ones apart, that are not in those texts."""
    if text in texts:
        return []
    there = _There(texts)
    every = enumerate(raw_lines(text.removeprefix(_BOM)), 1)
    wanted = ((number, words) for number, line in every if (words := trim(line)) and not there.has(words))
    return [LeftLine(source, number, words, there.says(words)) for number, words in wanted]


def says(texts: Sequence[str], words: str) -> bool:
    """Whether those texts have these words, whole ones in their order."""
    return _There(texts).says(words)


class _There:
    """What texts hold."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._whole = "\n".join(texts)
        self._lines = {trim(line) for line in raw_lines(self._whole)}
        self._words: str | None = None

    def has(self, line: str) -> bool:
        """Whether a line is in them as it stands, also as a part of a longer one."""
        return line in self._lines or (line in self._whole and self.says(line))

    def says(self, line: str) -> bool:
        """Whether they have its words, whole ones in their order; a line without words has nothing that any text could lack."""
        if self._words is None:
            self._words = _words(self._whole)
        wanted = _words(line)
        return wanted in self._words if wanted.strip() else bool(self._whole)


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text))} "
