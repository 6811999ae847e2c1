"""One transfer on the screen: its plan, made anew with what the person changed, in words; and doing it.

What is planned and done is asked of `service`; every method here but the short ones is slow, for a thread.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, NamedTuple

from zsmem_tui.core.notice import reasons
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import applying, bundles, exporting, formats, importing, transferring
from zsmem_tui.service.import_reading import Choice
from zsmem_tui.service.plan import Fate, Handling, Plan, Policy
from zsmem_tui.service.session import Session
from zsmem_tui.service.transferring import Goal
from zsmem_tui.ui.plans import asks
from zsmem_tui.ui.transfer import wording as format
from zsmem_tui.ui.transfer.wording import BACK, IN, OUT, PACK, UNPACK, Way
from zsmem_tui.ui.wording import folder_name


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


class Sides(NamedTuple):
    """The file that a row lands in: what it is called, and its bytes before (None: no file) and after (None: it goes)."""

    name: str
    before: bytes | None
    after: bytes | None


_TAKES: Final = {
    IN: ("ticks", "targets", "edits", "into", "policy", "again", "cancelled"),
    UNPACK: ("into", "policy", "without"),
    PACK: ("without", "secrets", "again", "cancelled"),
    OUT: ("without", "secrets", "again", "cancelled"),
    BACK: ("without",),
}
"""What the verb of each way is told of what the person changed, beside what it is about."""


class Job:
    """A transfer, from its plan to its end. `format` is that of the other side; one that passes by has no part in our memory."""

    def __init__(
        self, session: Session, title: str, way: Way, plan: Callable[..., Plan], format: str = "", *, passes_by: bool = False
    ) -> None:
        self.session = session
        self.title = title
        self.way = way
        self.passes_by = passes_by
        self.wishes = Wishes()
        self.planned = Plan("", "")
        self._plan: Callable[..., Plan] = plan
        self._is_made = False
        self._agent = formats.title_of(format) if format else ""

    @property
    def roots(self) -> frozenset[str]:
        """The roots of the stores that it writes to."""
        return frozenset(each.root for each in self.planned.sessions)

    def plan(self, pulse: Pulse) -> Plan:
        """Plan it, again with what the person changed; what was read once is not read again. Raises `MemError`."""
        again = self.planned if self._is_made else None
        known = {**vars(self.wishes), "without": self.wishes.left_out(), "again": again, "cancelled": pulse}
        found = self._plan(**{name: known[name] for name in _TAKES[self.way]})
        if not pulse.is_stopped:
            self.planned, self._is_made = found, True
        return found

    def total(self) -> str:
        """What all of it would do."""
        rows, grows, lost = self.planned.rows, self.planned.grows, self.planned.lost
        said = [f"{sum(row.ticked for row in rows)} of {counted(len(rows), self.way.noun)}"]
        if self.way is IN:
            more = f", {counted(lost, 'line')} more lost" if lost > 0 else ""
            said.append(f"prompt {grows or 0:+d} {self.planned.unit}{more}")
        elif grows is not None:
            said.append(f"{grows:+d} bytes on every turn")
        if self.way.is_in:
            said.append(f"on conflict {self.wishes.policy}")
        return " · ".join(said) + (" of the whole store" if self.way is PACK else "")

    def losses(self) -> str:
        """What does not survive, and what is asked before anything is done."""
        plan = self.planned
        lost = [plan.rest, format.losses(plan.losses, out=not self.way.is_in)]
        said = [asks(plan.gate), *plan.notes, *(reversed(lost) if self.way is IN else lost), *plan.left]
        return " ".join(filter(None, map(visible_line, said)))

    def words(self, number: int) -> list[str]:
        """What becomes of a row and why, in full sentences."""
        row, plan = self.planned.rows[number], self.planned
        words = format.row_words(row, self.way, self._agent, self.wishes.policy, format.left_of(row, plan.left_lines))
        shown = printable_path(row.source)
        secrets = [f"Line {each.line} {reasons([each])}." for each in plan.gate.found if each.place == shown]
        return [*words, *(secrets if row.ticked else ())]

    def sides(self, number: int) -> Sides:
        """The file that a row lands in; of one that goes nowhere, its text. Raises `MemError`."""
        row = self.planned.rows[number]
        edit = self.planned.of_row(row)
        source, place = (folder_name(each) for each in (row.source, row.ref.path if self.way.is_in else row.place))
        if self.way.is_file:
            where = "in the bundle" if self.way is UNPACK else "as it goes into the bundle"
            return Sides(f"{source}{' ' if self.way is UNPACK else ', '}{where}", edit and edit.before, edit.after if edit else b"")
        if edit is None or not row.ticked:
            name = place if self.way is BACK else source
            return Sides(f"{name}: {self.way.stays.removeprefix('is ')}", b"", row.text.encode("utf-8", "replace"))
        return Sides(f"{place}, as it would be", edit.before, edit.after)

    def apply(self, texts: dict[str, bytes], pulse: Pulse) -> VerbResult:
        """All of it, or nothing, with the `texts` that were decided. Raises `MemError`."""
        done = applying.apply(replace(self.planned, decided=texts), cancelled=pulse)
        verb, where = self.way.ends
        if not verb or not done.changed:
            return done
        rows, places = self.planned.rows, [edit.place for edit in self.planned.changes]
        folder = folder_name(os.path.commonpath([os.path.dirname(place) for place in places]))
        items, where = counted(sum(row.ticked for row in rows), "item"), where.format(title=self._agent)
        message = f"{verb} {items} {where}: {counted(len(places), 'file')} in {folder}."
        if self.way is BACK and (stay := sum(row.fate is Fate.SKIPPED for row in rows)):
            message += f" {counted(stay, 'item')} stayed: somebody changed what stood there, or took it away."
        return replace(done, message=message, warning=False)


def bring_in(session: Session, name: str, path: str, choice: Choice | None = None) -> Job:
    """Another agent's memory into ours."""
    plan = partial(importing.plan, session, formats.of_agent(name), path, choice=choice)
    return Job(session, f"Import from {formats.title_of(name)}", IN, plan, name)


def unpack(session: Session, path: str) -> Job:
    """A bundle into our store."""
    title = f"Import of {folder_name(os.path.basename(path))}"
    return Job(session, title, UNPACK, partial(bundles.plan, session, path))


def pack(session: Session, path: str) -> Job:
    """Our store into a bundle."""
    return Job(session, f"Bundle {folder_name(path)}", PACK, partial(bundles.plan_out, session, path))


def take_to(session: Session, goal: Goal) -> Job:
    """Our memory into another agent's."""
    plan = partial(exporting.plan_removal, session, goal.format, goal.path, group=goal.group, user=goal.user)
    return Job(session, f"Export to {formats.title_of(goal.format.name)}", OUT, plan, goal.format.name)


def carry(session: Session, name: str, path: str, goal: Goal) -> Job:
    """One agent's memory into another's at once."""
    title = f"{formats.title_of(name)} to {formats.title_of(goal.format.name)}"
    plan = partial(transferring.plan, session, formats.of_agent(name), path, goal)
    return Job(session, title, OUT, plan, goal.format.name, passes_by=True)


def take_back(session: Session, goal: Goal) -> Job:
    """What was exported to another agent out of its memory again."""
    plan = partial(exporting.plan_removal, session, goal.format, goal.path, group=goal.group, user=goal.user)
    return Job(session, f"Take out of {formats.title_of(goal.format.name)} again", BACK, plan, goal.format.name)
