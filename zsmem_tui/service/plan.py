"""Plans: what a verb would do, as a value, with every file before and after. `applying.apply` executes them."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from zsmem_tui.core.conflict import Conflicts, replaced
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.index_file import Rewrite
from zsmem_tui.core.left_lines import LeftLine
from zsmem_tui.core.notice import Notice, reasons
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, listed, printable_path
from zsmem_tui.core.version import Origin
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files
from zsmem_tui.store.write_path.locating import resolve

if TYPE_CHECKING:
    from zsmem_tui.store.history.journal import Recorder
    from zsmem_tui.store.step_record import Moved
    from zsmem_tui.store.steps import Batch

NO_FILE: Final = MemRef("")

YOU_LEFT_IT: Final = "you left it out"
"""The reason for a row that the user unticked."""

IS_THERE: Final = "it is there already"
"""The reason for a row whose text stands at the target."""

EVERY_PROMPT: Final = "That file is in the prompt of every project."
"""The warning on a row of one project whose target is shared by all."""

_MOST_NAMED: Final = 20
"""The most credentials that a sentence names."""


class Fate(StrEnum):
    """What happens to an item. `LEFT` can be taken on request, `SKIPPED` cannot."""

    ADD = "add"
    DUPLICATE = "duplicate"
    IMPORTED = "already imported"
    RETURNED = "from here"
    """It is an unchanged text that was exported from here."""
    CONFLICT = "conflict"
    LEFT = "left out"
    SKIPPED = "skipped"
    MOVED = "moved"
    MERGED = "merged"
    ONCE = "once"
    """An identical file exists already."""
    BESIDE = "beside"
    """The name is taken by another text, so it gets a new name."""
    TAKEN = "take out"
    """It is removed from where it was exported to."""


class Policy(StrEnum):
    """What to do with a text whose name is taken by another."""

    SKIP = "skip"
    RENAME = "rename"
    REPLACE = "replace"
    MERGE = "merge"


class Handling(StrEnum):
    """What to do with credentials that would leave their store."""

    STOP = "stop"
    MASK = "mask"
    ALLOW = "allow"


@dataclass(frozen=True, slots=True)
class Gate:
    """The credentials that would leave their store, as notices with file, line and a safe excerpt; and how to treat them."""

    handling: Handling = Handling.STOP
    found: tuple[Notice, ...] = ()

    @property
    def stops(self) -> bool:
        """Whether the user has to decide before anything leaves."""
        return self.handling is Handling.STOP and bool(self.found)

    @property
    def said(self) -> str:
        """A sentence about the credentials; empty if there are none."""
        if not self.found:
            return ""
        ends = {Handling.STOP: "would go out", Handling.MASK: "masked on the way out", Handling.ALLOW: "as they are"}
        named = [f"{each.place}:{each.line} {reasons([each])} [secret]" for each in self.found]
        return f"{counted(len(self.found), 'credential')} {ends[self.handling]}: {listed(named, _MOST_NAMED)}."

    def check(self, nothing: str = "Nothing was written.") -> None:
        """Raise `RuleBroken` if it stops; `nothing` is the sentence that says what was not done."""
        if self.stops:
            raise RuleBroken(
                "secret",
                f"{self.said} {nothing}",
                "Mask them on the way out with --mask, or let them go as they are with --allow-secrets.",
            )


NOTHING_FOUND: Final = Gate()
"""A gate without credentials."""


class Edit(NamedTuple):
    """A changed file: content before and after (None: no file).

    If the file has changed meanwhile, all of `changes` are applied to it in turn; without any, that is a conflict. `renamed` is the
    new path if only the case of the name changes. `merged` is the merge with an existing text about which the user may decide line
    by line. `mode` and `modified` are as in `Batch.put`. `expected` is the digest of the content shown, if `before` was read later.
    A deleted file with `is_left` is kept if it changed.
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
        """The absolute path."""
        return self.session.path(self.ref)


class Row(NamedTuple):
    """One item of a plan: `source` names it, and `ref` is its target file at the path `place` (empty: none).

    `reason` is a clause; `losses` say what is lost, `warnings` are other sentences. `cost` is the number of bytes added to the
    prompt. `key` is unique in a plan. Nothing is written for rows that are not `ticked`; `can_be` says whether the user may change
    that. `file` is the source file in `store`, if it is one.
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
    """The sources of other texts that are in it."""
    ref: MemRef = NO_FILE
    group: str = ""
    """The owner at the source: a personality, a user, a project."""
    can_be: bool = False
    looks: bool = False
    """Whether a person should look at it, though it is taken: a credential may be in it, or an order to the agent."""
    store: Session | None = None
    file: MemRef = NO_FILE
    made: str = ""
    """What it is at the target: the text that is added to a file, or the whole file if it is one of its own or in the way."""

    @property
    def agent(self) -> str:
        """The title of the source's agent with a colon, as a prefix of the name."""
        return f"{self.store.layout.title}: " if self.store is not None else ""

    @property
    def is_taken(self) -> bool:
        """Whether its text is in the target afterwards, so that a move deletes it at the source."""
        return self.fate in (Fate.ADD, Fate.DUPLICATE)

    @property
    def is_settled(self) -> bool:
        """Whether it is there already or cannot go, so that no file changes for it."""
        return self.fate in (Fate.DUPLICATE, Fate.IMPORTED, Fate.ONCE, Fate.SKIPPED)


def shared_growth(rows: Iterable[Row], edits: Iterable[Edit]) -> tuple[str, ...]:
    """By how much each file grows that is in the prompt of every project and gets something of these rows, as sentences."""
    shared = {row.place for row in rows if EVERY_PROMPT in row.warnings}
    grown = [(edit.ref.path, len(edit.after or b"") - len(edit.before or b"")) for edit in edits if edit.place in shared]
    return tuple(f"{printable_path(path)}, in the prompt of every project: {much:+,} bytes." for path, much in grown)


@dataclass(frozen=True, slots=True)
class Plan:
    """One step: `label` names it in the history, `done` is the message on success, `edits` are all files, gains first.

    `left` are sentences about what is not done, `notes` other sentences, `findings` notices about arriving text, `gate` the
    credentials that would leave their store.
    """

    label: str
    done: str
    edits: tuple[Edit, ...] = ()
    nothing: str = "Nothing was written."
    """The sentence for a failed step."""
    rows: tuple[Row, ...] = ()
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    findings: tuple[Notice, ...] = ()
    gate: Gate = NOTHING_FOUND
    count: int = 0
    """The number of things done: findings fixed, items moved."""
    lines: int = 0
    """How many lines a fix changes."""
    warning: bool = False
    """Whether the user should have a second look at the result."""
    deletes: bool = False
    """Whether it only deletes, so that nothing is done if undo is off."""
    unchanged: str = "It is so already. Nothing was written."
    """The message if there is nothing to write."""
    problems: tuple[str, ...] = ()
    """Why there is no place for whole memories, as clauses, which are the reasons of their rows."""
    origin: Origin = Origin.YOU
    format: str = ""
    """The format of the other agent's memory."""
    losses: str = ""
    """What that format cannot store, as sentences."""
    rest: str = ""
    """Sentences that sum up what is left behind."""
    left_lines: tuple[LeftLine, ...] = ()
    """The lines that are left behind."""
    grows: Mapping[str, int] = field(default_factory=dict)
    """Bytes by which the prompts of these projects grow; empty if unknown. Of a file shared by all projects, see `notes`."""
    lost: int = 0
    """How many more lines of these prompts are cut."""
    beside: tuple[Edit, ...] = ()
    """Files that an agent itself adds to a new folder, for folders created here."""
    marks: Session | None = None
    """The session whose history records the step too, since it writes outside of its store."""
    within: Callable[[Callable[[], Recorder]], AbstractContextManager[list[str]]] | None = None
    """A context manager around the writing, which reverts its work on failure; it yields sentences about minor problems."""
    follow: Callable[[Applied], Applied] | None = None
    """Called after the writing; returns the final result."""
    later: Callable[[Collection[str]], Iterator[Edit]] | None = None
    """Returns the edits for the rows with these keys, for plans too large to hold all texts."""
    target: Session | None = None
    """The store that they are written to."""
    relation: str = ""
    """The `relation` recorded in the history."""
    moved: Mapping[Session, Moved] = field(default_factory=dict)
    """By store: folders to create and to remove, and the new paths of moved files."""
    act: Callable[[], VerbResult] | None = None
    """Called instead of writing edits, for a step that writes a file outside of every store."""
    hints: tuple[str, ...] = ()
    """Sentences that suggest other options."""
    writers: Mapping[str, str] = field(default_factory=dict)
    """The authors of incoming files, by path, if the step itself does not tell."""
    decided: Mapping[str, bytes] = field(default_factory=dict)
    """Merged texts decided by the user, by relative path."""
    read: Any = None
    """The parsed input, so that a verb that gets this plan need not read it again."""

    @property
    def growth(self) -> str:
        """By how much the prompts grow, such as "+64 to +80 bytes"; empty if unknown."""
        ends = dict.fromkeys((f"{min(self.grows.values()):+,}", f"{max(self.grows.values()):+,}")) if self.grows else ()
        return f"{' to '.join(ends)} bytes" if ends else ""

    @property
    def changes(self) -> tuple[Edit, ...]:
        """The files that change; other `edits` only ensure that a file stays as it is."""
        return tuple(edit for edit in self.edits if edit.before != edit.after)

    def every(self) -> Iterator[Edit]:
        """Yield all edits with the user's decisions, except those `beside`."""
        late = self.later({row.key for row in self.rows if row.ticked}) if self.later is not None else ()
        for edit in itertools.chain(self.edits, late):
            yield edit._replace(after=self.decided[edit.ref.path]) if edit.ref.path in self.decided else edit

    def conflicts(self) -> dict[str, Conflicts]:
        """The conflicts the user may decide about, by path: lines that differ on both sides of a merge."""
        asks = {row.key for row in self.rows if row.ticked and row.fate is Fate.CONFLICT}
        edits = self.edits if self.later is None else self.later(asks)
        pairs = [(edit.ref.path, edit.before, edit.merged) for edit in edits]
        found = {path: replaced(now, merged) for path, now, merged in pairs if now is not None and merged is not None}
        return {path: each for path, each in found.items() if each.regions}

    def of_row(self, row: Row) -> Edit | None:
        """The edit of the target of a row; for plans that read late, also of a row that is not ticked."""
        if self.later is not None:
            return next(self.later({row.key}), None)
        return next((edit for edit in self.edits if edit.place == row.place and edit.before != edit.after), None)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out; a line of which only the words are kept counts as kept."""
        return not self.left and all(each.is_kept for each in self.left_lines)

    @property
    def files(self) -> int:
        """How many files change."""
        return len(self.changes) if self.later is None else sum(row.ticked for row in self.rows)

    @property
    def is_idle(self) -> bool:
        """Whether nothing would be done."""
        return not (self.files or self.moved or self.act or any(each.renamed for each in self.edits))

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The stores that it changes."""
        late = [self.target] if self.target is not None else []
        return tuple(dict.fromkeys([*(edit.session for edit in self.edits), *late]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied(VerbResult):
    """The result of a plan, with the id of its step. Not `lasting`: another program keeps overwriting one of the files.

    `stays` are files that should have been deleted but were written meanwhile.
    """

    plan: Plan
    step: str = ""
    lasting: bool = True
    stays: tuple[str, ...] = ()


def joined(named: Sequence[tuple[str, Plan]]) -> Plan:
    """Several plans of one action, each of another store with its displayed name, as one step."""
    plans = [plan for _, plan in named]
    if len(plans) == 1:
        return plans[0]
    return replace(
        plans[0],
        label=", ".join(plan.label for plan in plans),
        edits=tuple(edit for plan in plans for edit in plan.edits),
        left=tuple(each for plan in plans for each in plan.left),
        count=sum(plan.count for plan in plans),
        warning=any(plan.warning for plan in plans),
        done=" ".join(f"{name}: {plan.done}" for name, plan in named),
        unchanged=" ".join(f"{name}: {plan.unchanged}" for name, plan in named),
    )


def drafted(session: Session, batch: Batch, done: str, **more: Any) -> Plan:
    """Make a plan from the changes collected in a batch, which is not written. `more` are fields of the plan."""
    edits = tuple(
        Edit(session, session.ref_at(each.path), before, after, each.changes, each.renamed)
        for each in batch.edits.values()
        if (before := each.before()) != (after := each.after()) or each.renamed
    )
    return Plan(batch.recorder.label, done, edits, batch.nothing, **more)


def stood_there(count: int) -> str:
    """The sentence that this many texts were not repeated where they went, with a blank before; empty for none."""
    return f" {count:,} stood there already." if count else ""


class Draft:
    """The files as a plan leaves them: each is read once, then changed several times."""

    def __init__(self) -> None:
        self._edits: dict[str, Edit] = {}
        self._undo_log: list[tuple[str, Edit]] = []
        self._names: dict[str, dict[str, str]] = {}
        self._planned: dict[tuple[str, str], str] = {}

    def now(self, session: Session, path: str) -> bytes | None:
        """The planned content of a file (None: no file). Raises `StoreError`, also for a link that leads out of the store."""
        place = os.path.join(session.root, path)
        if place not in self._edits:
            session.store_problem()  # notes that the store exists, so that it is not recreated if it disappears
            resolve(session.root, path)
            raw = files.read_if_there(place)
            self._edits[place] = Edit(session, session.ref_at(path), raw, raw)
        return self._edits[place].after

    def before(self, session: Session, path: str) -> bytes | None:
        """The content of a file on disk (None: no file). Raises `StoreError`."""
        self.now(session, path)
        return self._edits[os.path.join(session.root, path)].before

    def put(self, session: Session, path: str, after: bytes | None, *changes: Rewrite, **more: Any) -> None:
        """Set the content of a file; `changes` produced it, `more` are fields of the edit. Raises what `now` does."""
        self.now(session, path)
        place = os.path.join(session.root, path)
        known = self._edits[place]
        self._undo_log.append((place, known))
        self._edits[place] = known._replace(after=after, changes=(*known.changes, *changes), **more)
        folder, _, name = place.rpartition("/")
        self._planned[folder, name.casefold()] = name

    def keep(self) -> None:
        """Accept all changes so far, so that `take_back` does not revert them."""
        self._undo_log.clear()

    @property
    def has_puts(self) -> bool:
        """Whether there are changes since `keep`."""
        return bool(self._undo_log)

    def take_back(self) -> None:
        """Revert all changes since `keep`."""
        while self._undo_log:
            place, known = self._undo_log.pop()
            self._edits[place] = known

    def same(self, places: Iterable[str]) -> list[Edit]:
        """The known files at these paths that do not change."""
        return [edit for place in places if (edit := self._edits.get(place)) is not None and edit.before == edit.after]

    def texts(self, root: str) -> dict[str, str]:
        """The new content of changed files below a root, by relative path."""
        own = (each for each in self._edits.values() if each.session.root == root and each.after != each.before)
        return {each.ref.path: (each.after or b"").decode("utf-8", "replace") for each in own}

    def so_far(self) -> Mapping[str, Edit]:
        """A snapshot for `edits` and `go_back`."""
        return dict(self._edits)

    def go_back(self, to: Mapping[str, Edit]) -> None:
        """Restore a snapshot."""
        self._edits = dict(to)

    def edits(self, since: Mapping[str, Edit] | None = None) -> list[Edit]:
        """Every file that changes or has changes to verify; with `since`, relative to that snapshot."""
        known = since or {}
        every = ((known[place].after if place in known else each.before, each) for place, each in self._edits.items())
        return [each._replace(before=before) for before, each in every if before != each.after or each.changes]

    def clash(self, session: Session, path: str) -> str:
        """The name of an existing or planned file next to `path` that differs only by case; empty if there is none.

        A folder is listed once, and planned names are looked up, since there may be thousands.
        """
        folder, _, name = os.path.join(session.root, path).rpartition("/")
        if folder not in self._names:
            self._names[folder] = {each.casefold(): each for each in files.list_names(folder)}
        planned = self._planned.get((folder, name.casefold()), "")
        known = self._edits.get(f"{folder}/{planned}") if planned else None
        return planned if known is not None and known.after is not None else self._names[folder].get(name.casefold(), "")
