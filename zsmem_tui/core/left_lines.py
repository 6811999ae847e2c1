"""Find the lines of a text that are missing from the files it was transferred to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from zsmem_tui.core.text import raw_lines, trim

LABELS: Final = MappingProxyType({"Why": "why", "How to apply": "apply"})
"""The labels, in bold, of paragraphs of a note, and how a fact made of the note says them."""

_LABEL: Final = re.compile(rf"\A\*\*({'|'.join(LABELS)}):\*\*")
_TARGET: Final = re.compile(r"(?<=\])\((?![a-z]+:)[^()\s]*\)")
"""The target of a link to a file."""

_WORD: Final = re.compile(r"\w+")
_BOM: Final = "\ufeff"


class LeftLine(NamedTuple):
    """A line that is not in the target files as it stands. `source` is its file, `number` is 1-based.

    `is_changed`: its words are there in order, but not the markup around them: box, bullet, backticks, the file of a link, a label.
    """

    source: str
    number: int
    text: str
    is_changed: bool = False


def left_lines(source: str, text: str, texts: Sequence[str]) -> list[LeftLine]:
    """The non-blank lines of `text` that are not in `texts`."""
    if text in texts:
        return []
    there = _Texts(texts)
    every = enumerate(raw_lines(text.removeprefix(_BOM)), 1)
    wanted = ((number, words) for number, line in every if (words := trim(line)) and not there.has(words))
    return [LeftLine(source, number, words, there.says(words)) for number, words in wanted]


def says(texts: Sequence[str], words: str) -> bool:
    """Whether a line of the texts contains these words, whole and in order, or there are none."""
    return not _words(words).strip() or _Texts(texts).says(words)


class _Texts:
    """The target texts, indexed for look-ups."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._whole = "\n".join(texts)
        self._lines = {trim(line) for line in raw_lines(self._whole)}
        self._words: str | None = None

    def has(self, line: str) -> bool:
        """Whether they contain a line as it stands, also as part of a longer line."""
        return line in self._lines or (line in self._whole and self.says(line))

    def says(self, line: str) -> bool:
        """Whether a line of theirs contains the words of this one, whole and in order; nothing contains one without words."""
        if self._words is None:
            self._words = "\n".join(map(_words, raw_lines(self._whole)))
        wanted = _words(line)
        plain = _LABEL.sub(lambda label: f"{LABELS[label[1]]}:", _TARGET.sub("", line))
        if plain != line and _words(plain).strip() and _words(plain) in self._words:
            return True
        return bool(wanted.strip()) and wanted in self._words


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text))} "
