"""The rows of the search result list, the result behind them, and the scope of a search."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from zsmem_tui.core.fold import folded_text
from zsmem_tui.core.layout import group_word, only_instructions
from zsmem_tui.core.refs import Role
from zsmem_tui.core.search import MatchedLine, SearchHit, SearchResults, best_line, fold_term, matched_lines
from zsmem_tui.core.text import counted, listed
from zsmem_tui.core.visible import visible_line
from zsmem_tui.core.whole_words import marks
from zsmem_tui.service import searching
from zsmem_tui.service.searching import Query, Scope, Sought
from zsmem_tui.ui import wording
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.open_store import OpenStore, are_several, memory_name
from zsmem_tui.ui.widgets.row_lines import Piece, row_lines

if TYPE_CHECKING:
    from zsmem_tui.core.recall.near_words import NearWord


PAGE_HITS = 50
"""Hits shown at once; drawing more would delay typing."""

MOST_LINES = 500
"""Maximum number of lines listed for an unfolded hit."""

_HEAD_LINES: Final = 3
"""Maximum number of lines for the name of a hit and why it was found."""

_NUMBER: Final = 6
"""Columns of the line number."""

_NARROWEST: Final = 12

_MOST_UNREAD: Final = 2
"""The most files named that were not searched."""

MOST_NEAR = 5
"""Maximum number of similar words offered, each with a digit."""

_WHY = {"form": "another form", "spelling": "another spelling", "synonym": "another name", "alias": "an alias", "part": "a part"}


class HitRow(NamedTuple):
    """A row of the list: the hit at index `place`, one of its lines, or the heading above it."""

    place: int
    line: MatchedLine | None = None
    heading: str = ""


class HitRows:
    """The result of the last search, and which part of it is shown."""

    def __init__(self) -> None:
        self.answer: Answer | None = None
        self.hits: Sequence[SearchHit] = ()
        """The hits, best first, then those of wider scopes, below headings."""
        self.rows: dict[str, HitRow] = {}
        """The rows by key, which contains the store, since two stores may have the same path."""
        self._headings: dict[int, str] = {}
        """By the place of the hit that each stands above."""
        self._shown = PAGE_HITS
        self.unfolded: dict[str, list[MatchedLine]] = {}
        """The lines of the unfolded hits, by the hit's row key."""

    @property
    def results(self) -> SearchResults:
        """The results; empty before the first search."""
        return self.answer.results if self.answer is not None else _NOTHING

    @property
    def is_whole(self) -> bool:
        """Whether the search has ended."""
        return self.answer is None or self.answer.is_whole

    @property
    def shown(self) -> Sequence[SearchHit]:
        """The hits that are shown."""
        return self.hits[: self._shown]

    def take(self, answer: Answer | None, *, again: bool = False) -> None:
        """Set the result, without rows until `arrange`; with `again`, for the same query, keep the number of hits shown."""
        self.answer, self.rows, self._headings = answer, {}, {}
        if not again:
            self.unfolded = {}  # another one, so that lines which are still being listed come into none that is shown
        self.hits = self.results.ranked
        for heading, hits in answer.beyond if answer is not None else ():
            self._headings[len(self.hits)] = f"{heading} · {counted(len(hits), 'file')}"
            self.hits = [*self.hits, *hits]
        self._shown = self._shown if again else PAGE_HITS

    def show_more(self) -> bool:
        """Show fifty more hits; False if all are shown."""
        if self._shown >= len(self.hits):
            return False
        self._shown += PAGE_HITS
        return True

    def read(self, hits: Sequence[SearchHit]) -> None:
        """Read the first lines of the hits to be shown, so that drawing reads no files."""
        for hit in hits[: self._shown]:
            hit.first_lines()

    async def unfold(self, hit: SearchHit) -> list[MatchedLine] | None:
        """List all matching lines of a hit and return them; None if it is unfolded already."""
        key, unfolded = self.key(HitRow(self.hits.index(hit))), self.unfolded
        if key in unfolded:
            return None
        unfolded[key] = (await asyncio.to_thread(matched_lines, hit))[:MOST_LINES]
        return unfolded[key]

    def fold(self, hit: SearchHit) -> str | None:
        """Show only the first lines of a hit; return the key of its row, or None if it was not unfolded."""
        key = self.key(HitRow(self.hits.index(hit)))
        return key if self.unfolded.pop(key, None) is not None else None

    def arrange(self) -> None:
        """Rebuild the rows."""
        rows: list[HitRow] = []
        for place in range(len(self.shown)):
            row = HitRow(place)
            rows += [HitRow(place, heading=self._headings[place])] if place in self._headings else []
            rows += [row, *(HitRow(place, line) for line in self.unfolded.get(self.key(row), []))]
        self.rows = {self.key(row): row for row in rows}

    def key(self, row: HitRow) -> str:
        """The key of a row."""
        hit = self.hits[row.place]
        path = f"{row.heading}{self.store_key(hit)}\0{hit.os_path}"
        return path if row.line is None else f"{path}\0{row.line.number}"

    def line_of(self, row: HitRow) -> int | None:
        """The 0-based file line for a row: its own, or the best of the hit; None if there is none."""
        return row.line.number if row.line is not None else best_line(self.hits[row.place])

    async def chosen(self, row: HitRow, *, enter: bool) -> FileChosen:
        """The message for a row under the cursor, or with `enter`, a chosen one."""
        hit, store = self.hits[row.place], self.store_key(self.hits[row.place])
        line = await asyncio.to_thread(self.line_of, row)
        terms = tuple(fold_term(term) for term in hit.matched_terms) if line is not None else ()
        return FileChosen(hit.ref, enter, line if line is not None else 0, terms, store=store, whole_words=hit.whole_words)

    def store_key(self, hit: SearchHit) -> str:
        """The key of the hit's store."""
        return self.answer.store(hit).key if self.answer is not None else ""

    @property
    def near(self) -> list[tuple[str, NearWord]]:
        """Similar words for the terms that were not found, as (term, word): the best of each term first, then the second."""
        near = self.results.near
        most = max((len(each.words) for each in near), default=0)
        every = [(each.term, each.words[at]) for at in range(most) for each in near if at < len(each.words)]
        return every[:MOST_NEAR]

    def near_lines(self) -> str:
        """The similar words as text, a line each, with the digits that select them."""
        several = len(self.results.near) > 1
        rows = [
            f"{number} {word.word} · {counted(word.files, 'file')} · {_WHY[word.why]}{f' of {term}' if several else ''}"
            for number, (term, word) in enumerate(self.near, 1)
        ]
        more = "; down, then a digit takes another" if len(rows) > 1 else ""
        return "\n".join([f"This memory has (enter takes the first{more}):", *rows]) if rows else ""

    def summary(self) -> Content:
        """The count of each term, the words similar to missing terms, and how many hits are shown."""
        parts: list[tuple[str, str] | str] = []
        nearest = {each.term: each.words[0].word for each in self.results.near}
        for term, count in self.results.terms:
            style = "bold reverse" if count == 0 else "bold"
            lines = f"{counted(count, 'line')} " if count else "0 here "
            parts += [(f" {visible_line(term)} ", style), (lines, style if not count else ""), " "]
            if term in nearest and self.hits and not count:
                parts += [(f"similar: {nearest[term]} ", "italic"), " "]
        count, shown = len(self.hits), len(self.shown)
        top = f"top {shown} of " if shown < count == len(self.results.ranked) else ""
        more = " · n in the list shows more" if shown < count else ""
        return Content.assemble(*parts, (f" {top}{self.files}{more}", "$text-muted"))

    @property
    def files(self) -> str:
        """How many files were found where the lines were counted, and how many in wider scopes."""
        own, beyond = len(self.results.ranked), len(self.hits) - len(self.results.ranked)
        return f"{counted(own, 'file')}{'' if self.is_whole else ' so far'}{f' · {beyond:,} more below' if beyond else ''}"

    def unread(self) -> str:
        """The files that were not searched, as a sentence; empty if all were."""
        names = [visible_line(file.name) for file, _ in self.results.unread]
        return f"! Not searched: {listed(names, _MOST_UNREAD)}. 8 says why." if names else ""

    def lines(self, key: str, width: int) -> list[list[Piece]]:
        """The lines of a row, in at most `width` cells; an empty one for that of another result."""
        row = self.rows.get(key)
        if row is None or row.heading:
            return [[(f" {row.heading if row is not None else ''}", "head")]]
        hit, room = self.hits[row.place], max(width - _NUMBER, _NARROWEST)
        terms = [fold_term(term).decode("utf-8", "ignore") for term in hit.matched_terms]
        head = row_lines(self._head(row, hit), "", width, _HEAD_LINES, hang=3) if row.line is None else []
        own = [row.line] if row.line is not None else hit.first_lines() if key not in self.unfolded else []
        cut = [(line.number, excerpt(line.text, terms, room, whole_words=hit.whole_words)) for line in own]
        return [*head, *([(f"{number + 1:>5} ", "quiet"), *pieces] for number, pieces in cut)]

    def _head(self, row: HitRow, hit: SearchHit) -> list[Piece]:
        """The heading of a hit: name, store if there are several, and why it was found."""
        if self.answer is None:
            return []
        store = self.answer.store(hit)
        matched = f"[matched: {', '.join(map(visible_line, hit.matched_terms))}]" if len(self.results.terms) > 1 else ""
        own, above = self.answer.query.stores, max((at for at in self._headings if at <= row.place), default=-1)
        heading = self._headings.get(above, "")
        is_named = are_several(self.answer.stores if heading else self.answer.stores[: len(own)])
        is_named = (is_named or only_instructions(store.session.layout)) and not heading.startswith(store.title)
        is_left_out = store.session.layout.has_search and not (heading or searching.agent_searches(own[hit.store], hit))
        beside = ((matched, "text"), ("by name only" if hit.filename_only else "", "aside"))
        why = (
            (store.title if is_named else "", "name"),
            ("the agent does not search this" if is_left_out else "", "left-out"),
            (wording.reason(hit, len(self.results.terms)), "quiet"),
        )
        pieces = [(f"{row.place + 1:>2} ", "text"), (wording.name_in(hit.ref, store.session), "name")]
        for text, style in filter(itemgetter(0), beside):
            pieces += [("  ", "text"), (text, style)]
        for number, (text, style) in enumerate(filter(itemgetter(0), why)):
            pieces += [(" · " if number else "  ", "text"), (text, style)]
        return pieces


_NOTHING = SearchResults([], [])


def _unsearched(hits: Sequence[SearchHit]) -> str:
    return "The scratchpad" if all(hit.ref.role is Role.CHECKLIST for hit in hits) else "What the agent does not search"


_READ: Final = 4_000
"""How many characters of a line are looked through for matches."""


def excerpt(text: str, terms: list[str], width: int, *, whole_words: bool = False) -> list[Piece]:
    """The part of a line around its first match that fits in `width` cells, with `…` where text was cut.

    Matches have a style of their own, those that are whole words another; with `whole_words`, only these are matches. The first
    whole word is preferred as the part to show.
    """
    at = _first(text, terms) if len(text) > _READ else 0
    shown = visible_line(text[at : at + _READ].replace("\t", " ")).lstrip(" ")
    whole = marks(shown, terms, whole_words=True)
    found = whole if whole_words else marks(shown, terms)
    start = 0
    if found and cell_len(shown) > width:
        low, high = (whole or found)[0]
        if cell_len(shown[:high]) >= width:
            start = max(0, low - width // 3)
            while start and cell_len(shown[start - 1 :]) < width:  # if the line ends early, show more before the match
                start -= 1
    before = "…" if start or at else ""
    piece, room = shown[start:], width - len(before)
    end = "…" if cell_len(piece) > room else ""
    piece = set_cell_size(piece, max(room - 1, 0)) if end else piece
    strong, weak = ({place - start for span in spans for place in range(*span)} for spans in (whole, found))
    styles = ["match" if place in strong else "part" if place in weak else "text" for place in range(len(piece))]
    runs = (["".join(char for char, _ in run), style] for style, run in groupby(zip(piece, styles, strict=True), itemgetter(1)))
    return [(before, "text"), *((words, style) for words, style in runs), (end, "text")]


def _first(text: str, terms: Sequence[str]) -> int:
    """Where the part of a very long line begins that is looked through for matches: some way before the first of them."""
    places = map(folded_text(text).find, map(folded_text, terms))
    return max(min((place for place in places if place >= 0), default=0) - _READ // 2, 0)


class Answer(NamedTuple):
    """A full or partial search result. `stores` are those of the query, in its order, then those of what is wider."""

    query: Query
    stores: tuple[OpenStore, ...]
    results: SearchResults
    is_whole: bool = True
    without: int | None = None
    """If no whole word was found: the number of files that contain the letters within other words; None if not determined."""
    beyond: Sequence[tuple[str, Sequence[SearchHit]]] = ()
    """Hits of wider scopes, each part with its heading."""

    def store(self, hit: SearchHit) -> OpenStore:
        """The store of a hit."""
        return self.stores[hit.store]


class SearchScope:
    """The scope of the search: the group under the tree's cursor, widened as the person chose."""

    def __init__(self, stores: Callable[[], Sequence[OpenStore]]) -> None:
        """`stores` returns the open stores, the first one first that the program was started with."""
        self._stores = stores
        self.here = stores()[0]
        self._group = ""
        self._told: OpenStore | None = None
        self.scope = Scope.AGENT
        self.whole_words = False
        """Whether to match whole words only; kept until the program ends."""

    @property
    def several(self) -> bool:
        """Whether there are several agents."""
        return are_several(self._stores())

    @property
    def is_empty(self) -> bool:
        """Whether no agent has a file."""
        return all(store.catalog is not None and not store.catalog.file_count for store in self._stores())

    def widen(self) -> None:
        """Widen the scope by one step."""
        self.scope = self.scope.wider(self.here.session.layout, several=self.several)

    def look_at(self, store: OpenStore, group: str, told: OpenStore | None = None) -> bool:
        """Set the current store and group, and instructions searched with it; whether that changes what is searched."""
        before, self.here, self._group, self._told = self.query(""), store, group, told
        return self.query("") != before

    @property
    def told(self) -> OpenStore | None:
        """The instructions searched with the memory: those looked at, or the folder's if the agent has no search of its own."""
        is_default = self.here.session.is_default
        return self._told or (None if is_default else self.here.instructions_of(self._group, self._stores()))

    @property
    def name(self) -> str:
        """What is searched, for the title: the group's name, or in folder scope the folder's."""
        return self.here.group_name(self._whose) if self.scope is Scope.FOLDER else self.own_name

    @property
    def own_name(self) -> str:
        """What the narrowest scope searches of memory."""
        return memory_name(self.here, self._whose, self._stores())

    @property
    def _whose(self) -> str:
        return self._group or self.here.session.project

    def query(self, words: str, scope: Scope | None = None) -> Query:
        """Build the query for these words in a scope (default: the current one)."""
        scope = scope or self.scope
        return Query(words, tuple(self._sought(scope)), scope, whole_words=self.whole_words)

    def blank(self, words: str) -> tuple[Answer, Query]:
        """An answer without results yet to the query for these words, and the query for everything, whose stores begin with its."""
        query, wide = self.query(words), self.query(words, Scope.ALL)
        own = [each.session for each in query.stores]
        wide = wide._replace(stores=(*query.stores, *(each for each in wide.stores if each.session not in own)))
        owner = {id(store.session): store for store in self._stores()}
        return Answer(query, tuple(owner[id(each.session)] for each in wide.stores), _NOTHING), wide

    def headed(self, answer: Answer, found: SearchResults) -> list[tuple[str, list[SearchHit]]]:
        """What was found everywhere and is not in the answer, by heading: of this memory, of its folder by agent, then the rest."""
        own = {(hit.store, hit.os_path) for hit in answer.results.ranked}
        there = {id(each.session): each for each in self._sought(Scope.FOLDER)}
        parts: dict[tuple[int, str], list[SearchHit]] = {}
        for hit in found.ranked:
            store = answer.stores[hit.store]
            sought = there.get(id(store.session))
            if (hit.store, hit.os_path) in own:
                continue
            if sought is None or not searching.is_of(sought, hit):
                part = (2, f"Other {group_word(self.here.session.layout)}s")
            else:
                part = (0, "") if store is self.here else (1, store.title)
            parts.setdefault(part, []).append(hit)
        return [(name or _unsearched(hits), hits) for (_, name), hits in sorted(parts.items(), key=lambda each: each[0])]

    def _sought(self, scope: Scope) -> list[Sought]:
        every, here = self._stores(), Sought(self.here.session, self._group)
        if scope is Scope.AGENT or len(every) == 1:
            return [here, *([Sought(told.session, "")] if (told := self.told) not in (None, self.here) else [])]
        from zsmem_tui.service.stores import searched_with  # deferred: imports the rules of all agents

        return searched_with(here, [store.session for store in every], scope, self.here.folder_of(self._group))
