"""Find the lines of a text that are missing from what was made of it elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from types import MappingProxyType
from typing import Final, NamedTuple

from zsmem_tui.core.facts import divide
from zsmem_tui.core.text import raw_lines, trim

LABELS: Final = MappingProxyType({"Why": "why", "How to apply": "apply"})
"""The labels, in bold, of paragraphs of a note, and how a fact made of the note says them."""

_LABEL: Final = re.compile(rf"\A\*\*({'|'.join(LABELS)}):\*\*")
_TARGET: Final = re.compile(r"(?<=\])\((?![a-z]+:)[^()\s]*\)")
"""The target of a link to a file."""

_MARKS: Final = re.compile(r"\A(?:[-*+>] +)*(?:\[[ xX]\] +)?")
"""List marks, quote marks and a box."""

_QUOTES: Final = re.compile(r"\A[\s>]+")
_SIGNS: Final = re.compile("[^<>]+")
_FOLDED: Final = re.compile(r"\A[\w-]+: *>[-+0-9]*\Z")
"""A field of frontmatter whose text follows in folded lines."""

_WORD: Final = re.compile(r"\w+")
_BOM: Final = "\ufeff"
_NONE: Final[Mapping[int, str]] = MappingProxyType({})


class LeftLine(NamedTuple):
    """A line that is not at the target as it stands. `source` is its file, `number` is 1-based.

    `is_changed`: its words are there, but not the markup around them: box, bullet, backticks, the file of a link, a label. With
    `loses_signs`, it lost `<` or `>` as well, which may have been words of it.
    """

    source: str
    number: int
    text: str
    is_changed: bool = False
    loses_signs: bool = False

    @property
    def is_kept(self) -> bool:
        """Whether it still says at the target what it said."""
        return self.is_changed and not self.loses_signs


def left_lines(source: str, text: str, texts: Sequence[str], own: Mapping[int, str] = _NONE) -> list[LeftLine]:
    """The non-blank lines of `text` that are not in `texts`, which are what was made of it.

    `own` is what was made of a single fact, by its 1-based first line: the words of its lines may stand anywhere in that. Those of
    any other line must be a whole line of the texts, alone or together with the lines next to it.
    """
    if text in texts:
        return []
    text = text.removeprefix(_BOM)
    rows = [trim(line) for line in raw_lines(text)]
    there = _Texts(texts)
    by_fact = dict(_by_line(text, own)) if own else {}
    out, until, loses = [], 0, False
    for at, row in enumerate(rows):
        if not row or there.has(row):
            continue
        if at >= until:
            until, loses = there.found(rows, at)
        is_changed = at < until and bool(_words(row))
        if not is_changed and (made := by_fact.get(at)) is not None and _holds(made, row):
            is_changed, loses = True, _signs(row) not in _signs(made)
        out.append(LeftLine(source, at + 1, row, is_changed, is_changed and loses and bool(_signs(row))))
    return out


def says(texts: Sequence[str], words: str) -> bool:
    """Whether a line of the texts contains these words, whole and in order, or there are none."""
    return not _words(words) or any(_holds(line, words) for text in texts for line in raw_lines(text))


class _Texts:
    """The target texts, indexed for look-ups."""

    def __init__(self, texts: Iterable[str]) -> None:
        rows = {trim(line) for text in texts for line in raw_lines(text)}
        self._lines = rows | {_MARKS.sub("", line) for line in rows}
        signs: dict[str, list[str]] = {}
        for line in rows:
            signs.setdefault(_words(line), []).append(_signs(line))
        self._signs = signs
        self._sorted = sorted(signs)

    def has(self, line: str) -> bool:
        """Whether they contain a line as it stands, perhaps as an item."""
        return line in self._lines

    def found(self, rows: Sequence[str], start: int) -> tuple[int, bool]:
        """Find a line of theirs with the words of the rows from `start` on: (end of these rows, whether signs are lost).

        If there is none, the end is `start`.
        """
        for form in (_words, _plain, _bare):
            said = ""
            for at in count(start):
                said = f"{said} {form(rows[at])}".strip() if at < len(rows) else ""
                if not said or said in self._signs:
                    break
                below = bisect_left(self._sorted, f"{said} ")
                if below == len(self._sorted) or not self._sorted[below].startswith(f"{said} "):
                    said = ""
                    break
            if said:
                wanted = "".join(map(_signs, rows[start : at + 1]))
                return at + 1, not any(wanted in each for each in self._signs[said])
        return start, False


def _by_line(text: str, own: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """(0-based line, what was made of its fact) for each line of these facts."""
    for piece in divide(text):
        made = own.get(piece.line + 1)
        for at in range(piece.line, piece.stop):
            made = own.get(at + 1, made)
            if made is not None:
                yield at, made


def _holds(made: str, line: str) -> bool:
    """Whether a text contains the words of a line, whole and in order; none contains a line without words."""
    held = f" {_words(made)} "
    return any(bool(said) and f" {said} " in held for said in (_words(line), _plain(line), _bare(line)))


def _words(line: str) -> str:
    return " ".join(_WORD.findall(line))


def _plain(line: str) -> str:
    """The words of a line as a fact says them: links without their targets, labels in short."""
    return _words(_LABEL.sub(lambda label: f"{LABELS[label[1]]}:", _TARGET.sub("", line)))


def _bare(line: str) -> str:
    """The words of a line as they are where angle brackets were dropped."""
    return _words(line.replace("<", "").replace(">", ""))


def _signs(line: str) -> str:
    """The angle brackets of a line, without those that mark a quote or a folded field."""
    return "" if _FOLDED.match(line) else _SIGNS.sub("", _QUOTES.sub("", line))
