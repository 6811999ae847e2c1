"""Classify each line of a Markdown text (heading, item, fence, code, table…); all code that reads Markdown uses this scanner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import cache
from typing import Final

from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.text import WHITE_SPACE, raw_lines, trim

BOM: Final = "\ufeff"
"""The byte order mark that some programs write at the start of a text."""

TAB: Final = 4
"""Columns per tab stop."""

MAX_FIELDS: Final = 200
"""The most lines of a front matter; a `---` further down does not close it."""

_DEEPEST: Final = 40
"""The most quotes and items a line can be nested in; anything nested deeper is text."""

_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""Letters: a line that begins with one is a paragraph or a table row, which decides most lines."""

_INDENT: Final = WHITE_SPACE + "\ufeff\u200b"
_INDENTS: Final = frozenset(_INDENT)

_SIGNS: Final = frozenset(("- ", "* ", "+ "))

_FIELD: Final = Pattern(r"[A-Za-z_][\w-]*:(?:[ \t]|$)")
_FIELD_LINE: Final = Pattern(r"[A-Za-z_][\w-]*:(?:[ \t]|$)|[ \t]+\S|- ")
_KNOWN_FIELD: Final = Pattern(r"(?:name|description|label|limit|read_only|type|metadata|paths|globs|tags):")
"""Fields that agents read; other words with a colon may be prose over a rule."""

_FENCE: Final = Pattern(r"(`{3,})[^`]*$|(~{3,})")
_HEADING: Final = Pattern(r" {0,3}(#{1,6})(?:[ \t]+|$)")
_RULE: Final = Pattern(r"([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_ITEM: Final = Pattern(r"([-*+]|(\d{1,9})[.)])([ \t]+|$)")
_DELIMITER: Final = Pattern(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_CELL: Final = Pattern(r"(?<!\\)\|")
_TAG: Final = Pattern(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s+[\w:.-]+(?:\s*=\s*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*\s*/?>[ \t]*$")
_BLOCK_TAG: Final = Pattern(
    r"</?(?i:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    r"fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|"
    r"noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|/?>|$)"
)
_ENDED_TAG: Final = Pattern(r"<(?:(!--)|(\?)|(!\[CDATA\[)|(![A-Za-z])|(?i:(pre|script|style|textarea))(?=\s|>|$))")
_ENDS: Final = ("-->", "?>", "]]>", ">")


class Kind(Enum):
    """The kind of a line."""

    TEXT = auto()
    BLANK = auto()
    HEADING = auto()
    UNDERLINE = auto()
    """The underline that makes the paragraph above a heading (setext)."""
    ITEM = auto()
    QUOTE = auto()
    RULE = auto()
    FENCE = auto()
    CODE = auto()
    """A line inside a fenced block, not a fence itself."""
    INDENTED = auto()
    """A line of code that is marked by indentation only."""
    TABLE = auto()
    HTML = auto()
    """A line of a comment or other block of HTML."""
    FIELD = auto()
    FIELD_RULE = auto()


class Line:
    """One line: its kind and its level.

    `level` is: a heading's level; a quote's depth; a code line's distance below its fence; for a fence 0 if it opens, 1 if it
    closes; for a table 0 for the header, 1 for the delimiter row, 2 for a row. `joins`: the line continues the paragraph of the
    line before. `inner` is the line inside a quote, or the content of an item if that is not plain text. `table` is a slot for the
    renderer. Equal lines share one object, so a `Line` must not be changed.
    """

    __slots__ = ("inner", "joins", "kind", "level", "table")

    def __init__(self, kind: Kind, level: int = 0, *, joins: bool = False, inner: Line | None = None, table: object = None) -> None:
        self.kind = kind
        self.level = level
        self.joins = joins
        self.inner = inner
        self.table = table

    @property
    def leaf(self) -> Line:
        """The innermost line, inside any quote or item."""
        return self.inner or self

    @property
    def is_code(self) -> bool:
        """Whether the line belongs to a fenced block, including the fences."""
        return self.leaf.kind in _FENCED


_FENCED: Final = (Kind.FENCE, Kind.CODE)


@cache
def line_of(kind: Kind, level: int = 0, inner: Line | None = None, *, joins: bool = False) -> Line:
    """The shared `Line` for these values (cached): a large file has tens of thousands of lines, of 80 bytes each."""
    return Line(kind, level, joins=joins, inner=inner)


def quote_of(level: int, inner: Line, *, joins: bool = False) -> Line:
    """A quoted line; a code line is not cached, since its level is nearly unique."""
    make = Line if inner.kind is Kind.CODE else line_of
    return make(Kind.QUOTE, level, inner=inner, joins=joins)


PLAIN: Final = line_of(Kind.TEXT)
JOINED: Final = line_of(Kind.TEXT, joins=True)
_BLANK: Final = line_of(Kind.BLANK)
_ITEM_LINE: Final = line_of(Kind.ITEM)
_HTML: Final = line_of(Kind.HTML)
OPENING: Final = line_of(Kind.FENCE)
_UNDERLINES: Final = {"=": line_of(Kind.UNDERLINE, 1), "-": line_of(Kind.UNDERLINE, 2)}


def ended_lines(text: str) -> list[str]:
    """The lines of a text with their line feeds; concatenated, they are the text."""
    found = raw_lines(text)
    last = found.pop()
    out = [line + "\n" for line in found]
    if last:
        out.append(last)
    return out


def columns(line: str) -> int:
    """The indentation of a line in columns; a tab advances to the next multiple of four."""
    if line[:1] not in _INDENTS:
        return 0
    indent = line[: len(line) - len(line.lstrip(_INDENT))]
    if "\t" not in indent:
        return indent.count(" ")
    return len("".join(char for char in indent if char in " \t").expandtabs(TAB))


def end_of_block(lines: Sequence[str], start: int, indent: int) -> int:
    """The line after the last one below `start` that is indented further than `indent`, without blank lines at the end."""
    stop = start + 1
    for number in range(start + 1, len(lines)):
        if not trim(lines[number]):
            continue
        if columns(lines[number]) <= indent:
            break
        stop = number + 1
    return stop


def is_delimiter_row(line: str) -> bool:
    """Whether a line is the one below the header of a table."""
    return "|" in line and "-" in line and not line.strip("|-: \t\r\n")


def scan(lines: Sequence[str], *, tags: bool = True) -> list[Line]:
    """Classify each line, given without line feeds; a trailing carriage return counts as a blank. Takes linear time.

    With `tags` False, HTML blocks that end only at an empty line do not hide the lines below: prompts often have text between tags.
    """
    out: list[Line] = []
    at = front_matter(lines)
    if lines and lines[0].startswith(BOM):
        lines = [lines[0].lstrip(BOM), *lines[1:]]
    if at:
        rule = line_of(Kind.FIELD_RULE)
        out += [rule, *[line_of(Kind.FIELD)] * (at - 2), rule]
    feed = _Container(0, tags=tags).feed
    for line in lines[at:] if at else lines:
        found = feed(line)
        leaf = found.inner or found
        if leaf.kind is Kind.UNDERLINE:
            _make_heading(out, leaf.level)
        elif leaf.kind is Kind.TABLE and leaf.level == 1:
            out[-1] = _within(out[-1], line_of(Kind.TABLE))
        out.append(found)
    return out


def top_items(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """(first line, line after, heading above) of each top-level list item; items in quotes are skipped."""
    start = front_matter(lines)
    found = [*[PLAIN] * start, *scan(lines[start:])]
    root = _Container(0, tags=True)
    inside: _Container | None = None
    heading, begun = "", 0
    for number in range(start, len(lines)):
        root.feed(lines[number])
        item = root.inside if root.content >= 0 else None
        if item is not inside:
            if inside is not None:
                yield begun, number, heading
            inside, begun = item, number
        if root.inside is None and found[number].kind is Kind.HEADING:
            goes_on = found[number - 1] is found[number] and not heading_level(lines[number])
            heading = f"{heading} {heading_words(lines[number])}" if goes_on else heading_words(lines[number])
    if inside is not None:
        yield begun, len(lines), heading


def outside_code(lines: Sequence[str]) -> Iterator[tuple[int, str, bool]]:
    """(0-based number, line, whether it is outside fenced code) for each line; fences count as code."""
    if not any("```" in line or "~~~" in line for line in lines):
        return ((number, line, True) for number, line in enumerate(lines))
    return (
        (number, line, not found.is_code) for number, (line, found) in enumerate(zip(lines, scan(lines, tags=False), strict=True))
    )


def in_code(lines: Sequence[str], rows: Sequence[int]) -> list[bool]:
    """Whether the lines with these rising numbers are in fenced code; lines below the last are not scanned."""
    found = [not outside for _, _, outside in outside_code(lines[: rows[-1] + 1])]
    return [found[row] for row in rows]


def parts(lines: Sequence[str]) -> Iterator[tuple[int, Sequence[str], bool]]:
    """Split into fenced blocks and single other lines: (number of the first line, lines, whether it is code)."""
    found = scan(lines, tags=False)
    at = 0
    while at < len(lines):
        stop = end_of_code(found, at)
        yield at, lines[at:stop], found[at].is_code
        at = stop


def end_of_code(found: Sequence[Line], at: int) -> int:
    """The line after the fenced block that begins on line `at`; `at` + 1 if no block begins there."""
    stop = at + 1
    while found[at].is_code and stop < len(found) and found[stop].is_code and found[stop].leaf is not OPENING:
        stop += 1
    return stop


def unclosed(lines: Sequence[str]) -> int:
    """The line of the fence that is still open at the end of the text; -1 if none is."""
    if not any("```" in line or "~~~" in line for line in lines):
        return -1
    last = scan([*lines, "x"], tags=False)[-1]
    return len(lines) - last.leaf.level if last.is_code else -1


def front_matter(lines: Sequence[str]) -> int:
    """The number of lines of the front matter, including its fences; 0 if there is none."""
    if lines and lines[0].startswith(("---", BOM)) and lines[0].removeprefix(BOM).rstrip() == "---":
        for at in range(1, min(len(lines), MAX_FIELDS)):
            if lines[at].rstrip() in ("---", "..."):
                return at + 1
    return 0


def naming_lines(lines: Sequence[str]) -> int:
    """The number of lines that only say what a file is called and about: its front matter, and a heading as its first line."""
    end = front_matter(lines)
    title = next((at for at in range(end, min(len(lines), MAX_FIELDS)) if lines[at].strip()), None)
    return title + 1 if title is not None and heading_level(lines[title].lstrip(BOM)) else end


def is_broken_front_matter(lines: Sequence[str]) -> bool:
    """Whether a text begins with a front matter of which an opening or closing `---` is missing or spoilt.

    It begins in the first line or nowhere: a `---` further down is a rule. The closing one is missing, too, if a `---` further down
    stands for it, below lines that are no fields.
    """
    if end := front_matter(lines):
        return any(map(_KNOWN_FIELD.match, lines[1:end])) and not _are_fields(lines[1 : end - 1])
    start = int(bool(lines) and "--" in lines[0])
    if not _FIELD.match(lines[start] if lines[start:] else ""):
        return False
    end = next((at for at in range(start, len(lines)) if not _FIELD_LINE.match(lines[at])), len(lines))
    fences = [lines[at].rstrip() for at in (start - 1, end) if 0 <= at < len(lines)]
    return "---" in fences and any(_KNOWN_FIELD.match(line) for line in lines[start:end])


def _are_fields(lines: Sequence[str]) -> bool:
    """Whether these may be the lines of a front matter, by their beginnings: fields, their lists, comments, indented lines."""
    takes_list = False
    for line in lines:
        if line.startswith("- ") and not takes_list:
            return False
        if line.strip() and line[0] not in " \t#-]}\"'":
            if ":" not in line:
                return False
            takes_list = line.rstrip().endswith(":")
    return True


def heading_level(line: str) -> int:
    """The level of an ATX heading (`#`); 0 if the line is none."""
    found = _HEADING.match(line.rstrip("\r\n")) if "#" in line else None
    return len(found[1]) if found else 0


def heading_words(line: str) -> str:
    """The text of a heading line, without its marks."""
    words = line.lstrip(" \t").lstrip("#").strip(" \t\r\n")
    bare = words.rstrip("#")
    return bare.rstrip(" \t") if bare[-1:] in (" ", "\t", "") else words


def cells(line: str) -> list[str]:
    """The cells of a table row, trimmed."""
    inner = line.strip(" \t\r")
    inner = inner.removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip(" \t").replace("\\|", "|") for cell in _CELL.split(inner)]


def _make_heading(out: list[Line], level: int) -> None:
    """Turn the paragraph that ends the lines so far into a heading."""
    at = len(out) - 1
    while at > 0 and (out[at].inner or out[at]).joins:
        out[at] = _within(out[at], line_of(Kind.HEADING, level))
        at -= 1
    out[at] = _within(out[at], line_of(Kind.HEADING, level))


def _within(line: Line, leaf: Line) -> Line:
    """Replace the innermost line of `line` by `leaf`, keeping the quote or item around it."""
    return line_of(line.kind, line.level, inner=leaf) if line.kind in (Kind.QUOTE, Kind.ITEM) else leaf


class _Container:
    """The parser state of a document, quote or item, whose lines are fed to it one by one without the container's own prefix."""

    __slots__ = ("below", "content", "depth", "fence", "html", "inside", "is_plain", "last", "paragraph", "table", "tags")

    def __init__(self, depth: int, *, tags: bool) -> None:
        self.depth = depth
        self.tags = tags
        self.is_plain = True
        """True only if nothing is open except maybe a paragraph, so that most lines of text are quickly known."""
        self.inside: _Container | None = None
        """The open quote or item in this container; `content` is the column where the item's text starts, -1 for a quote."""
        self.content = -1
        self.paragraph = False
        self.last = ""
        """The previous line, if it could be a table header."""
        self.table = False
        self.fence = ""
        self.below = 0
        self.html = ""
        """The text that ends the open HTML block; a blank stands for an empty line."""

    def feed(self, line: str) -> Line:
        """Classify the next line."""
        if self.is_plain and line[:1] in _LETTERS:
            self.last = line if "|" in line else ""
            if self.paragraph:
                return JOINED
            self.paragraph = True
            return PLAIN
        if line[:2] in _SIGNS and line[2:3] in _LETTERS and not (self.fence or self.html) and self.depth < _DEEPEST:
            return self._short_item(line)
        bare = line.lstrip(" \t")
        if not bare or bare == "\r":
            return self._blank()
        columns = len(line) - len(bare)
        if columns and "\t" in line[:columns]:
            columns = len(line[:columns].expandtabs(TAB))
        if self.inside is not None:
            found = self._in_container(self.inside, bare, columns)
            if found is not None:
                return found
            self.inside = None
        if self.fence:
            return self._in_fence(bare, columns)
        if self.html:
            return self._in_html(bare)
        return self._begin(bare, columns)

    def _short_item(self, line: str) -> Line:
        """Start an unindented item (fast path for most items)."""
        self.inside, self.content, self.is_plain = _Container(self.depth + 1, tags=self.tags), 2, False
        self.inside.paragraph = True
        if "|" in line:
            self.inside.last = line[2:]
        self.paragraph = self.table = False
        self.last = ""
        return _ITEM_LINE

    def _blank(self) -> Line:
        if self.inside is not None:
            if self.content >= 0 and self.inside.last != "\0":
                return self.inside._blank()
            self.inside = None  # an empty line ends a quote, and an item without text
        if self.fence:
            self.below += 1
            return Line(Kind.CODE, self.below)
        if self.html and self.html != " ":
            return _HTML
        self.html = self.last = ""
        self.paragraph = self.table = False
        self.is_plain = self.inside is None
        return _BLANK

    def _in_container(self, inside: _Container, bare: str, columns: int) -> Line | None:
        """Classify a line as part of the open quote or item; None if the line ends that container."""
        if self.content < 0:
            if columns < TAB and bare[0] == ">":
                return self._quoted(inside, bare)
        elif columns >= self.content:
            return inside.feed(" " * (columns - self.content) + bare)
        leaf = inside
        while leaf.inside is not None:
            leaf = leaf.inside
        if leaf.paragraph and (columns >= TAB or not self._interrupts(bare)):
            leaf.last = ""
            return JOINED
        return None

    def _quoted(self, inside: _Container, bare: str) -> Line:
        rest = bare[1:]
        if rest[:1] == "\t":
            rest = "  " + rest[1:]
        elif rest[:1] == " ":
            rest = rest[1:]
        found = inside.feed(rest)
        return quote_of(found.level + 1, found.leaf) if found.kind is Kind.QUOTE else quote_of(1, found)

    def _in_fence(self, bare: str, columns: int) -> Line:
        if columns < TAB and bare.startswith(self.fence) and not bare.strip(" \t\r").strip(self.fence[0]):
            self.fence = ""
            return line_of(Kind.FENCE, 1)
        self.below += 1
        return Line(Kind.CODE, self.below)

    def _in_html(self, bare: str) -> Line:
        if self.html != " " and self.html in bare.lower():
            self.html = ""
        return _HTML

    def _begin(self, bare: str, columns: int) -> Line:
        """Classify a line while at most a paragraph or table is open."""
        if columns >= TAB:
            self.last = ""
            if self.paragraph:
                return JOINED
            self.table = False
            return line_of(Kind.INDENTED)
        first = bare[0]
        if self.last and first in "|-: " and "|" in bare and _DELIMITER.match(bare.rstrip("\r")) and self._is_head(bare):
            self.table, self.paragraph, self.is_plain, self.last = True, False, False, ""
            return line_of(Kind.TABLE, 1)
        if self.paragraph and first in "=-" and not bare.rstrip(" \t\r").strip(first):
            self.paragraph, self.last = False, ""
            return _UNDERLINES[first]
        found = self._block(bare, columns) if first in "#`~-*_+><" or first.isdigit() else None
        if found is not None:
            self.paragraph = self.table = False
            self.last = ""
            return found
        if self.table:
            return line_of(Kind.TABLE, 2)
        self.last = bare if "|" in bare else ""
        if self.paragraph:
            return JOINED
        self.paragraph = self.is_plain = True
        return PLAIN

    def _block(self, bare: str, columns: int) -> Line | None:
        """Start a block on this line; None if the line is text."""
        first = bare[0]
        if first == "#":
            level = heading_level(bare)
            return line_of(Kind.HEADING, level) if level else None
        if first in "`~":
            fence = _FENCE.match(bare)
            if fence is None:
                return None
            self.fence, self.below, self.is_plain = fence[1] or fence[2], 0, False
            return OPENING
        if first == "<":
            return self._html(bare)
        if first in "-*_" and _RULE.match(bare.rstrip("\r")):
            return line_of(Kind.RULE)
        if self.depth == _DEEPEST:
            return None
        if first == ">":
            self.inside, self.content, self.is_plain = _Container(self.depth + 1, tags=self.tags), -1, False
            return self._quoted(self.inside, bare)
        shown = bare.rstrip("\r")
        found = _ITEM.match(shown)
        if found is None or (self.paragraph and (found.end() == len(shown) or found[2] not in (None, "1"))):
            return None
        return self._item(bare, columns, len(found[1]), found[3])

    def _item(self, bare: str, columns: int, width: int, gap: str) -> Line:
        start = columns + width
        wide = len((" " * start + gap).expandtabs(TAB)) - start
        rest = bare[width + len(gap) :]
        if wide > TAB and rest:
            rest = " " * (wide - 1) + rest
        self.content = start + (wide if 0 < wide <= TAB and rest else 1)
        self.inside, self.is_plain = _Container(self.depth + 1, tags=self.tags), False
        if not rest or rest == "\r":
            self.inside.last = "\0"
            return _ITEM_LINE
        inner = self.inside.feed(rest)
        return _ITEM_LINE if inner is PLAIN else line_of(Kind.ITEM, inner=inner.leaf)

    def _html(self, bare: str) -> Line | None:
        ended = _ENDED_TAG.match(bare)
        if ended:
            end = f"</{ended[5].lower()}>" if ended[5] else _ENDS[(ended.lastindex or 1) - 1]
            self.html = "" if end in bare[2:].lower() else end
        elif self.tags and (_BLOCK_TAG.match(bare) or (not (self.paragraph or self.table) and _TAG.match(bare.rstrip("\r")))):
            self.html = " "
        else:
            return None
        self.is_plain = False
        return _HTML

    def _interrupts(self, bare: str) -> bool:
        """Whether a line starts a block that ends an open paragraph."""
        first = bare[0]
        if first == "#":
            return heading_level(bare) > 0
        if first in "`~":
            return _FENCE.match(bare) is not None
        if first == "<":
            return bool(_ENDED_TAG.match(bare) or (self.tags and _BLOCK_TAG.match(bare)))
        if first in "-*_" and _RULE.match(bare.rstrip("\r")):
            return True
        return first == ">" or ((first in "-*+" or first.isdigit()) and _ITEM.match(bare.rstrip("\r")) is not None)

    def _is_head(self, bare: str) -> bool:
        return len(cells(self.last)) == len(cells(bare))
