"""Find lines that occur in several texts of a prompt, and so use tokens more than once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from zsmem_tui.core.facts import words_of

Of = TypeVar("Of")

SHORTEST_COPY: Final = 12
"""The fewest characters of a line that counts as repeated."""


class Repeated(NamedTuple, Generic[Of]):
    """The lines that occur in the same set of texts.

    `places` are what the texts are called, `at` is the number in each of the first such line, which is `quoted`; there are `lines`
    of them, and `size` is the bytes of all copies but one.
    """

    places: tuple[Of, ...]
    at: tuple[int, ...]
    quoted: str
    lines: int
    size: int


def repeated(texts: Sequence[tuple[Of, Iterable[tuple[int, str]]]]) -> list[Repeated[Of]]:
    """Find lines that occur in more than one of several texts (a place and numbered lines), the largest waste first. Takes linear
    time.

    Repetitions within a text count once; lines of fewer than `SHORTEST_COPY` characters are ignored.
    """
    places: dict[str, list[tuple[int, int, str]]] = {}
    for number, (_, text) in enumerate(texts):
        for at, line in text:
            if len(key := words_of(line)) >= SHORTEST_COPY:
                own = places.setdefault(key, [])
                if not own or own[-1][0] != number:
                    own.append((number, at, line))
    found: dict[tuple[int, ...], Repeated[Of]] = {}
    for own in places.values():
        if len(own) > 1:
            numbers = tuple(number for number, _, _ in own)
            known = found.get(numbers) or Repeated(
                tuple(texts[number][0] for number in numbers), tuple(at for _, at, _ in own), own[0][2], 0, 0
            )
            size = sum(len(line.encode("utf-8", "replace")) + 1 for _, _, line in own[1:])
            found[numbers] = known._replace(lines=known.lines + 1, size=known.size + size)
    return [each for _, each in sorted(found.items(), key=lambda each: (-each[1].size, each[0]))]
