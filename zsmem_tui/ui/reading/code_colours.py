"""The colours of code, looked for in a thread, a piece at a time, and only for what is drawn: no frame ever waits for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from zsmem_tui.core.markdown import Kind, Line
from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.text import raw_lines
from zsmem_tui.ui.reading.blocks import code_of, unquoted
from zsmem_tui.ui.reading.inline import Span

PIECE: Final = 80
"""Lines coloured in one go. What began before a piece (a text over many lines) is not known in it: that costs a colour, no word."""

_MAX_CHARS: Final = 16_000
"""Characters of a piece; a longer one stays as it is: it would take a second."""

_MAX_PIECES: Final = 200

_MOST_WANTED: Final = 8
"""Pieces that wait at most: what has been scrolled past meanwhile is asked for again when it is seen again."""

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
"""Kinds of tokens by Pygments' names, and the styles they are drawn in; the rest is plain."""


class CodeColours:
    """The coloured lines of a text's code. `wanted` are the pieces that were asked for and are not known yet."""

    def __init__(self, lines: Sequence[str], blocks: Sequence[Line]) -> None:
        self._lines = lines
        self._blocks = blocks
        self._known: dict[int, list[list[Span]]] = {}
        self.wanted: list[int] = []

    def of(self, line: int, text: str) -> list[Span]:
        """A line of code in its colours, as far as they are known. `text` is what it must say."""
        start = self._start(line)
        found = self._known.get(start)
        if found is None:
            if start not in self.wanted and language(self._text(self._fence(line))):
                self.wanted = [*self.wanted[1 - _MOST_WANTED :], start]
            return [(text, PLAIN)]
        spans = found[line - start] if line - start < len(found) else []
        return spans if "".join(words for words, _ in spans) == text else [(text, PLAIN)]

    def look(self, start: int, clean: Callable[[str], str]) -> list[list[Span]]:
        """The lines of the piece that begins at `start`, made fit to draw by `clean`, in colours. Slow: for a thread."""
        fence = self._fence(start)
        stop = start
        while stop < min(start + PIECE, len(self._lines)) and code_of(self._blocks[stop]) is not None:
            stop += 1
        return coloured([clean(self._text(line)) for line in range(start, stop)], language(self._text(fence)))

    def keep(self, start: int, found: list[list[Span]]) -> None:
        """Know a piece from now on; of very many, the oldest is forgotten."""
        while len(self._known) >= _MAX_PIECES:
            del self._known[next(iter(self._known))]
        self._known[start] = found
        self.wanted = [each for each in self.wanted if each != start]

    def _text(self, line: int) -> str:
        """A line as it stands within the quote that it is in."""
        block = self._blocks[line]
        return unquoted(self._lines[line], block.level) if block.kind is Kind.QUOTE else self._lines[line]

    def _below(self, line: int) -> int:
        """How far a line is below the fence that opens its code."""
        code = code_of(self._blocks[line])
        return code.level if code is not None else 0

    def _fence(self, line: int) -> int:
        return line - self._below(line)

    def _start(self, line: int) -> int:
        """The first line of the piece that a line is in."""
        return line - (self._below(line) - 1) % PIECE


def language(fence: str) -> str:
    """What a fence says that its code is written in; empty where it says nothing."""
    found = _LANGUAGE.match(fence)
    return found[1] if found else ""


def coloured(lines: list[str], language: str) -> list[list[Span]]:
    """Lines of code in the colours of a language; none where the language is unknown or there is too much of it."""
    if sum(map(len, lines)) > _MAX_CHARS:
        return []
    from rich.syntax import Syntax  # with Pygments 60 ms and as much for a language, in the first text with code only

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
