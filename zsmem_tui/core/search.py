"""Search: literal terms, windows of lines, ranking (specification, section 6).

Works on texts held in memory. A search counts and ranks; the excerpts of a hit are made when somebody looks at them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.constants import FILENAME_MATCH, PREVIEW_LINES, WINDOW_MARK
from zsmem_tui.core.excerpts import ExcerptLine, each_line, hit_lines, line_windows, pick_lines
from zsmem_tui.core.fold import fold
from zsmem_tui.core.ranking import Found, Term
from zsmem_tui.core.render import render_hit, render_results
from zsmem_tui.core.slab import Document, Slab, by_text
from zsmem_tui.core.text import trim, trim_end, words
from zsmem_tui.core.whole_words import holds_word, word_finder

if TYPE_CHECKING:
    from zsmem_tui.core.refs import MemRef

_NOWHERE: Final = b"\xff"
"""A byte that valid UTF-8 never holds: what a term that is not valid Unicode is looked for as."""

_LOOKED_AT: Final = 50
"""Hits that are put in order with the search: a page of the screen, more than an agent gets."""

_Matches = Sequence[tuple[Term, Sequence[int]]]
"""Terms with the ends of the lines that hold them."""


class SearchHit:
    """One file's worth of results (specification, sections 6 and 16).

    `path` is printable (`os_path` is what the system opens), `matched_terms` are in query order and spelling, `total_hits`
    counts matching lines (0 for a hit by name), `date` is set for daily logs. `whole_words` says that only such were looked for.
    """

    __slots__ = ("_body", "place", "slab", "terms", "total_hits", "whole_words")

    def __init__(self, slab: Slab, place: int, terms: Sequence[Term], total_hits: int, *, whole_words: bool = False) -> None:
        """The file at a place of a slab."""
        self.slab = slab
        self.place = place
        self.terms = terms
        self.total_hits = total_hits
        self.whole_words = whole_words
        self._body: str | None = None

    @property
    def document(self) -> Document:
        """The file that was hit."""
        return Document(self.slab, self.place)

    @property
    def matched_terms(self) -> list[str]:
        """The terms that were found, in the query's order and spelling."""
        return [spelled for spelled, _ in self.terms]

    @property
    def filename_only(self) -> bool:
        """Whether only the file's name holds terms."""
        return self.total_hits == 0

    @property
    def path(self) -> str:
        """The file's path as it is printed."""
        return self.document.path

    @property
    def os_path(self) -> str:
        """The file's path as the system opens it."""
        return self.document.os_path

    @property
    def date(self) -> str | None:
        """For a daily log, its date as its name says it."""
        return self.document.date

    @property
    def is_memory_md(self) -> bool:
        """Whether the file is called MEMORY.md, or what its layout says; such hits come first."""
        return self.place == self.slab.first

    @property
    def ref(self) -> MemRef:
        """Which memory file was hit."""
        return self.document.ref

    @property
    def body(self) -> str:
        """The excerpt as agents get it: windows of lines, each closed by `…`, or the start of a file hit by name."""
        if self._body is None:
            self._body = self._preview() if self.filename_only else self._windows()
        return self._body

    def excerpts(self) -> list[list[ExcerptLine]]:
        """The windows as lines, for front ends that draw them. Empty for a hit by name."""
        if self.filename_only:
            return []
        text = self.document.text
        hits, ranges = line_windows(text.folded, self._hit_lines(text.folded))
        found = pick_lines(text.raw, ranges)
        return [[ExcerptLine(number, found[number], number in hits) for number in window] for window in ranges]

    def first_lines(self, count: int) -> list[ExcerptLine]:
        """The first `count` matching lines, without reading on behind them. Empty for a hit by name."""
        numbers = list(islice(self.hit_lines(), count))
        found = pick_lines(self.document.raw, [range(number, number + 1) for number in numbers])
        return [ExcerptLine(number, found[number], True) for number in numbers]

    def hit_lines(self) -> Iterator[int]:
        """The numbers of all matching lines, from 0, also beyond the windows shown."""
        return self._hit_lines(self.document.text.folded) if self.total_hits else iter(())

    def _hit_lines(self, folded: bytes) -> Iterator[int]:
        terms = [term for _, term in self.terms]
        return hit_lines(folded, terms, holds_word if self.whole_words else None)

    def _windows(self) -> str:
        parts: list[str] = []
        for window in self.excerpts():
            parts.extend(line.text for line in window)
            parts.append(WINDOW_MARK)
        return trim_end("\n".join(parts))

    def _preview(self) -> str:
        preview: list[str] = []
        for line in each_line(self.document.raw):
            if trim(line):
                preview.append(line)
                if len(preview) == PREVIEW_LINES:
                    break
        return f"{FILENAME_MATCH}\n" + "\n".join(preview)

    def __repr__(self) -> str:
        return f"SearchHit({self.path!r}, {self.matched_terms!r}, total_hits={self.total_hits})"


class SearchResults:
    """The terms with the number of lines each matched, and the hits in the agent's order.

    `ranked` are the hits, put in order as they are looked at.
    """

    __slots__ = ("ranked", "terms")

    def __init__(self, terms: list[tuple[str, int]], ranked: Sequence[SearchHit]) -> None:
        self.terms = terms
        self.ranked = ranked

    @property
    def hits(self) -> list[SearchHit]:
        """All hits in their order."""
        if not isinstance(self.ranked, list):
            self.ranked = list(self.ranked)
        return self.ranked

    def render(self, max_bytes: int) -> str:
        """The results as text of about `max_bytes` bytes (specification, section 7)."""
        blocks = (render_hit(hit.path, hit.matched_terms, hit.body) for hit in self.ranked)
        return render_results(self.terms, len(self.ranked), blocks, max_bytes)


class Cancelled(Exception):
    """A newer search has taken over; nothing was found out."""


def never() -> bool:
    """The token of a search that nobody cancels."""
    return False


def split_terms(query: str) -> list[str]:
    """The distinct terms of `query`, first spelling kept. Only ASCII letters count as equal in either case."""
    seen: dict[bytes, str] = {}
    for word in words(query):
        seen.setdefault(word.encode("utf-8", "surrogatepass").lower(), word)
    return list(seen.values())


def fold_term(term: str) -> bytes:
    """What `term` is looked for as in folded text."""
    try:
        return fold(term.encode())
    except UnicodeEncodeError:
        return _NOWHERE


def search(slabs: Iterable[Slab], query: str, *, cancelled: Callable[[], bool] = never) -> SearchResults:
    """Rank the files of `slabs` by the terms of `query`.

    `cancelled` is asked between slabs; once it says yes, `Cancelled` is raised.
    """
    return search_parts([slabs], query, cancelled=cancelled)


def search_parts(
    parts: Sequence[Iterable[Slab]],
    query: str,
    *,
    cancelled: Callable[[], bool] = never,
    wanted: Sequence[Callable[[Document], bool] | None] = (),
    so_far: Callable[[Callable[[], SearchResults]], None] | None = None,
    whole_words: bool = False,
) -> SearchResults:
    """The same for the files of several stores, in one ranking: hits that are equal in it stand in the order of the stores.

    `wanted`, where there is one for a store, says which of its files count, of those that hold terms or are called so. `so_far` is
    handed, between slabs with hits, what makes the results known by then. With `whole_words`, only what stands as a word of its
    own counts, in lines and in names.
    """
    spelled = split_terms(query)
    if not spelled:
        return SearchResults([], [])
    found = _Search(spelled, whole_words)
    for store, (slabs, asked) in enumerate(zip_longest(parts, wanted)):
        for slab in slabs:
            if cancelled():
                raise Cancelled
            found.look(store, slab, asked)
            if so_far is not None and found.found:
                so_far(found.results)
    return found.results()


class _Search:
    """One question to texts: its terms, the lines that each matched so far, and the files found by now."""

    def __init__(self, spelled: Sequence[str], whole_words: bool) -> None:
        self.whole_words = whole_words
        self.terms: list[Term] = [(spelling, fold_term(spelling)) for spelling in spelled]
        self.counts = dict.fromkeys(spelled, 0)
        self.found = Found(len(self.terms))

    def results(self) -> SearchResults:
        """What was found by now, those that are looked at first in order already."""
        ranked = self.found.ranked(partial(SearchHit, whole_words=True) if self.whole_words else SearchHit)
        ranked[:_LOOKED_AT]
        return SearchResults(list(self.counts.items()), ranked)

    def look(self, store: int, slab: Slab, wanted: Callable[[Document], bool] | None) -> None:
        """Find the files of a slab, and count its lines. `store` is the place of the store that it is of."""
        packed = slab.texts()
        ends_of_each = packed.line_ends([needle for _, needle in self.terms])
        if self.whole_words:
            finders = [word_finder(needle) for _, needle in self.terms]
            ends_of_each = [
                [end for end in ends if holds(packed.line(end))] for holds, ends in zip(finders, ends_of_each, strict=True)
            ]
        found = [(term, ends) for term, ends in zip(self.terms, ends_of_each, strict=True) if ends]
        named = [term for term in self.terms if term[1] in slab.folded_names]
        seen: Collection[int] = ()
        if len(found) == 1 and wanted is None:
            ((term, ends),) = found
            self.counts[term[0]] += len(ends)
            totals = {place: stop - start for place, start, stop in by_text(ends, packed.starts)}
            self.found.add(store, slab, (term,), totals)
            seen = totals
        elif found:
            seen = self._look_at_each(store, slab, packed.starts, found, wanted)
        if named:
            for place, name in enumerate(slab.folded_names.split(b"\n")):
                present = [] if place in seen else [term for term in named if self._holds(name, term[1])]
                if present and (wanted is None or wanted(Document(slab, place))):
                    self.found.add(store, slab, present, {place: 0})

    def _holds(self, name: bytes, needle: bytes) -> bool:
        return holds_word(name, needle) if self.whole_words else needle in name

    def _look_at_each(
        self, store: int, slab: Slab, starts: Sequence[int], found: _Matches, wanted: Callable[[Document], bool] | None
    ) -> Collection[int]:
        """Note the files that hold some of several terms; the places of all that do. `starts` are those of the texts found in."""
        held: dict[int, int] = {}  # for each place, which of the terms are there: a bit each
        lines: dict[int, list[Sequence[int]]] = {}
        for number, (_, ends) in enumerate(found):
            for place, start, stop in by_text(ends, starts):
                if place in held:
                    held[place] |= 1 << number
                    lines[place].append(ends[start:stop])
                else:
                    held[place] = 1 << number
                    lines[place] = [ends[start:stop]]
        totals: dict[int, dict[int, int]] = {}
        for place, which in held.items():
            if wanted is None or wanted(Document(slab, place)):
                of_each = lines[place]
                total = len(of_each[0]) if len(of_each) == 1 else len(set().union(*of_each))
                totals.setdefault(which, {})[place] = total
                if wanted is not None:
                    self._count([found[number][0] for number in _bits(which)], of_each)
        if wanted is None:
            self._count([term for term, _ in found], [ends for _, ends in found])
        for which, of_places in totals.items():
            self.found.add(store, slab, [found[number][0] for number in _bits(which)], of_places)
        return held

    def _count(self, terms: Sequence[Term], lines: Sequence[Sequence[int]]) -> None:
        for (spelling, _), ends in zip(terms, lines, strict=True):
            self.counts[spelling] += len(ends)


def _bits(number: int) -> list[int]:
    """The places of the ones in a number, from the lowest."""
    return [place for place in range(number.bit_length()) if number >> place & 1]
