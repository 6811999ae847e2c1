"""Search: literal terms, windows of lines, ranking (specification, section 6).

Works on texts held in memory. A search counts and ranks; the excerpts of a hit are made when somebody looks at them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.constants import FILENAME_MATCH, PREVIEW_LINES, WINDOW_MARK
from zsmem_tui.core.excerpts import ExcerptLine, each_line, hit_lines, line_windows, pick_lines
from zsmem_tui.core.fold import fold
from zsmem_tui.core.render import render_hit, render_results
from zsmem_tui.core.slab import Document, Slab
from zsmem_tui.core.text import trim, trim_end, words

if TYPE_CHECKING:
    from zsmem_tui.core.refs import MemRef

_NOWHERE: Final = b"\xff"
"""A byte that valid UTF-8 never holds: what a term that is not valid Unicode is looked for as."""

Term = tuple[str, bytes]
"""A word of the query as it was written, and as it is looked for in folded text."""

_SORT_PIECE: Final = 2_000
"""Hits sorted in one go, about 2 ms; more are sorted in pieces, which another sort only has to merge."""


class SearchHit:
    """One file's worth of results (specification, sections 6 and 16).

    `path` is printable (`os_path` is what the system opens), `matched_terms` are in query order and spelling, `total_hits`
    counts matching lines (0 for a hit by name), `date` is set for daily logs.
    """

    __slots__ = ("_body", "place", "slab", "terms", "total_hits")

    def __init__(self, slab: Slab, place: int, terms: Sequence[Term], total_hits: int) -> None:
        """The file at a place of a slab."""
        self.slab = slab
        self.place = place
        self.terms = terms
        self.total_hits = total_hits
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
        return self.slab.names[self.place] == self.slab.folder.first

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
        hits, ranges = line_windows(text.folded, [folded for _, folded in self.terms])
        found = pick_lines(text.raw, ranges)
        return [[ExcerptLine(number, found[number], number in hits) for number in window] for window in ranges]

    def first_lines(self, count: int) -> list[ExcerptLine]:
        """The first `count` matching lines, without reading on behind them. Empty for a hit by name."""
        numbers = list(islice(self.hit_lines(), count))
        found = pick_lines(self.document.raw, [range(number, number + 1) for number in numbers])
        return [ExcerptLine(number, found[number], True) for number in numbers]

    def hit_lines(self) -> Iterator[int]:
        """The numbers of all matching lines, from 0, also beyond the windows shown."""
        return hit_lines(self.document.text.folded, [folded for _, folded in self.terms]) if self.total_hits else iter(())

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
    """The terms with the number of lines each matched, and the hits in the agent's order."""

    __slots__ = ("hits", "terms")

    def __init__(self, terms: list[tuple[str, int]], hits: list[SearchHit]) -> None:
        self.terms = terms
        self.hits = hits

    def render(self, max_bytes: int) -> str:
        """The results as text of about `max_bytes` bytes (specification, section 7)."""
        blocks = (render_hit(hit.path, hit.matched_terms, hit.body) for hit in self.hits)
        return render_results(self.terms, len(self.hits), blocks, max_bytes)


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
) -> SearchResults:
    """The same for the files of several stores, in one ranking: hits that are equal in it stand in the order of the stores.

    `wanted`, where there is one for a store, says which of its files count, of those that hold terms or are called so. `so_far` is
    handed, between slabs with hits, what makes the results known by then.
    """
    spelled = split_terms(query)
    if not spelled:
        return SearchResults([], [])
    found = _Search(spelled)
    for slabs, asked in zip_longest(parts, wanted):
        hits: list[SearchHit] = []
        found.hits.append(hits)
        for slab in slabs:
            if cancelled():
                raise Cancelled
            hits += found.in_slab(slab, asked)
            if so_far is not None and hits:
                so_far(found.results)
    return found.results()


class _Search:
    """One question to texts: its terms, and the lines that each matched so far."""

    def __init__(self, spelled: Sequence[str]) -> None:
        self.terms: list[Term] = [(spelling, fold_term(spelling)) for spelling in spelled]
        self.counts = dict.fromkeys(spelled, 0)
        self.hits: list[list[SearchHit]] = []
        """Those of each store, in any order."""

    def results(self) -> SearchResults:
        """What was found by now."""
        return SearchResults(list(self.counts.items()), _ranked(self.hits))

    def in_slab(self, slab: Slab, wanted: Callable[[Document], bool] | None) -> Iterator[SearchHit]:
        """The hits in a slab, its lines counted."""
        packed = slab.texts()
        ends_of_each = packed.line_ends([needle for _, needle in self.terms])
        found = [(term, ends) for term, ends in zip(self.terms, ends_of_each, strict=True) if ends]
        named = [term for term in self.terms if term[1] in slab.folded_names]
        seen: Collection[int] = ()
        if len(found) == 1 and wanted is None:
            ((term, ends),) = found
            self.counts[term[0]] += len(ends)
            each = (term,)
            seen = {place: stop - start for place, start, stop in _by_text(ends, packed.starts)}
            yield from (SearchHit(slab, place, each, total) for place, total in seen.items())
        elif found:
            lines: dict[int, list[tuple[Term, int]]] = {}
            for term, ends in found:
                for place, start, stop in _by_text(ends, packed.starts):
                    lines.setdefault(place, []).append((term, stop - start))
            seen = lines
            totals = {place: stop - start for place, start, stop in _by_text(_united([ends for _, ends in found]), packed.starts)}
            for place, of_each in lines.items():
                if wanted is None or wanted(Document(slab, place)):
                    for (spelling, _), count in of_each:
                        self.counts[spelling] += count
                    yield SearchHit(slab, place, [term for term, _ in of_each], totals[place])
        if named:
            for place, name in enumerate(slab.folded_names.split(b"\n")):
                present = [] if place in seen else [term for term in named if term[1] in name]
                if present and (wanted is None or wanted(Document(slab, place))):
                    yield SearchHit(slab, place, present, 0)


def _united(each: Sequence[Sequence[int]]) -> Sequence[int]:
    """Rising numbers of several rows as one row, each once."""
    if len(each) == 1:
        return each[0]
    return list(dict.fromkeys(sorted(chain.from_iterable(each))))  # rows in order are merged; a set would have to be sorted


def _by_text(ends: Sequence[int], starts: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Of which text of a slab the lines are that end at `ends`: its place, and from where to where in `ends` they stand."""
    start, count = 0, len(ends)
    while start < count:
        place = bisect_right(starts, ends[start]) - 1
        stop = bisect_left(ends, starts[place + 1], start)
        yield place, start, stop
        start = stop


def _ranked(parts: Sequence[list[SearchHit]]) -> list[SearchHit]:
    """The agent's order (specification, section 6): newer dates before older ones before none; then by store and path.

    One key a hit, and no call back into Python while sorting: sorting by one rule after the other takes twice as long.
    """
    dates = [hit.date if hit.slab.folder.dated else None for hits in parts for hit in hits]
    rank = {date: place for place, date in enumerate(sorted(set(dates), key=_date_key, reverse=True))}
    homes: dict[str, bytes] = {}
    keyed: list[_Keyed] = []
    for place, hits in enumerate(parts):
        for hit in hits:
            at, slab = len(keyed), hit.slab
            home = homes.get(slab.home) or homes.setdefault(slab.home, _parts_of(f"{slab.home}/"))
            name = slab.names[hit.place]
            path = home + name.encode("utf-8", "surrogateescape")
            total = hit.total_hits
            merit = (name != slab.folder.first, -len(hit.terms), total == 0, -total)
            keyed.append((*merit, rank[dates[at]], place, path, at, hit))
    # Sorted pieces are merged by the second sort, which finds them: no thread waits for one long sort.
    pieces = (sorted(keyed[at : at + _SORT_PIECE]) for at in range(0, len(keyed), _SORT_PIECE))
    return [each[-1] for each in sorted(chain.from_iterable(pieces))]


_Keyed = tuple[bool, int, bool, int, int, int, bytes, int, SearchHit]


def _parts_of(path: str) -> bytes:
    """A path so that it is compared folder by folder."""
    return path.encode("utf-8", "surrogateescape").replace(b"/", b"\0")


def _date_key(date: str | None) -> bytes:
    return b"" if date is None else (date or "\0").encode()
