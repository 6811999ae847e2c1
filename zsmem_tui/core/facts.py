"""A text as facts: the smallest things a person would keep or throw away, and what groups and parts them.

A fact is a list item with its continuation lines and children, a paragraph, a row of a table, a fence with the lines that introduce
it, or a block of HTML. Every line belongs to exactly one piece, a fact or what stands between, so the pieces put together are the
text, byte for byte. What is indented further belongs to the item above (`core.checklist`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import wraps
from typing import Concatenate, Final, NamedTuple, ParamSpec

from zsmem_tui.core.markdown import BOM, columns, ended_lines, front_matter, heading_level, heading_words
from zsmem_tui.core.text import WHITE_SPACE, trim, words


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


_Rest = ParamSpec("_Rest")


_SPACE: Final = re.escape("".join(char for char in WHITE_SPACE if char != "\n"))
_ITEM: Final = re.compile(
    f"[{_SPACE}\ufeff\u200b]*(?:(?:[-*+\u2022]|(?P<number>[0-9]{{1,9}})[.)])(?:[ \t]|(?P<bare>(?=[\r\n]|$)))"
    "|\uff3b[^\uff3d\\]]?[\uff3d\\]])"
)
_FENCE: Final = re.compile(r"[ \t]*(`{3,}|~{3,})([^\n]*)")
_BREAK: Final = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t\r]*\n?$")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-+)[ \t\r]*\n?$")
_TAG: Final = re.compile(
    r" {0,3}<(?:(!--)|(?:(pre|script|style|textarea)|/?[A-Za-z][A-Za-z0-9-]*|[!?][A-Za-z])(?=[\s/>]))", re.IGNORECASE
)

_SIGNS: Final = frozenset(("- ", "* ", "+ "))
_NO_WORD: Final = " \t\r\n-*_"
"""What, behind the sign of an item, could make a line something else: a break, or an item without words."""

_PLAIN: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""A line that begins with one of these is a paragraph's, unless it is the head of a table: most lines are decided by that."""


def divide(text: str) -> list[Piece]:
    """The pieces of a text from top to bottom; their texts put together are the text. Takes time linear in its length.

    A byte order mark says nothing about the line behind it; it stays in the first piece.
    """
    rest = text.lstrip(BOM)
    if len(rest) == len(text):
        return _Division(ended_lines(text)).pieces()
    mark = text[: len(text) - len(rest)]
    first, *more = _Division(ended_lines(rest)).pieces() or [Piece(0, 1, Kind.BLANK, "")]
    return [first._replace(text=mark + first.text), *more]


def below_mark(edit: Callable[Concatenate[str, _Rest], str]) -> Callable[Concatenate[str, _Rest], str]:
    """An edit that leaves a text's byte order mark what the text begins with."""

    @wraps(edit)
    def kept(text: str, /, *args: _Rest.args, **more: _Rest.kwargs) -> str:
        rest = text.lstrip(BOM)
        return text[: len(text) - len(rest)] + edit(rest, *args, **more)

    return kept


def open_fence(text: str) -> str:
    """The line that closes a fence of a fact which has no end; empty when there is none."""
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


class _Division:
    """One walk over the lines of a text."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.found: list[Piece] = []
        self.titles: list[tuple[int, str]] = []
        self.path: tuple[str, ...] = ()
        self.no_end: dict[str, int] = {}
        """By the character of a fence, the shortest length for which there is no closing line further down."""
        self.judged = (-1, Kind.BLANK)
        """The line that was judged last, and its kind: the next piece often begins there."""
        self.no_close: set[str] = set()
        """What ends a block of HTML and does not stand further down."""

    def pieces(self) -> list[Piece]:
        lines = self.lines
        at = front_matter(lines)
        if at:
            self._put(Kind.FRONT_MATTER, 0, at)
        while at < len(lines):
            at = self._next(self._short_items(at) if lines[at][:2] in _SIGNS else at)
        return self.found

    def _short_items(self, at: int) -> int:
        """Put the items of one line that follow each other from a line on, but the last; the line after them.

        Most lists are nothing else: it takes a tenth of the time that `_item` takes to find the same.
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
        text = self.lines[start] if stop - start == 1 else "".join(self.lines[start:stop])
        self.found.append(Piece(start, stop, kind, text, self.path, indent, children, header, level))
        return stop

    def _next(self, at: int) -> int:
        """Put the piece that begins on a line; the line after it."""
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
        """What begins on a line that is not part of what stands above it."""
        if self.judged[0] != at:
            self.judged = (at, self._judge(at))
        return self.judged[1]

    def _judge(self, at: int) -> Kind:
        line = self.lines[at]
        if line[0] in _PLAIN:
            return Kind.TABLE_HEAD if "|" in line and self._is_rule(at + 1) else Kind.PARAGRAPH
        if line[:2] == "- " and line[2:3] in _PLAIN and "|" not in line:
            return Kind.ITEM  # most items look so
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
        """Whether a line parts the head of a table from its rows."""
        if at >= len(self.lines):
            return False
        line = self.lines[at]
        return "|" in line and "-" in line and not line.strip("|-: \t\r\n")

    def _close_of(self, at: int) -> int:
        """The line after the closing one of a fence that begins on a line; -1 when it has none, 0 when no fence begins there."""
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
        """The first heading below a line; where there is none, the end."""
        below = range(at + 1, len(self.lines))
        return next((number for number in below if heading_level(self.lines[number])), len(self.lines))

    def _heading(self, at: int, stop: int, level: int, title: str) -> int:
        while self.titles and self.titles[-1][0] >= level:
            self.titles.pop()
        self.titles.append((level, title))
        self.path = tuple(title for _, title in self.titles)
        return self._put(Kind.HEADING, at, stop, level=level)

    def _item(self, at: int) -> int:
        """An item with everything below it that is its own."""
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
            if (is_inner or is_near) and line.lstrip(" \t")[0] in "`~" and (end := self._close_of(number)):
                if end < 0:
                    end = self._end_of_inner(number, indent) if is_inner else self._next_heading(number)
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

    def _end_of_inner(self, at: int, indent: int) -> int:
        """The line after the last one below a line that is indented further than `indent`: where a fence without an end ends."""
        stop = at + 1
        for number in range(at + 1, len(self.lines)):
            if not trim(self.lines[number]):
                continue
            if columns(self.lines[number]) <= indent:
                break
            stop = number + 1
        return stop

    def _fence(self, at: int) -> int:
        """A fence with the lines right above it, or the paragraph that announces it; without an end, up to the next heading."""
        stop = self._close_of(at)
        if stop < 0:
            stop = self._next_heading(at)
        start = at
        if self.found and self.found[-1].kind is Kind.PARAGRAPH:
            start = self.found.pop().line
        elif (
            len(self.found) > 1
            and self.found[-1].kind is Kind.BLANK
            and self.found[-1].lines == 1
            and self.found[-2].kind is Kind.PARAGRAPH
            and self.found[-2].text.rstrip().endswith(":")
        ):
            self.found.pop()
            start = self.found.pop().line
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
            if at + 1 < len(self.lines) and self._is_rule(at + 1) and not self._is_rule(at):
                break
            at = self._put(Kind.ROW, at, at + 1, header=header, indent=columns(line))
        return at

    def _end_of_html(self, at: int) -> int:
        """The line after a block of HTML: a comment or a `pre` ends where it is closed, anything else before a blank line."""
        found = _TAG.match(self.lines[at])
        closing = "-->" if found and found[1] else f"</{found[2].lower()}>" if found and found[2] else ""
        if closing and closing not in self.no_close:
            for stop in range(at, len(self.lines)):
                if closing in self.lines[stop].lower():
                    return stop + 1
            self.no_close.add(closing)
        return self._end_of_plain(at)

    def _end_of_plain(self, at: int) -> int:
        """The line after a paragraph that begins on a line."""
        stop = at + 1
        while stop < len(self.lines):
            line = self.lines[stop]
            if line[0] in _PLAIN and "|" not in line:
                stop += 1  # most lines of paragraphs look so
                continue
            kind = self._kind(stop)
            if (
                kind is Kind.ITEM
                and (found := _ITEM.match(line))
                and (found["bare"] is not None or found["number"] not in (None, "1"))
            ):
                kind = Kind.PARAGRAPH  # a bullet without words, or a year at the start of a line, begins no list
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
            stop += 1  # a dash or two below several lines: part of them
        return self._put(Kind.PARAGRAPH, at, stop, indent=columns(self.lines[at]))


def _is_short_item(line: str) -> bool:
    """Whether an item at the left edge begins on a line, whatever stands around it; False where that takes a closer look."""
    return line[:2] in _SIGNS and line[2:3] not in _NO_WORD and "|" not in line


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

_BULLETS: Final = frozenset("-*+\u2022")
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
        if found[0] in _BULLETS or _BULLET.fullmatch(found[0]):
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
