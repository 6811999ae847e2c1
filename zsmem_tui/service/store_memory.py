"""Any kind of store as a program uses it: its files, their texts, a search and what goes into the prompt."""

from __future__ import annotations

import builtins
import os

from zsmem_tui.config.model import Config
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import searching
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store
from zsmem_tui.store.disk import files


class StoreMemory:
    """The memory of one group of the store that `store` names (`KIND:ROOT`), for an agent that works in `folder`.

    Keys are paths below the store's root. Nothing is read before it is asked for; what cannot be read raises `MemError`.
    """

    def __init__(self, store: str, folder: str, group: str = "", user: str = "") -> None:
        self._named = (store, folder, group, user)
        self._opened: Session | None = None

    @property
    def session(self) -> Session:
        """The store opened, with its group. Raises `BadTarget` for a group that there is not."""
        if self._opened is None:
            store, folder, group, user = self._named
            self._opened = open_store(Config(), store, group=group, cwd=folder, user=user)
        return self._opened

    @property
    def _stores(self) -> tuple[Session, ...]:
        """The store, and those that its agent reads as one with it."""
        return (self.session, *self.session.beside)

    def list(self) -> builtins.list[str]:
        """The keys of the files that the agent lists."""
        return [os.path.relpath(path, printable_path(each.root)) for each in self._stores for path in each.mem().list()]

    def read(self, key: str) -> str | None:
        """The text of a memory file; None when there is none of that key, or it is not valid UTF-8."""
        ref = find_ref(self.session.layout, key)
        found = (files.text_or_none(each.path(ref)) for each in self._stores) if ref is not None else iter(())
        return next((text for text in found if text is not None), None)

    def search(self, query: str, limit: int | None = None) -> builtins.list[str]:
        """The keys of the files that the agent's search finds, in the order of the specification, section 6."""
        found = searching.search_stores([searching.Sought(each) for each in self._stores], query)
        return [hit.ref.path for hit in found.results.ranked[:limit]]

    def context_block(self) -> str | None:
        """What goes into the prompt; None when nothing does."""
        return self.session.mem().context_block()
