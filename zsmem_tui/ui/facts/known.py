"""What the screen of facts knows: the facts, what the history says of them, and what is shown next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from zsmem_tui.service import history, wanted
from zsmem_tui.service.facts.provenance import Provenance
from zsmem_tui.service.facts.rows import FactList, FactReader, FactRow, Scope, find_row
from zsmem_tui.service.session import Session
from zsmem_tui.ui.facts import rows as fact_rows
from zsmem_tui.ui.facts.rows import Key
from zsmem_tui.ui.open_store import FactsAbout
from zsmem_tui.ui.tool import after

FILES_AT_ONCE: Final = 25
"""Files whose history is followed before the screen is shown again."""

_SCOPES: Final = (Scope.PROJECT, Scope.ALL, Scope.FILE)


class Known:
    """What was read of facts: rows by key, with what the history says of them, and which are wanted."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._reader = FactReader(session)
        self._provenance = Provenance(session)
        self._reading, self._asking = threading.Lock(), threading.Lock()
        """A thread whose answer nobody waits for any more still runs to its end: the next of its kind waits for it."""
        self._looked = False
        self._past: dict[Key, tuple[int, str, bool]] = {}
        self._folded: Mapping[Key, bytes] = {}
        self.rows: dict[Key, FactRow] = {}
        self.problems: Mapping[str, str] = {}
        self.wanted: set[Key] = set()
        self.complete = True
        """Whether these are all, or the rest is still being read."""

    def parts(self, about: FactsAbout, least: int, below: str) -> Iterator[tuple[FactList, set[Key]]]:
        """The facts as they are now, with those that are wanted; for threads, and of many, the first before all."""
        ref = about.ref if about.scope is Scope.FILE else None
        parts = self._reader.parts(about.scope, ref, project=about.project, least=least, below=below)
        while True:
            with self._reading:
                found = next(parts, None)
            if found is None:
                return
            flags = wanted.is_wanted(self._session, found.rows)
            if past := dict(self._past):
                rows = tuple(row if (known := past.get(row.key)) is None else _with(row, known) for row in found.rows)
                found = found._replace(rows=rows)
            yield found, {row.key for row, is_so in zip(found.rows, flags, strict=True) if is_so}

    def take(self, found: FactList, wanted: set[Key]) -> Callable[[Key], Key | None]:
        """Hold what was read; answers what a fact of before is called now, None when it is gone."""
        before = self.rows
        self.rows = {row.key: row for row in found.rows}
        self.problems, self.wanted, self.complete = found.problems, wanted, found.complete
        self._folded = {}
        of_path: dict[str, list[FactRow]] = {}

        def renamed(key: Key) -> Key | None:
            if key in self.rows or key not in before:
                return key if key in self.rows else None
            old = before[key]
            if not of_path:
                for row in found.rows:
                    of_path.setdefault(row.ref.path, []).append(row)
            again = find_row(old, of_path.get(old.ref.path, []))
            return None if again is None else again.key

        return renamed

    def ask(self, rows: list[FactRow]) -> tuple[FactRow, ...]:
        """What the history says of facts; for a thread. Raises `HistoryError`."""
        with self._asking:
            if not self._looked:
                history.look_at_all(self._session)
                self._looked = True
            return self._provenance.fill(rows)

    def learn(self, filled: Iterable[FactRow]) -> None:
        """Hold what the history says of some of them."""
        for row in filled:
            self._past[row.key] = known = (row.since, row.author, row.is_new)
            if (own := self.rows.get(row.key)) is not None:
                self.rows[row.key] = _with(own, known)

    def first_at(self, about: FactsAbout) -> Key | None:
        """The fact where the person was reading."""
        own = [row for row in self.rows.values() if about.ref is not None and row.ref.path == about.ref.path]
        return next((row.key for row in own if row.fact.stop > about.line), own[-1].key if own else None)

    def by_files(self, seen: Iterable[Any]) -> list[list[FactRow]]:
        """All facts, some files at a time: first the files of those that are `seen`, by their keys."""
        of_path: dict[str, list[FactRow]] = {key[0]: [] for key in seen if key in self.rows}
        first = len(of_path)
        for row in self.rows.values():
            of_path.setdefault(row.ref.path, []).append(row)
        files = list(of_path.values())
        cuts = [0, first, *range(first + FILES_AT_ONCE, len(files) + FILES_AT_ONCE, FILES_AT_ONCE)]
        return [[row for rows in files[start:stop] for row in rows] for start, stop in pairwise(cuts) if files[start:stop]]

    def folded(self) -> Mapping[Key, bytes]:
        """What a filter looks through, by the key of the fact; made when it is asked for first."""
        if not self._folded:
            self._folded = dict(zip(self.rows, fact_rows.searched(list(self.rows.values())), strict=True))
        return self._folded


def _with(row: FactRow, known: tuple[int, str, bool]) -> FactRow:
    return row._replace(since=known[0], author=known[1], is_new=known[2])


def prompt_meant(about: FactsAbout, rows: Sequence[FactRow]) -> str:
    """The project whose prompt counts for these facts: their own, else the one that is shown."""
    own = {row.ref.project for row in rows}
    return own.pop() if len(own) == 1 and "" not in own else about.project


def next_scope(about: FactsAbout, row: FactRow | None) -> FactsAbout:
    """This project, everything, then the file of the fact under the cursor."""
    scope = after(about.scope, _SCOPES)
    ref = row.ref if row is not None else about.ref
    return about._replace(scope=Scope.PROJECT if scope is Scope.FILE and ref is None else scope, ref=ref)
