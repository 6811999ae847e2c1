"""Markdown lines with their drawing kind, table columns, and inline marks: emphasis, code, links.

A span is a text and the name of its style.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rich.cells import cell_len

from zsmem_tui.core.markdown import JOINED, PLAIN, Kind, Line, cells, heading_words, quote_of, scan
from zsmem_tui.core.pattern import Pattern

Span = tuple[str, str]

_INLINE: Final = Pattern(
    r"(?P<code>(?P<ticks>`+)(?!`)(?P<coded>.+?)(?<!`)(?P=ticks)(?!`))"
    r"|(?P<row>(?<![\w*])\*{4,}(?![\w*])|(?<!\w)_{4,}(?!\w))"
    r"|(?P<both>\*\*\*(?=[^\s*])(?P<strong>.+?)(?<=[^\s*])\*\*\*|(?<!\w)___(?=[^\s_])(?P<strong2>.+?)(?<=[^\s_])___(?!\w))"
    r"|(?P<bold>\*\*(?=\S)(?!\*+\s)(?P<bolded>.+?)(?<=\S)\*\*|(?<!\w)__(?=\S)(?P<bolded2>.+?)(?<=\S)__(?!\w))"
    r"|(?P<strike>~~(?=\S)(?P<struck>.+?)(?<=\S)~~)"
    r"|(?P<italic>\*(?=[^\s*])(?P<slanted>[^*]+?)(?<=\S)\*|(?<!\w)_(?=[^\s_])(?P<slanted2>[^_]+?)(?<=\S)_(?!\w))"
    r"|(?P<wiki>(?<!\[)\[\[(?=[^\s\]:|])(?P<page>[^\[\]|\n]*)(?<!\s)(?:\|(?P<label>[^\[\]\n]*))?\]\](?!\]))"
    r"|(?P<link>!?\[(?P<words>[^\[\]]*)\]\((?:<(?P<angled>[^<>\0]*)>|(?P<target>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*))"
    r"(?:\s+(?:\"[^\"]*\"|'[^']*'))?\))"
    r"|(?P<auto><(?P<address>(?:https?|ftp)://[^\s<>]+|(?:mailto:)?[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>)"
    r"|(?P<ref>!?\[(?P<called>\^?[^\[\]^]+)\](?:\[(?P<label2>[^\[\]]*)\])?)"
    r"|(?P<url>https?://[^\s<>()\[\]`\"]+)"
)
_MARKS: Final = Pattern(r"[`*_~\[<]|https?://")

_BLANKS: Final = Pattern(r"[\s\0]+")

MAX_INLINE_CHARS: Final = 4_000
"""In characters. Marks are not parsed in longer lines, which would take longer than a frame."""


_MOST_AROUND: Final = 8
"""The most bold texts in each other: a long row of asterisks is many."""

WIKI: Final = "wiki:"
"""Prefix of the target of a link to a note by its name."""


LINE: Final = "\n"
"""Prefix of the target of a link to a line of the same text, before the 0-based line number; in no target that a text holds."""

References = Mapping[str, str]
"""Link targets of `[words][label]` and `[^label]`, by normalised label."""

NO_REFERENCES: Final[References] = MappingProxyType({})


def label_of(words: str) -> str:
    """Normalise a label: case and kinds of blanks make no difference."""
    return _BLANKS.sub(" ", words.strip()).casefold()


class LinkStyle(str):
    """The style of a link's text, with the link's target. Each link has its own instance."""

    target: str

    @classmethod
    def to(cls, target: str) -> LinkStyle:
        """Make the style of a link to `target`."""
        style = cls("link")
        style.target = target
        return style


def link_words(target: str) -> str:
    """The target of a link in words."""
    return f"line {int(target.removeprefix(LINE)) + 1}" if target.startswith(LINE) else target.removeprefix(WIKI)


def inline(
    text: str, style: str = "text", references: References = NO_REFERENCES, *, raw: bool = False, depth: int = 0
) -> list[Span]:
    """Parse `text` to spans, removing the marks, or with `raw`, keeping them; `depth` counts the bold texts around it."""
    if len(text) > MAX_INLINE_CHARS or depth > _MOST_AROUND or not _MARKS.search(text):
        return [(text, style)]
    spans: list[Span] = []
    at = after = 0
    while (found := _INLINE.search(text, after)) is not None:
        if found["row"] or (found.lastgroup == "ref" and not _refers(found, references)):
            after = found.start() + len(found["row"] or "[")  # stars of a rating, or plain brackets, whose content may have marks
            continue
        if found.start() > at:
            spans.append((text[at : found.start()], style))
        at = after = found.end()
        own = _without_marks(found, style, references, depth + 1)
        if raw:  # the match unchanged, in the style of its content
            kinds = [kind for _, kind in own]
            own = [(found[0], next((kind for kind in kinds if isinstance(kind, LinkStyle)), kinds[0] if kinds else style))]
        spans += own
    if at < len(text):
        spans.append((text[at:], style))
    return spans


def _refers(found: re.Match[str], references: References) -> str:
    """The target of a reference; empty if its label is not defined."""
    return references.get(label_of(found["label2"] or found["called"]), "") if references else ""


def _without_marks(found: re.Match[str], style: str, references: References, depth: int) -> list[Span]:
    match found.lastgroup:
        case "code":
            return [(found["coded"], "code")]
        case "bold":
            bold = inline(found["bolded"] or found["bolded2"], style, references, depth=depth)
            return [(words, "bold" if kind == style else kind) for words, kind in bold]
        case "both":
            strong = inline(found["strong"] or found["strong2"], style, references, depth=depth)
            return [(piece, "bold-italic" if kind == style else kind) for piece, kind in strong]
        case "strike":
            return [(found["struck"], "strike")]
        case "italic":
            return [(found["slanted"] or found["slanted2"], "italic")]
        case "wiki":
            page, label = found["page"], found["label"]
            named: Span = (label or page, LinkStyle.to(WIKI + page))
            return [named] if not label or label == page else [named, (f" ({page})", "target")]
        case "link":
            target = found["target"] or found["angled"] or ""
            shown: Span = (found["words"] or target, LinkStyle.to(target))
            return [shown] if target in ("", found["words"]) else [shown, (f" ({target})", "target")]
        case "auto":
            address = found["address"]
            is_mail = "@" in address and "://" not in address and not address.startswith("mailto:")
            return [(address, LinkStyle.to(f"mailto:{address}" if is_mail else address))]
        case "ref":
            target = _refers(found, references)
            return [(f"[{found['called']}]" if target.startswith(LINE) else found["called"], LinkStyle.to(target))]
        case _:
            return [(found["url"], LinkStyle.to(found["url"].rstrip(".,;:!?'\"")))]  # without punctuation at the end


_DEFINITION: Final = Pattern(r"^ {0,3}\[(\^?[^\[\]^]+)\]:[ \t]*(?:<([^<>]*)>|(\S+))?(.*)$")
_TITLE: Final = Pattern(r"[ \t]*(?:[ \t](?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?[ \t]*$")
_MARKER: Final = Pattern(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")

_MAX_CELL: Final = 72
"""Maximum width of a table column in cells."""


class Table:
    """A table's column widths in cells, and its alignments (`<`, `^`, `>`)."""

    __slots__ = ("aligns", "rows", "widths")

    def __init__(self) -> None:
        self.rows = [Line(Kind.TABLE, level, table=self) for level in range(3)]
        """The line objects shared by the head, the rule and the rows."""
        self.widths: list[int] = []
        self.aligns: list[str] = []

    def take(self, line: str, level: int) -> Line:
        """Take the next line of the table into account; return its line object."""
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
    """The drawing kind of each line."""
    found = scan(lines)
    table = Table()
    for at, line in enumerate(found):
        if line is JOINED:
            if found[at - 1].kind not in _JOINING or _starts_row(lines[at], lines[at - 1]):
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
                same = before.kind is Kind.QUOTE and before.level == line.level and before.leaf.kind in _JOINING
                joins = same and not _starts_row(own, unquoted(lines[at - 1], line.level))
                found[at] = quote_of(line.level, JOINED if joins else PLAIN, joins=joins)
    return found


_JOINING: Final = (Kind.TEXT, Kind.ITEM)


def _starts_row(line: str, above: str) -> bool:
    """Whether a line of a paragraph is drawn on a row of its own."""
    if above.endswith(("  ", "\\")):
        return True
    defined = definition(above)
    return (defined is not None and bool(defined[1])) or (line.lstrip(" \t")[:1] == "[" and definition(line) is not None)


def headings(lines: list[str], found: list[Line]) -> list[tuple[int, int, str]]:
    """The headings as (line, level, text)."""
    out: list[tuple[int, int, str]] = []
    for number, block in enumerate(found):
        if block.kind is Kind.HEADING or (block.kind is Kind.ITEM and block.leaf.kind is Kind.HEADING):
            words = heading_words(item_words(lines[number]) if block.kind is Kind.ITEM else lines[number])
            if out and out[-1][0] == number - 1 and found[number - 1] is block and not lines[number].lstrip(" ").startswith("#"):
                words = f"{out.pop()[2]} {words}"  # the last line of a heading with several lines
            out.append((number, block.level or block.leaf.level, words))
    return out


def item_words(line: str) -> str:
    """An item without its marker."""
    found = _MARKER.match(line)
    return line[found.end() :] if found else line


def definition(line: str) -> tuple[str, str] | None:
    """Parse a link definition: label and target, or for a footnote (label begins with `^`) no target; None if it is none."""
    found = _DEFINITION.match(line) if "]:" in line else None
    if found is None:
        return None
    if found[1].startswith("^"):
        return found[1], ""
    target = found[2] or found[3] or ""
    return (found[1], target) if target and _TITLE.match(found[4]) else None


def code_of(block: Line) -> Line | None:
    """The block if it is code, also within a quote; else None."""
    inner = block.leaf if block.kind is Kind.QUOTE else block
    return inner if inner.kind is Kind.CODE else None


def unquoted(line: str, depth: int) -> str:
    """Remove `depth` levels of quote marks, keeping further indentation."""
    for _ in range(depth):
        line = line.lstrip(" \t").removeprefix(">")
        line = line.removeprefix(" ")
    return line
