"""Split a text into facts of one line each, and what has to stay together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from zsmem_tui.core.facts import Kind, divide
from zsmem_tui.core.hazards import hazards
from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.notice import Notice
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import raw_lines, trim

_BULLET: Final = re.compile(r"^[-*+][ \t]+(?=\S)")
_NO_FACT: Final = re.compile(r"^(?:[ \t]|#{1,6}(?:[ \t]|$)|\||>|<!--|\d+[.)][ \t]|(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$)")
_OWN_LINES: Final = (Kind.ITEM, Kind.PARAGRAPH, Kind.HTML)


class FactLine(NamedTuple):
    """A fact without its list mark; `line` is 1-based."""

    line: int
    text: str


class FactText(NamedTuple):
    """A text split into facts and the rest, verbatim."""

    facts: list[FactLine]
    rest: str

    @property
    def has_rest(self) -> bool:
        """Whether the rest has anything besides headings."""
        return any(trim(line) and not line.startswith("#") for line in raw_lines(self.rest))


def taken_apart(text: str) -> FactText:
    """Split off list items and paragraphs of one line; the rest is code, tables, quotations and text of several lines."""
    facts: list[FactLine] = []
    rest: list[str] = []
    for piece in divide(text):
        first, *more = raw_lines(piece.text.removesuffix("\n"))
        if piece.kind in _OWN_LINES and not more and (_BULLET.match(first) or not _NO_FACT.match(first)):
            facts.append(FactLine(piece.line + 1, trim(_BULLET.sub("", first))))
        else:
            rest += [first, *more]
    if text.endswith("\n"):
        rest.append("")
    return FactText(facts, "\n".join(rest))


def of_person(path: str, text: str, doubts: tuple[Notice, ...], note: str) -> Iterator[ImportItem]:
    """The facts of a file about the user, and its rest as a note of that name."""
    found = taken_apart(text)
    for fact in found.facts:
        own = (*doubts, *hazards(fact.text))
        yield ImportItem(f"{path}:{fact.line}", Role.FACTS, "", fact.text, doubts=own, listed=True, is_of_person=True)
    if found.has_rest:
        rest = trim(found.rest) + "\n"
        yield ImportItem(path, Role.NOTE, note, rest, doubts=(*doubts, *hazards(rest)))


def only_facts(text: str) -> list[FactLine] | None:
    """The facts if every non-blank line is one; None for any other text."""
    found = taken_apart(text)
    return found.facts if found.facts and not trim(found.rest) else None
