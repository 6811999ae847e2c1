"""The lines of a text that hold some of the terms: which they are, and the windows of lines around them (section 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from zsmem_tui.core.find import SPAN_BYTES, count_lines, find, line_end
from zsmem_tui.core.limits import CONTEXT_LINES, MAX_WINDOWS


class ExcerptLine:
    """A line shown for a hit. `number` counts from 0; `matches` says whether it holds a term."""

    __slots__ = ("matches", "number", "text")

    def __init__(self, number: int, text: str, matches: bool) -> None:
        self.number = number
        self.text = text
        self.matches = matches


def hit_lines(folded: bytes, terms: Sequence[bytes], holds: Callable[[bytes, bytes], bool] | None = None) -> Iterator[int]:
    """The numbers of the lines that hold some term, in order; with `holds`, of those of which that says so of a term, too."""
    upcoming = [find(folded, term) for term in terms]
    position = number = 0
    while True:
        ahead = [at for at in upcoming if at >= 0]
        if not ahead:
            return
        at = min(ahead)
        number += count_lines(folded, position, at)
        end = line_end(folded, at)
        if holds is None or _held(folded, position, at, end, terms, holds):
            yield number
        position = end + 1
        number += 1
        for index, place in enumerate(upcoming):
            if 0 <= place < position:
                upcoming[index] = find(folded, terms[index], position)


def _held(folded: bytes, lowest: int, at: int, end: int, terms: Sequence[bytes], holds: Callable[[bytes, bytes], bool]) -> bool:
    """Whether the line around `at`, which begins at `lowest` or behind it, and ends at `end`, holds some term."""
    line = folded[max(lowest, folded.rfind(b"\n", lowest, at) + 1) : end]
    return any(holds(line, term) for term in terms)


def line_windows(folded: bytes, numbers: Iterable[int]) -> tuple[set[int], list[range]]:
    """Of the lines with these numbers, rising, those seen, and the windows around them (specification, section 6)."""
    last = count_lines(folded, 0, len(folded)) - folded.endswith(b"\n")
    hits: set[int] = set()
    windows: list[range] = []
    for number in numbers:
        start, stop = max(0, number - CONTEXT_LINES), min(last, number + CONTEXT_LINES) + 1
        if windows and start <= windows[-1].stop:
            windows[-1] = range(windows[-1].start, stop)
        elif len(windows) == MAX_WINDOWS:
            break
        else:
            windows.append(range(start, stop))
        hits.add(number)
    return hits, windows


def pick_lines(raw: bytes, ranges: Sequence[range]) -> dict[int, str]:
    """The text of the lines in `ranges` (rising, apart), without reading on behind the last."""
    found: dict[int, str] = {}
    position = number = 0
    for window in ranges:
        position = _skip_lines(raw, position, window.start - number)
        for number in window:
            end = line_end(raw, position)
            found[number] = _as_line(raw, position, end)
            position = end + 1
        number = window.stop
    return found


def _skip_lines(raw: bytes, position: int, count: int) -> int:
    """Where the line starts that lies `count` line breaks behind `position`."""
    while count:
        piece = position + SPAN_BYTES // 16
        if piece < len(raw) and (passed := raw.count(b"\n", position, piece)) < count:
            position, count = piece, count - passed
            continue
        for _ in range(count):
            position = line_end(raw, position) + 1
        break
    return position


def each_line(raw: bytes) -> Iterator[str]:
    """The lines of a text, from its start, as they are asked for."""
    position = 0
    while position < len(raw):
        end = line_end(raw, position)
        yield _as_line(raw, position, end)
        position = end + 1


def _as_line(raw: bytes, start: int, end: int) -> str:
    if start < end < len(raw) and raw[end - 1] == 0x0D:
        end -= 1
    return raw[start:end].decode()
