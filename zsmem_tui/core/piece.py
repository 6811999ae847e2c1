"""One piece of a text: a fact, a heading that groups facts, or what stands between."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple


class Kind(StrEnum):
    """What a piece of a text is. The first five are facts."""

    ITEM = "item"
    PARAGRAPH = "paragraph"
    ROW = "row"
    FENCE = "fence"
    HTML = "html"
    HEADING = "heading"
    TABLE_HEAD = "table head"
    SEPARATOR = "separator"
    FRONT_MATTER = "front matter"
    BLANK = "blank"


FACT_KINDS: Final = frozenset((Kind.ITEM, Kind.PARAGRAPH, Kind.ROW, Kind.FENCE, Kind.HTML))


class Piece(NamedTuple):
    """Lines `line` to `stop` (from 0, `stop` excluded) of a text, with their line ends.

    `headings` is the path of headings above it, the outermost first; for a heading, its own title is the last. `indent` counts
    columns. `children` are the lines of the items nested in an item, whatever their depth. `header` is the head of a row's table,
    as it stands there; empty when that has none. `level` is a heading's, 1 to 6.
    """

    line: int
    stop: int
    kind: Kind
    text: str
    headings: tuple[str, ...] = ()
    indent: int = 0
    children: tuple[int, ...] = ()
    header: str = ""
    level: int = 0

    @property
    def is_fact(self) -> bool:
        """Whether a person would keep it or throw it away by itself."""
        return self.kind in FACT_KINDS

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return self.stop - self.line
