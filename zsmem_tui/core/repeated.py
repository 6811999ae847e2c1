"""Text that stands in several places which are all paid for: one rule, whatever agents and files the places are of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from zsmem_tui.core.facts import words_of

SHORTEST_COPY: Final = 12
"""Characters of a line that count as text that stands in two places."""


class Repeated(NamedTuple):
    """The lines that the same texts have in common.

    `texts` are their numbers, `at` the place in each of the first such line, which is `quoted`; there are `lines` of them, and
    `size` is how many bytes they take beyond the one time that would do.
    """

    texts: tuple[int, ...]
    at: tuple[int, ...]
    quoted: str
    lines: int
    size: int


def repeated(texts: Sequence[Iterable[tuple[int, str]]]) -> list[Repeated]:
    """What of several texts, each as numbered lines, stands in more than one of them, the dearest first. Takes linear time.

    A line counts once in a text, however often it stands there; one of fewer than `SHORTEST_COPY` characters does not.
    """
    places: dict[str, list[tuple[int, int, str]]] = {}
    for number, text in enumerate(texts):
        for at, line in text:
            if len(key := words_of(line)) >= SHORTEST_COPY:
                own = places.setdefault(key, [])
                if not own or own[-1][0] != number:
                    own.append((number, at, line))
    found: dict[tuple[int, ...], Repeated] = {}
    for own in places.values():
        if len(own) > 1:
            numbers = tuple(number for number, _, _ in own)
            known = found.get(numbers) or Repeated(numbers, tuple(at for _, at, _ in own), own[0][2], 0, 0)
            size = sum(len(line.encode("utf-8", "replace")) + 1 for _, _, line in own[1:])
            found[numbers] = known._replace(lines=known.lines + 1, size=known.size + size)
    return sorted(found.values(), key=lambda each: (-each.size, each.texts))
