"""Multiple selections in one text: normalize, replace all at once, find words. A cursor is an empty selection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

Place: TypeAlias = tuple[int, int]
"""(row, column), both 0-based."""

_WORD: Final = re.compile(r"\w+")


class Span(NamedTuple):
    """A selection, from its anchor to its cursor (`head`)."""

    anchor: Place
    head: Place

    @property
    def start(self) -> Place:
        """The earlier of its two places."""
        return min(self)

    @property
    def end(self) -> Place:
        """The later of its two places."""
        return max(self)


class Change(NamedTuple):
    """New text for the range from `start` to `end`, and the end of each inserted part."""

    start: Place
    end: Place
    text: str
    ends: tuple[Place, ...]


def apart(spans: Iterable[Span]) -> list[Span]:
    """Sort the spans and merge those that overlap."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda each: (each.start, each.end)):
        last = found[-1] if found else None
        if last is not None and (span.start < last.end or span.start == last.start):
            end = max(last.end, span.end)
            forward = span.head >= span.anchor
            found[-1] = Span(last.start, end) if forward else Span(end, last.start)
        else:
            found.append(span)
    return found


def replaced(lines: Sequence[str], spans: Sequence[Span], new: Sequence[str]) -> Change:
    """Replace each span by its text, as one change from the first span to the last. The spans must be `apart`."""
    parts: list[str] = []
    ends: list[Place] = []
    at = place = spans[0].start
    for span, text in zip(spans, new, strict=True):
        kept = between(lines, at, span.start)
        place = _behind(_behind(place, kept), text)
        parts += [kept, text]
        ends.append(place)
        at = span.end
    return Change(spans[0].start, at, "".join(parts), tuple(ends))


def between(lines: Sequence[str], start: Place, end: Place) -> str:
    """The text from `start` to `end`."""
    (row, column), (last, stop) = start, end
    if row == last:
        return lines[row][column:stop]
    return "\n".join([lines[row][column:], *lines[row + 1 : last], lines[last][:stop]])


def word_at(lines: Sequence[str], place: Place) -> Span | None:
    """The word that contains a place or has it at either end; None if there is none."""
    row, column = place
    for found in _WORD.finditer(lines[row]):
        if found.start() <= column <= found.end():
            return Span((row, found.start()), (row, found.end()))
    return None


def same(lines: Sequence[str], span: Span) -> Iterator[Span]:
    """All other occurrences of the selected text, case-sensitive; as whole words if a word is selected.

    First those after the span, then those from the start of the text.
    """
    wanted = between(lines, span.start, span.end)
    if not wanted or "\n" in wanted:
        return
    is_word = word_at(lines, span.start) == Span(span.start, span.end)
    pattern = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)" if is_word else re.escape(wanted))
    row, column = span.end
    for found in _found(lines, row, pattern, wanted):
        if found.start >= (row, column):
            yield found
    for found in _found(lines[: row + 1], 0, pattern, wanted):
        if found.start < (row, column):
            yield found


def _found(lines: Sequence[str], first: int, pattern: re.Pattern[str], wanted: str) -> Iterator[Span]:
    for row in range(first, len(lines)):
        if wanted in lines[row]:
            for each in pattern.finditer(lines[row]):
                yield Span((row, each.start()), (row, each.end()))


def _behind(place: Place, text: str) -> Place:
    """The place where `text` ends if it starts at `place`."""
    count = text.count("\n")
    return (place[0] + count, len(text) - text.rfind("\n") - 1) if count else (place[0], place[1] + len(text))
