"""What a verb would do, as a value: every file with its text before and after. `applying.apply` does it."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from zsmem_tui.core.conflict import Conflicts, replaced
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.index_file import Rewrite
from zsmem_tui.core.left_lines import LeftLine
from zsmem_tui.core.notice import Notice, reasons
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, listed
from zsmem_tui.core.version import Origin
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files

if TYPE_CHECKING:
    from zsmem_tui.store.history.journal import Recorder
    from zsmem_tui.store.step_record import Moved
    from zsmem_tui.store.steps import Batch

NO_FILE: Final = MemRef("")

YOU_LEFT_IT: Final = "you left it out"
"""Why something stays that somebody unticked."""

_MOST_NAMED: Final = 20
"""Credentials that one sentence names."""


class Fate(StrEnum):
    """What becomes of an item. `LEFT` can be taken when somebody wants it, `SKIPPED` cannot."""

    ADD = "add"
    DUPLICATE = "duplicate"
    IMPORTED = "already imported"
    CONFLICT = "conflict"
    LEFT = "left out"
    SKIPPED = "skipped"
    MOVED = "moved"
    MERGED = "merged"
    ONCE = "once"
    """The same bytes are there already."""
    BESIDE = "beside"
    """Another text has its name there: it gets a name of its own."""


class Policy(StrEnum):
    """What becomes of a text whose name is taken by another."""

    SKIP = "skip"
    RENAME = "rename"
    REPLACE = "replace"
    MERGE = "merge"


class Handling(StrEnum):
    """What becomes of credentials that would go out."""

    STOP = "stop"
    MASK = "mask"
    ALLOW = "allow"


@dataclass(frozen=True, slots=True)
class Gate:
    """The credentials that are on their way out, each with its file, its line and what it may show, and what becomes of them."""

    handling: Handling = Handling.STOP
    found: tuple[Notice, ...] = ()

    @property
    def stops(self) -> bool:
        """Whether nothing may go out before a person has decided."""
        return self.handling is Handling.STOP and bool(self.found)

    @property
    def said(self) -> str:
        """What is known of them, as a sentence; empty when there are none."""
        if not self.found:
            return ""
        ends = {Handling.STOP: "would go out", Handling.MASK: "masked on the way out", Handling.ALLOW: "as they are"}
        named = [f"{each.place}:{each.line} {reasons([each])} [secret]" for each in self.found]
        return f"{counted(len(self.found), 'credential')} {ends[self.handling]}: {listed(named, _MOST_NAMED)}."

    def check(self, nothing: str = "Nothing was written.") -> None:
        """Raises `RuleBroken` where it stops; `nothing` says what has not happened then."""
        if self.stops:
            raise RuleBroken(
                "secret",
                f"{self.said} {nothing}",
                "Mask them on the way out with --mask, or let them go as they are with --allow-secrets.",
            )


NOTHING_FOUND: Final = Gate()
"""Nothing that would go out holds a credential."""


class Edit(NamedTuple):
    """A file that a step changes: what it holds, and will hold (None: no file).

    Where somebody changes it meanwhile, it is made again by all of `changes` in turn; without any, the step is a conflict.
    `renamed` is the new path of a file of which only the case of its name changes. `merged` is the text that joins what stands
    there, where a person may decide about each line that both have in another form. `mode` and `modified` are those of `Batch.put`,
    `expected` is the digest of what was shown, where `before` was read later. One that goes and `is_left` stays where it changed.
    """

    session: Session
    ref: MemRef
    before: bytes | None
    after: bytes | None
    changes: tuple[Rewrite, ...] = ()
    renamed: str = ""
    merged: bytes | None = None
    mode: int = 0
    modified: int | None = None
    expected: str | None = None
    is_left: bool = False

    @property
    def place(self) -> str:
        """Where it lies."""
        return self.session.path(self.ref)


class Row(NamedTuple):
    """One thing that a plan is about, called `source`, and the file that it goes to: `ref`, which lies at `place` (empty: none).

    `reason` says why, as a clause; `losses` what does not go along, `warnings` what else is to be known, as sentences. `cost` is
    how many bytes more an agent would have before it on every turn. `key` tells it from the others of a plan; of one that is not
    `ticked`, nothing is written, and it `can_be` ticked or not. `file` is the file of `store` that it is, where it is one.
    """

    source: str
    place: str
    fate: Fate
    reason: str = ""
    text: str = ""
    losses: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    cost: int = 0
    key: str = ""
    ticked: bool = True
    also: tuple[str, ...] = ()
    """Sources of other texts that are in it."""
    ref: MemRef = NO_FILE
    group: str = ""
    """Whose it is where it comes from: a personality, a user, a project."""
    can_be: bool = False
    store: Session | None = None
    file: MemRef = NO_FILE

    @property
    def agent(self) -> str:
        """Whose file it is, before its name."""
        return f"{self.store.layout.title}: " if self.store is not None else ""

    @property
    def is_taken(self) -> bool:
        """Whether its text stands in the target afterwards, so that a move takes it from the source."""
        return self.fate in (Fate.ADD, Fate.DUPLICATE)


@dataclass(frozen=True, slots=True)
class Plan:
    """One step: `label` names it in the history, `done` says that it was done, `edits` has every file, those that gain text first.

    `left` has what is not done of what was asked for, `notes` what else is to be known of it, as sentences; `findings` what is to
    be known of the words that arrive; `gate` the credentials that would leave their store. `ref` is the file that it is about.
    """

    label: str
    done: str
    edits: tuple[Edit, ...] = ()
    nothing: str = "Nothing was written."
    """The sentence for a step that failed."""
    rows: tuple[Row, ...] = ()
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    findings: tuple[Notice, ...] = ()
    gate: Gate = NOTHING_FOUND
    ref: MemRef = NO_FILE
    count: int = 0
    """How many things are done: findings mended, items moved."""
    lines: int = 0
    """How many lines a fix changes."""
    warning: bool = False
    """Whether what is done needs a second look."""
    unchanged: str = "It is so already. Nothing was written."
    """What is said where there is nothing to write."""
    origin: Origin = Origin.YOU
    format: str = ""
    """Of which agent's memory it is that texts come from, or go to."""
    losses: str = ""
    """What that format cannot hold, as sentences."""
    rest: str = ""
    """What stays behind of all that there is, counted, as sentences."""
    left_lines: tuple[LeftLine, ...] = ()
    """The lines that stay behind."""
    grows: int | None = None
    """How much longer a prompt becomes, in `unit`; None where it cannot be told."""
    unit: str = "bytes"
    lost: int = 0
    """How many more lines of that prompt are lost."""
    beside: tuple[Edit, ...] = ()
    """What an agent puts into a folder that it makes, for folders that are made here."""
    marks: Session | None = None
    """In whose history the step is marked too, as one that wrote outside."""
    within: Callable[[Callable[[], Recorder]], AbstractContextManager[list[str]]] | None = None
    """What is done around the writing, and taken back where that fails; it gives sentences about what went wrong beside it."""
    follow: Callable[[Applied], Applied] | None = None
    """What is done once it is written, and how it ended then."""
    later: Callable[[Collection[str]], Iterator[Edit]] | None = None
    """Files that are too much to hold, read when they are wanted: those of the rows with these keys."""
    target: Session | None = None
    """The store that they go into."""
    relation: str = ""
    """What the history keeps of the step, beside its files."""
    moved: Mapping[Session, Moved] = field(default_factory=dict)
    """Folders that it makes and removes in its stores, and the new path of each file that goes elsewhere, as it was."""
    act: Callable[[], VerbResult] | None = None
    """What is done instead, for a step that writes a file outside of every store."""
    hints: tuple[str, ...] = ()
    """What may be typed for another outcome, as sentences."""
    writers: Mapping[str, str] = field(default_factory=dict)
    """Who wrote what comes in, by the place of each file, where the step itself does not tell."""
    decided: Mapping[str, bytes] = field(default_factory=dict)
    """Merged texts that a person decided, by the paths of files."""
    read: Any = None
    """What was read for it: a verb that is given this plan reads nothing of it again."""

    @property
    def changes(self) -> tuple[Edit, ...]:
        """The files that become others; the rest of `edits` only makes sure that they stay as they are."""
        return tuple(edit for edit in self.edits if edit.before != edit.after)

    def every(self) -> Iterator[Edit]:
        """What is done to each file, with what was decided, but for those `beside`."""
        late = self.later({row.key for row in self.rows if row.ticked}) if self.later is not None else ()
        for edit in itertools.chain(self.edits, late):
            yield edit._replace(after=self.decided[edit.ref.path]) if edit.ref.path in self.decided else edit

    def conflicts(self) -> dict[str, Conflicts]:
        """What a person may decide where a text joins another, by path: lines that both have in another form."""
        asks = {row.key for row in self.rows if row.ticked and row.fate is Fate.CONFLICT}
        edits = self.edits if self.later is None else self.later(asks)
        pairs = [(edit.ref.path, edit.before, edit.merged) for edit in edits]
        found = {path: replaced(now, merged) for path, now, merged in pairs if now is not None and merged is not None}
        return {path: each for path, each in found.items() if each.regions}

    def of_row(self, row: Row) -> Edit | None:
        """What is done to the file that a row lands in; of one that is read late, also what would be."""
        if self.later is not None:
            return next(self.later({row.key}), None)
        return next((edit for edit in self.edits if edit.place == row.place and edit.before != edit.after), None)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out; of a line that was changed, its words go along."""
        return not self.left and all(each.is_changed for each in self.left_lines)

    @property
    def files(self) -> int:
        """How many files change."""
        return len(self.changes) if self.later is None else sum(row.ticked for row in self.rows)

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The stores that it changes."""
        late = [self.target] if self.target is not None else []
        return tuple(dict.fromkeys([*(edit.session for edit in self.edits), *late]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied(VerbResult):
    """How a plan ended, as which step. Not `lasting`: another program keeps writing over one of the files.

    `stays` are files that should have gone and were written meanwhile.
    """

    plan: Plan
    step: str = ""
    lasting: bool = True
    stays: tuple[str, ...] = ()


def drafted(session: Session, batch: Batch, done: str, **more: Any) -> Plan:
    """The plan for what was collected in a batch, which is not written. `more` are fields of the plan."""
    edits = tuple(
        Edit(session, session.ref_at(each.path), before, after, each.changes, each.renamed)
        for each in batch.edits.values()
        if (before := each.before()) != (after := each.after()) or each.renamed
    )
    return Plan(batch.recorder.label, done, edits, batch.nothing, **more)


class Draft:
    """Files as a plan leaves them: each is read once, then changed by one thing after another."""

    def __init__(self) -> None:
        self._edits: dict[str, Edit] = {}
        self._puts: list[tuple[str, Edit]] = []
        self._names: dict[str, dict[str, str]] = {}
        self._planned: dict[tuple[str, str], str] = {}

    def now(self, session: Session, path: str) -> bytes | None:
        """What a file of a store holds by now (None: no file). Raises `StoreError`."""
        place = os.path.join(session.root, path)
        if place not in self._edits:
            session.store_problem()  # asked for, it knows that it was there: it is not made anew where it goes before the step
            raw = files.read_if_there(place)
            self._edits[place] = Edit(session, session.ref_at(path), raw, raw)
        return self._edits[place].after

    def put(self, session: Session, path: str, after: bytes | None, *changes: Rewrite, **more: Any) -> None:
        """Make a file hold this; `changes` made it, `more` are fields of the edit. Raises what `now` does."""
        self.now(session, path)
        place = os.path.join(session.root, path)
        known = self._edits[place]
        self._puts.append((place, known))
        self._edits[place] = known._replace(after=after, changes=(*known.changes, *changes), **more)
        folder, _, name = place.rpartition("/")
        self._planned[folder, name.casefold()] = name

    def keep(self) -> None:
        """What was put so far stays."""
        self._puts.clear()

    @property
    def has_puts(self) -> bool:
        """Whether something was put since."""
        return bool(self._puts)

    def take_back(self) -> None:
        """As it was when something was kept last."""
        while self._puts:
            place, known = self._puts.pop()
            self._edits[place] = known

    def same(self, places: Iterable[str]) -> list[Edit]:
        """Those of the files at these places that stay as they are."""
        return [edit for place in places if (edit := self._edits.get(place)) is not None and edit.before == edit.after]

    def texts(self, root: str) -> dict[str, str]:
        """The files below a root that become others, by their paths in it."""
        own = (each for each in self._edits.values() if each.session.root == root and each.after != each.before)
        return {each.ref.path: (each.after or b"").decode("utf-8", "replace") for each in own}

    def so_far(self) -> Mapping[str, Edit]:
        """All that is known now, for `edits` and `go_back`."""
        return dict(self._edits)

    def go_back(self, to: Mapping[str, Edit]) -> None:
        """As it was then."""
        self._edits = dict(to)

    def edits(self, since: Mapping[str, Edit] | None = None) -> list[Edit]:
        """Every file that becomes another, or is only to stay as it is made; or has become one `since` then."""
        known = since or {}
        every = ((known[place].after if place in known else each.before, each) for place, each in self._edits.items())
        return [each._replace(before=before) for before, each in every if before != each.after or each.changes]

    def clash(self, session: Session, path: str) -> str:
        """The name of a file beside `path`, there or planned, that some systems take for the same; empty when there is none.

        A folder is listed once, and what is planned is found by its name: there may be thousands.
        """
        folder, _, name = os.path.join(session.root, path).rpartition("/")
        if folder not in self._names:
            self._names[folder] = {each.casefold(): each for each in files.list_names(folder)}
        planned = self._planned.get((folder, name.casefold()), "")
        known = self._edits.get(f"{folder}/{planned}") if planned else None
        return planned if known is not None and known.after is not None else self._names[folder].get(name.casefold(), "")
