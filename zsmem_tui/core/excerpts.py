"""Find the lines of a text that contain search terms, and the windows of lines around them (specification, section 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from zsmem_tui.core.find import SPAN_BYTES, count_lines, find, line_end
from zsmem_tui.core.limits import CONTEXT_LINES, MAX_WINDOWS


class ExcerptLine(NamedTuple):
    """A line shown for a search hit. `number` is 0-based; `matches` says whether it contains a term."""

    number: int
    text: str
    matches: bool


def hit_lines(folded: bytes, terms: Sequence[bytes], holds: Callable[[bytes, bytes], bool] | None = None) -> Iterator[int]:
    """Yield the 0-based numbers of the lines that contain a term; `holds(line, term)`, if given, has to confirm it."""
    upcoming = [find(folded, term) for term in terms]
    position = number = 0
    while True:
        ahead = [at for at in upcoming if at >= 0]
        if not ahead:
            return
        at = min(ahead)
        number += count_lines(folded, position, at)
        end = line_end(folded, at)
        line = folded[max(position, folded.rfind(b"\n", position, at) + 1) : end] if holds is not None else b""
        if holds is None or any(holds(line, term) for term in terms):
            yield number
        position = end + 1
        number += 1
        for index, place in enumerate(upcoming):
            if 0 <= place < position:
                upcoming[index] = find(folded, terms[index], position)


def line_windows(folded: bytes, numbers: Iterable[int]) -> tuple[set[int], list[range]]:
    """For rising hit line numbers: the hits that are shown, and the windows of lines around them (specification, section 6)."""
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
    """Map line number to text for the lines in `ranges` (rising, not overlapping), reading no further than the last."""
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
    """The offset of the line that starts `count` line feeds after `position`."""
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
    """Yield the lines of a text lazily, without line endings."""
    position = 0
    while position < len(raw):
        end = line_end(raw, position)
        yield _as_line(raw, position, end)
        position = end + 1


def _as_line(raw: bytes, start: int, end: int) -> str:
    if start < end < len(raw) and raw[end - 1] == 0x0D:
        end -= 1
    return raw[start:end].decode()
