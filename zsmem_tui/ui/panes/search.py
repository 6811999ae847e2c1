"""The search pane: a line to type in, what was found in the agent's order, and why."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Paste, Resize
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from zsmem_tui.core.hit_lines import MatchedLine, best_line, matched_lines
from zsmem_tui.core.layout import group_word
from zsmem_tui.core.search import Cancelled, SearchHit, SearchResults, fold_term, split_terms
from zsmem_tui.core.text import plural, words
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import searching
from zsmem_tui.service.searching import Scope
from zsmem_tui.service.session import Session
from zsmem_tui.ui.format import common as format
from zsmem_tui.ui.format.excerpt import excerpt
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.messages import FileChosen, Said
from zsmem_tui.ui.widgets.answers import Answers

PAGE_HITS = 50
"""Hits shown at once; painting more would be felt while typing."""

MAX_QUERY_CHARS = 2_000
"""Characters of a query that the line takes; a longer paste is cut and said."""

TEXTS_MAX_AGE = 10.0
"""Seconds for which texts that were checked serve; what the store's follower notices ends that sooner."""

BURST_SECONDS = 0.01
"""Seconds to wait for the next letter: a paste or a fast typist starts one search, not one a letter."""

MOST_LINES = 500
"""Lines listed of a hit that is unfolded."""

EXCERPT_LINES = 3
"""Matching lines shown under a hit."""


class QueryLine(Input):
    """Where the words are typed."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("query")]

    def action_to_hits(self) -> None:
        """Go to the results."""
        self.query_ancestor(SearchPane).to_hits()

    def action_wider(self) -> None:
        """Search wider."""
        self.query_ancestor(SearchPane).widen()

    def action_clear_query(self) -> None:
        """Empty the line."""
        self.value = ""

    def _on_paste(self, event: Paste) -> None:
        text = " ".join(words(event.text))
        if len(text) > MAX_QUERY_CHARS:
            self.post_message(Said(f"The query was cut at {MAX_QUERY_CHARS} of {len(text)} characters.", warning=True))
        event.stop()
        event.prevent_default()
        self.insert_text_at_cursor(text[:MAX_QUERY_CHARS])


class HitList(Answers):
    """The ranked hits."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("hits")]

    def action_hit_up(self) -> None:
        """One up; from the first, back to the query."""
        if not self.highlighted:
            self.query_ancestor(SearchPane).to_query()
        else:
            self.action_cursor_up()

    def action_unfold(self) -> None:
        """All matching lines of the hit."""
        _unfold(self.query_ancestor(SearchPane))

    def action_fold(self) -> None:
        """Only the first of them."""
        _fold(self.query_ancestor(SearchPane))

    def action_wider(self) -> None:
        """Search wider."""
        self.query_ancestor(SearchPane).widen()

    def action_to_query(self) -> None:
        """Back to the query."""
        self.query_ancestor(SearchPane).to_query()

    def action_more(self) -> None:
        """Show more hits."""
        self.query_ancestor(SearchPane).show_more()


class SearchPane(Vertical):
    """Live search. An older answer never replaces a newer one; a search that is out of date stops."""

    def __init__(self, session: Session) -> None:
        super().__init__(id="search", classes="pane")
        self.session = session
        self._scope = Scope.AGENT
        self._newest = 0
        self._busy = asyncio.Lock()
        self._results = SearchResults([], [])
        self._shown = PAGE_HITS
        self._query = ""
        self._drawn_width = 0
        self._unfolded: dict[str, list[MatchedLine]] = {}
        """The lines of the hits that are shown with all of theirs, by the path of the file."""
        self._rows: list[tuple[int, MatchedLine | None]] = []
        """What each row of the list is: a hit, or a line of one."""

    def compose(self) -> ComposeResult:
        """The line, the summary, the hits, and what is said when there are none."""
        self.border_title = Content("3 Search")
        yield QueryLine(
            placeholder="words to search for", id="query", classes="line-input", compact=True, max_length=MAX_QUERY_CHARS
        )
        yield Static("", id="summary", markup=False)
        yield HitList(id="hits", markup=False)
        yield Static("", classes="empty", markup=False)

    def on_mount(self) -> None:
        """Say the scope."""
        self._tell_scope()

    def on_resize(self, event: Resize) -> None:
        """Another width: cut the excerpts anew."""
        if event.size.width != self._drawn_width and self._query:
            self._draw(keep=True)

    @property
    def line(self) -> QueryLine:
        """The line to type in."""
        return self.query_one(QueryLine)

    @property
    def hits(self) -> HitList:
        """The list of hits."""
        return self.query_one(HitList)

    @property
    def active(self) -> bool:
        """Whether there is a query."""
        return bool(self._query) and self.has_class("-open")

    def hit_at_cursor(self) -> SearchHit | None:
        """The hit under the cursor of the list, when the list has the focus."""
        row = self._row_at_cursor()
        return None if row is None else self._results.hits[row[0]]

    def line_at_cursor(self) -> int | None:
        """The line of the file that the cursor of the list is on: that of the row, else the best of the hit."""
        row = self._row_at_cursor()
        if row is None:
            return None
        return row[1].number if row[1] is not None else best_line(self._results.hits[row[0]])

    def text_at_cursor(self) -> str | None:
        """The text of the line under the cursor of the list; None on a hit."""
        row = self._row_at_cursor()
        return row[1].text if row is not None and row[1] is not None else None

    def _row_at_cursor(self) -> tuple[int, MatchedLine | None] | None:
        place = self.hits.highlighted
        return self._rows[place] if self.hits.has_focus and place is not None and place < len(self._rows) else None

    def close(self) -> bool:
        """Put the list away, the words kept; False when it is not there."""
        was_open = self.has_class("-open")
        self.remove_class("-open")
        return was_open

    def to_query(self) -> None:
        """Focus the line."""
        self.line.focus()

    def to_hits(self) -> None:
        """Focus the results, when there are any."""
        if self._results.hits:
            self.add_class("-open")
            if self.hits.highlighted is None:
                self.hits.highlighted = 0
            self.hits.focus()
        elif self._query:
            self.post_message(Said("No hit to go to.", warning=True))

    def widen(self) -> None:
        """The next scope."""
        self._scope = self._scope.wider
        self._tell_scope()
        if self._query:
            self.search_again()
        self.post_message(Said(f"Searching {format.scope_name(self._scope, self.session.layout)}."))

    def show_more(self) -> None:
        """Fifty more hits."""
        if self._shown >= len(self._results.hits):
            self.post_message(Said("All hits are shown.", warning=True))
            return
        self._shown += PAGE_HITS
        self._draw(keep=True)

    def clear(self) -> None:
        """No query, no hits."""
        self.line.value = ""

    def search_again(self) -> None:
        """The same words on the texts there are now."""
        if self._query:
            self._search(self._query, again=True)

    @on(Input.Changed, "#query")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        query = event.value
        self._newest += 1
        if not split_terms(query):
            self._query = ""
            self._results = SearchResults([], [])
            self.workers.cancel_group(self, "search")
            self.remove_class("-open")
            self.border_subtitle = Content("only blanks: nothing to search for" if query else "")
            return
        self._query = query
        self._unfolded.clear()
        self._search(query)

    @work(exclusive=True, group="search")
    async def _search(self, query: str, again: bool = False) -> None:
        """Ask in a thread, one at a time; what is out of date stops between two files."""
        self._newest += 1
        mine = self._newest
        await asyncio.sleep(BURST_SECONDS)
        async with self._busy:
            try:
                results = await asyncio.to_thread(
                    searching.search,
                    self.session,
                    query,
                    self._scope,
                    cancelled=lambda: self._newest != mine,
                    max_age=TEXTS_MAX_AGE,
                )
            except Cancelled:
                return
        if self._newest == mine:
            self._results = results
            if not again:
                self._shown = PAGE_HITS
            self._draw(keep=again)

    @on(OptionList.OptionHighlighted, "#hits")
    def _moved(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if self.hits.has_focus:
            self._choose(event.option_index, enter=False)

    @on(OptionList.OptionSelected, "#hits")
    def _opened(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._choose(event.option_index, enter=True)

    def _choose(self, place: int, *, enter: bool) -> None:
        at, row = self._rows[place]
        hit = self._results.hits[at]
        line = best_line(hit) if row is None else row.number
        terms = tuple(fold_term(term) for term in hit.matched_terms) if line is not None else ()
        self.post_message(FileChosen(hit.ref, enter, line if line is not None else 0, terms))

    def _draw(self, *, keep: bool) -> None:
        hits = self._results.hits
        self._drawn_width = self.size.width
        at = self.hits.highlighted
        here = self.hits.get_option_at_index(at).id if keep and at is not None else None
        top = self.hits.scroll_offset.y
        shown = hits[: self._shown]
        self._rows = [
            row for place, hit in enumerate(shown) for row in ((place, None), *((place, each) for each in _lines_of(self, hit)))
        ]
        if not keep:
            self.add_class("-open")
        self.hits.set_options([_option(self, *row) for row in self._rows])
        self.query_one("#summary", Static).update(_summary(self, len(shown)))
        empty = self.query_one(".empty", Static)
        empty.set_class(not hits, "-shown")
        empty.update(_nothing(self))
        if keep:
            place = next((place for place, row in enumerate(self._rows) if _id_of(self, *row) == here), None)
            self.hits.highlighted = place
            self.hits.scroll_to(y=top, animate=False, immediate=True)
            self.call_after_refresh(self.hits.scroll_to_highlight)
        elif shown:
            self.hits.highlighted = 0
            self.hits.scroll_home(animate=False, immediate=True)
        count = len(hits)
        self.border_subtitle = Content(f"{count} {plural('file', count)}")

    def _tell_scope(self) -> None:
        wider = "" if self._scope is Scope.AGENT else "◌ "
        self.border_title = Content(f"3 Search · {wider}{format.scope_name(self._scope, self.session.layout)}")
        self.set_class(self._scope is not Scope.AGENT, "-wider")


def _lines_of(pane: SearchPane, hit: SearchHit) -> list[MatchedLine]:
    return pane._unfolded.get(hit.os_path, [])


def _id_of(pane: SearchPane, place: int, line: MatchedLine | None) -> str:
    path = pane._results.hits[place].os_path
    return path if line is None else f"{path}\0{line.number}"


def _option(pane: SearchPane, place: int, line: MatchedLine | None) -> Option:
    hit = pane._results.hits[place]
    if line is None:
        return Option(_hit_row(pane, place, hit), id=_id_of(pane, place, line))
    terms = [fold_term(term).decode("utf-8", "ignore") for term in hit.matched_terms]
    words = excerpt(line.text, terms, max(pane._drawn_width - 8, 12))
    return Option(Content.assemble((f"{line.number + 1:>5} ", "$text-muted"), words), id=_id_of(pane, place, line))


def _hit_row(pane: SearchPane, place: int, hit: SearchHit) -> Content:
    """Four lines at most: what it is, why it is here, the first matching lines."""
    name = format.heading_of(hit, pane.session.project)
    tags = ", ".join(visible_line(term) for term in hit.matched_terms)
    parts: list[tuple[str, str] | str | Content] = [
        (f"{place + 1:>2} ", "$text-muted"),
        (name, "bold"),
        f"  [matched: {tags}]",
    ]
    if hit.filename_only:
        parts.append(("  by name only", "italic"))
    parts.append("\n   ")
    if not searching.agent_searches(pane.session, hit):
        parts.append(("◌ the agent does not search this", "italic $warning"))
        parts.append(" · ")
    parts.append((format.reason(hit, len(pane._results.terms)), "$text-muted"))
    terms = [fold_term(term).decode("utf-8", "ignore") for term in hit.matched_terms]
    width = max(pane._drawn_width - 8, 12)
    first = [] if hit.os_path in pane._unfolded else [line for window in hit.excerpts() for line in window if line.matches]
    for line in first[:EXCERPT_LINES]:
        parts += ["\n", (f"{line.number + 1:>5} ", "$text-muted"), excerpt(line.text, terms, width)]
    return Content.assemble(*parts)


def _summary(pane: SearchPane, shown: int) -> Content:
    parts: list[tuple[str, str] | str] = []
    for term, count in format.summary(pane._results, shown):
        style = "bold reverse" if count == 0 else "bold"
        parts += [(f" {term} ", style), (f"{count} " if count else "0 nowhere ", style if not count else ""), " "]
    count = len(pane._results.hits)
    showing = f"top {shown} of {count}" if shown < count else f"{count}"
    return Content.assemble(*parts, (f" {showing} {plural('file', count)}", "$text-muted"))


def _nothing(pane: SearchPane) -> str:
    layout = pane.session.layout
    if pane._scope is Scope.ALL:
        nowhere = f"No file holds any of these words, in any {group_word(layout)}."
        return f"{nowhere} Fewer letters find more: matching is letter for letter."
    too = "the scratchpad too" if layout.has_profiles else "all files"
    return f"Nothing found here. F8 searches wider: {too}, then all {group_word(layout)}s."


def _unfold(pane: SearchPane) -> None:
    """List all matching lines of the hit under the cursor; from a line or an unfolded hit, on to the next row."""
    hit = pane.hit_at_cursor()
    if hit is None:
        return
    if hit.os_path in pane._unfolded:
        pane.hits.action_cursor_down()
        return
    pane._unfolded[hit.os_path] = matched_lines(hit)[:MOST_LINES]
    if not pane._unfolded[hit.os_path]:
        pane.post_message(Said("It was found by its name only: no line of it holds any of the words.", warning=True))
    pane._draw(keep=True)


def _fold(pane: SearchPane) -> None:
    """Show only the first lines of the hit under the cursor, and go to it."""
    hit = pane.hit_at_cursor()
    if hit is not None and pane._unfolded.pop(hit.os_path, None) is not None:
        pane.hits.highlighted = pane._rows.index((pane._results.hits.index(hit), None))
        pane._draw(keep=True)
