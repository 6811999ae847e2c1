"""What each line of a Markdown text is: heading, item, code, table row ... One pass, no backtracking."""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import cache
from typing import Final

from rich.cells import cell_len

from zsmem_tui.core.pattern import Pattern


class Kind(Enum):
    """The kinds of lines that are drawn differently."""

    TEXT = auto()
    HEADING = auto()
    UNDERLINE = auto()
    ITEM = auto()
    QUOTE = auto()
    RULE = auto()
    FENCE = auto()
    CODE = auto()
    TABLE = auto()
    FIELD = auto()
    FIELD_RULE = auto()


class Table:
    """A table's column widths in cells, its alignments (`<`, `^`, `>`), and its first line."""

    __slots__ = ("aligns", "first", "widths")

    def __init__(self, first: int) -> None:
        self.first = first
        self.widths: list[int] = []
        self.aligns: list[str] = []


class Block:
    """One line: its kind, its level (of a heading), whether a fence opens (0) or closes (1), how far a line of code is below the
    fence that opens it, and its table.

    Lines that are alike share one: nothing of a block is changed once it is made.

    `joins` says that it goes on with the paragraph, item or quote of the line before. `inner` is what a quoted line is within its
    quote; `fence` the fence that is open in the quote after it.
    """

    __slots__ = ("fence", "inner", "joins", "kind", "level", "table")

    def __init__(self, kind: Kind = Kind.TEXT, level: int = 0, table: Table | None = None, joins: bool = False) -> None:
        self.kind = kind
        self.level = level
        self.table = table
        self.joins = joins
        self.inner: Block | None = None
        self.fence = ""


@cache
def _shared(kind: Kind, level: int = 0) -> Block:
    """The one block of all lines that are alike: a large file has tens of thousands of them, of 80 bytes each."""
    return Block(kind, level)


_PLAIN: Final = Block()
_JOINED: Final = Block(joins=True)
_FENCE: Final = Pattern(r"^[ \t]*(`{3,}|~{3,})(.*)$")
_HEADING: Final = Pattern(r"^ {0,3}(#{1,6})(?:[ \t]+|$)")
_RULE: Final = Pattern(r"^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_SETEXT: Final = Pattern(r"^ {0,3}(=+|-{2,})[ \t]*$")
_ITEM: Final = Pattern(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_DELIMITER: Final = Pattern(r"^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_CELL: Final = Pattern(r"(?<!\\)\|")

_DEFINITION: Final = Pattern(r"^ {0,3}\[(\^?[^\[\]^]+)\]:[ \t]*(?:<([^<>]*)>|(\S+))?(.*)$")
_TITLE: Final = Pattern(r"[ \t]*(?:[ \t](?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?[ \t]*$")

_MAX_FIELDS: Final = 60
"""Lines that front matter may have; a `---` further down closes nothing."""

_MAX_CELL: Final = 72
"""Cells that a table column is given at most."""


def blocks(lines: list[str]) -> list[Block]:
    """A block for every line."""
    found: list[Block] = []
    at = _front_matter(lines, found)
    fence = ""
    while at < len(lines):
        line = lines[at]
        opened = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if fence:
            closes = opened and opened[1].startswith(fence) and not opened[2].strip(" \t")
            inside = found[-1].level + 1 if found[-1].kind is Kind.CODE else 1
            found.append(_shared(Kind.FENCE, 1) if closes else Block(Kind.CODE, inside))
            fence = "" if closes else fence
        elif opened and not (opened[1][0] == "`" and "`" in opened[2]):
            fence = opened[1]
            found.append(_shared(Kind.FENCE))
        elif "|" in line and at + 1 < len(lines) and "|" in lines[at + 1] and _DELIMITER.match(lines[at + 1]):
            at = _table(lines, at, found)
            continue
        else:
            block = _block(line, found[-1] if found else _PLAIN, lines[at - 1] if at else "")
            if block.kind is Kind.UNDERLINE:
                found[-1] = _shared(Kind.HEADING, 1 if line.lstrip(" \t")[:1] == "=" else 2)
            found.append(block)
        at += 1
    return found


def cells(line: str) -> list[str]:
    """The cells of a table row, trimmed."""
    inner = line.strip(" \t")
    inner = inner.removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip(" \t").replace("\\|", "|") for cell in _CELL.split(inner)]


def headings(lines: list[str], found: list[Block]) -> list[tuple[int, int, str]]:
    """The outline: line, level and words of every heading."""
    return [(number, block.level, heading_words(lines[number])) for number, block in enumerate(found) if block.kind is Kind.HEADING]


def heading_words(line: str) -> str:
    """A heading without its marks."""
    return re.sub(r"[ \t]+#+[ \t]*$", "", line.lstrip(" \t").lstrip("#").strip(" \t"))


def definition(line: str) -> tuple[str, str] | None:
    """The label that a line defines, and where it leads (a footnote's, which begins with `^`, nowhere); None where none is."""
    found = _DEFINITION.match(line) if "]:" in line else None
    if found is None:
        return None
    if found[1].startswith("^"):
        return found[1], ""
    target = found[2] or found[3] or ""
    return (found[1], target) if target and _TITLE.match(found[4]) else None


def code_of(block: Block) -> Block | None:
    """The block as a line of code, also within a quote; None where it is none."""
    inner = block.inner if block.kind is Kind.QUOTE else block
    return inner if inner is not None and inner.kind is Kind.CODE else None


def _block(line: str, before: Block, line_before: str) -> Block:
    start = line.lstrip(" \t")[:1]
    if start == "#" and (heading := _HEADING.match(line)):
        return _shared(Kind.HEADING, len(heading[1]))
    if start in ("=", "-") and before.kind is Kind.TEXT and not before.joins and line_before.strip(" \t") and _SETEXT.match(line):
        return _shared(Kind.UNDERLINE)
    if start in ("-", "*", "_") and _RULE.match(line):
        return _shared(Kind.RULE)
    if start == ">":
        return _quoted(line, before, line_before)
    if _ITEM.match(line):
        return _shared(Kind.ITEM)
    broken = line_before.endswith(("  ", "\\")) or not line_before.strip(" \t") or not start
    if start == "[" and definition(line):
        return _PLAIN
    if "]:" in line_before and (defined := definition(line_before)) is not None and defined[1]:
        return _PLAIN
    return _JOINED if before.kind in (Kind.TEXT, Kind.ITEM) and not broken else _PLAIN


def unquoted(line: str, depth: int) -> str:
    """A quoted line without the marks of `depth` quotes; what is indented within them stays so."""
    for _ in range(depth):
        line = line.lstrip(" \t").removeprefix(">")
        line = line.removeprefix(" ")
    return line


def _quoted(line: str, before: Block, line_before: str) -> Block:
    """A line of a quote: what it is within the quote decides whether it goes on with the line before."""
    depth = quote_depth(line)
    goes_on = before.kind is Kind.QUOTE and before.level == depth and before.inner is not None
    text = unquoted(line, depth)
    found = Block(Kind.QUOTE, depth)
    mark = _FENCE.match(text)
    fence = before.fence if goes_on else ""
    if fence:
        closes = mark is not None and mark[1].startswith(fence) and not mark[2].strip(" \t")
        inside = before.inner.level + 1 if before.inner is not None and before.inner.kind is Kind.CODE else 1
        found.inner = _shared(Kind.FENCE, 1) if closes else Block(Kind.CODE, inside)
        found.fence = "" if closes else fence
        return found
    if mark and not (mark[1][0] == "`" and "`" in mark[2]):
        found.inner, found.fence = _shared(Kind.FENCE), mark[1]
        return found
    above = before.inner if goes_on and before.inner is not None else _PLAIN
    found.inner = _block(text, above, unquoted(line_before, depth)) if text.strip(" \t") else _PLAIN
    if found.inner.kind is Kind.UNDERLINE:  # the line above is drawn already: a rule under it says the same
        found.inner = _shared(Kind.RULE)
    found.joins = goes_on and found.inner.joins
    return found


def quote_depth(line: str) -> int:
    """How many `>` a quoted line starts with."""
    text = line.lstrip(" \t>")
    return line[: len(line) - len(text)].count(">")


def _front_matter(lines: list[str], found: list[Block]) -> int:
    if not lines or lines[0].rstrip(" \t") != "---":
        return 0
    for end in range(1, min(len(lines), _MAX_FIELDS)):
        if lines[end].rstrip(" \t") in ("---", "..."):
            rule = _shared(Kind.FIELD_RULE)
            found += [rule, *[_shared(Kind.FIELD)] * (end - 1), rule]
            return end + 1
    return 0


def _table(lines: list[str], at: int, found: list[Block]) -> int:
    table = Table(at)
    table.aligns = [
        "^" if cell.startswith(":") and cell.endswith(":") else ">" if cell.endswith(":") else "<" for cell in cells(lines[at + 1])
    ]
    while at < len(lines) and "|" in lines[at] and lines[at].strip(" \t"):
        if at != table.first + 1:
            for column, cell in enumerate(cells(lines[at])):
                width = min(cell_len(cell), _MAX_CELL)
                if column < len(table.widths):
                    table.widths[column] = max(table.widths[column], width)
                else:
                    table.widths.append(width)
        found.append(Block(Kind.TABLE, at - table.first, table))
        at += 1
    table.aligns += ["<"] * (len(table.widths) - len(table.aligns))
    return at
