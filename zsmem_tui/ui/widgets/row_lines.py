"""A row of a list as lines of cells: what is long goes on below, under its own first word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len, chop_cells, set_cell_size

from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.text import raw_lines

Piece = tuple[str, str]
"""A text and the name of its style."""

MOST_LINES: Final = 3
"""Lines of a row that the cursor is not on: enough to tell it from others, and never a screen of one fact."""

BELOW_FROM: Final = 40
"""Cells of a list from which on facts that have no room beside the words stand below them; in narrower ones they give way."""

_SIGN_CELLS: Final = 2
"""Cells of a piece that is a sign rather than a word: lines that go on begin behind those at the front."""

_LEAST_WORDS: Final = 12
"""Cells that the words keep, whatever else there is."""

_SOLID: Final = r"\u3000-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003fffd"
"""Signs of scripts that are written without blanks, with their punctuation."""

_OPENS: Final = r"\s\u200d(\[{<'\"`‘“「『（［｛〔〈《【"
_CLOSES: Final = (
    r"\s\u200d\ufe00-\ufe0f)\]}>'\"`’”,.;:!?%…。、，．・：；！？」』）］｝〕〉》】々ーぁぃぅぇぉっゃゅょァィゥェォッャュョ"
)

BETWEEN_SIGNS: Final = Pattern(rf"(?<=[^{_OPENS}])(?=[^{_CLOSES}])(?:(?<=[{_SOLID}])|(?=[{_SOLID}]))")
"""Where a line may end without a blank: beside such a sign, unless the line would end with what opens or begin with what closes."""


def row_lines(pieces: Sequence[Piece], facts: str, width: int, most: int = MOST_LINES, hang: int = 0) -> list[list[Piece]]:
    """The lines of a row, each just `width` cells: its words in at most `most` lines, its facts at the right.

    Facts that would take more than three eighths of a line which the words need have lines of their own below. Lines that go on
    begin behind `hang` cells, where there are so many: by default behind the signs at the front.
    """
    hang = min(hang, width * 3 // 5) or _hang(pieces, width)
    size, right = sum([cell_len(text) for text, _ in pieces]), cell_len(facts)
    if not right:
        return _words(pieces, width, size, most, hang)
    room = width - right - 1
    if size <= room or (right <= width * 3 // 8 and room >= _LEAST_WORDS):
        first, *rest = _words(pieces, room, size, most, hang)
        return [[*first, (f" {facts}", "quiet")], *([*line, (" " * (right + 1), "text")] for line in rest)]
    if width < BELOW_FROM:
        return _words(pieces, width, size, most, hang)
    below = wrapped_pieces([(facts, "quiet")], width - hang, most)
    lead = [" " * (width - cell_len(text)) if len(below) == 1 else " " * hang for ((text, _),) in below]
    return [
        *_words(pieces, width, size, most, hang),
        *([(blank, "text"), *_filled(line, width - len(blank))] for blank, line in zip(lead, below, strict=True)),
    ]


def wrapped_pieces(pieces: Sequence[Piece], width: int, most: int, hang: int = 0) -> list[list[Piece]]:
    """Pieces in at most `most` lines of at most `width` cells, broken at blanks, or beside signs of scripts
    that have none; where there is more, the last ends in `…`.

    Lines after the first are `hang` cells narrower.
    """
    text = "".join([text for text, _ in pieces])
    out: list[list[Piece]] = []
    at = 0
    while at < len(text):
        room = max(width - (hang if out else 0), 1)
        stop, following = _break(text, at, room)
        if len(out) == most - 1 and following < len(text):
            return [*out, [*_fitted(_sliced(pieces, at, len(text)), room)]]
        out.append(_sliced(pieces, at, stop))
        at = following
    return out or [[("", "text")]]


def _words(pieces: Sequence[Piece], width: int, size: int, most: int, hang: int) -> list[list[Piece]]:
    if size <= width or most == 1:
        return [_filled(_fitted(pieces, width), width)]
    hang = min(hang, width - 1)
    first, *rest = wrapped_pieces(pieces, width, most, hang)
    return [_filled(first, width), *(_filled([(" " * hang, "text"), *line], width) for line in rest)]


def _hang(pieces: Sequence[Piece], width: int) -> int:
    """How far from the edge lines begin that go on: behind the signs and blanks at the front."""
    hang = 0
    for text, _ in pieces:
        if len(text.strip(" ")) > _SIGN_CELLS:
            words = text.lstrip(" ")
            hang += len(text) - len(words) + (2 if words[1] == " " and not words[0].isalnum() else 0)
            break
        hang += cell_len(text)
    return min(hang, width // 3)


def _break(text: str, at: int, room: int) -> tuple[int, int]:
    """Where the line from `at` on ends, and where the next one begins."""
    part = text[at : at + room + 1]
    if cell_len(part) > room:
        part = chop_cells(part, room)[0] or part[:1]
    stop = at + len(part)
    if stop >= len(text):
        return len(text), len(text)
    if text[stop] == " ":
        blank = stop
    else:
        blank = text.rfind(" ", at, stop)
        if (between := _last_between(text, max(at, blank) + 1, stop)) is not None:
            return between, between
        if (
            len(text[at : max(blank, at)].strip(" ")) <= 1
        ):  # one word fills the line, a sign before it or none: broken between folders
            folder = text.rfind("/", at + room // 2, stop) + 1
            return (folder, folder) if folder else (stop, stop)
    following = blank
    while following < len(text) and text[following] == " ":
        following += 1
    return blank, following


def _last_between(text: str, start: int, stop: int) -> int | None:
    """The last place from `start` to `stop` at which a script without blanks can be broken."""
    if text.isascii():
        return None
    return max((found.start() for found in BETWEEN_SIGNS.finditer(text, start, stop + 1)), default=None)


def _sliced(pieces: Sequence[Piece], start: int, stop: int) -> list[Piece]:
    out = []
    at = 0
    for text, style in pieces:
        part = text[max(start - at, 0) : max(stop - at, 0)]
        if part:
            out.append((part, style))
        at += len(text)
        if at >= stop:
            break
    return out


def _fitted(pieces: Sequence[Piece], room: int) -> list[Piece]:
    """As much of the pieces as `room` cells hold; what does not fit ends in `…`."""
    out: list[Piece] = []
    left = room
    for text, style in pieces:
        size = cell_len(text)
        if size > left:
            out.append((set_cell_size(text, max(left - 1, 0)) + ("…" if left > 0 else ""), style))
            break
        out.append((text, style))
        left -= size
    return out


def _filled(line: Sequence[Piece], width: int) -> list[Piece]:
    left = width - sum([cell_len(text) for text, _ in line])
    return [*line, (" " * left, "text")] if left > 0 else list(line)


def wrapped(text: str, width: int) -> list[str]:
    """A text of a few sentences in rows of at most `width` cells."""
    lines = (wrapped_pieces([(line, "text")], max(width, 1), len(line) + 1) for line in raw_lines(text))
    return ["".join(text for text, _ in row) for rows in lines for row in rows]
