"""Laying out a row of a list as lines of cells, wrapping long text with a hanging indent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len, chop_cells, set_cell_size

from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.text import raw_lines

Piece = tuple[str, str]
"""A text and the name of its style."""

MOST_LINES: Final = 3
"""Maximum number of lines of a row without the cursor."""

BELOW_FROM: Final = 40
"""Width from which facts that do not fit beside the text go on a line below it; in narrower lists they are left out."""

_SIGN_CELLS: Final = 2
"""Up to this many cells, a leading piece counts as a sign; wrapped lines are indented past it."""

_LEAST_WORDS: Final = 12
"""The minimum width of the text in cells."""

_SOLID: Final = r"\u3000-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003fffd"
"""Characters of scripts that are written without blanks, with their punctuation."""

_OPENS: Final = r"\s\u200d(\[{<'\"`‘“「『（［｛〔〈《【"
_CLOSES: Final = (
    r"\s\u200d\ufe00-\ufe0f)\]}>'\"`’”,.;:!?%…。、，．・：；！？」』）］｝〕〉》】々ーぁぃぅぇぉっゃゅょァィゥェォッャュョ"
)

BETWEEN_SIGNS: Final = Pattern(rf"(?<=[^{_OPENS}])(?=[^{_CLOSES}])(?:(?<=[{_SOLID}])|(?=[{_SOLID}]))")
"""Where a line may break without a blank: beside such a character, but not after an opening or before a closing one."""


def row_lines(pieces: Sequence[Piece], facts: str, width: int, most: int = MOST_LINES, hang: int = 0) -> list[list[Piece]]:
    """The lines of a row, each exactly `width` cells: the text in at most `most` lines, the facts at the right.

    If the text does not fit beside facts of more than 3/8 of the width, these go below it. Continuation lines are indented by
    `hang` cells, by default past the leading signs.
    """
    hang = min(hang, width * 3 // 5) or _hang(pieces, width)
    size, right = sum([cell_len(text) for text, _ in pieces]), cell_len(facts)
    if not right:
        return _text_lines(pieces, width, size, most, hang)
    room = width - right - 1
    if size <= room or (right <= width * 3 // 8 and room >= _LEAST_WORDS):
        first, *rest = _text_lines(pieces, room, size, most, hang)
        return [[*first, (f" {facts}", "quiet")], *([*line, (" " * (right + 1), "text")] for line in rest)]
    if width < BELOW_FROM:
        return _text_lines(pieces, width, size, most, hang)
    below = wrapped_pieces([(facts, "quiet")], width - hang, most)
    lead = [" " * (width - cell_len(text)) if len(below) == 1 else " " * hang for ((text, _),) in below]
    return [
        *_text_lines(pieces, width, size, most, hang),
        *([(blank, "text"), *_padded(line, width - len(blank))] for blank, line in zip(lead, below, strict=True)),
    ]


def wrapped_pieces(pieces: Sequence[Piece], width: int, most: int, hang: int = 0) -> list[list[Piece]]:
    """Wrap pieces to at most `most` lines of at most `width` cells; cut text ends in `…`.

    Lines break at blanks, and between characters of scripts without blanks. Lines after the first are `hang` cells narrower.
    """
    text = "".join([text for text, _ in pieces])
    out: list[list[Piece]] = []
    at = 0
    while at < len(text):
        room = max(width - (hang if out else 0), 1)
        stop, following = _line_end(text, at, room)
        if len(out) == most - 1 and following < len(text):
            return [*out, [*_truncated(_slice(pieces, at, len(text)), room)]]
        out.append(_slice(pieces, at, stop))
        at = following
    return out or [[("", "text")]]


def _text_lines(pieces: Sequence[Piece], width: int, size: int, most: int, hang: int) -> list[list[Piece]]:
    if size <= width or most == 1:
        return [_padded(_truncated(pieces, width), width)]
    hang = min(hang, width - 1)
    first, *rest = wrapped_pieces(pieces, width, most, hang)
    return [_padded(first, width), *(_padded([(" " * hang, "text"), *line], width) for line in rest)]


def _hang(pieces: Sequence[Piece], width: int) -> int:
    """The indent of continuation lines: past leading signs and blanks, at most a third of the width."""
    hang = 0
    for text, _ in pieces:
        if len(text.strip(" ")) > _SIGN_CELLS:
            words = text.lstrip(" ")
            hang += len(text) - len(words) + (2 if words[1] == " " and not words[0].isalnum() else 0)
            break
        hang += cell_len(text)
    return min(hang, width // 3)


def _line_end(text: str, at: int, room: int) -> tuple[int, int]:
    """The end of the line that begins at `at`, and the start of the next line."""
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
        if len(text[at : max(blank, at)].strip(" ")) <= 1:  # a single long word: break it after a slash
            folder = text.rfind("/", at + room // 2, stop) + 1
            return (folder, folder) if folder else (stop, stop)
    following = blank
    while following < len(text) and text[following] == " ":
        following += 1
    return blank, following


def _last_between(text: str, start: int, stop: int) -> int | None:
    """The last position from `start` to `stop` where a script without blanks can break, or None."""
    if text.isascii():
        return None
    return max((found.start() for found in BETWEEN_SIGNS.finditer(text, start, stop + 1)), default=None)


def _slice(pieces: Sequence[Piece], start: int, stop: int) -> list[Piece]:
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


def _truncated(pieces: Sequence[Piece], room: int) -> list[Piece]:
    """As many pieces as fit in `room` cells; cut text ends in `…`."""
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


def _padded(line: Sequence[Piece], width: int) -> list[Piece]:
    left = width - sum([cell_len(text) for text, _ in line])
    return [*line, (" " * left, "text")] if left > 0 else list(line)


def wrapped(text: str, width: int) -> list[str]:
    """Wrap a text to rows of at most `width` cells."""
    lines = (wrapped_pieces([(line, "text")], max(width, 1), len(line) + 1) for line in raw_lines(text))
    return ["".join(text for text, _ in row) for rows in lines for row in rows]
