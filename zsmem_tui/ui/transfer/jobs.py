"""One transfer on the screen: its plan, made anew with what the person changes, in words; and doing it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.checks.redact import redacted
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.notice import reasons
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, printable_path, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import applying, bundles, exporting, formats, importing, transferring
from zsmem_tui.service.import_reading import Choice
from zsmem_tui.service.plan import Fate, Plan, Policy, Row
from zsmem_tui.service.session import Session
from zsmem_tui.service.tasks import every_project
from zsmem_tui.service.transferring import Goal
from zsmem_tui.ui.dialogs.ask import ask_line, choose
from zsmem_tui.ui.plans import Draft, Pulse, Sides, sides_of
from zsmem_tui.ui.tool import after
from zsmem_tui.ui.transfer import rows
from zsmem_tui.ui.transfer.rows import BACK, IN, OUT, PACK, UNPACK, Way
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import folder_name

if TYPE_CHECKING:
    from zsmem_tui.ui.dialogs.plan import PlanDialog

_TAKES: Final = {
    IN: ("ticks", "targets", "edits", "into", "policy", "again", "cancelled"),
    UNPACK: ("into", "policy", "without"),
    PACK: ("without", "secrets", "again", "cancelled"),
    OUT: ("without", "secrets", "again", "cancelled"),
    BACK: ("without",),
}
"""What the verb of each way is told of what the person changed, beside what it is about."""


_CHANGES: Final = frozenset({"plan.tick", "plan.all", "plan.fate"})
"""What can be changed of every transfer."""

_OTHER: Final = "note"
"""The answer for a note under a name that the person gives."""


class Job(Draft):
    """A transfer, from its plan to its end. `format` is that of the other side."""

    nothing = "There is nothing in it."

    def __init__(self, session: Session, title: str, way: Way, plan: Callable[..., Plan], format: str = "") -> None:
        super().__init__(title, plan)
        self.session = session
        self.way = way
        self.targets: dict[str, str] = {}
        self.edits: dict[str, str] = {}
        self.into = ""
        self.policy = Policy.SKIP
        self.changes = _CHANGES
        if way.is_in:
            self.changes |= {"plan.regroup", "plan.policy"}
        if way is IN:
            self.changes |= {"plan.retarget", "plan.reword"}
        self._again: Plan | None = None
        self._agent = formats.title_of(format) if format else ""

    def make(self, pulse: Pulse) -> Plan:
        """Plan it, again with what the person changed; what was read once is not read again. Raises `MemError`."""
        known = {**vars(self), "without": self.left_out, "again": self._again, "cancelled": pulse}
        return self._plan(**{name: known[name] for name in _TAKES[self.way]})

    def take(self, plan: Plan) -> None:
        """This is the plan: a row for each thing, and none for the files that they land in."""
        self.plan = self._again = plan
        self.items = plan.rows

    @property
    def roots(self) -> frozenset[str]:
        """The roots of the stores that it writes to."""
        return frozenset(each.root for each in self.plan.sessions)

    @property
    def head(self) -> str:
        """What all of it would do, and what is asked before."""
        plan, every = self.plan, self.plan.rows
        said = [f"{sum(row.ticked for row in every)} of {counted(len(every), self.way.noun)}"]
        if self.way is IN:
            more = f", {counted(plan.lost, 'line')} more lost" if plan.lost > 0 else ""
            said.append(f"prompt {plan.grows or 0:+d} {plan.unit}{more}")
        elif plan.grows is not None:
            said.append(f"{plan.grows:+d} bytes on every turn")
        if self.way.is_in:
            said.append(f"on conflict {self.policy}")
        of = " of the whole store" if self.way is PACK else ""
        would = f"{counted(plan.files, 'file')} would change" if plan.files else "no file would change"
        return "\n".join(filter(None, (f"{' · '.join(said)}{of} · {would}", super().head)))

    @property
    def notes(self) -> str:
        """What does not survive."""
        plan = self.plan
        lost = [plan.rest, rows.losses(plan.losses, out=not self.way.is_in)]
        said = [*plan.notes, *(reversed(lost) if self.way is IN else lost), *plan.left]
        return " ".join(filter(None, map(visible_line, said)))

    def draw_row(self, row: Row) -> ListRow:
        """A thing that comes in, or goes out."""
        return rows.item_row(row, self.way, self.session)

    def row_words(self, row: Row) -> list[str]:
        """What becomes of a row and why, in full sentences."""
        plan = self.plan
        words = rows.row_words(row, self.way, self._agent, self.policy, rows.left_of(row, plan.left_lines))
        shown = printable_path(row.source)
        secrets = [f"Line {each.line} {reasons([each])}." for each in plan.gate.found if each.place == shown]
        return [*words, *(secrets if row.ticked else ())]

    def row_sides(self, row: Row) -> Sides:
        """The file that a row lands in; of one that goes nowhere, its text. Raises `MemError`."""
        edit = self.plan.of_row(row)
        source, place = (folder_name(each) for each in (row.source, row.ref.path if self.way.is_in else row.place))
        if self.way.is_file:
            where = "in the bundle" if self.way is UNPACK else "as it goes into the bundle"
            name = f"{source}{' ' if self.way is UNPACK else ', '}{where}"
            return Sides(name, *redacted(edit and edit.before, edit.after if edit else b""))
        if edit is None or not row.ticked:
            name = place if self.way is BACK else source
            return Sides(f"{name}: {self.way.stays.removeprefix('is ')}", *redacted(b"", row.text.encode("utf-8", "replace")))
        return sides_of(f"{place}, as it would be", edit)

    async def reword(self, dialog: PlanDialog, number: int) -> bool:
        """Other words for an item."""
        item = self.plan.rows[number]
        if "\n" in item.text.strip("\n"):
            dialog.warn("It has several lines: take it, then edit the file.")
            return False
        answer = await ask_line(dialog.place, "Edit", "The words to take:", item.text.strip("\n"), mend=True)
        if not answer or not trim(answer):
            return False
        self.edits[item.key] = answer + ("\n" if item.text.endswith("\n") else "")
        return True

    async def retarget(self, dialog: PlanDialog, number: int) -> bool:
        """Another file for an item."""
        item = self.plan.rows[number]
        mem = self.session.mem(self.into or self.session.project)
        targets = [mem.ref(Role.FACTS), mem.ref(Role.CHECKLIST), mem.ref(Role.LOG)]
        answers = [(ref.path, visible_line(printable_path(ref.path))) for ref in targets]
        answers.append((_OTHER, "A note, under a name that you give"))
        answer = await choose(dialog.place, "To another file", "Take it into:", answers)
        if answer == _OTHER:
            name = trim(await ask_line(dialog.place, "Note", "The name of the note:", item.ref.name) or "")
            file = name.replace("/", "-").replace(".", "-")
            answer = self.session.place_of(Role.NOTE, mem.project, file).path if name else None
        if not answer or not find_ref(self.session.layout, answer):
            return False
        self.targets[item.key] = answer
        return True

    async def regroup(self, dialog: PlanDialog) -> bool:
        """The project that everything goes into."""
        slugs = await asyncio.to_thread(every_project, self.session)
        own = dict.fromkeys([self.session.project, *slugs])
        answers = [(slug, visible_line(self.session.group_name(slug))) for slug in own]
        answer = await choose(dialog.place, "Into", "Everything goes into:", answers)
        self.into = answer or self.into
        return answer is not None

    def turn_policy(self) -> None:
        """What becomes of a name that another text has."""
        self.policy = after(self.policy, list(Policy))

    def apply(self, texts: dict[str, bytes], pulse: Pulse) -> VerbResult:
        """All of it, or nothing, with the `texts` that were decided. Raises `MemError`."""
        done = applying.apply(replace(self.plan, decided=texts), cancelled=pulse)
        verb, where = self.way.ends
        if not verb or not done.changed:
            return done
        every, places = self.plan.rows, [edit.place for edit in self.plan.changes]
        folder = folder_name(os.path.commonpath([os.path.dirname(place) for place in places]))
        items, where = counted(sum(row.ticked for row in every), "item"), where.format(title=self._agent)
        message = f"{verb} {items} {where}: {counted(len(places), 'file')} in {folder}."
        if self.way is BACK and (stay := sum(row.fate is Fate.SKIPPED for row in every)):
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
    plan = partial(exporting.plan, session, goal.format, goal.path, group=goal.group, user=goal.user)
    return Job(session, f"Export to {formats.title_of(goal.format.name)}", OUT, plan, goal.format.name)


def carry(session: Session, name: str, path: str, goal: Goal) -> Job:
    """One agent's memory into another's at once."""
    title = f"{formats.title_of(name)} to {formats.title_of(goal.format.name)}"
    plan = partial(transferring.plan, session, formats.of_agent(name), path, goal)
    return Job(session, title, OUT, plan, goal.format.name)


def take_back(session: Session, goal: Goal) -> Job:
    """What was exported to another agent out of its memory again."""
    plan = partial(exporting.plan_removal, session, goal.format, goal.path, group=goal.group, user=goal.user)
    return Job(session, f"Take out of {formats.title_of(goal.format.name)} again", BACK, plan, goal.format.name)
