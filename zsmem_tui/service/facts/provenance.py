"""When facts got their newest lines, who wrote these, what is new since the last review, and the history of one fact."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, TypeVar

from zsmem_tui.core.facts import Fact, facts, find_again
from zsmem_tui.core.merge import line_hunks, placed, split
from zsmem_tui.core.version import AuthorKind, Version
from zsmem_tui.service.facts.rows import FactRow
from zsmem_tui.service.history import text_if_kept
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files

YOU: Final = "you"
BEFORE: Final = "before zsmem"
"""The author of what existed before the history began."""

HOPS: Final = 3
"""The most files that a moved fact is traced back through."""


class Chapter(NamedTuple):
    """A version in which a fact changed: its text before (empty: it appeared) and after (empty: it disappeared)."""

    version: Version
    before: str
    after: str


class Provenance:
    """Adds what the history knows to rows. It caches the versions it followed, so that later calls only read newer ones."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._followed: dict[str, tuple[str, Blamed[Version | None]]] = {}
        """For each path, the id of the newest version included, and the lines then."""

    def fill(self, rows: Sequence[FactRow]) -> tuple[FactRow, ...]:
        """The rows with `since`, `author` and `is_new`. Raises `HistoryError`.

        The cost grows with the number of versions of the files: ask for visible rows first. Lines in no version yet keep age 0 and
        no author.
        """
        session = self.session
        paths = dict.fromkeys(row.ref.path for row in rows)
        session.history.drain()
        out = {}
        with session.history.opened():
            versions = _Versions(session)
            pending = {each.path: each.reviewed for each in session.history.pending_review() if each.path in paths}
            for path in paths:
                raw = files.read_or_empty(os.path.join(session.root, path))
                marks = self._marks(path, versions, raw)
                news = _new_lines(session, pending[path], raw) if path in pending else frozenset[int]()
                out[path] = (marks, news)
        return tuple(_filled(row, *out[row.ref.path]) for row in rows)

    def _marks(self, path: str, versions: _Versions, raw: bytes) -> tuple[Version | None, ...]:
        """The version of each line of a file with content `raw`; None for lines in no version."""
        own = versions.of(path)
        last, known = self._followed.get(path, ("", Blamed[Version | None]()))
        at = next((place for place, each in enumerate(own) if each.id == last), -1)
        blamed = versions.followed(known if at >= 0 else Blamed(), own[at + 1 :])
        if own:
            self._followed[path] = own[-1].id, blamed
        return followed(blamed, raw, None).marks


class _Versions:
    """The versions of a store by file and by step, oldest first, loaded on demand."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._log = session.history.log.reading()
        self._of: dict[str, list[Version]] = {}
        self._known: dict[tuple[str, int], list[Blamed[Version | None]]] = {}

    def of(self, path: str) -> list[Version]:
        """The versions of one file."""
        if path not in self._of:
            self._of[path] = self._log.of(path)[::-1]
        return self._of[path]

    def beside(self, version: Version) -> list[Version]:
        """The versions of other files that lost lines in the same step."""
        found = self._log.of_step(version.batch)[::-1]
        return [each for each in found if each.removed and each.path not in ("", version.path)]

    def followed(self, blamed: Blamed[Version | None], own: Sequence[Version], hops: int = HOPS) -> Blamed[Version | None]:
        """Extend `blamed` by these versions of a file."""
        for version in own:
            text = text_if_kept(self.session, version.after)
            if text is not None or not version.after:
                blamed = followed(blamed, text, version, self._moved_lines(version, hops - 1) if hops and version.added else {})
        return blamed

    def _moved_lines(self, version: Version, hops: int) -> dict[bytes, tuple[Version | None, ...]]:
        """The lines that other files lost in the step of a version, with their versions."""
        out: dict[bytes, tuple[Version | None, ...]] = {}
        for other in self.beside(version):
            before = self._before(other, hops)
            after = followed(before, text_if_kept(self.session, other.after), None)
            for line, marks in after.gone.items():
                out[line] = (*out.get(line, ()), *marks[len(before.gone.get(line, ())) :])
        return out

    def _before(self, version: Version, hops: int) -> Blamed[Version | None]:
        """The state just before a version of a file; cached, since it is asked for version after version."""
        own = self.of(version.path)
        known = self._known.setdefault((version.path, hops), [Blamed()])
        at = own.index(version)
        while len(known) <= at:
            known.append(self.followed(known[-1], own[len(known) - 1 : len(known)], hops))
        return known[at]


def story(session: Session, row: FactRow) -> list[Chapter]:
    """Every version in which a fact changed, appeared or disappeared, newest first; the last one is its first appearance.

    Raises `HistoryError`.
    """
    session.history.observe([row.ref.path])
    out: list[Chapter] = []
    with session.history.opened():
        now, is_there = row.fact, True
        for version in session.history.versions(row.ref.path):
            raws = (text_if_kept(session, id) or b"" for id in (version.before, version.after))
            before, after = (raw.decode("utf-8", "replace") for raw in raws)
            here, there = find_again(now, after), find_again(now, before)
            if not is_there:  # it came back in a newer version: check whether it disappeared in this one
                if there is not None and here is None:
                    out.append(Chapter(version, there.text, ""))
                    now, is_there = there, True
                continue
            if here is None:
                continue
            there = find_again(here, before) or _forerunner(here, before, after)
            if there is None or there.text.rstrip("\r\n") != here.text.rstrip("\r\n"):
                out.append(Chapter(version, there.text if there else "", here.text))
            now, is_there = there or here, there is not None
    return out


def author_of(version: Version) -> str:
    """The author of a version as `history` names it, but `you` for whatever was made here."""
    is_own = version.author.kind in (AuthorKind.YOU, AuthorKind.IMPORTED, AuthorKind.UNDO)
    return YOU if is_own else str(version.author)


def _new_lines(session: Session, reviewed: str, raw: bytes) -> frozenset[int]:
    """The numbers of the lines added since the reviewed version."""
    found = placed(line_hunks(split(text_if_kept(session, reviewed) or b""), split(raw)))
    return frozenset(number for start, hunk in found for number in range(start, start + len(hunk.lines)))


def _filled(row: FactRow, marks: Sequence[Version | None], new: frozenset[int]) -> FactRow:
    """The row with the data from its lines' versions."""
    own = [mark for mark in marks[row.fact.line : row.fact.stop] if mark is not None]
    is_new = any(number in new for number in range(row.fact.line, row.fact.stop))
    if not own:
        return row._replace(is_new=is_new)
    own.sort(key=lambda mark: -mark.since)
    author, *others = dict.fromkeys(map(author_of, own))
    return row._replace(since=own[0].since, author=author, others=tuple(each for each in others if each != BEFORE), is_new=is_new)


def _forerunner(fact: Fact, before: str, after: str) -> Fact | None:
    """The fact that was rewritten as this one: in the replaced lines, the one with the most words in common."""
    old = split(before.encode("utf-8", "surrogateescape"))
    best: tuple[float, Fact] | None = None
    for start, hunk in placed(line_hunks(old, split(after.encode("utf-8", "surrogateescape")))):
        if start >= fact.stop or start + len(hunk.lines) <= fact.line:
            continue
        for each in facts(before):
            if each.line < hunk.stop and each.stop > hunk.start and (alike := _alike(each, fact)) > (best[0] if best else 0.3):
                best = (alike, each)
    return best[1] if best else None


def _alike(one: Fact, other: Fact) -> float:
    """The share of common words of two facts, 0 to 1."""
    left, right = set(one.says.split(" ")), set(other.says.split(" "))
    return len(left & right) / max(len(left | right), 1)


Mark = TypeVar("Mark")
"""What the caller attaches to a version, for example its number or date."""


class Blamed(NamedTuple, Generic[Mark]):
    """A text's lines with one mark per line; `gone` maps each removed line to the marks it had, the most recently removed last."""

    lines: tuple[bytes, ...] = ()
    marks: tuple[Mark, ...] = ()
    gone: Mapping[bytes, tuple[Mark, ...]] = MappingProxyType({})


def followed(
    old: Blamed[Mark], text: bytes | None, mark: Mark, elsewhere: Mapping[bytes, tuple[Mark, ...]] = MappingProxyType({})
) -> Blamed[Mark]:
    """Apply one more version with content `text` (None: no file) and return the updated lines and marks.

    `elsewhere` has the marks of lines that were removed from other files in the same step: a line moved from there keeps its mark.
    """
    before, after = list(old.lines), split(text or b"")
    found = line_hunks(before, after)
    gone = dict(old.gone)
    for hunk in found:
        for at in range(hunk.start, hunk.stop):
            gone[before[at]] = (*gone.get(before[at], ()), old.marks[at])
    coming = dict(elsewhere)
    marks: list[Mark] = []
    at = 0
    for hunk in found:
        marks += old.marks[at : hunk.start]
        for line in hunk.lines:
            source = gone if gone.get(line) else coming
            back = source.get(line)
            if back:
                source[line] = back[:-1]
            marks.append(back[-1] if back else mark)
        at = hunk.stop
    marks += old.marks[at:]
    return Blamed(tuple(after), tuple(marks), gone)
