"""One transfer on the screen: its plan as rows, why and where of each, and doing it. Here those on the way in.

What is planned and done is asked of `service`; every method here but the short ones is slow, for a thread.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from zsmem_tui.core.conflict import Conflicts
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import counted
from zsmem_tui.service import (
    bundles,
    formats,
    import_conflicts,
    importing,
)
from zsmem_tui.service.bundles import BundlePlan, PlannedFile
from zsmem_tui.service.import_reading import Choice
from zsmem_tui.service.importing import ImportPlan, PlannedItem, Policy
from zsmem_tui.service.plan import Fate, Handling
from zsmem_tui.service.session import Session
from zsmem_tui.ui.format import transfer as format
from zsmem_tui.ui.format.transfer import TransferRow

_TAKEN_IN = frozenset((Fate.ADD, Fate.CONFLICT, Fate.IMPORTED, Fate.LEFT))


class Pulse:
    """Work in a thread asks it whether to stop, once for each file or item; so it knows how far that is, too."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self.count = 0

    def __call__(self) -> bool:
        """Whether to stop."""
        self.count += 1
        return self._stopped.is_set()

    def stop(self) -> None:
        """Nobody wants any more of it."""
        self._stopped.set()

    @property
    def is_stopped(self) -> bool:
        """Whether nobody wants what comes of it."""
        return self._stopped.is_set()


@dataclass
class Wishes:
    """What the person changed of a plan: by the keys of rows, what is ticked, another file, other words; the rest is for all.

    A thread may be reading it: `ticks` is replaced, never changed in place.
    """

    ticks: dict[str, bool] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)
    edits: dict[str, str] = field(default_factory=dict)
    into: str = ""
    policy: Policy = Policy.SKIP
    secrets: Handling = Handling.STOP

    def left_out(self) -> frozenset[str]:
        """The keys of what was unticked."""
        return frozenset(key for key, ticked in self.ticks.items() if not ticked)


class Sheet(NamedTuple):
    """A plan as it is shown. `total` says what all of it would do, `losses` what does not survive; `files` would change."""

    rows: list[TransferRow]
    total: str
    losses: str
    files: int


class Sides(NamedTuple):
    """The file that a row lands in: what it is called, and its bytes before (None: no file) and after (None: it goes)."""

    name: str
    before: bytes | None
    after: bytes | None


class Job(Protocol):
    """A transfer, from its plan to its end."""

    wishes: Wishes

    @property
    def title(self) -> str:
        """What it is, for a title."""

    @property
    def roots(self) -> frozenset[str]:
        """The roots of the other stores that it writes to."""

    def plan(self, pulse: Pulse) -> Sheet:
        """Plan it, again with what the person changed. Raises `MemError`."""

    def words(self, number: int) -> list[str]:
        """What becomes of a row and why, in full sentences."""

    def sides(self, number: int) -> Sides:
        """The file that a row lands in. Raises `MemError`."""

    def conflicts(self) -> dict[str, Conflicts]:
        """What the person has to decide before it is done. Raises `MemError`."""

    def apply(self, texts: Mapping[str, bytes], pulse: Pulse) -> VerbResult:
        """Do it, with the `texts` that were decided. Raises `MemError`."""


class ImportJob:
    """Another agent's memory into ours."""

    roots: frozenset[str] = frozenset()

    def __init__(self, session: Session, name: str, path: str, choice: Choice | None = None) -> None:
        self.session = session
        self.name = name
        self.path = path
        self.choice = choice
        self.wishes = Wishes()
        self.planned: ImportPlan | None = None

    @property
    def title(self) -> str:
        """What it is, for a title."""
        return f"Import from {formats.title_of(self.name)}"

    @property
    def items(self) -> tuple[PlannedItem, ...]:
        """What was found."""
        return self.planned.items if self.planned is not None else ()

    def plan(self, pulse: Pulse) -> Sheet:
        """Every item; what was read once is not read again."""
        wishes = self.wishes
        found = importing.plan(
            self.session,
            formats.of_agent(self.name),
            self.path,
            into=wishes.into,
            choice=self.choice,
            policy=wishes.policy,
            ticks=wishes.ticks,
            targets=wishes.targets,
            edits=wishes.edits,
            incoming=self.planned.incoming if self.planned is not None else None,
            cancelled=pulse,
        )
        if not pulse.is_stopped:
            self.planned = found
        rows = format.import_rows(found.items, self.session, ticks=_TAKEN_IN)
        lost = f", {counted(found.lost, 'line')} more lost" if found.lost > 0 else ""
        total = f"{taken(rows)} · prompt {found.grows:+d} bytes{lost} · on conflict {wishes.policy}"
        lost = f"{format.losses(found.losses, out=False)} {importing.of_the_rest(found.items)}".rstrip()
        return Sheet(rows, total, lost, len(found.changes))

    def words(self, number: int) -> list[str]:
        """Where an item goes, and why."""
        return format.import_words(self.items[number], self.wishes.policy)

    def sides(self, number: int) -> Sides:
        """Our file with all that goes into it; of an item that goes nowhere, its text."""
        item = self.items[number]
        change = self.planned.changes.get(item.ref.path) if self.planned is not None else None
        if change is None or not item.ticked:
            return Sides(
                f"{format.folder_name(item.incoming.source)}: not taken", b"", item.incoming.text.encode("utf-8", "replace")
            )
        return Sides(f"{format.folder_name(item.ref.path)}, as it would be", *change)

    def conflicts(self) -> dict[str, Conflicts]:
        """Notes that say other things here and there, where they are merged."""
        return {} if self.planned is None else import_conflicts.of_import(self.planned, self.wishes.policy)

    def apply(self, texts: Mapping[str, bytes], pulse: Pulse) -> VerbResult:
        """File after file, until it is told to stop."""
        assert self.planned is not None
        return importing.apply(self.session, import_conflicts.decided(self.planned, texts), cancelled=pulse)


class BundleJob:
    """A bundle into our store, all or none of what is ticked."""

    roots: frozenset[str] = frozenset()

    def __init__(self, session: Session, path: str) -> None:
        self.session = session
        self.path = path
        self.wishes = Wishes()
        self._planned: BundlePlan | None = None

    @property
    def title(self) -> str:
        """What it is, for a title."""
        return f"Import of {format.folder_name(os.path.basename(self.path))}"

    def _wanted(self) -> BundlePlan:
        assert self._planned is not None
        return self._planned._replace(files=self._ticked(self._planned))

    def _ticked(self, found: BundlePlan) -> tuple[PlannedFile, ...]:
        without = self.wishes.left_out()
        return tuple(each._replace(ticked=each.ticked and each.source not in without) for each in found.files)

    def plan(self, pulse: Pulse) -> Sheet:
        """Every file of it; all of it is checked."""
        found = bundles.plan(self.session, self.path, into=self.wishes.into, policy=self.wishes.policy)
        if not pulse.is_stopped:
            self._planned = found
        rows = format.bundle_rows(found.files, self.wishes.left_out(), self.wishes.policy)
        total = f"{taken(rows, 'file')} · on conflict {self.wishes.policy}"
        wanted = found._replace(files=self._ticked(found))
        return Sheet(rows, total, f"{found.note} {wanted.rest}".lstrip(" "), sum(row.ticked for row in rows))

    def words(self, number: int) -> list[str]:
        """Where a file goes, and why."""
        each = self._wanted().files[number]
        return format.file_words(each, ticked=each.ticked)

    def sides(self, number: int) -> Sides:
        """What stands there and what would."""
        wanted = self._wanted()
        name = wanted.files[number].source
        return Sides(f"{format.folder_name(name)} in the bundle", *bundles.texts(self.session, wanted, name))

    def conflicts(self) -> dict[str, Conflicts]:
        """Files that say other things here and there, where they are merged."""
        return import_conflicts.of_bundle(self.session, self._wanted())

    def apply(self, texts: Mapping[str, bytes], pulse: Pulse) -> VerbResult:
        """All of it, or nothing."""
        return bundles.apply(self.session, self._wanted(), texts)


def taken(rows: list[TransferRow], noun: str = "item") -> str:
    """How many of all are ticked."""
    return f"{sum(row.ticked for row in rows)} of {counted(len(rows), noun)}"
