"""What waits for review as the screen knows it: which changed lines are marked, and which a key means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from zsmem_tui.core.fold import fold
from zsmem_tui.core.line_changes import LineKey
from zsmem_tui.core.text import words
from zsmem_tui.service import review_lines
from zsmem_tui.service.review_lines import Pick, ReviewLine
from zsmem_tui.service.reviewing import PendingReview

Which = Literal["line", "file", "whole", "all"]
"""What is meant where nothing is marked: `whole` and `all` do not look at marks."""


class ReviewMarks:
    """The files that wait, by path, and the marked lines of each."""

    def __init__(self) -> None:
        self.pending: dict[str, PendingReview] = {}
        self._marked: dict[str, set[LineKey]] = {}
        self._lines: dict[str, list[ReviewLine]] = {}

    def show(self, found: Sequence[PendingReview]) -> None:
        """These files wait now; marks in others are gone."""
        self.pending = {each.ref.path: each for each in found}
        self._lines = {}
        self._marked = {path: keys for path, keys in self._marked.items() if path in self.pending}

    def lines(self, path: str) -> list[ReviewLine]:
        """The changed lines of a file; who brought them is not known."""
        if path not in self._lines:
            self._lines[path] = review_lines.lines(self.pending[path])
        return self._lines[path]

    def of(self, path: str) -> set[LineKey]:
        """The marked lines of a file, to be changed in place."""
        return self._marked.setdefault(path, set())

    def clear(self) -> bool:
        """Mark nothing any more; False when nothing was."""
        found = bool(self.paths)
        self._marked = {}
        return found

    @property
    def paths(self) -> set[str]:
        """The files with marked lines."""
        return {path for path, keys in self._marked.items() if keys}

    @property
    def count(self) -> int:
        """How many lines are marked."""
        return sum(map(len, self._marked.values()))

    def picks(self, which: Which, path: str, number: int | None) -> list[Pick]:
        """What is meant with the cursor at this file, and at the changed line of this number (None: at none)."""
        if which == "all":
            return [Pick(each) for each in self.pending.values()]
        if self.paths and which != "whole":
            return [Pick(self.pending[each], self._numbers(each)) for each in sorted(self.paths)]
        change = self.pending.get(path)
        if change is None:
            return []
        return [Pick(change, frozenset({number})) if which == "line" and number is not None else Pick(change)]

    def match(self, wanted: str, paths: Sequence[str], here: tuple[str, int], step: int) -> tuple[str, int] | None:
        """The file and number of a changed line that has these words: the one at `here` or the first after it.

        With `step`, the next one, or the one before. `paths` are in the order in which they are shown; round the end.
        """
        found = [(place, number) for place, path in enumerate(paths) for number in _matching(self.lines(path), wanted)]
        if not found:
            return None
        at = (paths.index(here[0]) if here[0] in paths else 0, here[1])
        if step < 0:
            place, number = next((each for each in reversed(found) if each < at), found[-1])
        else:
            place, number = next((each for each in found if each > at or (each == at and not step)), found[0])
        return paths[place], number

    def _numbers(self, path: str) -> frozenset[int]:
        return frozenset(line.number for line in self.lines(path) if line.key in self._marked[path])


def _matching(lines: Sequence[ReviewLine], wanted: str) -> list[int]:
    """The numbers of the changed lines that hold every one of these words."""
    terms = [fold(word.encode("utf-8", "replace")) for word in words(wanted)]
    texts = ((line.number, fold((line.key.added or b"") + (line.key.removed or b""))) for line in lines)
    return [number for number, text in texts if all(term in text for term in terms)]
