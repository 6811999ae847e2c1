"""The search pane: the query line, the ranked hits, and the searches in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import DescendantBlur, DescendantFocus, Key, Paste
from textual.getters import query_one
from textual.widgets import Input, Static

from zsmem_tui.core.layout import group_word
from zsmem_tui.core.search import Cancelled, SearchHit, SearchResults, split_terms
from zsmem_tui.core.text import counted, words
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import searching
from zsmem_tui.service.searching import Query, Scope
from zsmem_tui.ui import wording
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.memory.hit_rows import PAGE_HITS, Answer, HitRow, HitRows, SearchScope
from zsmem_tui.ui.messages import Said, Selected
from zsmem_tui.ui.widgets.frame import Pane
from zsmem_tui.ui.widgets.row_lines import Piece
from zsmem_tui.ui.widgets.row_list import ListRow, RowList

if TYPE_CHECKING:
    from zsmem_tui.ui.open_store import OpenStore

MAX_QUERY_CHARS = 2_000
"""Maximum length of a query; a longer paste is cut, with a message."""

TEXTS_MAX_AGE = 10.0
"""Seconds for which cached texts are used without a check; a change found by the store's follower ends that at once."""

MOST_OPENED = 500
"""The number of top hits from which those of the opened hit's store are logged."""

BURST_SECONDS = 0.01
"""Seconds to wait for the next key, so that a paste or a fast typist starts a single search."""

SIGN_SECONDS = 0.3
"""Seconds after which a search says that it is under way: until then, the hits of the one before are shown."""

NO_HIT: Final = "No hit: / leads back to the words."
SEARCHING: Final = "Searching"
"""The first word of what is said only as long as the search has the keys."""

TWICE_SECONDS: Final = 0.5
"""Seconds after the only hit was opened in which another enter is the second of a double one."""

PASSING_SECONDS = 0.15
"""Seconds to wait before searching in another group, since the tree's cursor passes many."""


class QueryLine(Input):
    """The input for the query."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("query")]

    def action_clear_query(self) -> None:
        """Clear the query."""
        self.value = ""

    def on_blur(self) -> None:
        """Log the query if it found nothing."""
        self.query_ancestor(SearchPane).note_miss()

    def on_paste(self, event: Paste) -> None:
        """Paste as one line, cut to the maximum length."""
        text = " ".join(words(event.text))
        if len(text) > MAX_QUERY_CHARS:
            self.post_message(Said(f"The query was cut at {MAX_QUERY_CHARS:,} of {len(text):,} characters.", warning=True))
        event.stop()
        event.prevent_default()
        self.replace(text[:MAX_QUERY_CHARS], *self.selection)


class HitList(RowList, keys="hits"):
    """The list of ranked hits."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"rows--{name}" for name in ("name", "aside", "left-out", "match", "part")}
    CLICKS = 1
    enters = False
    """Whether the list is about to get the focus from the query line: then its row is shown as if it was gone to."""

    def __init__(self, found: HitRows) -> None:
        super().__init__(lambda key: ListRow([], heading=bool(found.rows[key].heading)), id="hits")
        self._found = found

    def _lines(self, place: int) -> list[list[Piece]]:
        """The name of a hit and why it was found, and its first lines, each cut to a line."""
        return self._found.lines(self.keys[place], self.scrollable_content_region.width)

    def on_key(self, event: Key) -> None:
        """If nothing was found, take the similar word with the digit that was pressed."""
        if event.key.isdecimal() and 0 < int(event.key) <= len(self._found.near) and not self.keys:
            event.stop()
            self.query_ancestor(SearchPane).take_near(int(event.key) - 1)

    def on_focus(self) -> None:
        """Show the row under the cursor, if the person came from the query line."""
        if self.enters:
            self.enters = False
            self._tell()

    def on_blur(self) -> None:
        """Log the hit under the cursor as opened, since its text was shown in the viewer."""
        if (row := self._found.rows.get(self.key)) is not None:
            self.query_ancestor(SearchPane).note_opened(row.place)

    def action_move(self, step: int) -> None:
        """Move the cursor by one row; up from the first row goes to the query."""
        if step < 0 and self.is_first:
            self.query_ancestor(SearchPane).action_to_query()
        else:
            super().action_move(step)

    @property
    def is_first(self) -> bool:
        """Whether the cursor is on the first hit; rows that another answer has taken away meanwhile are none."""
        rows = map(self._found.rows.get, self.keys[: self.cursor])
        return all(row is None or row.heading for row in rows)

    def action_choose(self) -> None:
        """Open the row under the cursor."""
        if self.key is None:
            self.post_message(Said(NO_HIT, warning=True))
        super().action_choose()


class SearchPane(Pane):
    """The pane with live search. An outdated search is cancelled, and never replaces a newer result."""

    def __init__(self, stores: Callable[[], Sequence[OpenStore]]) -> None:
        """`stores` returns the open stores, the current one first at the start."""
        super().__init__(id="search")
        self.scope = SearchScope(stores)
        self.found = HitRows()
        self._newest = 0
        self._busy = asyncio.Lock()
        self._query = ""
        self._answered = ""
        """The query of the result on display."""
        self._begins = False
        """Whether the next answer is to be seen from its best hit on, unless somebody is in the list: other files are searched."""
        self._shown = 0  # the number of the search of that result
        self._missed = ""
        """The last query logged as one that found nothing."""
        self._opened = ("", "")
        """The last query and path logged as opened."""
        self._opened_alone = 0.0
        """When the only hit was opened last, by the monotonic clock."""
        self._hits: HitList | None = None

    def compose(self) -> ComposeResult:
        """Yield the query line; summary and hit list are mounted by the first search."""
        self.tell_scope()
        yield QueryLine(placeholder="type words: the hits follow", id="query", classes="line-input", max_length=MAX_QUERY_CHARS)

    line = query_one(QueryLine)

    @property
    def hits(self) -> HitList:
        """The list of hits, mounted on first use."""
        if self._hits is None:
            self._hits = HitList(self.found)
            self.mount(Static("", id="summary", markup=False), self._hits)
        return self._hits

    @property
    def active(self) -> bool:
        """Whether there is a query and its result is on display."""
        return bool(self._query) and self.has_class("-open")

    def awaits_hits(self, key: Key) -> bool:
        """Whether a key is for hits of which none is found yet."""
        is_found = self._answered == self.line.value and (self.found.hits or self.found.is_whole)
        return key.key in ("enter", "down") and self.line.has_focus and not is_found and bool(split_terms(self.line.value))

    def look_at(self, store: OpenStore, group: str, agent: OpenStore) -> None:
        """The tree's cursor moved to a group: search there, or in the memory of its `agent`, unless this pane has the focus."""
        told = store if agent is not store and not agent.empty else None
        store, group = (agent, agent.group_beside(told)) if told is not None else (store, group)
        if not self.has_class("-current") and self.scope.look_at(store, group, told):
            self._begins = True
            self.search_again(PASSING_SECONDS)

    def row_at_cursor(self) -> HitRow | None:
        """The row under the list's cursor; None if the list has no focus."""
        return self.found.rows.get(self._hits.key) if self._hits is not None and self._hits.has_focus else None

    def hit_at_cursor(self) -> SearchHit | None:
        """The hit of the row under the cursor, which may be one of its lines."""
        row = self.row_at_cursor()
        return None if row is None else self.found.hits[row.place]

    def action_to_query(self) -> None:
        """Focus the query line with the cursor at its end, and show the list; one that was closed begins with this memory again."""
        if not self.has_class("-open") and self.scope.scope is not Scope.AGENT:
            self.scope.scope = Scope.AGENT
            self.search_again()
        self.set_class(bool(self._query), "-open")
        self.line.action_end()
        self.line.focus()

    def action_to_hits(self, *, tells: bool = True) -> None:
        """Focus the hits or similar words; if there are none, say so. From the query line, the chosen hit is shown (`tells`)."""
        if self.found.hits:
            self.add_class("-open")
            self.hits.enters = tells and self.line.has_focus
            self.hits.focus()
        elif self.found.near:
            self.hits.focus()
        elif self._query:
            self.post_message(Said("No hit to go to: type other words, ctrl+l empties the line.", warning=True))

    def take_near(self, number: int) -> None:
        """Search again with a similar word in place of the term that was not found."""
        term, near = self.found.near[number]
        self.note_miss()
        self.line.value = " ".join(near.word if word.casefold() == term.casefold() else word for word in words(self._query))
        self.line.action_end()
        self.line.focus()

    def note_miss(self) -> None:
        """Log the current query if it found nothing, once."""
        answer = self.found.answer
        if answer is not None and answer.is_whole and not answer.results.ranked and self._answered not in ("", self._missed):
            self._missed = self._answered
            self._note(partial(_note_search, answer, self._answered))

    def takes(self, pressed: float) -> bool:
        """Whether a key that was pressed then was meant for the line: right behind the one that opened the only hit."""
        return pressed < self._opened_alone + TWICE_SECONDS

    def note_opened(self, place: int) -> None:
        """Log the current query with the hit that was opened, once."""
        answer, hit = self.found.answer, self.found.hits[place]
        if answer is not None and self._opened != (self._answered, hit.ref.path):
            self._opened = (self._answered, hit.ref.path)
            self._note(partial(_note_opened, answer, self._answered, hit))

    @work(group="note")
    async def _note(self, note: Callable[[], None]) -> None:
        await asyncio.to_thread(note)

    @property
    def opens(self) -> str:
        """What `enter` in the line opens, as a label: the only hit, if there is one; or the first similar word, or all hits."""
        is_answered, found = self._answered == self._query, self.found
        if is_answered and not found.hits and found.near:
            return "Similar"
        return "Open" if is_answered and found.is_whole and len(found.hits) == 1 else "Results"

    async def action_open(self) -> None:
        """Open the hit if it is the only one and the search has ended, else focus the hits."""
        opens = self.opens
        if opens == "Similar":
            self.take_near(0)
            return
        self.action_to_hits(tells=opens != "Open")
        if opens == "Open":
            self.note_opened(0)
            self._opened_alone = monotonic()
            self.post_message(await self.found.chosen(HitRow(0), enter=True))

    def action_wider(self) -> None:
        """Widen the scope by one step and search again."""
        self.scope.widen()
        self._begins = True
        self.search_again()
        again = (" only", " again") if self.scope.scope is Scope.AGENT else ("", "")
        self.post_message(Said(f"{SEARCHING}{again[0]} {_scope_name(self.scope)}{again[1]}."))

    def action_whole_words(self) -> None:
        """Toggle between whole words only and the agent's own rules, which also match parts of words."""
        self.scope.whole_words = not self.scope.whole_words
        self._begins = True
        self.search_again()
        only = "words of their own: port, not report" if self.scope.whole_words else "parts of words too"
        self.post_message(Said(f"{SEARCHING} for {only}."))

    @work(group="more")
    async def action_more(self) -> None:
        """Show fifty more hits."""
        if self.found.show_more():
            await asyncio.to_thread(self.found.read, self.found.hits)
            self._draw(keep=True)
        else:
            self.post_message(Said("All hits are shown.", warning=True))

    @work(group="more")
    async def action_unfold(self) -> None:
        """List all matching lines of the hit under the cursor; if they are listed already, move to the next row."""
        hit = self.hit_at_cursor()
        if hit is None:
            return
        lines = await self.found.unfold(hit)
        if lines is None:
            self.hits.action_move(1)
            return
        if not lines:
            self.post_message(Said("It was found by its name only: no line of it holds any of the words.", warning=True))
        self._draw(keep=True)

    def action_fold(self) -> None:
        """Show only the first lines of the hit under the cursor, and move to its row."""
        hit = self.hit_at_cursor()
        key = self.found.fold(hit) if hit is not None else None
        if key is not None:
            self._draw(keep=True, cursor=key)

    def search_again(self, pause: float = BURST_SECONDS) -> None:
        """Repeat the current search after `pause` seconds, because texts or stores have changed."""
        self.tell_scope()
        if self._query:
            self._search(self._query, again=True, pause=pause)

    @on(Input.Changed, "#query")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        query = event.value
        self._newest += 1
        if not split_terms(query):
            self.note_miss()
            self._query = self._answered = ""
            self.found.take(None)
            self.say_empty("")
            self.workers.cancel_group(self, "search")
            self.remove_class("-open")
            self.border_subtitle = Content("only blanks: nothing to search for" if query else "")
            return
        self._query = query
        self._search(query)

    @work(exclusive=True, group="search")
    async def _search(self, query: str, again: bool = False, pause: float = BURST_SECONDS) -> None:
        """Search in a thread, one search at a time; outdated searches are cancelled between two files."""
        self._newest += 1
        mine = self._newest
        await asyncio.sleep(pause)
        self.set_timer(SIGN_SECONDS, partial(self._tell_searching, mine))
        loop = asyncio.get_running_loop()

        def show(some: Answer) -> None:
            loop.call_soon_threadsafe(self._show_answer, mine, query, some)

        try:
            async with self._busy:
                blank, wide = self.scope.blank(query)
                answer = await asyncio.to_thread(self._run_search, blank, wide, mine, None if again else show)
            self._show_answer(mine, query, answer, again=again)
        except Cancelled:
            return

    def _tell_searching(self, number: int) -> None:
        if self._newest == number != self._shown and self.is_attached:
            self.border_subtitle = Content("searching …")
            for line in self.query("#summary").results(Static):
                line.update("searching …")

    def _run_search(self, blank: Answer, wide: Query, mine: int, show: Callable[[Answer], object] | None) -> Answer:
        """Search, then everywhere if one page has room for it, and read all that the rows will show, so that drawing reads no file.

        Runs in a thread. A long search calls `show` with partial results. Raises `Cancelled`.
        """

        def so_far(results: SearchResults) -> None:
            self.found.read(results.ranked)
            if show is not None:
                show(blank._replace(results=results, is_whole=False))

        look_for = partial(searching.search, cancelled=lambda: self._newest != mine, max_age=TEXTS_MAX_AGE)
        results = look_for(blank.query, so_far=None if show is None else so_far)
        self.found.read(results.ranked)
        answer = blank._replace(results=results)
        if len(results.ranked) < PAGE_HITS and not _is_letter(blank.query.words) and blank.query.scope is not Scope.ALL:
            wider = look_for(wide, so_far=lambda _: so_far(results))
            answer = answer._replace(beyond=self.scope.headed(answer, wider))
            self.found.read([hit for _, hits in answer.beyond for hit in hits])
        if results.missed():
            if show is not None and (results.ranked or answer.beyond):
                show(answer._replace(is_whole=False))
            searching.add_near(blank.query, results, cancelled=lambda: self._newest != mine, max_age=TEXTS_MAX_AGE)
        if results.ranked or answer.beyond or not blank.query.whole_words:
            return answer
        return answer._replace(without=len(look_for(wide._replace(whole_words=False)).ranked))

    def _show_answer(self, number: int, query: str, answer: Answer, again: bool = False) -> None:
        """Show a full or partial result, unless a newer search has been started."""
        if self._newest != number or not self.is_attached:
            return
        keep = self._answered == query and (again or not self.found.is_whole)
        begins, self._begins = self._begins and self.hits.is_first and not self.hits.has_focus, False
        self._answered, self._shown = query, number
        self.found.take(answer, again=keep)
        self.set_class(self.has_class("-open") or not keep, "-open")
        self._draw(keep=keep and not begins)

    @on(RowList.Moved)
    @on(RowList.Chosen)
    async def _choose(self, event: RowList.Moved | RowList.Chosen) -> None:
        """Post the hit under the cursor; does nothing if its row is gone."""
        event.stop()
        enter, row = isinstance(event, RowList.Chosen), self.found.rows.get(event.key)
        if row is not None and (enter or self.hits.has_focus):
            if enter:
                self.note_opened(row.place)
            self.post_message(await self.found.chosen(row, enter=enter))

    def _draw(self, *, keep: bool, cursor: str | None = None) -> None:
        self.found.arrange()
        if not keep:
            self.hits.seek(None)
        self.hits.show([*self.found.rows], cursor=cursor)
        self.query_one("#summary", Static).update(self.found.summary())
        why = (self.found.near_lines(), _nothing_found(self.scope, self.found.answer)) if not self.found.hits else ()
        self.say_empty("\n\n".join(filter(None, (*why, self.found.unread()))))
        self._tell_count()
        self.post_message(Selected())

    @on(DescendantFocus)
    @on(DescendantBlur)
    def _tell_count(self) -> None:
        if not self.found.answer:
            return
        is_hits = self._hits is not None and self._hits.has_focus
        wider = "" if self.scope.scope is Scope.ALL else f" · {'' if is_hits else 'alt+'}w wider"
        self.border_subtitle = Content(f"{self.found.files}{wider}")

    def tell_scope(self) -> None:
        """Show the scope in the pane's title."""
        words = "whole words · " if self.scope.whole_words else ""
        self.border_title = Content(f"3 Search · {words}{_scope_name(self.scope)}")
        self.set_class(self.scope.scope is not Scope.AGENT, "-wider")


def _own_name(scope: SearchScope) -> str:
    """What the narrowest scope searches."""
    return f"{scope.own_name} with its instructions" if scope.told is not None else scope.own_name


def _scope_name(scope: SearchScope) -> str:
    told = scope.told is None and len(scope.query("", Scope.PROJECT).stores) > 1
    if scope.scope is Scope.AGENT:
        return _own_name(scope)
    wider = wording.scope_name(scope.scope, scope.here.session.layout, several=scope.several, told=told)
    return " · ".join(filter(None, (wider, "" if scope.scope is Scope.ALL else scope.name)))  # the end is cut


def _nothing_found(scope: SearchScope, answer: Answer | None) -> str:
    if scope.is_empty:
        return scope.here.gone or "There is no memory yet: nothing can be found. a in the tree (1) adds some, 9 brings some in."
    if answer is not None and answer.without:
        why = f"No file holds any as a word of its own.\nalt+o, without whole words: {counted(answer.without, 'file')}."
    elif answer is not None and answer.query.scope is not Scope.ALL and _is_letter(answer.query.words):
        why = f"Nothing found in {visible_line(_own_name(scope))}. From two letters on, all memory is searched."
    else:
        where = "of any agent" if scope.several else f"in any {group_word(scope.here.session.layout)}"
        why = f"No memory file holds any of these words, {where}. Fewer letters find more: matching is letter for letter."
    return f"{why}\nctrl+o finds a file by a part of its name.\nctrl+l empties the line."


def _is_letter(words: str) -> bool:
    """Whether a query is its first letter so far; a character of another script may be a word."""
    return len(words.strip().encode()) == 1


def _note_search(answer: Answer, words: str) -> None:
    for store in answer.query.stores:
        searching.note_search(store.session, searching.PERSON, words, answer.results)


def _note_opened(answer: Answer, words: str, hit: SearchHit) -> None:
    session = answer.stores[hit.store].session
    own = SearchResults([], [each for each in answer.results.ranked[:MOST_OPENED] if each.store == hit.store])
    searching.note_search(session, searching.PERSON, words, own)
    searching.note_read(session, searching.PERSON, hit.ref)
