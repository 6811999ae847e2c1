"""What a verb would do, as a value: every file with its text before and after. `joint.apply` does it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.finding import Finding
from zsmem_tui.core.listed import Rewrite
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted
from zsmem_tui.core.wording import reasons
from zsmem_tui.service.session import Session

if TYPE_CHECKING:
    from zsmem_tui.store.steps import Batch

_NO_FILE: Final = MemRef("")

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


class Handling(StrEnum):
    """What becomes of credentials that would go out."""

    STOP = "stop"
    MASK = "mask"
    ALLOW = "allow"


@dataclass(frozen=True, slots=True)
class Gate:
    """The credentials that are on their way out, each with its file, its line and what it may show, and what becomes of them."""

    handling: Handling = Handling.STOP
    found: tuple[Finding, ...] = ()

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
        named = [f"{each.place}:{each.line} {reasons([each])} [secret]" for each in self.found[:_MOST_NAMED]]
        more = [f"and {len(self.found) - _MOST_NAMED} more"] if len(self.found) > _MOST_NAMED else []
        return f"{counted(len(self.found), 'credential')} {ends[self.handling]}: {', '.join([*named, *more])}."

    def check(self) -> None:
        """Raises `RuleBroken` where it stops."""
        if self.stops:
            raise RuleBroken(
                "secret",
                f"{self.said} Nothing was written.",
                "Mask them on the way out with --mask, or let them go as they are with --allow-secrets.",
            )


NOTHING_FOUND: Final = Gate()
"""Nothing that would go out holds a credential."""


class Edit(NamedTuple):
    """A file that a step changes: what it holds, and will hold (None: no file).

    Where somebody changes it meanwhile, it is made again by all of `changes` in turn; without any, the step is a conflict.
    `renamed` is the new path of a file of which only the case of its name changes.
    """

    session: Session
    ref: MemRef
    before: bytes | None
    after: bytes | None
    changes: tuple[Rewrite, ...] = ()
    renamed: str = ""

    @property
    def place(self) -> str:
        """Where it lies."""
        return self.session.path(self.ref)


class Row(NamedTuple):
    """One file of a store that a plan is about, where it goes (None: nowhere), what becomes of it and why.

    `losses` say what does not go along, as sentences.
    """

    store: Session
    source: MemRef
    target: MemRef | None
    fate: Fate
    reason: str = ""
    losses: tuple[str, ...] = ()

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
    edits: tuple[Edit, ...]
    nothing: str = "Nothing was written."
    """The sentence for a step that failed."""
    rows: tuple[Row, ...] = ()
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    gate: Gate = NOTHING_FOUND
    ref: MemRef = _NO_FILE
    count: int = 0
    """How many things are done: findings mended, items moved."""
    lines: int = 0
    """How many lines a fix changes."""
    warning: bool = False
    """Whether what is done needs a second look."""
    unchanged: str = "It is so already. Nothing was written."
    """What is said where there is nothing to write."""

    @property
    def changes(self) -> tuple[Edit, ...]:
        """The files that become others; the rest of `edits` only makes sure that they stay as they are."""
        return tuple(edit for edit in self.edits if edit.before != edit.after)

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The stores that it changes."""
        return tuple(dict.fromkeys(edit.session for edit in self.edits))


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied(VerbResult):
    """How a plan ended."""

    plan: Plan


def drafted(session: Session, batch: Batch, done: str, **more: Any) -> Plan:
    """The plan for what was collected in a batch, which is not written. `more` are fields of the plan."""
    edits = tuple(
        Edit(session, session.ref_at(each.path), before, after, each.changes, each.renamed)
        for each in batch.edits.values()
        if (before := each.before()) != (after := each.after()) or each.renamed
    )
    return Plan(batch.recorder.label, done, edits, batch.nothing, **more)
