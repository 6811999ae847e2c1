"""What lists and comparisons share that have a cursor on one of their keys, and marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from time import monotonic
from typing import Any, Final

from textual.widget import Widget

from zsmem_tui.core.errors import Conflict
from zsmem_tui.ui.messages import Said

UNSEEN_SECONDS: Final = 1.0
"""Seconds for which a row that others brought under the cursor counts as unseen."""

UNMARKED: Final = "Nothing is marked any more."
"""Takes the place of what was said of the marks."""

RANGE_BEGUN: Final = "Marked from here: moving marks all between, v ends that, esc unmarks."


class Cursored:
    """A mixin for widgets with a cursor on one of their keys, and marks.

    A range of marks follows the cursor from where it was begun until it is ended.
    """

    keys: Sequence[Any] = ()
    marked: set[Any]
    """The marked keys that are shown: what actions are about."""
    hidden: Set[Any] = frozenset()
    """The marked keys that a filter or a fold hides: they are left alone, and marked again once they are shown."""
    range_start: Any = None
    """The key at which the range begins that follows the cursor; None if there is none."""
    _beside: frozenset[Any] = frozenset()
    """What was marked before that."""

    def action_mark_range(self) -> None:
        """Begin a range at the cursor, which moving extends; if there is one, end it and keep its marks."""
        if is_new := self.range_start is None and self.key is not None:
            self.range_start, self._beside = self.key, frozenset(self.marked)
            self.extend()
        else:
            self.end_range()
        self._say(RANGE_BEGUN if is_new else f"{self.count_marks()}: esc unmarks." if self.marked else UNMARKED)

    def _say(self, words: str) -> None:
        assert isinstance(self, Widget)
        self.post_message(Said(words, passes=words == UNMARKED))

    def end_range(self) -> None:
        """Let no range follow the cursor."""
        self.range_start = None

    def extend(self) -> None:
        """Mark all from the beginning of the range to the cursor, and no others than before; ends a range that begins nowhere."""
        keys = self.keys if self.range_start is not None else ()
        if self.range_start not in keys or self.key not in keys:
            self.range_start = None
            return
        first, last = sorted(map(keys.index, (self.range_start, self.key)))
        self._beside &= self.marked
        self.marked.clear()  # the set may be shared
        self.marked.update(self._beside, filter(self.can_mark, keys[first : last + 1]))
        self.marks_changed()

    @property
    def key(self) -> Any:
        """The key at the cursor, or None."""
        raise LookupError("every cursor is at a key")

    def can_mark(self, key: Any) -> bool:
        """Whether the row of a key can be marked."""
        return True

    def keeps_mark(self, key: Any) -> bool:
        """Whether a marked row that is not shown is only hidden."""
        return False

    def count_marks(self) -> str:
        """`2 marked, 1 of them hidden`; empty if none is."""
        many, hidden = len(self.marked) + len(self.hidden), len(self.hidden)
        of = f", {hidden} of them hidden" if self.marked else ", hidden" if many == 1 else ", all hidden"
        return f"{many:,} marked{of if hidden else ''}" if many else ""

    def marks_changed(self) -> None:
        """Show the marks."""

    def toggle(self, wanted: set[Any]) -> None:
        """Mark all of these; if they are marked already, unmark them."""
        self.marked ^= wanted if wanted <= self.marked else wanted - self.marked
        self.marks_changed()

    def toggle_mark(self) -> None:
        """Toggle the mark at the cursor and move down."""
        if self.key is not None and self.can_mark(self.key):
            self.toggle({self.key})
            self.action_move(1)

    def action_move(self, step: int) -> None:
        """Move the cursor by keys."""
        raise LookupError("every cursor moves")

    def unmark(self, *, shown: bool = False) -> bool:
        """Unmark all and say so, or only what is `shown`, after an act that says more; False if nothing was marked."""
        if is_marked := bool(self.marked or self.hidden):
            self.marked.clear()
            self.hidden = self.hidden if shown else frozenset()
            self.end_range()
            self.marks_changed()
            if not shown:
                self._say(UNMARKED)
        return is_marked

    same: Callable[[Any], Any] = staticmethod(lambda key: key)
    """Reduces a key to the part that does not change when rows above it come and go."""
    seen: Any = None
    """The key at the cursor when others last wrote; None once the person moved the cursor, acted or asked for other rows."""
    came: float = 0.0
    """When another key came to the cursor without being gone to."""

    def others_wrote(self) -> None:
        """Remember what is under the cursor: no key may act on what comes in its place before it was seen."""
        self.seen = self.seen if self._has_lost() else self.key

    def note_arrival(self, before: Any) -> None:
        """Note when another key came to the cursor than was there `before`."""
        self.came = self.came if self.key == before else monotonic()

    def check_seen(self) -> None:
        """Raise `Conflict`, once, if what was under the cursor when others wrote has gone just now."""
        has_lost, self.seen = self._has_lost(), None
        if has_lost:
            raise Conflict("The row under the cursor has gone, and another is there now. Nothing was done.")

    def _has_lost(self) -> bool:
        is_anew = monotonic() - self.came < UNSEEN_SECONDS and not self.marked
        return is_anew and self.seen is not None and self.same(self.seen) not in map(self.same, self.keys)
