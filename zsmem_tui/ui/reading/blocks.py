"""The lines of a Markdown text as they are drawn: which go on with the one before, and how wide the columns of tables are."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len

from zsmem_tui.core.markdown import JOINED, PLAIN, Kind, Line, cells, heading_words, quote_of, scan
from zsmem_tui.core.pattern import Pattern

_DEFINITION: Final = Pattern(r"^ {0,3}\[(\^?[^\[\]^]+)\]:[ \t]*(?:<([^<>]*)>|(\S+))?(.*)$")
_TITLE: Final = Pattern(r"[ \t]*(?:[ \t](?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?[ \t]*$")
_MARKER: Final = Pattern(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")

_MAX_CELL: Final = 72
"""Cells that a table column is given at most."""


class Table:
    """A table's column widths in cells, and its alignments (`<`, `^`, `>`)."""

    __slots__ = ("aligns", "rows", "widths")

    def __init__(self) -> None:
        self.rows = [Line(Kind.TABLE, level, table=self) for level in range(3)]
        """The head, what parts it from the rows, and each of those."""
        self.widths: list[int] = []
        self.aligns: list[str] = []

    def take(self, line: str, level: int) -> Line:
        """The next line of the table."""
        own = cells(line)
        if level == 1:
            self.aligns = ["^" if each[:1] == ":" == each[-1:] else ">" if each[-1:] == ":" else "<" for each in own]
        else:
            sizes = [min(cell_len(cell), _MAX_CELL) for cell in own]
            more = len(sizes) - len(self.widths)
            self.widths = [max(pair) for pair in zip(self.widths + [0] * more, sizes + [0] * -more, strict=True)]
            self.aligns += ["<"] * (len(self.widths) - len(self.aligns))
        return self.rows[level]


def blocks(lines: list[str]) -> list[Line]:
    """What each line is drawn as."""
    found = scan(lines)
    table = Table()
    for at, line in enumerate(found):
        if line is JOINED:
            if found[at - 1].kind not in _GOING_ON or _is_apart(lines[at], lines[at - 1]):
                found[at] = PLAIN
        elif line.kind is Kind.TABLE:
            table = Table() if line.level == 0 else table
            found[at] = table.take(lines[at], line.level)
        elif line.kind is Kind.QUOTE:
            inner, own = line.leaf, unquoted(lines[at], line.level)
            if inner.kind is Kind.TABLE:
                table = Table() if inner.level == 0 else table
                found[at] = Line(Kind.QUOTE, line.level, inner=table.take(own, inner.level))
            elif inner.joins:
                before = found[at - 1]
                same = before.kind is Kind.QUOTE and before.level == line.level and before.leaf.kind in _GOING_ON
                joins = same and not _is_apart(own, unquoted(lines[at - 1], line.level))
                found[at] = quote_of(line.level, JOINED if joins else PLAIN, joins=joins)
    return found


_GOING_ON: Final = (Kind.TEXT, Kind.ITEM)


def _is_apart(line: str, above: str) -> bool:
    """Whether a line of a paragraph is drawn on a row of its own."""
    if above.endswith(("  ", "\\")):
        return True
    defined = definition(above)
    return (defined is not None and bool(defined[1])) or (line.lstrip(" \t")[:1] == "[" and definition(line) is not None)


def headings(lines: list[str], found: list[Line]) -> list[tuple[int, int, str]]:
    """The outline: line, level and words of every heading."""
    out: list[tuple[int, int, str]] = []
    for number, block in enumerate(found):
        if block.kind is Kind.HEADING or (block.kind is Kind.ITEM and block.leaf.kind is Kind.HEADING):
            words = heading_words(item_words(lines[number]) if block.kind is Kind.ITEM else lines[number])
            if out and out[-1][0] == number - 1 and found[number - 1] is block and not lines[number].lstrip(" ").startswith("#"):
                words = f"{out.pop()[2]} {words}"  # a heading of several lines, with one below them
            out.append((number, block.level or block.leaf.level, words))
    return out


def item_words(line: str) -> str:
    """An item without its marker."""
    found = _MARKER.match(line)
    return line[found.end() :] if found else line


def definition(line: str) -> tuple[str, str] | None:
    """The label that a line defines, and where it leads (a footnote's, which begins with `^`, nowhere); None where none is."""
    found = _DEFINITION.match(line) if "]:" in line else None
    if found is None:
        return None
    if found[1].startswith("^"):
        return found[1], ""
    target = found[2] or found[3] or ""
    return (found[1], target) if target and _TITLE.match(found[4]) else None


def code_of(block: Line) -> Line | None:
    """The block as a line of code, also within a quote; None where it is none."""
    inner = block.leaf if block.kind is Kind.QUOTE else block
    return inner if inner.kind is Kind.CODE else None


def unquoted(line: str, depth: int) -> str:
    """A quoted line without the marks of `depth` quotes; what is indented within them stays so."""
    for _ in range(depth):
        line = line.lstrip(" \t").removeprefix(">")
        line = line.removeprefix(" ")
    return line
