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

from zsmem_tui.core.fold import fold
from zsmem_tui.core.search import Cancelled, SearchHit, SearchResults, fold_term, split_terms
from zsmem_tui.core.text import plural, words
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import searching
from zsmem_tui.service.searching import Scope
from zsmem_tui.service.session import Session
from zsmem_tui.ui.actions import bindings
from zsmem_tui.ui.format import common as format
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
        self._session = session
        self._scope = Scope.AGENT
        self._newest = 0
        self._busy = asyncio.Lock()
        self._results = SearchResults([], [])
        self._shown = PAGE_HITS
        self._query = ""
        self._drawn_width = 0

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
        return bool(self._query)

    def hit_at_cursor(self) -> SearchHit | None:
        """The hit under the cursor of the list, when the list has the focus."""
        place = self.hits.highlighted
        if not self.hits.has_focus or place is None or place >= len(self._results.hits):
            return None
        return self._results.hits[place]

    def to_query(self) -> None:
        """Focus the line."""
        self.line.focus()

    def to_hits(self) -> None:
        """Focus the results, when there are any."""
        if self._results.hits:
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
        self.post_message(Said(f"Searching {format.SCOPE_NAMES[self._scope]}."))

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
                    self._session,
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
        hit = self._results.hits[place]
        line = next(hit.hit_lines(), None)
        terms = tuple(fold_term(term) for term in hit.matched_terms) if line is not None else ()
        self.post_message(FileChosen(hit.ref, enter, line if line is not None else 0, terms))

    def _draw(self, *, keep: bool) -> None:
        hits = self._results.hits
        self._drawn_width = self.size.width
        at = self.hits.highlighted
        here = self.hits.get_option_at_index(at).id if keep and at is not None else None
        top = self.hits.scroll_offset.y
        shown = hits[: self._shown]
        self.hits.set_options([Option(self._row(place, hit), id=hit.os_path) for place, hit in enumerate(shown)])
        self.add_class("-open")
        self.query_one("#summary", Static).update(self._summary(len(shown)))
        empty = self.query_one(".empty", Static)
        empty.set_class(not hits, "-shown")
        empty.update(self._nothing())
        if keep:
            place = next((place for place, hit in enumerate(shown) if hit.os_path == here), None)
            self.hits.highlighted = place
            self.hits.scroll_to(y=top, animate=False, immediate=True)
            self.call_after_refresh(self.hits.scroll_to_highlight)
        elif shown:
            self.hits.highlighted = 0
            self.hits.scroll_home(animate=False, immediate=True)
        count = len(hits)
        self.border_subtitle = Content(f"{count} {plural('file', count)}")

    def _summary(self, shown: int) -> Content:
        parts: list[tuple[str, str] | str] = []
        for term, count in format.summary(self._results, shown):
            style = "bold reverse" if count == 0 else "bold"
            parts += [(f" {term} ", style), (f"{count} " if count else "0 nowhere ", style if not count else ""), " "]
        count = len(self._results.hits)
        showing = f"top {shown} of {count}" if shown < count else f"{count}"
        return Content.assemble(*parts, (f" {showing} {plural('file', count)}", "$text-muted"))

    def _nothing(self) -> str:
        if self._scope is Scope.ALL:
            return "No file holds any of these words, in any project. Fewer letters find more: matching is letter for letter."
        return "Nothing found here. F8 searches wider: the scratchpad too, then all projects."

    def _row(self, place: int, hit: SearchHit) -> Content:
        """Four lines at most: what it is, why it is here, the first matching lines."""
        name = format.heading_of(hit, self._session.project)
        tags = ", ".join(visible_line(term) for term in hit.matched_terms)
        parts: list[tuple[str, str] | str | Content] = [
            (f"{place + 1:>2} ", "$text-muted"),
            (name, "bold"),
            f"  [matched: {tags}]",
        ]
        if hit.filename_only:
            parts.append(("  by name only", "italic"))
        parts.append("\n   ")
        if not searching.agent_searches(self._session, hit):
            parts.append(("◌ the agent does not search this", "italic $warning"))
            parts.append(" · ")
        parts.append((format.reason(hit, len(self._results.terms)), "$text-muted"))
        terms = [fold_term(term).decode("utf-8", "ignore") for term in hit.matched_terms]
        width = max(self._drawn_width - 8, 12)
        for line in [line for window in hit.excerpts() for line in window if line.matches][:EXCERPT_LINES]:
            parts += ["\n", (f"{line.number + 1:>5} ", "$text-muted"), _excerpt(line.text, terms, width)]
        return Content.assemble(*parts)

    def _tell_scope(self) -> None:
        wider = "" if self._scope is Scope.AGENT else "◌ "
        self.border_title = Content(f"3 Search · {wider}{format.SCOPE_NAMES[self._scope]}")
        self.set_class(self._scope is not Scope.AGENT, "-wider")


def _excerpt(text: str, terms: list[str], width: int) -> Content:
    """One line around its first match, matches bold and underlined."""
    shown = visible_line(text[:4_000].replace("\t", " "))
    folded = fold(shown.encode("utf-8", "replace")).decode("utf-8", "replace")
    found = format.marks(shown, folded, terms) if len(folded) == len(shown) else []
    start = 0
    if found and found[0][1] > width:
        start = max(0, found[0][0] - width // 3)
    indent = len(shown) - len(shown.lstrip(" ")) if not start else 0
    start = start or indent
    piece = shown[start : start + width]
    content = Content(f"{'…' if start > indent else ''}{piece}")
    shift = start - (1 if start > indent else 0)
    for low, high in found:
        if high > start and low < start + width:
            content = content.stylize("bold underline $accent", max(low - shift, 0), high - shift)
    return content
