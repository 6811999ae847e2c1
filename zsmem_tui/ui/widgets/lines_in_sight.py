"""The lines of the rows of a list that are in sight, known until anything changes: no row out of sight is ever measured."""

from __future__ import annotations

from collections.abc import Callable

from zsmem_tui.ui.widgets.row_lines import Piece


class LinesInSight:
    """What stands on each line of a list that scrolls by rows."""

    def __init__(self, draw: Callable[[int], list[list[Piece]]], extent: Callable[[], tuple[int, int, int]]) -> None:
        """`draw` gives the lines of a row by its place; `extent` the first row in sight, how many lines fit, how many rows."""
        self._draw = draw
        self._extent = extent
        self._known: dict[int, list[list[Piece]]] = {}
        self._top = -1
        self._seen: list[tuple[int, int]] = []

    def lines(self, place: int) -> list[list[Piece]]:
        """The lines of a row."""
        found = self._known.get(place)
        if found is None:
            found = self._known[place] = self._draw(place)
        return found

    def count(self, place: int) -> int:
        """How many lines a row has, as far as that is known; else 0."""
        return len(self._known.get(place, ()))

    def seen(self) -> list[tuple[int, int]]:
        """Of each line in sight, its row and which of that row's lines it is."""
        top, height, count = self._extent()
        if self._top != top:
            seen: list[tuple[int, int]] = []
            place = top
            while len(seen) < height and place < count:
                seen += [(place, line) for line in range(len(self.lines(place)))]
                place += 1
            self._top, self._seen = top, seen[:height]
        return self._seen

    def forget(self, *places: int) -> None:
        """These rows are to be drawn anew; without any, all."""
        if places:
            for place in places:
                self._known.pop(place, None)
        else:
            self._known.clear()
        self._top = -1

    def top_for(self, last: int) -> int:
        """The first row in sight where all of the row `last` is to be seen at the bottom."""
        _, left, _ = self._extent()
        place = last
        while place >= 0 and (left := left - len(self.lines(place))) >= 0:
            place -= 1
        return min(place + 1, last)
