"""Search for literal terms: matching, windows of lines, ranking (specification, section 6).

Works on texts held in memory. A search counts and ranks; the excerpts of a hit are made when they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from heapq import nlargest
from itertools import chain, islice
from operator import contains
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.core import find as finding
from zsmem_tui.core.excerpts import ExcerptLine, each_line, hit_lines, line_windows, pick_lines
from zsmem_tui.core.find import matching_line_ends
from zsmem_tui.core.fold import fold, others_of
from zsmem_tui.core.limits import FILENAME_MATCH, PREVIEW_LINES, RENDER_RESERVE_BYTES, TRUNCATED_MARK, WINDOW_MARK
from zsmem_tui.core.ranking import Found, Term
from zsmem_tui.core.text import lines, plural, trim, trim_end, truncate, words
from zsmem_tui.core.whole_words import holds_word, word_finder

if TYPE_CHECKING:
    from zsmem_tui.core.recall.near_words import Near
    from zsmem_tui.core.refs import MemRef
    from zsmem_tui.core.texts import TextFile

_NOWHERE: Final = b"\xff"
"""A byte that never occurs in valid UTF-8: stands for a term that is not valid Unicode, so that nothing matches."""

FIRST_LINES: Final = 3
"""Matching lines shown under a hit."""

_LOOKED_AT: Final = 50
"""Hits that are sorted as part of the search: a page of the screen, more than an agent gets."""

_FEW_FORMS: Final = 6
"""Up to this many letters in other forms are searched for; with more, folding the text is as quick."""


class Searched(NamedTuple):
    """The files of one store in batches; between batches a search can be cancelled or report interim results.

    `finds`, if given, filters the files that match.
    """

    batches: Iterable[Sequence[TextFile]]
    finds: Callable[[TextFile], bool] | None = None


class SearchHit:
    """The results in one file (specification, sections 6 and 16).

    `path` is printable (`os_path` is the real path), `matched_terms` are in query order and spelling, `total_hits` is the number of
    matching lines (0 for a hit by name), `date` is set for daily logs. `store` is the index of its store among those searched.
    `whole_words`: only whole words were searched.
    """

    __slots__ = ("_body", "_first", "file", "store", "terms", "total_hits", "whole_words")

    def __init__(self, store: int, file: TextFile, terms: Sequence[Term], total_hits: int, *, whole_words: bool = False) -> None:
        self.store = store
        self.file = file
        self.terms = terms
        self.total_hits = total_hits
        self.whole_words = whole_words
        self._body: str | None = None
        self._first: list[ExcerptLine] | None = None

    @property
    def matched_terms(self) -> list[str]:
        """The matched terms, in the query's order and spelling."""
        return [spelled for spelled, _ in self.terms]

    @property
    def filename_only(self) -> bool:
        """Whether only the file's name contains terms."""
        return self.total_hits == 0

    @property
    def path(self) -> str:
        """The file's path in printable form."""
        return self.file.path

    @property
    def os_path(self) -> str:
        """The file's real path."""
        return self.file.os_path

    @property
    def date(self) -> str | None:
        """The date in a daily log's name; None for other files."""
        return self.file.date

    @property
    def is_memory_md(self) -> bool:
        """Whether this is MEMORY.md or the layout's equivalent; such hits come first."""
        return self.file.name == self.file.folder.first

    @property
    def ref(self) -> MemRef:
        """The memory file that was hit."""
        return self.file.ref

    @property
    def body(self) -> str:
        """The excerpt as agents get it: windows of lines, each ended by `…`, or the start of a file hit by name."""
        if self._body is None:
            if self.filename_only:
                self._body = f"{FILENAME_MATCH}\n" + "\n".join(islice(filter(trim, each_line(self.file.raw)), PREVIEW_LINES))
            else:
                windows = ((*(line.text for line in window), WINDOW_MARK) for window in self.excerpts())
                self._body = trim_end("\n".join(chain.from_iterable(windows)))
        return self._body

    def excerpts(self) -> list[list[ExcerptLine]]:
        """The windows as lines, for front ends to draw. Empty for a hit by name."""
        if self.filename_only:
            return []
        raw = self.file.raw
        folded = fold(raw)
        hits, ranges = line_windows(folded, self._hit_lines(folded))
        found = pick_lines(raw, ranges)
        return [[ExcerptLine(number, found[number], number in hits) for number in window] for window in ranges]

    def first_lines(self) -> list[ExcerptLine]:
        """Three matching lines, the best first (cached); empty for a hit by name."""
        if self._first is None:
            raw = self.file.raw if self.total_hits else b""
            numbers = self.best_lines(FIRST_LINES)
            found = pick_lines(raw, [range(number, number + 1) for number in sorted(numbers)])
            self._first = [ExcerptLine(number, found[number], True) for number in numbers]
        return self._first

    def best_lines(self, count: int) -> list[int]:
        """At most `count` 0-based matching lines, best first.

        A line with more terms is better, then one with more whole words, then one below those that only name the file.
        """
        if not self.total_hits:
            return []
        folded = fold(self.file.raw)
        rows, terms = folded.split(b"\n"), [term for _, term in self.terms]
        text, best = _text_start(rows), (len(terms), len(terms), True)
        ranked: list[tuple[tuple[int, int, bool], int]] = []
        perfect = 0
        for number in self._hit_lines(folded):
            rank = (*self.terms_in(rows[number], terms), number >= text)
            ranked.append((rank, -number))
            perfect += rank == best
            if perfect == count:
                break  # none further down is better
        return [-number for _, number in nlargest(count, ranked)]

    def terms_in(self, row: bytes, terms: Iterable[bytes]) -> tuple[int, int]:
        """How many of the folded terms a folded line contains, and how many of these as whole words."""
        whole = sum(holds_word(row, term) for term in terms)
        return whole if self.whole_words else sum(term in row for term in terms), whole

    def hit_lines(self) -> Iterator[int]:
        """The 0-based numbers of all matching lines, including those outside the windows."""
        return self._hit_lines(self.file.folded) if self.total_hits else iter(())

    def _hit_lines(self, folded: bytes) -> Iterator[int]:
        terms = [term for _, term in self.terms]
        return hit_lines(folded, terms, holds_word if self.whole_words else None)

    def __repr__(self) -> str:
        return f"SearchHit({self.path!r}, {self.matched_terms!r}, total_hits={self.total_hits})"


class SearchResults:
    """The terms with the number of lines each matched, and the hits in the agent's order.

    `ranked` are the hits, sorted lazily. `near` has words of the memory similar to terms that were not found, if requested.
    `unread` has each file that could not be searched and why, as a sentence; `searched` counts the others, if the caller checked.
    """

    __slots__ = ("near", "ranked", "searched", "terms", "unread")

    def __init__(self, terms: list[tuple[str, int]], ranked: Sequence[SearchHit]) -> None:
        self.terms = terms
        self.ranked = ranked
        self.near: Sequence[Near] = ()
        self.unread: Sequence[tuple[TextFile, str]] = ()
        self.searched = 0

    def missed(self) -> list[str]:
        """The terms that no file contains; all terms if each is in some file but no file has all."""
        found: set[str] = set()
        for hit in self.ranked:
            found.update(hit.matched_terms)
            if len(hit.terms) == len(self.terms):
                return []
        return [term for term, _ in self.terms if term not in found] or [term for term, _ in self.terms]

    def apart(self) -> list[str]:
        """All terms if each is in some file but no file has all; else empty."""
        missed = self.missed() if self.ranked else []
        return missed if len(missed) == len(self.terms) else []

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
    """The search was cancelled by a newer one; there is no result."""


def never() -> bool:
    """The default `cancelled` callback: never cancels."""
    return False


def split_terms(query: str) -> list[str]:
    """The distinct terms of `query`, keeping the first spelling. Only ASCII letters are compared case-insensitively."""
    seen: dict[bytes, str] = {}
    for word in words(query):
        seen.setdefault(word.encode("utf-8", "surrogatepass").lower(), word)
    return list(seen.values())


def fold_term(term: str) -> bytes:
    """The folded form of a term for searching in folded text."""
    try:
        return fold(term.encode())
    except UnicodeEncodeError:
        return _NOWHERE


def search(
    stores: Sequence[Searched],
    query: str,
    *,
    whole_words: bool = False,
    cancelled: Callable[[], bool] = never,
    so_far: Callable[[Callable[[], SearchResults]], None] | None = None,
) -> SearchResults:
    """Rank the files of these stores by the terms of `query`; hits of equal rank are in the order of the stores.

    With `whole_words`, only whole words match, in lines and in names. `cancelled` is called between batches; if it returns True,
    `Cancelled` is raised. `so_far` is called from time to time with a function that returns the results so far.
    """
    spelled = split_terms(query)
    if not spelled:
        return SearchResults([], [])
    asked = _Search(spelled, whole_words)
    for store, (batches, finds) in enumerate(stores):
        for batch in batches:
            if cancelled():
                raise Cancelled
            asked.look_at(store, batch, finds)
            if so_far is not None and asked.found:
                so_far(asked.results)
    return asked.results()


class _Search:
    """The state of one search: its terms, the number of lines each matched, and the files found so far."""

    def __init__(self, spelled: Sequence[str], whole_words: bool) -> None:
        self.terms: list[Term] = [(spelling, fold_term(spelling)) for spelling in spelled]
        self.needles = [needle for _, needle in self.terms]
        self.numbered = list(enumerate(self.needles))
        self.forms = frozenset(form for needle in self.needles for form in others_of(needle))
        if len(self.forms) > _FEW_FORMS:
            self.forms = frozenset([b""])  # contained in every text, so that each is folded
        self.finders = [word_finder(needle) for needle in self.needles] if whole_words else []
        self.counts = [0] * len(spelled)
        self.found = Found(len(self.terms))

    def results(self) -> SearchResults:
        """The results so far, with the first hits already sorted."""
        ranked = self.found.ranked(partial(SearchHit, whole_words=True) if self.finders else SearchHit)
        ranked[:_LOOKED_AT]
        return SearchResults([(spelling, count) for (spelling, _), count in zip(self.terms, self.counts, strict=True)], ranked)

    def look_at(self, store: int, files: Sequence[TextFile], finds: Callable[[TextFile], bool] | None) -> None:
        """Search files of the store with index `store`, and count their lines."""
        # The inner loop of every search: the cost per file without a match is what counts.
        forms, needles, numbered, span, small = self.forms, self.needles, self.numbered, finding.SPAN_BYTES, finding.SMALL
        find, find_here, lower_here = finding.find, finding.find_here, finding.lower_here
        for file in files:
            text = file.text
            if text is None:
                text = file.raw  # the cached text was released meanwhile
            if forms and not (file.is_folded or forms <= file.without):
                if any(find(text, form) >= 0 for form in forms):
                    file.fold()
                    text = file.text or b""
                else:
                    file.without = file.without | forms if file.without else forms
            is_small = len(text) <= span
            text = lower_here(text, small) if is_small else finding.lowered(text)
            lines: dict[int, list[int]] = {}
            for number, needle in numbered:
                at = find_here(text, needle) if is_small else find(text, needle)
                if at >= 0:
                    lines[number] = matching_line_ends(text, needle, at)
            if lines:
                self._add_found(store, file, text, lines, finds)
                continue
            name = file.folded_name
            for needle in needles:
                if needle in name:
                    self._add_named(store, file, finds)
                    break

    def _add_found(
        self, store: int, file: TextFile, text: bytes, lines: dict[int, list[int]], finds: Callable[[TextFile], bool] | None
    ) -> None:
        """Add a file with matching lines: `lines` maps term index to the end offsets of its lines in `text`."""
        if not file.is_text():
            lines = {}
        if self.finders:
            whole = {n: [end for end in ends if self.finders[n](file.line(text, end))] for n, ends in lines.items()}
            lines = {number: ends for number, ends in whole.items() if ends}
        if not lines:
            self._add_named(store, file, finds)
        elif finds is None or finds(file):
            first, *others = lines.values()
            for number, ends in lines.items():
                self.counts[number] += len(ends)
            self._add(store, file, [*lines], len(set(first).union(*others)) if others else len(first))

    def _add_named(self, store: int, file: TextFile, finds: Callable[[TextFile], bool] | None) -> None:
        """Add a file if its name contains terms."""
        name, holds = file.folded_name, holds_word if self.finders else contains
        present = [number for number, needle in self.numbered if holds(name, needle)]
        if present and (finds is None or finds(file)):
            self._add(store, file, present, 0)

    def _add(self, store: int, file: TextFile, numbers: Sequence[int], total: int) -> None:
        file.is_hit = True
        self.found.add(store, file, self.terms if len(numbers) == len(self.terms) else [self.terms[n] for n in numbers], total)


class MatchedLine(NamedTuple):
    """A line (0-based), how many terms it contains, and how many of these as whole words."""

    number: int
    text: str
    words: int
    whole: int = 0


def matched_lines(hit: SearchHit) -> list[MatchedLine]:
    """All lines of a hit that contain a term, top to bottom; empty for a hit by name."""
    if not hit.total_hits:
        return []
    text, terms = hit.file.raw, [fold_term(term) for term in hit.matched_terms]
    folded, plain = fold(text).split(b"\n"), lines(text.decode())
    return [MatchedLine(number, plain[number], *hit.terms_in(folded[number], terms)) for number in hit.hit_lines()]


def best_line(hit: SearchHit) -> int | None:
    """The first of the hit's best lines; None for a hit by name."""
    return next(iter(hit.best_lines(1)), None)


def _text_start(rows: Sequence[bytes]) -> int:
    """The first of the folded lines behind those that only name the file."""
    from zsmem_tui.core.markdown import MAX_FIELDS, naming_lines  # deferred: the agent's own answer does not need it

    return naming_lines([row.decode() for row in rows[:MAX_FIELDS]])


def summary(terms: Sequence[tuple[str, int]], files: int, shown: int) -> str:
    """The first line of the results: each term with its count, the number of files found, and how many are shown."""
    counted = " ".join(f"{term}({count})" for term, count in terms)
    return (
        f"Searched {len(terms)} {plural('term', len(terms))}: {counted} across {files} {plural('file', files)}. "
        f"Showing top {shown} by relevance."
    )


def render_results(terms: Sequence[tuple[str, int]], files: int, blocks: Iterable[str], max_bytes: int) -> str:
    """The summary and as many whole blocks as fit, at least one; `files` is the number of files found. Blocks are read lazily."""
    budget = max(max_bytes - RENDER_RESERVE_BYTES, 0)
    kept: list[str] = []
    used = 0
    for block in blocks:
        size = len(block.encode()) + (2 if kept else 0)
        if kept and used + size > budget:
            break
        kept.append(block)
        used += size
    text = f"{summary(terms, files, len(kept))}\n\n" + "\n\n".join(kept)
    omitted = files - len(kept)
    if omitted:
        text += f"\n\n…[search truncated, {omitted} more {plural('file', omitted)} omitted]"
    return truncate(text, max_bytes, TRUNCATED_MARK)


def render_hit(path: str, matched_terms: Sequence[str], body: str) -> str:
    """One block of the results: path, matched terms, excerpt."""
    return f"{path}  [matched: {', '.join(matched_terms)}]\n{body}"
