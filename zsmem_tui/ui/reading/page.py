"""A text laid out for a width: rows, syntax colours, search, gutter, links and selection."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, Generic, NamedTuple, TypeVar

from zsmem_tui.core.fold import fold
from zsmem_tui.core.markdown import Kind, Line, front_matter
from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import lines, raw_lines
from zsmem_tui.core.whole_words import count_words
from zsmem_tui.ui import signs
from zsmem_tui.ui.reading.blocks import (
    LINE,
    NO_REFERENCES,
    LinkStyle,
    References,
    Span,
    blocks,
    code_of,
    definition,
    headings,
    label_of,
    unquoted,
)
from zsmem_tui.ui.reading.rows import Drawn, break_line, draw, draw_raw, row_spans

CODE_PIECE: Final = 80
"""Lines coloured in one step. A string that began before the piece may get wrong colours."""

_MAX_CHARS: Final = 16_000
"""Maximum number of characters in a piece; a longer one is not coloured, as it would take a second."""

_MAX_PIECES: Final = 200

_MOST_WANTED: Final = 8
"""Maximum number of pieces waiting; others are requested again when they are visible."""

_LANGUAGE: Final = Pattern(r"^[ \t]*[`~]{3,}[ \t]*\{?\.?([\w+#.-]{1,30})")

PLAIN: Final = "code-block"

_STYLES: Final = (
    ("Keyword", "code-keyword"),
    ("Operator.Word", "code-keyword"),
    ("Name.Function", "code-name"),
    ("Name.Class", "code-name"),
    ("Name.Tag", "code-keyword"),
    ("Name.Attribute", "code-name"),
    ("Name.Decorator", "code-name"),
    ("Literal.String", "code-string"),
    ("Literal.Number", "code-number"),
    ("Literal.Date", "code-number"),
    ("Comment", "code-comment"),
    ("Generic.Inserted", "code-string"),
    ("Generic.Deleted", "code-removed"),
    ("Generic.Heading", "code-keyword"),
    ("Generic.Subheading", "code-keyword"),
    ("Generic.Prompt", "code-comment"),
    ("Generic.Output", "code-comment"),
)
"""Pygments token types and their styles; all others are plain."""


class CodeColours:
    """The coloured lines of code in a text. `wanted` are the pieces to colour, by first line."""

    def __init__(self, lines: Sequence[str], blocks: Sequence[Line]) -> None:
        self._lines = lines
        self._blocks = blocks
        self._known: dict[int, list[list[Span]]] = {}
        self.wanted: list[int] = []

    def of(self, line: int, text: str) -> list[Span]:
        """A line of code with the colours known so far; `text` is what the spans must add up to."""
        start = self._start(line)
        found = self._known.get(start)
        if found is None:
            if start not in self.wanted and language(self._text(self._fence(line))):
                self.wanted = [*self.wanted[1 - _MOST_WANTED :], start]
            return [(text, PLAIN)]
        spans = found[line - start] if line - start < len(found) else []
        return spans if "".join(words for words, _ in spans) == text else [(text, PLAIN)]

    def look(self, start: int, clean: Callable[[str], str]) -> list[list[Span]]:
        """Colour the piece that begins at `start`; `clean` makes lines safe to draw. Slow: call it in a thread."""
        fence = self._fence(start)
        stop = start
        while stop < min(start + CODE_PIECE, len(self._lines)) and code_of(self._blocks[stop]) is not None:
            stop += 1
        return coloured([clean(self._text(line)) for line in range(start, stop)], language(self._text(fence)))

    def keep(self, start: int, found: list[list[Span]]) -> None:
        """Cache a coloured piece, dropping the oldest one if there are many."""
        while len(self._known) >= _MAX_PIECES:
            del self._known[next(iter(self._known))]
        self._known[start] = found
        self.wanted = [each for each in self.wanted if each != start]

    def _text(self, line: int) -> str:
        """A line without its quote marks."""
        block = self._blocks[line]
        return unquoted(self._lines[line], block.level) if block.kind is Kind.QUOTE else self._lines[line]

    def _below(self, line: int) -> int:
        """The number of lines from the opening fence to this line."""
        code = code_of(self._blocks[line])
        return code.level if code is not None else 0

    def _fence(self, line: int) -> int:
        return line - self._below(line)

    def _start(self, line: int) -> int:
        """The first line of the piece that contains a line."""
        return line - (self._below(line) - 1) % CODE_PIECE


def language(fence: str) -> str:
    """The language named by a fence; empty if there is none."""
    found = _LANGUAGE.match(fence)
    return found[1] if found else ""


def coloured(lines: list[str], language: str) -> list[list[Span]]:
    """Colour lines of code; empty if the language is unknown or there are too many characters."""
    if sum(map(len, lines)) > _MAX_CHARS:
        return []
    from rich.syntax import Syntax  # deferred: Pygments takes 60 ms, and as much for a language

    lexer = Syntax("", language).lexer
    if lexer is None:
        return []
    rows: list[list[Span]] = [[]]
    for kind, words in lexer.get_tokens("\n".join(lines)):
        style = _style(kind)
        for place, piece in enumerate(raw_lines(words)):
            if place:
                rows.append([])
            if piece and rows[-1] and rows[-1][-1][1] == style:
                rows[-1][-1] = (rows[-1][-1][0] + piece, style)
            elif piece:
                rows[-1].append((piece, style))
    return rows[: len(lines)]


def _style(kind: Sequence[str]) -> str:
    name = ".".join(kind)
    return next((style for prefix, style in _STYLES if name.startswith(prefix)), PLAIN)


PIECE: Final = 50
"""Lines laid out in one step of about 1 ms. A key press takes some twenty turns of the event loop, each after a step."""

PIECE_CHARS: Final = 10_000
"""Characters after which a step ends."""

_CACHED_LINES: Final = 2_000

_SHRINKING: Final = (Kind.TEXT, Kind.BLANK, Kind.HTML, Kind.ITEM, Kind.HEADING)
"""Kinds of lines that are never drawn wider than their source."""


class Page:
    """The lines of a text laid out for a width, rendered or raw.

    The layout is done in steps: `lay_out()` yields after each, so that large files do not block the screen.
    """

    def __init__(self, text: str, *, folds: bool = False) -> None:
        self.text = text
        self.lines = lines(text)
        self.folded = front_matter(self.lines) if folds else 0
        """Number of frontmatter lines that are folded into one row, unless raw."""
        self.blocks: list[Line] = blocks(self.lines)
        self.references = _references(self.lines, self.blocks) if "]:" in text else NO_REFERENCES
        """The targets of link labels and footnotes defined in the text; the first definition counts."""
        self.width = 80
        self.raw = False
        self.first_number = 1
        """The number of the first line, if the text is part of a file."""
        self.keeps_breaks = False
        """Whether the lines of a paragraph are kept instead of joined."""
        self.colours = CodeColours(self.lines, self.blocks)
        self._ends = array("L")
        self._drawn = lru_cache(_CACHED_LINES)(self._draw)

    @property
    def outline(self) -> list[tuple[int, int, str]]:
        """The headings as (line, level, text)."""
        return headings(self.lines, self.blocks)

    @property
    def row_count(self) -> int:
        """The number of rows laid out so far."""
        return self._ends[-1] if self._ends else 0

    @property
    def laid_out(self) -> int:
        """The number of lines laid out so far."""
        return len(self._ends)

    @property
    def complete(self) -> bool:
        """Whether all lines are laid out."""
        return len(self._ends) == len(self.lines)

    def start(self, width: int, *, raw: bool, keeps_breaks: bool = False) -> None:
        """Discard the layout and start one for `width` cells."""
        self.width = max(width, 1)
        self.raw = raw
        self.keeps_breaks = keeps_breaks
        self._ends = array("L")
        self._drawn.cache_clear()

    def lay_out(self) -> Iterator[None]:
        """Lay out the remaining lines, yielding after each step."""
        while not self.complete:
            start = len(self._ends)
            stop, length = start, 0
            while stop < min(start + PIECE, len(self.lines)) and length < PIECE_CHARS:
                length += len(self.lines[stop])
                stop += 1
            counts = [self._rows(number) for number in range(start, stop)]
            self._ends.extend(list(accumulate(counts, initial=self.row_count))[1:])
            yield

    def row_of(self, line: int) -> int:
        """The row at which a line begins; the last row if it is not laid out yet."""
        if not self._ends:
            return 0
        place = min(max(line, 0), len(self._ends) - 1)
        first = self.leader(place)
        top = self._ends[first - 1] if first else 0
        if first == place:
            return top
        drawn, starts = self._drawn(first)
        joint = drawn.joints[place - first - 1] if place - first <= len(drawn.joints) else 0
        return top + bisect_right(starts, joint) - 1

    def row_with(self, line: int, words: str) -> int | None:
        """The row of a line in which these words begin; None if it does not hold them, or is not laid out yet."""
        if line >= self.laid_out:
            return None
        drawn, starts, top = self.drawn(line)
        at = "".join(text for text, _ in drawn.spans).casefold().find(words.casefold())
        return top + bisect_right(starts, at) - 1 if at >= 0 else None

    def line_of(self, row: int) -> int:
        """The line in which a row begins."""
        first = self._first_line(row)
        drawn, starts = self._drawn(first)
        inside = row - (self._ends[first - 1] if first else 0)
        return first + bisect_right(drawn.joints, starts[min(max(inside, 0), len(starts) - 1)])

    def spans(self, row: int) -> tuple[list[Span], str]:
        """The spans of a row and its background style. The row must be laid out."""
        first = self._first_line(row)
        drawn, starts = self._drawn(first)
        return row_spans(drawn, starts, row - (self._ends[first - 1] if first else 0)), drawn.fill

    def plain(self, row: int) -> str:
        """The text of a row as drawn."""
        return "".join(words for words, _ in self.spans(row)[0])

    def find(self, terms: list[bytes], *, whole_words: bool = False) -> list[int]:
        """The lines that contain any of the folded terms, once per occurrence; with `whole_words`, only whole words count."""
        found: list[int] = []
        for number, line in enumerate(self.lines):
            folded = fold(line.encode("utf-8", "replace"))
            found += [number] * sum(count_words(folded, term) if whole_words else folded.count(term) for term in terms)
        return found

    def _first_line(self, row: int) -> int:
        return min(bisect_right(self._ends, row), max(len(self._ends) - 1, 0))

    def leader(self, line: int) -> int:
        """The first line of the paragraph that a line is joined with."""
        if line < len(self._ends):  # the lines joined with it have no rows of their own
            return bisect_left(self._ends, self._ends[line])
        while line and self._joins(line):
            line -= 1
        return line

    def _joins(self, line: int) -> bool:
        return not self.raw and (self.blocks[line].joins or 0 < line < self.folded)

    def paragraph(self, line: int) -> list[str]:
        """The lines drawn together, starting with this one."""
        stop = line + 1
        while stop < len(self.lines) and self._joins(stop):
            stop += 1
        return self.lines[line:stop]

    def keep_colours(self, start: int, found: list[list[Span]]) -> None:
        """Use the colours of a piece from now on."""
        self.colours.keep(start, found)
        self._drawn.cache_clear()

    def drawn(self, line: int) -> tuple[Drawn, list[int], int]:
        """The drawn paragraph of a line, the offsets of its rows, and its first row. The line must be laid out."""
        first = self.leader(line)
        drawn, starts = self._drawn(first)
        return drawn, starts, self._ends[first - 1] if first else 0

    def _draw(self, line: int) -> tuple[Drawn, list[int]]:
        drawn, starts = self._laid_out(line)
        if code_of(self.blocks[line]) is not None and not (self.raw and self.blocks[line].kind is Kind.QUOTE):
            drawn = drawn._replace(spans=self.colours.of(line, drawn.spans[0][0]))
        return drawn, starts

    def _laid_out(self, line: int) -> tuple[Drawn, list[int]]:
        if self.raw:
            drawn = draw_raw(self.lines[line], self.blocks[line], self.references)
        else:
            drawn = draw(self.paragraph(line), self.blocks[line], self.width, self.references)
            if self.keeps_breaks and drawn.joints:
                drawn = drawn._replace(breaks=drawn.joints)
        return drawn, break_line(drawn, self.width)

    def _rows(self, line: int) -> int:
        """The number of rows for a line; 0 if it is joined with the one before."""
        text = self.lines[line]
        if len(text) > PIECE_CHARS:  # cached, as the drawing is needed again
            return 0 if self._joins(line) else len(self._drawn(line)[1])
        if self.raw:
            return 1 if len(text) * 2 <= self.width else len(break_line(draw_raw(text), self.width))
        if self._joins(line):
            return 0
        is_alone = line + 1 == len(self.lines) or not self.blocks[line + 1].joins
        is_plain = len(text) <= self.width and is_alone and text.isascii() and text.isprintable() and "[[" not in text
        if is_plain and self.blocks[line].kind in _SHRINKING:  # quick, for large files
            return 1
        return len(self._laid_out(line)[1])


def _references(lines: list[str], blocks: list[Line]) -> References:
    found: dict[str, str] = {}
    for number, (line, block) in enumerate(zip(lines, blocks, strict=True)):
        is_text = block.kind is Kind.TEXT and not block.joins
        if is_text and "]:" in line and (defined := definition(line)) is not None:
            found.setdefault(label_of(defined[0]), defined[1] or f"{LINE}{number}")
    return found


CELLS: Final = 2
"""A mark and a blank."""

BY_WEIGHT: Final = f"{signs.LOST}{signs.CUT}{signs.LOOK}{signs.NOT_LOADED}"
"""Marks by importance: if several lines share a row, the first of these is shown, the last only if no line is loaded."""

WARNINGS: Final = f"{signs.LOST}{signs.CUT}"


class LineMarks:
    """The gutter marks of a page, a character per line; empty until they are known."""

    def __init__(self) -> None:
        self.marks = ""
        self.shown = True
        self.needed = True
        """Whether the file can be in a prompt at all; otherwise the gutter takes no room."""

    @property
    def width(self) -> int:
        """The gutter's width in cells; reserved before the marks are known, so that the text does not jump."""
        return CELLS if self.shown and self.needed else 0

    def at(self, page: Page, row: int) -> str:
        """The most important mark of the lines that begin in a row."""
        if not self.marks:
            return " "
        first = page.line_of(row)
        last = page.line_of(row + 1) if row + 1 < page.row_count else len(page.lines) - 1
        found = {self.marks[line] for line in range(first, min(last + 1, len(self.marks))) if page.row_of(line) == row}
        return next((mark for mark in BY_WEIGHT if mark in found and (mark != signs.NOT_LOADED or len(found) == 1)), " ")


class Gutter(NamedTuple):
    """The gutter of a page: line numbers of `digits` digits (0: none), and marks."""

    page: Page
    digits: int
    marks: LineMarks | None

    @property
    def width(self) -> int:
        """The gutter's width in cells."""
        return (self.digits + 1 if self.digits else 0) + (self.marks.width if self.marks else 0)

    def cells(self, row: int) -> list[tuple[str, str]]:
        """The gutter's spans for a row."""
        found = []
        if self.digits:
            line = self.page.line_of(row)
            number = str(line + self.page.first_number) if self.page.row_of(line) == row else ""
            found.append((f"{number:>{self.digits}} ", "number"))
        if self.marks is not None and self.marks.width:
            mark = self.marks.at(self.page, row)
            found.append((f"{mark} ", "lost" if mark in f"{WARNINGS}{signs.LOOK}" else "mark"))
        return found


def gutter_of(page: Page, marks: LineMarks | None, *, raw: bool | None = None) -> Gutter:
    """The gutter of a page; line numbers are shown if `raw` (None: as laid out)."""
    is_raw = page.raw if raw is None else raw
    return Gutter(page, len(str(page.first_number + len(page.lines) - 1)) if is_raw else 0, marks)


_MOST: Final = 100
"""Maximum number of places remembered."""


class Spot(NamedTuple):
    """A line of a file in an open store."""

    store: str
    ref: MemRef
    line: int


Left = TypeVar("Left")


class Trail(Generic[Left]):
    """The history of followed links, back and forward."""

    def __init__(self) -> None:
        self._behind: list[Left] = []
        self._ahead: list[Left] = []

    def leave(self, here: Left) -> None:
        """Remember a place where a link is followed; clears the forward history."""
        self._behind = [*self._behind[1 - _MOST :], here]
        self._ahead.clear()

    def go(self, step: int, here: Left) -> Left | None:
        """Return the previous or next place, or None; `here` is remembered on the other side."""
        taken, kept = (self._behind, self._ahead) if step < 0 else (self._ahead, self._behind)
        if not taken:
            return None
        kept.append(here)
        return taken.pop()


def links_of(page: Page, line: int) -> list[tuple[int, LinkStyle]]:
    """The links drawn with a line, as (row, style). The line must be laid out."""
    drawn, starts, top = page.drawn(line)
    found: list[tuple[int, LinkStyle]] = []
    at = 0
    for words, style in drawn.spans:
        if isinstance(style, LinkStyle) and not any(known is style for _, known in found):
            found.append((top + bisect_right(starts, at) - 1, style))
        at += len(words)
    return found


def link_at(page: Page, link: tuple[int, int] | None) -> tuple[int, LinkStyle] | None:
    """The row and style of a link, given as (line, index within the line); None if there is none."""
    if link is None or link[0] >= page.laid_out:
        return None
    found = links_of(page, link[0])
    return found[link[1]] if link[1] < len(found) else None


def next_link(page: Page, chosen: tuple[int, int] | None, top: int, step: int) -> tuple[int, int] | None:
    """The link after (`step` 1) or before the chosen one, wrapping around; without one, the first from line `top` on.

    Links are (line, index within the line).
    """
    start = chosen[0] if chosen else page.leader(top)
    if chosen:
        number = chosen[1] + step
        if 0 <= number < len(links_of(page, start)):
            return start, number
    count, signs = page.laid_out, ("[", "<", "http") if page.references else ("](", "[[", "<", "http")
    for away in range(1 if chosen else 0, count + 1):
        line = (start + away * step) % count
        may_link = page.leader(line) == line and any(sign in each for each in page.paragraph(line) for sign in signs)  # quick
        if may_link and (found := links_of(page, line)):
            return line, 0 if step > 0 else len(found) - 1
    return None


class Place(NamedTuple):
    """A row and a character within it."""

    row: int
    at: int


def between(page: Page, start: Place, stop: Place) -> str:
    """The text from `start` to before `stop` as drawn; rows of one line are joined again."""
    out: list[str] = []
    for row in range(start.row, min(stop.row, page.row_count - 1) + 1):
        text, prefix = page.plain(row), _continuation_prefix(page, row)
        low = start.at if row == start.row else 0
        high = stop.at if row == stop.row else len(text)
        if row > start.row and prefix is None:
            out.append("\n")
        elif row > start.row and prefix is not None:
            low = prefix
        front = page.folded and not page.raw and row < stop.row and not low and not page.leader(page.line_of(row))
        out.append("\n".join(page.lines[: page.folded]) if front else text[low:high])
    return "".join(out)


def moved(page: Page, place: Place, sideways: int, down: int, column: int) -> Place:
    """The place some characters or rows away; rows keep `column` if they are long enough.

    A move by one character continues on the next row; longer moves stay within theirs.
    """
    row, at = place
    if down:
        row = max(0, min(row + down, page.row_count - 1))
        return Place(row, min(column, _last_char(page, row)))
    at += sideways
    if at < 0 < row and sideways == -1:
        return Place(row - 1, _last_char(page, row - 1))
    if at > _last_char(page, row) and sideways == 1 and row + 1 < page.row_count:
        return Place(row + 1, 0)
    return Place(row, max(0, min(at, _last_char(page, row))))


def whole_lines(page: Page, one: Place, other: Place) -> tuple[Place, Place, range]:
    """Extend a range to whole paragraphs: the first place, the last place, and the line numbers."""
    low, high = sorted((one, other))
    first, last = page.leader(page.line_of(low.row)), page.line_of(high.row)
    stop = last + 1
    while stop < len(page.lines) and page.leader(stop) < stop:
        stop += 1
    bottom = page.row_of(stop) - 1 if stop < page.laid_out else page.row_count - 1
    return Place(page.row_of(first), 0), Place(bottom, _last_char(page, bottom)), range(first, stop)


def _last_char(page: Page, row: int) -> int:
    return max(len(page.plain(row)) - 1, 0)


def _continuation_prefix(page: Page, row: int) -> int | None:
    """The length of the prefix of a continuation row; None if the row begins a line."""
    drawn, starts, top = page.drawn(page.line_of(row))
    inside = row - top
    if not 0 < inside < len(starts):
        return None
    start = starts[inside]
    is_new = start in drawn.breaks or (start - 1 in drawn.joints and bool(drawn.breaks))
    return None if is_new else len(drawn.rest)
