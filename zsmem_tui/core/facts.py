"""The facts of a text: the smallest things a person would keep or throw away.

A fact is a list item with its continuation lines and children, a paragraph, a row of a table, a fence with the lines that introduce
it, or a block of HTML. Headings group facts (`core.pieces`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from zsmem_tui.core.piece import FACT_KINDS, Kind, Piece
from zsmem_tui.core.pieces import BOM, divide
from zsmem_tui.core.text import trim, words


class Fact(NamedTuple):
    """One fact of a text. `line`, `stop`, `kind`, `text`, `headings`, `indent`, `children` and `header` are those of its `Piece`.

    `says` are its words without bullet and box: two facts with the same are the same fact. `nth` is which of the facts with these
    words below the same headings it is, from 0, `same` how many of those there are, and `everywhere` how many in the whole text.
    """

    line: int
    stop: int
    kind: Kind
    text: str
    headings: tuple[str, ...]
    indent: int
    children: tuple[int, ...]
    header: str
    says: str
    nth: int
    same: int
    everywhere: int

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return self.stop - self.line


_BULLET: Final = re.compile("[-*+\u2022]|[0-9]{1,9}[.)]")
_BOX: Final = re.compile("(?:\\[[^\\]]?\\]|\uff3b[^\uff3d\\]]?[\uff3d\\]])")
_EMPTY_BOX: Final = re.compile("\\[[ \t\u3000]\\]|\uff3b[ \t\u3000]\uff3d")

MEMORY_MARKER: Final = re.compile(r"<!--\s*zerostack-memory:(begin|end)\s*-->")
"""What stands around the part of an instruction file that holds promoted facts; it is no fact itself."""

_SIGNS: Final = frozenset("-*+\u2022")
_BOX_STARTS: Final = frozenset("[\uff3b")
_BEFORE_WORDS: Final = frozenset("-*+\u2022[\uff3b0123456789")
"""What a bullet or a box begins with."""


def facts(text: str) -> list[Fact]:
    """The facts of a text from top to bottom."""
    return facts_of(divide(text))


def facts_of(pieces: Iterable[Piece]) -> list[Fact]:
    """The facts among the pieces of a text."""
    found = [piece for piece in map(_unmarked, pieces) if piece.kind in FACT_KINDS and not _is_marker(piece)]
    said = [words_of(piece.text) for piece in found]
    everywhere = Counter(said)
    if len(everywhere) == len(found):
        return [Fact._make((*piece[:8], says, 0, 1, 1)) for piece, says in zip(found, said, strict=True)]
    same = Counter((says, piece.headings) for piece, says in zip(found, said, strict=True) if everywhere[says] > 1)
    seen: Counter[tuple[str, tuple[str, ...]]] = Counter()
    out = []
    for piece, says in zip(found, said, strict=True):
        if everywhere[says] == 1:
            out.append(Fact._make((*piece[:8], says, 0, 1, 1)))
            continue
        key = (says, piece.headings)
        out.append(Fact._make((*piece[:8], says, seen[key], same[key], everywhere[says])))
        seen[key] += 1
    return out


def _unmarked(piece: Piece) -> Piece:
    """A piece without the byte order mark of its text, which is no part of a fact."""
    return piece._replace(text=piece.text.lstrip(BOM)) if piece.line == 0 and piece.text.startswith(BOM) else piece


def _is_marker(piece: Piece) -> bool:
    """Whether a piece is nothing but a comment that begins or ends the part with memory."""
    return piece.kind is Kind.HTML and MEMORY_MARKER.fullmatch(trim(piece.text)) is not None


def words_of(text: str) -> str:
    """What a fact says, without bullet, box and the blanks between its words."""
    if text.isascii():
        found = (text.replace("[ ]", "[_]").replace("[\t]", "[_]") if "[" in text else text).split()
    else:
        found = words(_EMPTY_BOX.sub("[_]", text))
    if found and found[0][0] in _BEFORE_WORDS:
        if found[0] in _SIGNS or _BULLET.fullmatch(found[0]):
            del found[0]
        if len(found) > 1 and found[0][0] in _BOX_STARTS and _BOX.fullmatch(found[0]):
            del found[0]
    return " ".join(found)


def find_again(old: Fact, text: str | Sequence[Fact]) -> Fact | None:
    """A fact in a text (or in its facts) that may have changed since; None when it is gone, or cannot be told from others.

    It is looked for by its words. Of several with the same, those below its headings count, by their place among each other as long
    as there are as many of them as there were; else only one on its very line is it.
    """
    every = [each for each in (facts(text) if isinstance(text, str) else text) if each.says == old.says]
    here = [each for each in every if each.headings == old.headings]
    if here and len(here) == old.same:
        return here[old.nth]
    if len(here) == 1 and old.everywhere == 1:
        return here[0]
    if not here and len(every) == old.everywhere == 1:
        return every[0]  # its heading was renamed, or it was moved below another one
    return next((each for each in here if each.line == old.line), None)


def headings_of(pieces: Iterable[Piece]) -> list[tuple[str, ...]]:
    """The paths of all headings of a text, in order."""
    return [piece.headings for piece in pieces if piece.kind is Kind.HEADING]
