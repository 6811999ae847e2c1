"""Where the search pane searches: in the store in use, or in several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from zsmem_tui.core.search import SearchHit, never
from zsmem_tui.service import searching
from zsmem_tui.service.searching import Scope, Sought, StoreResults
from zsmem_tui.service.session import EVERYBODY

if TYPE_CHECKING:
    from zsmem_tui.ui.open_store import OpenStore


class Question(NamedTuple):
    """What a search is asked in: which stores, and how much of each."""

    scope: Scope
    stores: tuple[OpenStore, ...]
    group: str = ""
    """The group to search in a store that has none of the folder worked in."""
    whole_words: bool = False
    """Whether only words of their own count."""

    def answer(
        self,
        query: str,
        *,
        cancelled: Callable[[], bool] = never,
        max_age: float = 0.0,
        so_far: Callable[[Answer], None] | None = None,
    ) -> Answer:
        """What is found, in one ranking; a search that takes long says what it has by then. Raises `Cancelled`."""

        def tell(found: StoreResults) -> None:
            if so_far is not None:
                so_far(Answer(self, found, is_whole=False))

        sought = [self.sought(store) for store in self.stores]
        told = tell if so_far is not None else None
        whole_words = self.whole_words
        ask = partial(searching.search_stores, sought, query, self.scope, cancelled=cancelled, max_age=max_age)
        found = ask(so_far=told, whole_words=whole_words)
        without = len(ask().results.ranked) if whole_words and not found.results.ranked else None
        return Answer(self, found, without=without)

    def sought(self, store: OpenStore) -> Sought:
        """A store as it is searched."""
        return Sought(store.session, "" if self.scope.spans else self.group)


class Answer(NamedTuple):
    """What was found for a question: all of it, or as much as there is by now."""

    question: Question
    found: StoreResults
    is_whole: bool = True
    without: int | None = None
    """Where no whole word was found, in how many files the letters stand inside others; None where that was not asked."""

    def store(self, hit: SearchHit) -> OpenStore:
        """The store that a hit is from."""
        return self.question.stores[self.found.place(hit)]

    def agent_searches(self, hit: SearchHit) -> bool:
        """Whether the agent's own search would look at the file of a hit."""
        return searching.agent_searches(self.question.sought(self.store(hit)), hit)


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
        """The person looks at a group of a store; whether that makes another question of it."""
        before, self.cursor_in = self.question(), group
        if store is not self.here or (group and not self.scope.spans):
            self.group = group
        self.here = store
        return self.question() != before

    @property
    def told_group(self) -> str:
        """The group that is searched, where that would be taken for another one; empty where it would not, or where all are."""
        own = self.here.session.project
        is_other = not self.scope.spans and self.cursor_in not in ("", own) and own != EVERYBODY
        return own if is_other else self.question().group

    def question(self) -> Question:
        """What a search is asked in now."""
        if not self.scope.spans or not self.several:
            group = self.group if self.here.session.has_no_group else ""
            return Question(self.scope, (self.here,), group, self.whole_words)
        from zsmem_tui.service.folders import works_with  # every agent's rules, which a start with one store can do without

        every = self._stores()
        folder = every[0].session.folder
        stores = tuple(store for store in every if self.scope is Scope.ALL or works_with(store.session, folder))
        return Question(self.scope, stores, whole_words=self.whole_words)
