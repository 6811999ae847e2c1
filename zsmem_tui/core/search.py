"""Search: literal terms, windows of lines, ranking (specification, section 6).

Works on texts held in memory. A search counts and ranks; the excerpts of a hit are made when somebody looks at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.constants import CONTEXT_LINES, FILENAME_MATCH, MAX_WINDOWS, PREVIEW_LINES, WINDOW_MARK
from zsmem_tui.core.find import SPAN_BYTES, count_lines, find, line_end, matching_line_ends
from zsmem_tui.core.fold import fold
from zsmem_tui.core.render import render_hit, render_results
from zsmem_tui.core.text import printable_path, trim, trim_end, words

if TYPE_CHECKING:
    from zsmem_tui.core.layout import Folder
    from zsmem_tui.core.refs import MemRef

_NOWHERE: Final = b"\xff"
"""A byte that valid UTF-8 never holds: what a term that is not valid Unicode is looked for as."""

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


class ExcerptLine:
    """A line shown for a hit. `number` counts from 0; `matches` says whether it holds a term."""

    __slots__ = ("matches", "number", "text")

    def __init__(self, number: int, text: str, matches: bool) -> None:
        self.number = number
        self.text = text
        self.matches = matches


class SearchHit:
    """One file's worth of results (specification, sections 6 and 16).

    `path` is printable (`os_path` is what the system opens), `matched_terms` are in query order and spelling, `total_hits`
    counts matching lines (0 for a hit by name), `date` is set for daily logs.
    """

    __slots__ = ("_body", "_folded_terms", "document", "filename_only", "matched_terms", "total_hits")

    def __init__(self, document: Document, matched_terms: list[str], folded_terms: list[bytes], total_hits: int) -> None:
        self.document = document
        self.matched_terms = matched_terms
        self.total_hits = total_hits
        self.filename_only = total_hits == 0
        self._folded_terms = folded_terms
        self._body: str | None = None

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
        hits, ranges = _line_windows(text.folded, self._folded_terms)
        found = _pick_lines(text.raw, ranges)
        return [[ExcerptLine(number, found[number], number in hits) for number in window] for window in ranges]

    def hit_lines(self) -> Iterator[int]:
        """The numbers of all matching lines, from 0, also beyond the windows shown."""
        return _hit_lines(self.document.text.folded, self._folded_terms) if self.total_hits else iter(())

    def _windows(self) -> str:
        parts: list[str] = []
        for window in self.excerpts():
            parts.extend(line.text for line in window)
            parts.append(WINDOW_MARK)
        return trim_end("\n".join(parts))

    def _preview(self) -> str:
        preview: list[str] = []
        for line in _each_line(self.document.text.raw):
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
    documents: Iterable[Document], terms: Sequence[tuple[str, bytes]], counts: dict[str, int], cancelled: Callable[[], bool]
) -> list[SearchHit]:
    """The hits in any order; the lines that each term matches are added to `counts`."""
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
        hits.append(SearchHit(document, [term[0] for term in present], [term[1] for term in present], total))
    return hits


def _count(folded: bytes, places: Sequence[tuple[tuple[str, bytes], int]], counts: dict[str, int]) -> int:
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
            merit = (not hit.is_memory_md, -len(hit.matched_terms), hit.filename_only, -hit.total_hits)
            keyed.append((*merit, rank[dates[at]], place, path, at, hit))
    # Sorted pieces are merged by the second sort, which finds them: no thread waits for one long sort.
    pieces = (sorted(keyed[at : at + _SORT_PIECE]) for at in range(0, len(keyed), _SORT_PIECE))
    return [each[-1] for each in sorted(chain.from_iterable(pieces))]


_Keyed = tuple[bool, int, bool, int, int, int, bytes, int, SearchHit]


def _date_key(date: str | None) -> bytes:
    return b"" if date is None else (date or "\0").encode()


def _hit_lines(folded: bytes, terms: Sequence[bytes]) -> Iterator[int]:
    """The numbers of the lines that hold some term, in order."""
    upcoming = [find(folded, term) for term in terms]
    position = number = 0
    while True:
        ahead = [at for at in upcoming if at >= 0]
        if not ahead:
            return
        at = min(ahead)
        number += count_lines(folded, position, at)
        yield number
        position = line_end(folded, at) + 1
        number += 1
        for index, place in enumerate(upcoming):
            if 0 <= place < position:
                upcoming[index] = find(folded, terms[index], position)


def _line_windows(folded: bytes, terms: Sequence[bytes]) -> tuple[set[int], list[range]]:
    """The matching lines seen, and the windows of line numbers around them (specification, section 6)."""
    last = count_lines(folded, 0, len(folded)) - folded.endswith(b"\n")
    hits: set[int] = set()
    windows: list[range] = []
    for number in _hit_lines(folded, terms):
        start, stop = max(0, number - CONTEXT_LINES), min(last, number + CONTEXT_LINES) + 1
        if windows and start <= windows[-1].stop:
            windows[-1] = range(windows[-1].start, stop)
        elif len(windows) == MAX_WINDOWS:
            break
        else:
            windows.append(range(start, stop))
        hits.add(number)
    return hits, windows


def _pick_lines(raw: bytes, ranges: Sequence[range]) -> dict[int, str]:
    """The text of the lines in `ranges` (rising, apart), without reading on behind the last."""
    found: dict[int, str] = {}
    position = number = 0
    for window in ranges:
        position = _skip_lines(raw, position, window.start - number)
        for number in window:
            end = line_end(raw, position)
            found[number] = _as_line(raw, position, end)
            position = end + 1
        number = window.stop
    return found


def _skip_lines(raw: bytes, position: int, count: int) -> int:
    """Where the line starts that lies `count` line breaks behind `position`."""
    while count:
        piece = position + SPAN_BYTES // 16
        if piece < len(raw) and (passed := raw.count(b"\n", position, piece)) < count:
            position, count = piece, count - passed
            continue
        for _ in range(count):
            position = line_end(raw, position) + 1
        break
    return position


def _each_line(raw: bytes) -> Iterator[str]:
    position = 0
    while position < len(raw):
        end = line_end(raw, position)
        yield _as_line(raw, position, end)
        position = end + 1


def _as_line(raw: bytes, start: int, end: int) -> str:
    if start < end < len(raw) and raw[end - 1] == 0x0D:
        end -= 1
    return raw[start:end].decode()
