"""The facts of a file, a project or a store, each with what is known of it without asking the history."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from enum import StrEnum
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from zsmem_tui.core.catalog import FileEntry, Fingerprint
from zsmem_tui.core.errors import BadName, Missing, StoreError
from zsmem_tui.core.fact_prompt import prompt_of
from zsmem_tui.core.facts import Fact, divide, facts, find_again, headings_of
from zsmem_tui.core.preview import InBlock, Prompt
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.repeated import SHORTEST_COPY
from zsmem_tui.core.text import trim
from zsmem_tui.core.tokens import estimate_tokens
from zsmem_tui.service import previewing
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.session import Session
from zsmem_tui.store import scan
from zsmem_tui.store.disk import files


class Scope(StrEnum):
    """Which facts. `PROJECT`: those of one project, and of the files that all share."""

    FILE = "file"
    PROJECT = "project"
    ALL = "all"


FactKey: TypeAlias = tuple[str, int, str]
"""What names a fact as long as its file does not change: path, line, words."""


class FactRow(NamedTuple):
    """A fact with its file and what is known of it. What only a painted row needs is worked out when it is asked for.

    `prompt` is what of it is in the prompt: of the session's project for files that all projects share, else of its own project.
    `twice` says that its words also stand elsewhere in reach: in the project and the shared files, or for all, anywhere.
    `since` (nanoseconds since 1970), `author` and `is_new` come from the history (`provenance`): 0, empty and False until then.
    """

    ref: MemRef
    fact: Fact
    prompt: Prompt
    twice: bool
    key: FactKey
    since: int = 0
    author: str = ""
    is_new: bool = False
    reason: str = ""
    """Why it is not whole in the prompt, where that is not for the cap of the whole block."""

    @property
    def size(self) -> int:
        """Its bytes."""
        text = self.fact.text
        return len(text) if text.isascii() else len(text.encode())

    @property
    def tokens(self) -> int:
        """About how many tokens it costs."""
        return estimate_tokens(self.fact.text)


class FactList(NamedTuple):
    """The facts of a scope, by file and line. `problems` has the files that cannot be read, by path, with the reason.

    One that is not `complete` has the first of them, and does not know yet which of these stand twice with one of the rest.
    """

    rows: tuple[FactRow, ...]
    problems: Mapping[str, str]
    complete: bool = True


class _Held(NamedTuple):
    """What is held of a file for as long as its fingerprint says that it did not change."""

    fingerprint: Fingerprint | None
    facts: list[Fact]
    keys: list[FactKey]
    """What names each of them."""
    copies: list[str]
    """The words of those that are long enough to be told when they stand twice."""
    problem: str = ""


MANY_FILES: Final = 50
"""Files still to be read that are worth an answer in two parts: fewer are read within the time that painting takes."""

SETTLED_NS: Final = 2_000_000_000
"""A file changed less than two seconds before it was read is read again: a second change may leave the same time."""


class FactReader:
    """Reads facts, and holds those of files that did not change since. Not for two threads at once."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._held: dict[str, _Held] = {}

    def read(self, scope: Scope, ref: MemRef | None = None, *, project: str = "") -> FactList:
        """The facts of `ref` for `FILE`, of its project (default: `project`, else the session's) for `PROJECT`, or of all files.

        Where it is one project that is asked for, files that all share are judged by its prompt.
        """
        *_, found = self.parts(scope, ref, project=project)
        return found

    def parts(
        self, scope: Scope, ref: MemRef | None = None, *, project: str = "", least: int = 0, below: str = ""
    ) -> Iterator[FactList]:
        """What `read` answers, where many files are to be read after its beginning, which has `least` facts below a file.

        Without `least` it is all at once.
        """
        home = project or self.session.project
        entries = self._entries(scope, ref, home)
        if scope is Scope.FILE and ref is not None:
            wanted = [entry.ref for entry in entries if entry.ref.path == ref.path] or [ref]
        else:
            wanted = [entry.ref for entry in entries]
            first = self._first(entries, least, below) if least else 0
            if sum(entry.ref.path not in self._held for entry in entries[first:]) > MANY_FILES and first:
                yield self._list(entries[:first], wanted[:first], home)._replace(complete=False)
        yield self._list(entries, wanted, home)

    def _first(self, entries: Sequence[FileEntry], least: int, below: str) -> int:
        """How many files, from the first, have `least` facts below one of them."""
        count, is_below = 0, not below
        for place, entry in enumerate(entries):
            if count >= least:
                return place
            found = self._facts(entry)
            count += len(found.facts) if is_below else 0
            is_below = is_below or entry.ref.path == below
        return len(entries)

    def _list(self, entries: Sequence[FileEntry], wanted: Sequence[MemRef], home: str) -> FactList:
        """The facts of some of these files."""
        held = {entry.ref.path: self._facts(entry) for entry in entries}
        known = Counter(chain.from_iterable(found.copies for found in held.values()))
        twice = {says for says, count in known.items() if count > 1}
        seen = self._in_blocks(wanted, home)
        rows: list[FactRow] = []
        for each in wanted:
            if each.path in held:
                rows += _rows(each, held[each.path], seen.get(each.path), twice)
        problems = {each.path: held[each.path].problem for each in wanted if each.path in held and held[each.path].problem}
        return FactList(tuple(rows), problems)

    def _entries(self, scope: Scope, ref: MemRef | None, home: str) -> list[FileEntry]:
        session = self.session
        if scope is Scope.ALL:
            catalog = scan.scan(session.root, session.layout)
            return [*catalog.shared, *(entry for project in catalog.projects for entry in project.files)]
        project = ref.project if ref is not None and ref.project else home
        folders = (*session.layout.global_folders(), *session.layout.project_folders(project))
        found = [entry for folder in folders for entry in scan.entries(session.root, folder)]
        if ref is not None and ref.path not in {entry.ref.path for entry in found}:
            found.append(files.entry(session.root, ref))
        return found

    def _facts(self, entry: FileEntry) -> _Held:
        known = self._held.get(entry.ref.path)
        if known is not None and known.fingerprint is not None and known.fingerprint == entry.fingerprint:
            return known
        try:
            text = files.read_text(os.path.join(self.session.root, entry.ref.path))
        except Missing:
            return _Held(None, [], [], [])
        except StoreError as error:
            return _Held(None, [], [], [], error.message)
        found = facts(text)
        path = entry.ref.path
        keys = [(path, fact.line, fact.says) for fact in found]
        copies = [fact.says for fact in found if len(fact.says) >= SHORTEST_COPY]
        is_settled = entry.fingerprint is not None and self.session.now_ns() - entry.fingerprint.mtime_ns > SETTLED_NS
        made = _Held(entry.fingerprint if is_settled else None, found, keys, copies)
        self._held[path] = made
        return made

    def _in_blocks(self, wanted: Iterable[MemRef], home: str) -> dict[str, InBlock]:
        """What is in the prompt of these files: of shared ones, of the project `home`; else of their own."""
        wanted = list(wanted)
        session = self.session
        injected = {each.project for each in wanted if each.project and each.role not in (None, Role.NOTE)}
        shared = {each.path for each in wanted if not each.project}
        projects = injected | ({home} if shared else set())
        long_term = session.layout.ref(Role.FACTS, home)
        out: dict[str, InBlock] = {}
        for project in sorted(projects):
            try:
                skipped = "" if long_term is None or long_term.project or (project == home and shared) else long_term.path
                out |= previewing.in_block(session, Subject(project, "", session.profile), without=skipped)
            except BadName:
                continue  # no session can be of a project of that name, so it has no prompt
        return out


def _rows(ref: MemRef, held: _Held, seen: InBlock | None, twice: Set[str]) -> list[FactRow]:
    """The rows of one file; `twice` are the words that stand twice."""
    make, pairs = FactRow._make, zip(held.facts, held.keys, strict=True)
    if seen is None:
        return [make((ref, fact, Prompt.NEVER, fact.says in twice, key, 0, "", False, "")) for fact, key in pairs]
    reasons = dict(seen.reasons)
    return [
        make((ref, fact, prompt_of(fact, seen), fact.says in twice, key, 0, "", False, _reason(fact, reasons)))
        for fact, key in pairs
    ]


def _reason(fact: Fact, reasons: Mapping[int, str]) -> str:
    """Why the first line of a fact that is not whole in the prompt is not."""
    return next((reasons[at] for at in range(fact.line, fact.stop) if at in reasons), "") if reasons else ""


def find_row(old: FactRow, rows: Sequence[FactRow]) -> FactRow | None:
    """The row of the same fact in a newer list; None when it is gone, or cannot be told from others (`core.facts.find_again`)."""
    own = [row for row in rows if row.ref.path == old.ref.path]
    found = find_again(old.fact, [row.fact for row in own])
    return next((row for row in own if found is not None and row.fact.line == found.line), None)


def headings(session: Session, ref: MemRef) -> list[tuple[str, ...]]:
    """The paths of headings of a file, in order: where facts can be moved to. Empty when it is not there. Raises `StoreError`."""
    try:
        return headings_of(divide(files.read_text(session.path(ref))))
    except Missing:
        return []


def name_of(row: FactRow, width: int = 60) -> str:
    """The first words of a fact, to speak of it in a sentence."""
    words = row.fact.says or trim(row.fact.text)
    return words if len(words) <= width else f"{words[: width - 1]}…"
