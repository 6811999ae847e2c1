"""Which version each line of a text first appeared in.

Versions are followed from the oldest to the newest. A line that a version left alone keeps its mark; one that it only moved, or
that stood in the text before and came back, keeps the mark it had then.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from zsmem_tui.core.merge import line_hunks, split

Mark = TypeVar("Mark")
"""What is known of a version."""


class Blamed(NamedTuple, Generic[Mark]):
    """A text with the mark of each of its lines; `gone` has those of lines that it does not have any more, the last lost last."""

    lines: tuple[bytes, ...] = ()
    marks: tuple[Mark, ...] = ()
    gone: Mapping[bytes, tuple[Mark, ...]] = MappingProxyType({})


def followed(
    old: Blamed[Mark], text: bytes | None, mark: Mark, elsewhere: Mapping[bytes, tuple[Mark, ...]] = MappingProxyType({})
) -> Blamed[Mark]:
    """What is known after one more version, which holds `text` (None: no file).

    `elsewhere` has the marks of lines that left other files in the same step: one that comes from there keeps its mark.
    """
    before, after = list(old.lines), split(text or b"")
    found = line_hunks(before, after)
    gone = dict(old.gone)
    for hunk in found:
        for at in range(hunk.start, hunk.stop):
            gone[before[at]] = (*gone.get(before[at], ()), old.marks[at])
    coming = dict(elsewhere)
    marks: list[Mark] = []
    at = 0
    for hunk in found:
        marks += old.marks[at : hunk.start]
        for line in hunk.lines:
            source = gone if gone.get(line) else coming
            back = source.get(line) if line.strip() else None
            if back:
                source[line] = back[:-1]
            marks.append(back[-1] if back else mark)
        at = hunk.stop
    marks += old.marks[at:]
    return Blamed(tuple(after), tuple(marks), gone)
