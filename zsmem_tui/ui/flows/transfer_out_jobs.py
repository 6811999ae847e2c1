"""Transfers on the way out: to another agent, from one agent to another, into a bundle, and what was taken out back again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from zsmem_tui.core.conflict import Conflicts
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.core.wording import reasons
from zsmem_tui.service import browsing, bundles, export_removal, exporting, formats, import_reading, transferring
from zsmem_tui.service.export_removal import RemovalPlan
from zsmem_tui.service.exporting import ExportPlan, ExportResult
from zsmem_tui.service.import_reading import Incoming
from zsmem_tui.service.plan import Fate, Gate
from zsmem_tui.service.session import Session
from zsmem_tui.service.transferring import Goal
from zsmem_tui.ui.flows.gating import asks
from zsmem_tui.ui.flows.transfer_jobs import Pulse, Sheet, Sides, Wishes, taken
from zsmem_tui.ui.format import transfer as format
from zsmem_tui.ui.format.transfer import TransferRow

_WHOLE: Final = "Nothing is lost: every file goes along."


class PackJob:
    """Our store into a bundle."""

    roots: frozenset[str] = frozenset()

    def __init__(self, session: Session, path: str) -> None:
        self.session = session
        self.path = path
        self.wishes = Wishes()
        self._paths: list[str] = []
        self._secrets: Gate | None = None

    @property
    def title(self) -> str:
        """What it is, for a title."""
        return f"Bundle {format.folder_name(self.path)}"

    @property
    def gate(self) -> Gate:
        """The credentials in the files that go into it; they are looked for once, and again when it is written."""
        without = self.wishes.left_out()
        found = self._secrets.found if self._secrets is not None else ()
        return Gate(self.wishes.secrets, tuple(each for each in found if each.place not in without))

    def plan(self, pulse: Pulse) -> Sheet:
        """Every file of the store."""
        self._paths = bundles.paths_out(self.session)
        if self._secrets is None:
            self._secrets = bundles.gate(self.session, self._paths, cancelled=pulse)
        without = self.wishes.left_out()
        place = format.folder_name(os.path.basename(self.path))
        rows = [
            TransferRow(path, Fate.ADD, path not in without, True, format.folder_name(path), place, path, path)
            for path in self._paths
        ]
        total = f"{taken(rows, 'file')} of the whole store"
        left = visible_line(bundles.left_said(bundles.left_out(self.session, without=sorted(without))))
        said = " ".join(filter(None, (asks(self.gate), left))) or _WHOLE
        return Sheet(rows, total, said, sum(each.ticked for each in rows))

    def words(self, number: int) -> list[str]:
        """That a file goes into it."""
        path = self._paths[number]
        left = "stays out: you left it out. space takes it" if path in self.wishes.left_out() else "goes in as it stands"
        return [f"It {left}.", format.folder_name(path), *_secrets_of(self.gate, path)]

    def sides(self, number: int) -> Sides:
        """The file that goes into it."""
        path = self._paths[number]
        file = browsing.open_file(self.session, self.session.ref_at(path))
        return Sides(f"{format.folder_name(path)}, as it goes into the bundle", b"", file.raw)

    def conflicts(self) -> dict[str, Conflicts]:
        """Nothing has to be decided."""
        return {}

    def apply(self, texts: Mapping[str, bytes], pulse: Pulse) -> VerbResult:
        """Write it."""
        return bundles.export_to(self.session, self.path, without=self.wishes.left_out(), secrets=self.wishes.secrets)


class ExportJob:
    """Our memory into another agent's."""

    def __init__(self, session: Session, goal: Goal) -> None:
        self.session = session
        self.goal = goal
        self.wishes = Wishes()
        self._planned: ExportPlan | None = None

    @property
    def gate(self) -> Gate:
        """The credentials that would go out."""
        return self._planned.gate if self._planned is not None else Gate()

    @property
    def target(self) -> str:
        """What people call the other agent."""
        return formats.title_of(self.goal.format.name)

    @property
    def title(self) -> str:
        """What it is, for a title."""
        return f"Export to {self.target}"

    @property
    def roots(self) -> frozenset[str]:
        """The other agent's stores."""
        return frozenset(self._planned.roots) if self._planned is not None else frozenset()

    def plan(self, pulse: Pulse) -> Sheet:
        """Everything of ours; what was read once is not read again."""
        found = self._plan_of(self._planned, pulse)
        if not pulse.is_stopped:
            self._planned = found
        rows = format.export_rows(found.items)
        growth = "" if found.grows is None else f" · {found.grows:+d} bytes on every turn"
        lost = [*filter(None, (asks(found.gate), found.rest, format.losses(found.losses, out=True))), *found.left]
        return Sheet(rows, f"{taken(rows)}{growth}", " ".join(lost), len(found.changes))

    def _plan_of(self, before: ExportPlan | None, pulse: Pulse) -> ExportPlan:
        goal = self.goal
        without = self.wishes.left_out()
        return exporting.plan(
            self.session,
            goal.format,
            goal.path,
            group=goal.group,
            user=goal.user,
            without=without,
            secrets=self.wishes.secrets,
            again=before,
            cancelled=pulse,
        )

    def words(self, number: int) -> list[str]:
        """Where a thing goes, why, what is lost, what it costs."""
        assert self._planned is not None
        item = self._planned.items[number]
        words = format.export_words(item, self.target)
        words[1:1] = format.left_of(item, self._planned.lines)
        return [*words, *_secrets_of(self.gate, item.source)] if item.ticked else words

    def sides(self, number: int) -> Sides:
        """The other agent's file."""
        assert self._planned is not None
        item = self._planned.items[number]
        change = next((each for each in self._planned.changes if each.place == item.place), None)
        if change is None or not item.ticked:
            return Sides(f"{format.folder_name(item.source)}: does not go out", b"", item.text.encode("utf-8", "replace"))
        return Sides(f"{format.folder_name(change.place)}, as it would be", change.before, change.after)

    def conflicts(self) -> dict[str, Conflicts]:
        """Nothing that stands there is written over, so there is nothing to decide."""
        return {}

    def apply(self, texts: Mapping[str, bytes], pulse: Pulse) -> VerbResult:
        """All of it, or nothing."""
        assert self._planned is not None
        done = exporting.apply(self.session, self._planned)
        return _said(done, "Exported", f"to {self.target}")


class TransferJob(ExportJob):
    """One agent's memory into another's at once."""

    def __init__(self, session: Session, name: str, path: str, goal: Goal) -> None:
        super().__init__(session, goal)
        self._name = name
        self._path = path
        self._incoming: Incoming | None = None

    @property
    def title(self) -> str:
        """What it is, for a title."""
        return f"{formats.title_of(self._name)} to {self.target}"

    def _plan_of(self, before: ExportPlan | None, pulse: Pulse) -> ExportPlan:
        source = formats.of_agent(self._name)
        if self._incoming is None:
            self._incoming = import_reading.read(self.session, source, self._path, cancelled=pulse)
        without = self.wishes.left_out()
        return transferring.plan(
            self.session,
            source,
            self._path,
            self.goal,
            incoming=self._incoming,
            without=without,
            secrets=self.wishes.secrets,
            cancelled=pulse,
        )


class RemovalJob:
    """What was exported to another agent out of its memory again."""

    def __init__(self, session: Session, goal: Goal) -> None:
        self.session = session
        self.goal = goal
        self.wishes = Wishes()
        self._planned: RemovalPlan | None = None

    @property
    def title(self) -> str:
        """What it is, for a title."""
        return f"Take out of {formats.title_of(self.goal.format.name)} again"

    @property
    def roots(self) -> frozenset[str]:
        """The other agent's stores."""
        return frozenset(each.session.root for each in self._planned.changes) if self._planned is not None else frozenset()

    def plan(self, pulse: Pulse) -> Sheet:
        """Everything that was exported, as far as it still stands there."""
        goal = self.goal
        found = export_removal.plan(
            self.session, goal.format, goal.path, group=goal.group, user=goal.user, without=self.wishes.left_out()
        )
        if not pulse.is_stopped:
            self._planned = found
        rows = format.export_rows(found.items)
        words = "What somebody changed since it was exported stays." if rows else ""
        return Sheet(rows, taken(rows), words, len(found.changes))

    def words(self, number: int) -> list[str]:
        """Whether a text goes, and why not."""
        assert self._planned is not None
        return format.export_words(self._planned.items[number], "", is_removal=True)

    def sides(self, number: int) -> Sides:
        """The other agent's file."""
        assert self._planned is not None
        item = self._planned.items[number]
        change = next((each for each in self._planned.changes if each.place == item.place), None)
        if change is None or not item.ticked:
            return Sides(f"{format.folder_name(item.place)}: stays", b"", item.text.encode("utf-8", "replace"))
        return Sides(f"{format.folder_name(change.place)}, as it would be", change.before, change.after)

    def conflicts(self) -> dict[str, Conflicts]:
        """Only what stands there as it was written goes, so there is nothing to decide."""
        return {}

    def apply(self, texts: Mapping[str, bytes], pulse: Pulse) -> VerbResult:
        """All of it, or nothing."""
        assert self._planned is not None
        done = export_removal.apply(self.session, self._planned)
        said = _said(done, "Took", f"out of {formats.title_of(self.goal.format.name)} again")
        stay = sum(each.fate is Fate.SKIPPED for each in self._planned.items)
        more = f" {counted(stay, 'item')} stayed: somebody changed what stood there, or took it away." if stay else ""
        return replace(said, message=f"{said.message}{more}")


def _secrets_of(gate: Gate, source: str) -> list[str]:
    """What there is to say of the credentials in a thing that goes out."""
    shown = printable_path(source)
    return [f"Line {each.line} {reasons([each])}." for each in gate.found if each.place == shown]


def _said(done: ExportResult, verb: str, where: str) -> ExportResult:
    """The result in words that say how much it was, and where."""
    if not done.changed:
        return done
    places = [place for place, _ in done.written]
    folder = os.path.commonpath([os.path.dirname(place) for place in places])
    items = counted(sum(each.ticked for each in done.items), "item")
    message = f"{verb} {items} {where}: {counted(len(places), 'file')} in {format.folder_name(folder)}."
    return replace(done, message=message, warning=False)
