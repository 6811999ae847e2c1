"""Which lines of a text are facts of one line each, and what belongs together and has to stay in one piece."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from zsmem_tui.core.markdown import outside_code
from zsmem_tui.core.text import raw_lines, trim

_FENCES: Final = ("```", "~~~")
_BULLET: Final = re.compile(r"^[-*+][ \t]+(?=\S)")
_NO_FACT: Final = re.compile(r"^(?:[ \t]|#{1,6}(?:[ \t]|$)|\||>|<!--|\d+[.)][ \t]|(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$)")


class FactLine(NamedTuple):
    """A fact without its list mark; `line` counts from 1."""

    line: int
    text: str


class FactText(NamedTuple):
    """A text taken apart: its facts, and all else, as it stands there."""

    facts: list[FactLine]
    rest: str

    @property
    def has_rest(self) -> bool:
        """Whether there is anything else but headings."""
        return any(trim(line) and not line.startswith("#") for line in raw_lines(self.rest))


def taken_apart(text: str) -> FactText:
    """The items of lists and paragraphs of one line, and what is left: code, tables, quotations, text of several lines."""
    facts: list[FactLine] = []
    rest: list[str] = []
    for number, lines in _pieces(text):
        first = lines[0]
        if (
            len(lines) == 1
            and trim(first)
            and not first.startswith(_FENCES)
            and (_BULLET.match(first) or not _NO_FACT.match(first))
        ):
            facts.append(FactLine(number, trim(_BULLET.sub("", first))))
        else:
            rest += lines
    return FactText(facts, "\n".join(rest))


def only_facts(text: str) -> list[FactLine] | None:
    """Its facts, where every line that is not blank is one; None for any other text."""
    found = taken_apart(text)
    return found.facts if found.facts and not trim(found.rest) else None


def _pieces(text: str) -> Iterator[tuple[int, list[str]]]:
    """What belongs together, with the number from 1 of its first line: an item with what is below it, a paragraph, code."""
    held: list[str] = []
    start = 0
    is_code = False
    for number, line, outside in outside_code(raw_lines(text)):
        begins = outside and (not trim(line) or _BULLET.match(line) or line.startswith("#"))
        if held and (
            begins
            or (outside and (is_code or held[0].startswith("#")))
            or (not outside and not is_code and line[:1] not in (" ", "\t"))
        ):
            yield start, held
            held = []
        is_code = not outside
        if outside and not trim(line):
            yield number + 1, [line]
            continue
        if not held:
            start = number + 1
        held.append(line)
    if held:
        yield start, held
