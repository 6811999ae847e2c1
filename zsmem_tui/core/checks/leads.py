"""Find headings and leads that would be left with nothing below them: what stands there means something by them only."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from zsmem_tui.core.checks.document import COLONS, UNDER, Saying, is_lead
from zsmem_tui.core.checks.words import Bag, bag, key, stem
from zsmem_tui.core.markdown import Kind, columns, heading_words, scan
from zsmem_tui.core.text import trim
from zsmem_tui.core.text import words as listed

_MARKS: Final = re.compile(r"[ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?(?:\[.\][ \t]+)?")
_GENERAL: Final = frozenset(
    map(
        stem,
        listed("""rule preference convention general generally guideline guide note memory fact misc miscellaneous other tool
        tooling command setup workflow working development environment style code coding project basics important remember standard
        practice principle default decision session learned lesson overview summary user feedback team stack dependency package
        manager build instruction context knowledge people person contact regel allgemein werkzeug notiz sonstiges"""),
    )
)
"""Words of headings that name no subject: an order below them holds everywhere."""

_PARAGRAPH: Final = 7
"""The level of a lead of its own, below those of headings; that of an item is more by one and its indent."""

_NOTHING: Final = (Kind.BLANK, Kind.FIELD, Kind.FIELD_RULE, Kind.UNDERLINE, Kind.HTML)
_HEAD_OF_TABLE: Final = 2
"""The levels of a table's lines that are no rows are below this."""


class _Lead(NamedTuple):
    """A heading or a lead, and whether lines below it stay, and which ones go."""

    level: int
    text: str
    stay: list[int]
    go: list[int]


class Bare(NamedTuple):
    """What would be left with nothing below it, empty if nothing would, and how many of the copies stand below it."""

    lead: str = ""
    copies: int = 0


def over(saying: Saying) -> frozenset[str]:
    """The normalized texts of the headings and leads that are over a fact."""
    return _subjects(saying.above, saying.heading)


@lru_cache(maxsize=1024)  # the facts of a list are below the same
def _subjects(above: tuple[str, ...], heading: str) -> frozenset[str]:
    return frozenset(map(_subject, (*above, *heading.split(UNDER))))


def _subject(lead: str) -> str:
    return key(lead).rstrip(":\uff1a")


def _is_of_anything(lead: str) -> bool:
    """Whether a heading names no subject; a line that ends with a colon needs lines below it."""
    own = bag(key(lead))
    return bool(own.words) and not (own.numbers or lead.endswith(COLONS)) and names_nothing(own)


def names_nothing(heading: Bag) -> bool:
    """Whether the words of a heading name no subject."""
    return _GENERAL.issuperset(heading.words) and not heading.denies


def bare_without(
    pages: Mapping[str, Sequence[str]], gone: Mapping[str, Collection[int]], copies: Iterable[tuple[str, int, Collection[str]]]
) -> list[Bare]:
    """For each copy what would be left with nothing below it if these lines (0-based) went.

    A copy is a path, a line, and what is over the one that stays (`over`), which may be left with nothing, as may a heading that
    names no subject.
    """
    copies = [*copies]
    begins = {path: {line for own, line, _ in copies if own == path} for path in gone}
    bare = {path: _Emptied(lines, begins[path]).read(pages[path]) for path, lines in gone.items()}
    every = ((reversed(bare[path].get(line, ())), kept) for path, line, kept in copies)
    return [
        next((one for one in own if _subject(one.lead) not in kept and not _is_of_anything(one.lead)), Bare())
        for own, kept in every
    ]


class _Emptied:
    """Finds what has nothing below it once these lines (0-based) are `gone`; copies begin in the lines `begins`."""

    def __init__(self, gone: Collection[int], begins: Collection[int]) -> None:
        self.gone, self.begins = gone, begins
        self.over: list[_Lead] = []
        self.found: dict[int, tuple[Bare, ...]] = {}
        self.item = -1
        """The level that a lead in the item read last has; -1 if none is read."""

    def read(self, rows: Sequence[str]) -> dict[int, tuple[Bare, ...]]:
        """For each line that goes and leaves something over it with nothing below: what, from the outermost on."""
        for at, line in enumerate(scan(rows, tags=False)):
            row, leaf = rows[at], line
            if leaf.kind is Kind.QUOTE and leaf.inner is not None:
                row, leaf = row.lstrip("> \t"), leaf.inner
            if leaf.kind is Kind.HEADING:
                self._begin(at, leaf.level, heading_words(row))
            elif leaf.kind is Kind.ITEM:
                self.item = _PARAGRAPH + 1 + columns(row)
                self._close(self.item)
                self._put(at, self.item, row)
            elif leaf.kind is Kind.TEXT and not (leaf.joins and self.item < 0):
                self._text(at, row, joins=leaf.joins)
            elif leaf.kind is Kind.RULE:
                self._close(_PARAGRAPH)
            elif leaf.kind not in _NOTHING and not (leaf.kind is Kind.TABLE and leaf.level < _HEAD_OF_TABLE):
                self._put(at, _PARAGRAPH, row if leaf.kind is Kind.TEXT else "")
        self._close(0)
        return self.found

    def _begin(self, at: int, level: int, text: str) -> None:
        self.item = -1
        self._close(level)
        self._put(at, level, "")
        self.over.append(_Lead(level, text, [], []))

    def _text(self, at: int, row: str, *, joins: bool) -> None:
        """A line that begins a paragraph, or that is in an item."""
        is_own = not columns(row) and (not joins or is_lead(trim(row)))
        if self.item >= 0 and not is_own:
            self._put(at, self.item, row)
            return
        self.item = -1
        self._close(_PARAGRAPH + 1)
        if self.over and self.over[-1].level == _PARAGRAPH and (self.over[-1].stay or self.over[-1].go):
            self._close(_PARAGRAPH)
        self._put(at, _PARAGRAPH, row)

    def _put(self, at: int, level: int, row: str) -> None:
        """Put a line below all that is over it; if it introduces others, it is over these from here on, at this level."""
        for lead in self.over:
            (lead.go if at in self.gone else lead.stay).append(at)
        text = row[mark.end() :].rstrip() if row and (mark := _MARKS.match(row)) else ""
        if at not in self.gone and is_lead(text):
            self._close(level)
            self.over.append(_Lead(level, text.strip("*_"), [], []))

    def _close(self, level: int) -> None:
        while self.over and self.over[-1].level >= level:
            lead = self.over.pop()
            bare = Bare(lead.text, sum(at in self.begins for at in lead.go))
            for at in () if lead.stay else lead.go:
                self.found[at] = (bare, *self.found.get(at, ()))
