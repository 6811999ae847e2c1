"""A list whose rows can be marked, one by one, by range, by group, all."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from zsmem_tui.ui.widgets.row_list import RowList

Item = TypeVar("Item")


class MarkList(RowList, Generic[Item]):
    """Rows of items that can be marked. Headings have keys that begin with a NUL; a group is what stands below one."""

    items: Mapping[Any, Item] = MappingProxyType({})
    """Every item by its key, also those that are not shown."""
    _anchor: Any = None

    def at_cursor(self) -> Item | None:
        """The item under the cursor."""
        return self.items.get(self.key)

    def chosen(self) -> list[Item]:
        """The marked items, else the one under the cursor."""
        keys = [key for key in self.keys if key in self.marked] if self.marked else [self.key]
        return [self.items[key] for key in keys or [self.key] if key in self.items]

    def mark(self) -> None:
        """Mark the row under the cursor, or not; a range begins there."""
        self._anchor = self.key
        self.toggle_mark()

    def unmark(self) -> None:
        """Mark nothing."""
        self.marked.clear()
        self.refresh()
        self._tell()

    def action_mark_range(self) -> None:
        """Mark everything from the row marked last to this one."""
        keys = list(self.keys)
        if not keys:
            return
        if self._anchor not in keys:
            self._anchor = self.key
        first, last = sorted((keys.index(self._anchor), self.cursor))
        self.marked |= {key for key in keys[first : last + 1] if key in self.items}
        self.refresh()
        self._tell()

    def action_mark_all(self, which: str = "all") -> None:
        """Mark all that are shown, or the group of the cursor; or none when all are marked."""
        keys = list(self.keys)
        if which == "group":
            heads = [place for place, key in enumerate(keys) if isinstance(key, str) and key.startswith("\0")]
            first = max((place for place in heads if place <= self.cursor), default=-1)
            keys = keys[first + 1 : min((place for place in heads if place > self.cursor), default=len(keys))]
        wanted = {key for key in keys if key in self.items}
        self.marked = self.marked - wanted if wanted <= self.marked else self.marked | wanted
        self.refresh()
        self._tell()
