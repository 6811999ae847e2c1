"""Where the search pane searches: in the store in use, or in several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from zsmem_tui.core.search import SearchHit, SearchResults
from zsmem_tui.service import searching
from zsmem_tui.service.searching import Query, Scope, Sought
from zsmem_tui.service.session import EVERYBODY

if TYPE_CHECKING:
    from zsmem_tui.ui.open_store import OpenStore


class Answer(NamedTuple):
    """What was found: all of it, or as much as there is by now. `stores` are those that the query names, in its order."""

    query: Query
    stores: tuple[OpenStore, ...]
    results: SearchResults
    is_whole: bool = True
    without: int | None = None
    """Where no whole word was found, in how many files the letters stand inside others; None where that was not asked."""

    def store(self, hit: SearchHit) -> OpenStore:
        """The store that a hit is from."""
        return self.stores[hit.store]

    def agent_searches(self, hit: SearchHit) -> bool:
        """Whether the agent's own search would look at the file of a hit."""
        return searching.agent_searches(self.query.stores[hit.store], hit)


class SearchScope:
    """Which stores are searched, as the person chose it."""

    def __init__(self, stores: Callable[[], Sequence[OpenStore]]) -> None:
        """`stores` says which are open, the one that the program was started for first."""
        self._stores = stores
        self.here = stores()[0]
        self.group = ""
        """The group that the person looked at last in the store in use."""
        self.cursor_in = ""
        """The group that the cursor is in: it need not be the one that is searched."""
        self.scope = Scope.AGENT
        self.whole_words = False
        """Whether only words of their own are looked for; for as long as the program runs."""

    @property
    def several(self) -> bool:
        """Whether there are several stores."""
        return len(self._stores()) > 1

    @property
    def is_wider(self) -> bool:
        """Whether more is searched than the agent does."""
        return self.scope is not Scope.AGENT

    def widen(self) -> None:
        """The next scope."""
        self.scope = self.scope.wider(several=self.several)

    def look_at(self, store: OpenStore, group: str) -> bool:
        """The person looks at a group of a store; whether something else is searched then."""
        before, self.cursor_in = self.query(""), group
        if store is not self.here or (group and not self.scope.spans):
            self.group = group
        self.here = store
        return self.query("") != before

    @property
    def told_group(self) -> str:
        """The group that is searched, where that would be taken for another one; empty where it would not, or where all are."""
        own = self.here.session.project
        is_other = not self.scope.spans and self.cursor_in not in ("", own) and own != EVERYBODY
        return own if is_other else self._group

    @property
    def _group(self) -> str:
        """The group to search in a store that has none of the folder worked in."""
        return "" if self.scope.spans or not self.here.session.has_no_group else self.group

    def stores(self) -> tuple[OpenStore, ...]:
        """The stores that are searched now."""
        if not self.scope.spans or not self.several:
            return (self.here,)
        from zsmem_tui.service.folders import works_with  # every agent's rules, which a start with one store can do without

        every = self._stores()
        folder = every[0].session.folder
        return tuple(store for store in every if self.scope is Scope.ALL or works_with(store.session, folder))

    def query(self, words: str) -> Query:
        """What a search for these words looks for now, and where."""
        sought = tuple(Sought(store.session, self._group) for store in self.stores())
        return Query(words, sought, self.scope, whole_words=self.whole_words)
