"""The facts of a file, a project or a store as rows, with what is known without asking the history."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from enum import StrEnum
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from zsmem_tui.core.catalog import SETTLED_NS, FileEntry, Fingerprint
from zsmem_tui.core.checks.finding import without_secrets
from zsmem_tui.core.errors import Missing, StoreError
from zsmem_tui.core.fact_prompt import prompt_of
from zsmem_tui.core.facts import Fact, divide, facts, find_again, headings_of
from zsmem_tui.core.preview import InBlock, Prompt
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.repeated import SHORTEST_COPY
from zsmem_tui.core.text import clipped, counted, estimate_tokens, trim
from zsmem_tui.service import previewing
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.session import Session
from zsmem_tui.store import scan
from zsmem_tui.store.disk import files


class Scope(StrEnum):
    """Which facts. `PROJECT`: those of one project and of the shared files."""

    FILE = "file"
    PROJECT = "project"
    ALL = "all"


FactKey: TypeAlias = tuple[str, int, str]
"""Identifies a fact while its file is unchanged: (path, line, words)."""


class FactRow(NamedTuple):
    """A fact with its file and what is known of it; what only a painted row needs is computed lazily.

    `prompt` is its state in the prompt: of the session's project for shared files, else of its own project. `twice` says whether
    its words also occur elsewhere in reach: in the project and shared files, or for all, anywhere. `since` (nanoseconds since
    1970) and `author`, both of its newest line, `others`, who wrote its other lines, the newest first, and `is_new` come from the
    history (`provenance`): before, 0, empty and False.
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
    """Why it is not complete in the prompt, if the cap of the whole block is not the reason."""
    others: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Its size in bytes."""
        text = self.fact.text
        return len(text) if text.isascii() else len(text.encode())

    @property
    def is_out(self) -> bool:
        """Whether no prompt has lines of its file."""
        return self.prompt is Prompt.NEVER or self.reason == previewing.UNREAD

    @property
    def tokens(self) -> int:
        """The estimated number of tokens."""
        return estimate_tokens(self.fact.text)


class FactList(NamedTuple):
    """The facts of a scope, by file and line. `problems` maps unreadable files to the reason.

    If not `complete`, the list has the first files only, and `twice` does not yet consider the others.
    """

    rows: tuple[FactRow, ...]
    problems: Mapping[str, str]
    complete: bool = True


class _Held(NamedTuple):
    """What is cached of a file while its fingerprint is unchanged."""

    fingerprint: Fingerprint | None
    facts: list[Fact]
    keys: list[FactKey]
    """The key of each fact."""
    copies: list[str]
    """The words of facts long enough to be reported as duplicates."""
    problem: str = ""


MANY_FILES: Final = 50
"""The number of unread files from which an answer comes in two parts; fewer are read within the time of a repaint."""


class FactReader:
    """Reads facts and caches those of unchanged files. Not thread-safe."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._held: dict[str, _Held] = {}

    def read(self, scope: Scope, ref: MemRef | None = None, *, project: str = "") -> FactList:
        """Read the facts of `ref` for `FILE`, of its project (default: `project`, else the session's) for `PROJECT`, or of all.

        For one project, shared files are looked up in its prompt.
        """
        *_, found = self.parts(scope, ref, project=project)
        return found

    def parts(
        self, scope: Scope, ref: MemRef | None = None, *, project: str = "", least: int = 0, below: str = ""
    ) -> Iterator[FactList]:
        """What `read` returns, but if many files are unread, first a list that has `least` facts after the file `below`.

        Without `least`, there is one list only.
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
        """The number of files from the start that have `least` facts after the file `below`."""
        count, is_below = 0, not below
        for place, entry in enumerate(entries):
            if count >= least:
                return place
            found = self._facts(entry)
            count += len(found.facts) if is_below else 0
            is_below = is_below or entry.ref.path == below
        return len(entries)

    def _list(self, entries: Sequence[FileEntry], wanted: Sequence[MemRef], home: str) -> FactList:
        """The facts of these files."""
        held = {entry.ref.path: self._facts(entry) for entry in entries}
        for path in [path for path, found in self._held.items() if path not in held and found.facts]:
            if files.is_gone(os.path.join(self.session.root, path)):
                del self._held[path]
        known = Counter(chain.from_iterable(found.copies for found in held.values()))
        twice = {says for says, count in known.items() if count > 1}
        seen = self._in_blocks(wanted, home)
        rows: list[FactRow] = []
        for each in wanted:
            if each.path in held:
                own = previewing.unseen(self.session, each)
                rows += _rows(each, held[each.path], seen.get(each.path), twice, own)
        hidden = self.session.for_group(home).folder_problems()  # of folders that cannot be read
        problems = {each.rpartition(": ")[0]: each.removesuffix(".") for each in hidden}
        problems |= {each.path: held[each.path].problem for each in wanted if each.path in held and held[each.path].problem}
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
        if entry.problem:
            return _Held(None, [], [], [], "" if entry.missing else entry.problem)
        try:
            text = files.read_text(os.path.join(self.session.root, entry.ref.path))
        except Missing:
            return _Held(None, [], [], [])
        except StoreError as error:
            return _Held(None, [], [], [], error.message)
        found = facts(text)
        keys = [(entry.ref.path, fact.line, fact.says) for fact in found]
        copies = [fact.says for fact in found if len(fact.says) >= SHORTEST_COPY]
        is_settled = entry.fingerprint is not None and self.session.now_ns() - entry.fingerprint.mtime_ns > SETTLED_NS
        made = self._held[entry.ref.path] = _Held(entry.fingerprint if is_settled else None, found, keys, copies)
        return made

    def _in_blocks(self, wanted: Sequence[MemRef], home: str) -> dict[str, InBlock]:
        """The lines of these files in the prompt: for shared files in that of project `home`, else of their own."""
        session = self.session
        injected = {each.project for each in wanted if each.project and each.role not in (None, Role.NOTE)}
        shared = {each.path for each in wanted if not each.project}
        projects = injected | ({home} if shared else set())
        long_term = session.layout.ref(Role.FACTS, home)
        out: dict[str, InBlock] = {}
        for project in sorted(projects):
            skipped = "" if long_term is None or long_term.project or (project == home and shared) else long_term.path
            out |= previewing.in_block(session, Subject(project, "", session.profile), without=skipped)
        return out


def _rows(ref: MemRef, held: _Held, seen: InBlock | None, twice: Set[str], unseen: Prompt) -> list[FactRow]:
    """The rows of one file; `twice` are the words of duplicates, `unseen` is the state of its facts if it is in no prompt."""
    make, pairs = FactRow._make, zip(held.facts, held.keys, strict=True)
    if seen is None:
        why = previewing.UNREAD if unseen is Prompt.LOST else ""
        return [make((ref, fact, unseen, fact.says in twice, key, 0, "", False, why, ())) for fact, key in pairs]
    reasons = dict(seen.reasons)
    return [
        make((ref, fact, prompt_of(fact, seen), fact.says in twice, key, 0, "", False, _reason(fact, reasons), ()))
        for fact, key in pairs
    ]


def _reason(fact: Fact, reasons: Mapping[int, str]) -> str:
    """Why a fact is not complete in the prompt: the reason of its first such line."""
    return next((reasons[at] for at in range(fact.line, fact.stop) if at in reasons), "") if reasons else ""


def fact_at(session: Session, ref: MemRef, line: int) -> FactRow | None:
    """The fact at a line (0-based) of a file; None if none stands there."""
    return next((row for row in FactReader(session).read(Scope.FILE, ref).rows if row.fact.line <= line < row.fact.stop), None)


def find_row(old: FactRow, rows: Sequence[FactRow]) -> FactRow | None:
    """The row of the same fact in a newer list; None if it is gone or ambiguous (`core.facts.find_again`)."""
    own = [row for row in rows if row.ref.path == old.ref.path]
    found = find_again(old.fact, [row.fact for row in own])
    return next((row for row in own if found is not None and row.fact.line == found.line), None)


def headings(session: Session, ref: MemRef) -> list[tuple[str, ...]]:
    """The heading paths of a file in order, as targets of moves; empty if it cannot be read."""
    return headings_of(divide(files.text_or_none(session.path(ref)) or ""))


def names_of(rows: Sequence[FactRow]) -> str:
    """One fact by its first words, several by their number."""
    return f"“{name_of(rows[0].fact)}”" if len(rows) == 1 else counted(len(rows), "fact")


def name_of(fact: Fact, width: int = 60) -> str:
    """The first words of a fact, for use in a sentence, with credentials masked."""
    return clipped(without_secrets(fact.says or trim(fact.text)), width)
