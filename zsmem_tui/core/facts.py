"""Divide a Markdown text into facts, the smallest parts a person would keep or delete, and the pieces between them.

A fact is a list item with its continuation lines and children, a paragraph, a table row, a fence with the lines that introduce it,
or a block of HTML. Every line belongs to exactly one piece, so that all pieces concatenated are the text, byte for byte. Lines that
are indented further belong to the item above them (`core.checklist`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import lru_cache, wraps
from typing import Concatenate, Final, NamedTuple, ParamSpec

from zsmem_tui.core.limits import MAX_EDIT_BYTES
from zsmem_tui.core.markdown import (
    BOM,
    columns,
    end_of_block,
    ended_lines,
    front_matter,
    heading_level,
    heading_words,
    is_delimiter_row,
)
from zsmem_tui.core.text import WHITE_SPACE, trim, words


class Kind(StrEnum):
    """The kind of a piece. The first five are facts."""

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
    """Lines `line` to `stop` (0-based, `stop` excluded) of a text, with their line endings.

    `headings` is the path of headings above, outermost first; for a heading, its own title is the last. `indent` is in columns.
    `children` are the lines of the items nested in an item, at any depth. `header` is the header of a row's table as written; empty
    if the table has none. `level` is a heading's level, 1 to 6.
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
        """Whether a piece is a fact, not structure such as a heading."""
        return self.kind in FACT_KINDS

    @property
    def lines(self) -> int:
        """The number of lines."""
        return self.stop - self.line


_Rest = ParamSpec("_Rest")


_SPACE: Final = re.escape("".join(char for char in WHITE_SPACE if char != "\n"))
_ITEM: Final = re.compile(
    f"[{_SPACE}\ufeff\u200b]*(?:(?:[-*+\u2022]|(?P<number>[0-9]{{1,9}})[.)])(?:[ \t]|(?P<bare>(?=[\r\n]|$)))"
    "|\uff3b[^\uff3d\\]]?[\uff3d\\]])"
)
_FENCE: Final = re.compile(r"[ \t]*(`{3,}|~{3,})([^\n]*)")
_LEADS: Final = (":", "\uff1a", ":**", ":*")
"""The ends of a line that announces the fence below it."""
_BREAK: Final = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t\r]*\n?$")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-+)[ \t\r]*\n?$")
_TAG: Final = re.compile(
    r" {0,3}<(?:(!--)|(?:(pre|script|style|textarea)|/?[A-Za-z][A-Za-z0-9-]*|[!?][A-Za-z])(?=[\s/>]))", re.IGNORECASE
)

_SIGNS: Final = frozenset(("- ", "* ", "+ "))
_NO_WORD: Final = " \t\r\n-*_"
"""Characters after an item's bullet that could make the line something else: a thematic break, or an item without words."""

_PLAIN: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""Letters: a line that begins with one is a paragraph or a table header, which decides most lines."""


def divide(text: str) -> list[Piece]:
    """Divide a text into pieces, top to bottom; their texts concatenated are the text. Takes time linear in its length.

    A byte order mark is skipped to classify the first line; it stays in the first piece.
    """
    return list((_known_pieces if len(text) <= MAX_EDIT_BYTES else _pieces)(text))


def _pieces(text: str) -> Sequence[Piece]:
    rest = text.lstrip(BOM)
    if len(rest) == len(text):
        return _Divider(ended_lines(text)).pieces()
    mark = text[: len(text) - len(rest)]
    first, *more = _Divider(ended_lines(rest)).pieces() or [Piece(0, 1, Kind.BLANK, "")]
    return [first._replace(text=mark + first.text), *more]


_known_pieces: Final = lru_cache(8)(_pieces)
"""For a text that is not so large that holding it would matter."""


def below_mark(edit: Callable[Concatenate[str, _Rest], str]) -> Callable[Concatenate[str, _Rest], str]:
    """Decorate an edit so that a byte order mark stays at the start of the text."""

    @wraps(edit)
    def kept(text: str, /, *args: _Rest.args, **more: _Rest.kwargs) -> str:
        rest = text.lstrip(BOM)
        return text[: len(text) - len(rest)] + edit(rest, *args, **more)

    return kept


def open_fence(text: str) -> str:
    """The line that would close a fence left open in this fact; empty if none is open."""
    if "```" not in text and "~~~" not in text:
        return ""
    opening: re.Match[str] | None = None
    for line in ended_lines(text):
        found = _FENCE.match(line)
        if opening is None:
            opening = found if found and not (found[1][0] == "`" and "`" in found[2]) else None
        elif found and found[1].startswith(opening[1]) and not trim(line).strip(found[1][0]):
            opening = None
    return opening[0][: opening.end(1)] if opening else ""


class _Divider:
    """One pass over the lines of a text, which collects its pieces in `found`."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.found: list[Piece] = []
        self.titles: list[tuple[int, str]] = []
        self.path: tuple[str, ...] = ()
        self.no_end: dict[str, int] = {}
        """By fence character: the shortest length for which no closing line was found further down."""
        self.judged = (-1, Kind.BLANK)
        """The last classified line and its kind (cache): the next piece often begins there."""
        self.no_close: set[str] = set()
        """Closing tags of HTML blocks that do not occur further down."""

    def pieces(self) -> list[Piece]:
        lines = self.lines
        at = front_matter(lines)
        if at:
            self._put(Kind.FRONT_MATTER, 0, at)
        while at < len(lines):
            at = self._next(self._short_items(at) if lines[at][:2] in _SIGNS else at)
        return self.found

    def _short_items(self, at: int) -> int:
        """Add the run of one-line items that starts at line `at`, except the last; return the line to go on from.

        A fast path: most lists consist of such items, and it takes a tenth of the time of `_item`.
        """
        lines, put, path = self.lines, self.found.append, self.path
        line = lines[at]
        if not _is_short_item(line):
            return at
        for below in range(at + 1, len(lines)):
            following = lines[below]
            if not _is_short_item(following):
                break
            put(Piece._make((at, below, Kind.ITEM, line, path, 0, (), "", 0)))
            at, line = below, following
        return at

    def _put(
        self, kind: Kind, start: int, stop: int, indent: int = 0, children: tuple[int, ...] = (), header: str = "", level: int = 0
    ) -> int:
        text = "".join(self.lines[start:stop])
        self.found.append(Piece(start, stop, kind, text, self.path, indent, children, header, level))
        return stop

    def _next(self, at: int) -> int:
        """Add the piece that begins on line `at`; return the line after it."""
        line = self.lines[at]
        kind = self._kind(at)
        if kind is Kind.BLANK:
            stop = at + 1
            while stop < len(self.lines) and not trim(self.lines[stop]):
                stop += 1
            return self._put(Kind.BLANK, at, stop)
        if kind is Kind.HEADING:
            return self._heading(at, at + 1, heading_level(line), heading_words(line))
        if kind is Kind.SEPARATOR:
            return self._put(Kind.SEPARATOR, at, at + 1)
        if kind is Kind.ITEM:
            return self._item(at)
        if kind is Kind.FENCE:
            return self._fence(at)
        if kind is Kind.TABLE_HEAD or kind is Kind.ROW:
            return self._table(at, kind)
        if kind is Kind.HTML:
            return self._put(Kind.HTML, at, self._end_of_html(at))
        return self._paragraph(at)

    def _kind(self, at: int) -> Kind:
        """The kind of piece that begins on line `at`, if that line does not continue a piece above it."""
        if self.judged[0] != at:
            self.judged = (at, self._judge(at))
        return self.judged[1]

    def _judge(self, at: int) -> Kind:
        line = self.lines[at]
        if line[0] in _PLAIN:
            return Kind.TABLE_HEAD if "|" in line and self._is_rule(at + 1) else Kind.PARAGRAPH
        if line[:2] == "- " and line[2:3] in _PLAIN and "|" not in line:
            return Kind.ITEM  # the form of most items
        bare = line.lstrip(" \t")
        first = bare[:1]
        if not trim(line):
            return Kind.BLANK
        if first == "#" and heading_level(line):
            return Kind.HEADING
        if first in "-*_" and _BREAK.match(line):
            return Kind.SEPARATOR
        if first in "`~" and self._close_of(at):
            return Kind.FENCE
        if first == "|" or ("|" in line and self._is_rule(at + 1)):
            return Kind.TABLE_HEAD if self._is_rule(at + 1) or self._is_rule(at) else Kind.ROW
        if _ITEM.match(line):
            return Kind.ITEM
        if first == "<" and _TAG.match(line):
            return Kind.HTML
        return Kind.PARAGRAPH

    def _is_rule(self, at: int) -> bool:
        """Whether a line is the delimiter row of a table."""
        return at < len(self.lines) and is_delimiter_row(self.lines[at])

    def _close_of(self, at: int) -> int:
        """The line after the closing line of the fence that opens on line `at`; -1 if it is not closed, 0 if none opens there."""
        found = _FENCE.match(self.lines[at])
        if not found or (found[1][0] == "`" and "`" in found[2]):
            return 0
        char, length = found[1][0], len(found[1])
        if length < self.no_end.get(char, length + 1):
            for stop in range(at + 1, len(self.lines)):
                bare = self.lines[stop].strip(" \t\r\n")
                if bare.startswith(found[1]) and not bare.strip(char):
                    return stop + 1
            self.no_end[char] = length
        return -1

    def _next_heading(self, at: int) -> int:
        """The next heading below line `at`; the number of lines if there is none."""
        below = range(at + 1, len(self.lines))
        return next((number for number in below if heading_level(self.lines[number])), len(self.lines))

    def _heading(self, at: int, stop: int, level: int, title: str) -> int:
        while self.titles and self.titles[-1][0] >= level:
            self.titles.pop()
        self.titles.append((level, title))
        self.path = tuple(title for _, title in self.titles)
        return self._put(Kind.HEADING, at, stop, level=level)

    def _item(self, at: int) -> int:
        """Add an item with its continuation lines and children."""
        indent = columns(self.lines[at])
        children: list[int] = []
        stop = number = at + 1
        while number < len(self.lines):
            line = self.lines[number]
            if not trim(line):
                number += 1
                continue
            is_near = stop == number
            is_inner = line[0] not in _PLAIN and columns(line) > indent
            is_led = is_inner or (is_near and self.lines[number - 1].rstrip().endswith(_LEADS))
            if is_led and line.lstrip(" \t")[0] in "`~" and (end := self._close_of(number)):
                if end < 0:
                    end = end_of_block(self.lines, number, indent) if is_inner else self._next_heading(number)
                number = stop = end
                continue
            if is_inner:
                if _ITEM.match(line):
                    children.append(number)
            elif not is_near or self._kind(number) is not Kind.PARAGRAPH or _UNDERLINE.match(line):
                break
            number += 1
            stop = number
        return self._put(Kind.ITEM, at, stop, indent=indent, children=tuple(children))

    def _fence(self, at: int) -> int:
        """Add a fence with the paragraph above it that announces it with a colon; if unclosed, up to the next heading."""
        stop = self._close_of(at)
        if stop < 0:
            stop = self._next_heading(at)
        start = at
        is_below_blank = bool(self.found) and self.found[-1].kind is Kind.BLANK and self.found[-1].lines == 1
        above = self.found[-1 - is_below_blank :]
        if above and above[0].kind is Kind.PARAGRAPH and above[0].text.rstrip().endswith(_LEADS):
            start = above[0].line
            del self.found[-len(above) :]
        return self._put(Kind.FENCE, start, stop, indent=columns(self.lines[start]))

    def _table(self, at: int, kind: Kind) -> int:
        header = ""
        if kind is Kind.TABLE_HEAD:
            stop = at + 1 if self._is_rule(at) else at + 2
            header = "".join(self.lines[at:stop])
            at = self._put(Kind.TABLE_HEAD, at, stop)
        while at < len(self.lines) and "|" in self.lines[at]:
            line = self.lines[at]
            if line.lstrip(" \t")[:1] != "|" and (kind is Kind.ROW or self._kind(at) not in (Kind.PARAGRAPH, Kind.TABLE_HEAD)):
                break
            if self._is_rule(at + 1) and not self._is_rule(at):
                break
            at = self._put(Kind.ROW, at, at + 1, header=header, indent=columns(line))
        return at

    def _end_of_html(self, at: int) -> int:
        """The line after a block of HTML: a comment or `pre` ends at its closing tag, anything else before a blank line."""
        found = _TAG.match(self.lines[at])
        closing = "-->" if found and found[1] else f"</{found[2].lower()}>" if found and found[2] else ""
        if closing and closing not in self.no_close:
            for stop in range(at, len(self.lines)):
                if closing in self.lines[stop].lower():
                    return stop + 1
            self.no_close.add(closing)
        return self._end_of_plain(at)

    def _end_of_plain(self, at: int) -> int:
        """The line after the paragraph that begins on line `at`."""
        stop = at + 1
        while stop < len(self.lines):
            line = self.lines[stop]
            if line[0] in _PLAIN and "|" not in line:
                stop += 1  # the form of most paragraph lines
                continue
            kind = self._kind(stop)
            if (
                kind is Kind.ITEM
                and (found := _ITEM.match(line))
                and (found["bare"] is not None or found["number"] not in (None, "1"))
            ):
                kind = Kind.PARAGRAPH  # a bullet without words, or a year at the start of a line, does not start a list
            if kind is Kind.HTML and (tag := _TAG.match(line)) and (tag[1] or tag[2]):
                break
            if kind not in (Kind.PARAGRAPH, Kind.HTML) or _UNDERLINE.match(line):
                break
            stop += 1
        return stop

    def _paragraph(self, at: int) -> int:
        stop = self._end_of_plain(at)
        below = _UNDERLINE.match(self.lines[stop]) if stop < len(self.lines) else None
        if below and (below[1][0] == "=" or stop == at + 1):
            title = " ".join(trim(line) for line in self.lines[at:stop])
            return self._heading(at, stop + 1, 1 if below[1][0] == "=" else 2, title)
        if below and not _BREAK.match(self.lines[stop]):
            stop += 1  # one or two dashes below several lines are part of the paragraph
        return self._put(Kind.PARAGRAPH, at, stop, indent=columns(self.lines[at]))


def _is_short_item(line: str) -> bool:
    """Whether the line is certainly an unindented item, whatever is around it; False if that takes a closer look."""
    return line[:2] in _SIGNS and line[2:3] not in _NO_WORD and "|" not in line


class Fact(NamedTuple):
    """One fact of a text. `line`, `stop`, `kind`, `text`, `headings`, `indent`, `children` and `header` are those of its `Piece`.

    `says` are its words without bullet and box; facts with equal words are the same fact. Among the facts with these words, `nth`
    is the 0-based position below the same headings, `same` their number there, and `everywhere` their number in the whole text.
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
        """The number of lines."""
        return self.stop - self.line


_BULLET: Final = re.compile("[-*+\u2022]|[0-9]{1,9}[.)]")
_BOX: Final = re.compile("(?:\\[[^\\]]?\\]|\uff3b[^\uff3d\\]]?[\uff3d\\]])")
_EMPTY_BOX: Final = re.compile("\\[[ \t\u3000]\\]|\uff3b[ \t\u3000]\uff3d")

MEMORY_MARKER: Final = re.compile(r"<!--\s*zerostack-memory:(begin|end)\s*-->")
"""The comments around the part of an instruction file that holds promoted facts; they are not facts."""

_BULLETS: Final = frozenset("-*+\u2022")
_BOX_STARTS: Final = frozenset("[\uff3b")
_BEFORE_WORDS: Final = frozenset("-*+\u2022[\uff3b0123456789")
"""First characters of a bullet or a box."""


def facts(text: str) -> list[Fact]:
    """The facts of a text from top to bottom."""
    return facts_of(divide(text))


def facts_of(pieces: Iterable[Piece]) -> list[Fact]:
    """The facts among the pieces of a text, in order."""
    found = [
        piece
        for piece in map(_without_bom, pieces)
        if piece.is_fact and not (piece.kind is Kind.HTML and MEMORY_MARKER.fullmatch(trim(piece.text)))
    ]
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


def _without_bom(piece: Piece) -> Piece:
    """The piece without the byte order mark of the text, which is not part of a fact."""
    return piece._replace(text=piece.text.lstrip(BOM)) if piece.line == 0 and piece.text.startswith(BOM) else piece


def words_of(text: str) -> str:
    """The words of a fact, joined by single spaces, without bullet and box."""
    if text.isascii():
        found = (text.replace("[ ]", "[_]").replace("[\t]", "[_]") if "[" in text else text).split()
    else:
        found = words(_EMPTY_BOX.sub("[_]", text))
    if found and found[0][0] in _BEFORE_WORDS:
        if found[0] in _BULLETS or _BULLET.fullmatch(found[0]):
            del found[0]
        if len(found) > 1 and found[0][0] in _BOX_STARTS and _BOX.fullmatch(found[0]):
            del found[0]
    return " ".join(found)


def find_again(old: Fact, text: str | Sequence[Fact]) -> Fact | None:
    """Find a fact again in a changed text (or its facts); None if it is gone or ambiguous.

    Facts are compared by their words. Of several with equal words, the one at the same position below the same headings is taken if
    their number there is unchanged; otherwise only one on the very same line.
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
