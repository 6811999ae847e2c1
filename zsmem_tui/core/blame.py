"""Find out in which version each line of a text first appeared, like `git blame`.

Versions are processed from oldest to newest. A line that a version left unchanged keeps its mark; a line that was only moved, or
was removed and came back, gets the mark it had before.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from zsmem_tui.core.merge import line_hunks, split

Mark = TypeVar("Mark")
"""What the caller attaches to a version, for example its number or date."""


class Blamed(NamedTuple, Generic[Mark]):
    """A text's lines with one mark per line; `gone` maps each removed line to the marks it had, the most recently removed last."""

    lines: tuple[bytes, ...] = ()
    marks: tuple[Mark, ...] = ()
    gone: Mapping[bytes, tuple[Mark, ...]] = MappingProxyType({})


def followed(
    old: Blamed[Mark], text: bytes | None, mark: Mark, elsewhere: Mapping[bytes, tuple[Mark, ...]] = MappingProxyType({})
) -> Blamed[Mark]:
    """Apply one more version with content `text` (None: no file) and return the updated lines and marks.

    `elsewhere` has the marks of lines that were removed from other files in the same step: a line moved from there keeps its mark.
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
