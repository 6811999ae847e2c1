"""Several selections in one text: kept in order, and replaced all at once. A cursor is a selection of nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

Place: TypeAlias = tuple[int, int]
"""A row and a column, both from 0."""

_WORD: Final = re.compile(r"\w+")


class Span(NamedTuple):
    """What is selected, from where it began to where its cursor is."""

    anchor: Place
    head: Place

    @property
    def start(self) -> Place:
        """Its first place, whichever way it was made."""
        return min(self)

    @property
    def end(self) -> Place:
        """Its last place."""
        return max(self)


class Change(NamedTuple):
    """What stands between two places now, and where each of the texts put there ends."""

    start: Place
    end: Place
    text: str
    ends: tuple[Place, ...]


def apart(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, those that share anything made into one."""
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
    """What stands from the first of the `spans` to the last once each is replaced by its text. They are `apart`."""
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
    """The text from one place to a later one."""
    (row, column), (last, stop) = start, end
    if row == last:
        return lines[row][column:stop]
    return "\n".join([lines[row][column:], *lines[row + 1 : last], lines[last][:stop]])


def word_at(lines: Sequence[str], place: Place) -> Span | None:
    """The word that a place is in, or at either end of; None where there is none."""
    row, column = place
    for found in _WORD.finditer(lines[row]):
        if found.start() <= column <= found.end():
            return Span((row, found.start()), (row, found.end()))
    return None


def same(lines: Sequence[str], span: Span) -> Iterator[Span]:
    """Every place of a text that holds what `span` selects, letter for letter; where that is a word, as a word.

    First those behind the span, to the end of the text, then the others from its start on.
    """
    wanted = between(lines, span.start, span.end)
    if not wanted or "\n" in wanted:
        return
    is_word = word_at(lines, span.start) == Span(span.start, span.end)
    pattern = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)" if is_word else re.escape(wanted))
    row, column = span.end
    for place, found in _found(lines, row, pattern, wanted):
        if place[0] > row or place[1] >= column:
            yield found
    for place, found in _found(lines[: row + 1], 0, pattern, wanted):
        if place[0] < row or place[1] < column:
            yield found


def _found(lines: Sequence[str], first: int, pattern: re.Pattern[str], wanted: str) -> Iterator[tuple[Place, Span]]:
    for row in range(first, len(lines)):
        if wanted in lines[row]:
            for each in pattern.finditer(lines[row]):
                yield (row, each.start()), Span((row, each.start()), (row, each.end()))


def _behind(place: Place, text: str) -> Place:
    """Where a text ends that begins at `place`."""
    count = text.count("\n")
    return (place[0] + count, len(text) - text.rfind("\n") - 1) if count else (place[0], place[1] + len(text))
