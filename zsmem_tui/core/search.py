"""Search: literal terms, windows of lines, ranking (specification, section 6).

Works on texts held in memory. A search counts and ranks; the excerpts of a hit are made when somebody looks at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.constants import FILENAME_MATCH, PREVIEW_LINES, WINDOW_MARK
from zsmem_tui.core.excerpts import ExcerptLine, each_line, hit_lines, line_windows, pick_lines
from zsmem_tui.core.find import SPAN_BYTES, find, matching_line_ends
from zsmem_tui.core.fold import fold
from zsmem_tui.core.render import render_hit, render_results
from zsmem_tui.core.text import printable_path, trim, trim_end, words

if TYPE_CHECKING:
    from zsmem_tui.core.layout import Folder
    from zsmem_tui.core.refs import MemRef

_NOWHERE: Final = b"\xff"
"""A byte that valid UTF-8 never holds: what a term that is not valid Unicode is looked for as."""

Term = tuple[str, bytes]
"""A word of the query as it was written, and as it is looked for in folded text."""

_SORT_PIECE: Final = 2_000
"""Hits sorted in one go, about 2 ms; more are sorted in pieces, which another sort only has to merge."""


class HeldText:
    """A file's bytes and their folded copy. A text that is not valid UTF-8 is held as empty (section 4)."""

    __slots__ = ("folded", "raw", "valid")

    def __init__(self, raw: bytes, folded: bytes, valid: bool = True) -> None:
        self.raw = raw
        self.folded = folded
        self.valid = valid

    @property
    def size(self) -> int:
        """Bytes of memory that the text takes."""
        return len(self.raw) + len(self.folded)


def hold(raw: bytes) -> HeldText:
    """`raw`, checked and folded, in pieces that end at line breaks where the text has any."""
    if len(raw) <= SPAN_BYTES:
        try:
            return HeldText(raw, fold(raw))
        except UnicodeDecodeError:
            return HeldText(b"", b"", valid=False)
    folded: list[bytes] = []
    start = 0
    try:
        while start < len(raw):
            end = _piece_end(raw, start)
            folded.append(fold(raw[start:end]))
            start = end
    except UnicodeDecodeError:
        return HeldText(b"", b"", valid=False)
    return HeldText(raw, b"".join(folded))


def _piece_end(raw: bytes, start: int) -> int:
    """Where a piece that starts at `start` ends: never inside a character."""
    end = start + SPAN_BYTES // 4
    if end >= len(raw):
        return len(raw)
    while end > start and raw[end] & 0xC0 == 0x80:
        end -= 1
    return end if end > start else start + SPAN_BYTES // 4


class Document:
    """One file as search sees it: where it is, what it is called, what it holds."""

    __slots__ = ("folded_name", "folder", "name", "os_path", "path", "text")

    def __init__(self, os_path: str, name: str, folder: Folder, text: HeldText) -> None:
        self.os_path = os_path
        self.path = printable_path(os_path)
        self.name = name
        self.folder = folder
        self.text = text
        try:
            self.folded_name = fold(name.encode())
        except UnicodeEncodeError:
            self.folded_name = b""

    @property
    def date(self) -> str | None:
        """For a file in a dated folder, its name without the last extension; empty when that is not UTF-8."""
        if not self.folder.dated:
            return None
        return self.name.rpartition(".")[0] if self.folded_name else ""

    @property
    def ref(self) -> MemRef:
        """Which memory file it is."""
        return self.folder.ref(self.name)


class SearchHit:
    """One file's worth of results (specification, sections 6 and 16).

    `path` is printable (`os_path` is what the system opens), `matched_terms` are in query order and spelling, `total_hits`
    counts matching lines (0 for a hit by name), `date` is set for daily logs.
    """

    __slots__ = ("_body", "document", "terms", "total_hits")

    def __init__(self, document: Document, terms: Sequence[Term], total_hits: int) -> None:
        self.document = document
        self.terms = terms
        self.total_hits = total_hits
        self._body: str | None = None

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
        return self.document.name == self.document.folder.first

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
        found = pick_lines(self.document.text.raw, [range(number, number + 1) for number in numbers])
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
        for line in each_line(self.document.text.raw):
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


def search(documents: Iterable[Document], query: str, *, cancelled: Callable[[], bool] = never) -> SearchResults:
    """Rank `documents` by the terms of `query`.

    `cancelled` is asked between files; once it says yes, `Cancelled` is raised. Each file's text is taken once, so counts,
    order and excerpts of a hit always belong together, whatever happens on disk meanwhile.
    """
    return search_parts([documents], query, cancelled=cancelled)


def search_parts(parts: Sequence[Iterable[Document]], query: str, *, cancelled: Callable[[], bool] = never) -> SearchResults:
    """The same for the documents of several stores, in one ranking: hits that are equal in it stand in the order of the stores."""
    spelled = split_terms(query)
    if not spelled:
        return SearchResults([], [])
    terms = [(spelling, fold_term(spelling)) for spelling in spelled]
    counts = dict.fromkeys(spelled, 0)
    hits = [_matching(documents, terms, counts, cancelled) for documents in parts]
    return SearchResults(list(counts.items()), _ranked(hits))


def _matching(
    documents: Iterable[Document], terms: Sequence[Term], counts: dict[str, int], cancelled: Callable[[], bool]
) -> list[SearchHit]:
    """The hits in any order; the lines that each term matches are added to `counts`."""
    if len(terms) == 1:
        return _matching_one(documents, terms, counts, cancelled)
    hits: list[SearchHit] = []
    for document in documents:
        if cancelled():
            raise Cancelled
        folded = document.text.folded
        places = [(term, at) for term in terms if (at := find(folded, term[1])) >= 0]
        if places:
            present = [term for term, _ in places]
            total = _count(folded, places, counts)
        else:
            name = document.folded_name
            present = [term for term in terms if term[1] in name]
            if not present:
                continue
            total = 0
        hits.append(SearchHit(document, present, total))
    return hits


def _matching_one(
    documents: Iterable[Document], terms: Sequence[Term], counts: dict[str, int], cancelled: Callable[[], bool]
) -> list[SearchHit]:
    """The same for a single term: most of the time that a word of all files takes is Python's, between two finds."""
    spelled, needle = terms[0]
    hits: list[SearchHit] = []
    lines = 0
    for document in documents:
        if cancelled():
            raise Cancelled
        folded = document.text.folded
        at = find(folded, needle)
        if at >= 0:
            total = len(matching_line_ends(folded, needle, at))
            lines += total
        elif needle in document.folded_name:
            total = 0
        else:
            continue
        hits.append(SearchHit(document, terms, total))
    counts[spelled] += lines
    return hits


def _count(folded: bytes, places: Sequence[tuple[Term, int]], counts: dict[str, int]) -> int:
    """Add each term's matching lines to `counts`, given where each occurs first; return how many lines match at all."""
    found = [matching_line_ends(folded, term, first) for (_, term), first in places]
    for ((spelling, _), _), ends in zip(places, found, strict=True):
        counts[spelling] += len(ends)
    return len(found[0]) if len(found) == 1 else len(set().union(*found))


def _ranked(parts: Sequence[list[SearchHit]]) -> list[SearchHit]:
    """The agent's order (specification, section 6): newer dates before older ones before none; then by store and path.

    One key a hit, and no call back into Python while sorting: sorting by one rule after the other takes twice as long.
    """
    dates = [hit.date for hits in parts for hit in hits]
    rank = {date: place for place, date in enumerate(sorted(set(dates), key=_date_key, reverse=True))}
    keyed: list[_Keyed] = []
    for place, hits in enumerate(parts):
        for hit in hits:
            at = len(keyed)
            path = hit.document.os_path.encode("utf-8", "surrogateescape").replace(b"/", b"\0")
            merit = (not hit.is_memory_md, -len(hit.terms), hit.total_hits == 0, -hit.total_hits)
            keyed.append((*merit, rank[dates[at]], place, path, at, hit))
    # Sorted pieces are merged by the second sort, which finds them: no thread waits for one long sort.
    pieces = (sorted(keyed[at : at + _SORT_PIECE]) for at in range(0, len(keyed), _SORT_PIECE))
    return [each[-1] for each in sorted(chain.from_iterable(pieces))]


_Keyed = tuple[bool, int, bool, int, int, int, bytes, int, SearchHit]


def _date_key(date: str | None) -> bytes:
    return b"" if date is None else (date or "\0").encode()
