"""Aliases of notes, and suggestions of aliases from the log of searches that missed (help page `recall`)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from zsmem_tui.core.checks.secret import MASKED, masked, secrets_in
from zsmem_tui.core.errors import BadTarget, MemError, StoreError
from zsmem_tui.core.recall.aliases import MOST, aliases_of, checked, with_aliases
from zsmem_tui.core.recall.misses import Miss, alias_of, made_up_for, occasions, share_of_misses, too_common
from zsmem_tui.core.recall.word_forms import is_misspelled, words_of
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.sync.texts import FORGOTTEN
from zsmem_tui.core.text import counted, grouped, printable_path
from zsmem_tui.service.applying import apply
from zsmem_tui.service.plan import Applied, Draft, Plan
from zsmem_tui.service.searching import Query, Scope, Sought, search
from zsmem_tui.service.session import Session
from zsmem_tui.store import scan, search_log
from zsmem_tui.store.disk import files

SIGNAL_DAYS: Final = 30
"""The number of days over which the share of missed searches is computed."""

SIGNAL_SHARE: Final = 1 / 10
"""The share of misses above which notes lack the words that are searched for."""

_DAY_SECONDS: Final = 86_400

_LONGEST_LOOK: Final = 60.0
"""How old in seconds a text cache may be when counting how common many words are."""

_NOTHING: Final = "Nothing was written."
_FORGOTTEN: Final = FORGOTTEN.decode()


class Missed(NamedTuple):
    """Searches that missed but led to a note later: `clients` searched, `times` counts them, `instead` found it.

    They were made on so many `occasions`.
    `alias` is the suggested alias; `problem` is a sentence that says why it is not offered, or empty.
    """

    ref: MemRef
    alias: str
    clients: tuple[str, ...]
    times: int
    instead: str
    last: float
    problem: str = ""
    occasions: int = 1


class Misses(NamedTuple):
    """The missed searches, latest first, and the counts of all and of missed searches in thirty days.

    `problem` is a sentence about the log of searches, empty if it is fine.
    """

    rows: tuple[Missed, ...]
    searches: int
    missed: int
    problem: str = ""

    @property
    def offered(self) -> tuple[Missed, ...]:
        """The rows whose alias is offered."""
        return tuple(row for row in self.rows if not row.problem)

    @property
    def says(self) -> str:
        """The share of misses and its meaning, as a sentence."""
        if not self.searches:
            return f"No search was noted in the last {SIGNAL_DAYS} days."
        share = self.missed / self.searches
        searches = counted(self.searches, "search") if self.searches == 1 else f"{self.searches} searches"
        says = f"{self.missed} of {searches} in {SIGNAL_DAYS} days missed ({share:.0%})."
        if self.offered:
            return f"{says} What was found later in other words is listed: --apply writes the words of the first search as aliases."
        if share > SIGNAL_SHARE:
            return f"{says} Nothing that other words found later: give notes the words that you look for, with F or --alias."
        return says


def add_aliases(session: Session, ref: MemRef, aliases: Iterable[str]) -> Plan:
    """Plan adding aliases to a note. Raises `BadContent` for an invalid alias, `BadTarget` if it is no note, `StoreError`."""
    wanted = [checked(alias) for alias in aliases]
    draft = Draft()
    before = _aliases(session, draft, ref)
    _put(session, draft, ref, wanted)
    name = printable_path(ref.path)
    after = _aliases(session, draft, ref)
    new = [alias for alias in wanted if alias in after and alias not in before]
    there = [alias for alias in wanted if alias not in after]
    has = f"{', '.join(there)} {'stands' if len(there) == 1 else 'stand'} in its text already" if there else ""
    own = ", ".join(new or wanted)
    return Plan(
        f"Added alias {own} to {ref.path}",
        f"Added {own} to what {name} is found by{f'; {has}' if has else ''}.",
        tuple(draft.edits()),
        nothing=_NOTHING,
        count=len(new),
        unchanged=f"{name} is found so already: {has}. {_NOTHING}" if has else f"{name} says so already. {_NOTHING}",
    )


def write_aliases(session: Session, ref: MemRef, words: Iterable[str]) -> Applied:
    """`add_aliases`, applied at once. Raises what that and `applying.apply` raise."""
    return apply(add_aliases(session, ref, words))


def why_no_aliases(ref: MemRef) -> str:
    """Why a file that is no note has no aliases, as a sentence."""
    return f"{printable_path(ref.path)} is no note: only notes have aliases. {_NOTHING}"


def aliases(session: Session, ref: MemRef) -> tuple[str, ...]:
    """The aliases of a note; empty if it cannot be read."""
    return aliases_of(files.text_or_none(session.path(ref)) or "")


def misses(session: Session) -> Misses:
    """Evaluate the log of searches of this store."""
    log = search_log.read(session.root)
    now = session.now_ns() / 1e9
    found = [miss for miss in made_up_for(log.events) if _FORGOTTEN not in miss.query]
    recent = [event for event in log.events if now - event["t"] <= SIGNAL_DAYS * _DAY_SECONDS]
    searches, missed = share_of_misses(recent, found)
    by_alias = grouped(((miss.path, alias_of(miss.query)), miss) for miss in found)
    commonness = _Commonness(session)
    every = [_row(session, commonness, path, alias, each) for (path, alias), each in by_alias.items()]
    rows = [row for row in every if row is not None]
    rows.sort(key=lambda row: -row.last)
    return Misses(tuple(rows), searches, missed, log.problem)


def searched_beside(session: Session) -> tuple[Session, ...]:
    """The store that agents search through our server, if it is another one with logged searches."""
    served = session if session.is_default else Session.open(session.config, cwd=session.folder or None, clock=session.clock)
    return () if session.is_default or search_log.evidence(served.root) is None else (served,)


def mend(found: Sequence[tuple[Session, Missed]]) -> Plan:
    """Plan writing the aliases of these rows, in one store or several. Raises `StoreError`."""
    draft = Draft()
    left: list[str] = []
    done = 0
    for session, row in found:
        try:
            _put(session, draft, row.ref, [row.alias])
            done += 1
        except (MemError, StoreError) as error:
            left.append(error.message)
    edits = tuple(draft.edits())
    return Plan(
        f"Aliases for {counted(len(edits), 'note')}",
        f"Wrote {done:,} {'alias' if done == 1 else 'aliases'} into {counted(len(edits), 'note')}.",
        edits,
        nothing=_NOTHING,
        left=tuple(left),
        count=done,
        unchanged=f"There was no alias to write. {_NOTHING}",
    )


def _aliases(session: Session, draft: Draft, ref: MemRef) -> tuple[str, ...]:
    return aliases_of((draft.now(session, ref.path) or b"").decode("utf-8", "replace"))


def _put(session: Session, draft: Draft, ref: MemRef, wanted: Sequence[str]) -> None:
    if ref.role is not Role.NOTE:
        raise BadTarget(why_no_aliases(ref))

    def change(now: bytes | None) -> bytes | None:
        try:
            return None if now is None else with_aliases(now.decode(), wanted).encode()
        except UnicodeDecodeError as error:
            raise StoreError(ref.path, f"{printable_path(ref.path)} is not valid UTF-8. {_NOTHING}") from error

    now = draft.now(session, ref.path)
    if now is None:
        raise BadTarget(f"There is no {printable_path(ref.path)}. {_NOTHING}")
    if (after := change(now)) != now:
        draft.put(session, ref.path, after, change)


def _row(session: Session, commonness: _Commonness, path: str, alias: str, found: Sequence[Miss]) -> Missed | None:
    """The row for one alias; None if the note contains it by now."""
    ref = session.ref_at(path)
    text = files.text_or_none(session.path(ref))
    if text is not None and alias.casefold() in text.casefold():
        return None
    problem = ""
    if text is None:
        problem = "It cannot be read as text." if os.path.lexists(session.path(ref)) else "It is gone by now."
    elif ref.role is not Role.NOTE:
        problem = "It is no note: only notes have aliases."
    elif commonness.is_too_great(ref.project, alias):
        problem = "Each word of it stands in more than a fifth of all notes."
    elif len(aliases_of(text)) >= MOST:
        problem = "It has as many aliases as a note can have."
    elif right := commonness.right_spelling(alias):
        problem = f"It looks like {right} misspelled, which a search names by itself."
    if (secrets := secrets_in(alias)) or MASKED in alias:
        alias, problem = masked(alias, secrets), "It looks like a credential."
    clients = tuple(dict.fromkeys(miss.client for miss in found))
    last = max(found, key=lambda miss: miss.at)
    instead = masked(last.instead, secrets_in(last.instead))
    return Missed(ref, alias, clients, len(found), instead, last.at, problem, occasions(found))


class _Commonness:
    """Counts in how many notes of a project a word occurs; each word is searched once."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._notes: dict[str, int] = {}
        self._files: dict[str, Counter[str]] = {}

    def is_too_great(self, project: str, alias: str) -> bool:
        """Whether each word of an alias occurs in too many notes to be useful."""
        if project not in self._notes:
            folders = self._session.layout.project_folders(project)
            entries = (entry for folder in folders for entry in scan.entries(self._session.root, folder))
            self._notes[project] = sum(entry.ref.role is Role.NOTE for entry in entries)
        for word in words_of(alias):
            if word not in self._files:
                hits = search(Query(word, (Sought(self._session),), Scope.ALL), max_age=_LONGEST_LOOK).ranked
                self._files[word] = Counter(hit.ref.project for hit in hits if hit.ref.role is Role.NOTE)
        return too_common((self._files[word][project] for word in words_of(alias)), self._notes[project])

    def right_spelling(self, alias: str) -> str:
        """The word of which an alias is probably a misspelling; empty if none."""
        query = Query(" ".join(words_of(alias)), (Sought(self._session),), Scope.ALL)
        found = search(query, near=True, max_age=_LONGEST_LOOK).near
        return next((each.word for near in found for each in near.words if is_misspelled(near.term, each.word)), "")
