"""Other memories in, this one out: what is there, what each item would become, and the very file it would land in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from textual import on, work
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from zsmem_tui.core.checks.redact import redacted
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.text import counted
from zsmem_tui.service import formats, import_sources
from zsmem_tui.service.plan import Policy
from zsmem_tui.ui.flows import transferring
from zsmem_tui.ui.flows.asking import show_page
from zsmem_tui.ui.flows.transfer_jobs import Job, Pulse
from zsmem_tui.ui.format import transfer as format_transfer
from zsmem_tui.ui.format.transfer import Source
from zsmem_tui.ui.host import Host
from zsmem_tui.ui.screens.tool import ToolScreen
from zsmem_tui.ui.screens.transfer_rows import LandingView, Progress, Reasons, TransferList, TransferRows
from zsmem_tui.ui.widgets.filter_line import FilterLine
from zsmem_tui.ui.widgets.row_list import RowList


class TransferScreen(ToolScreen):
    """Left what can be brought in and taken out, then the plan of one; right why, and the diff of the file it lands in."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"transfer": "transfer", "landing": "landing"}
    PAGE = "transfer"

    def __init__(self, host: Host, group: str) -> None:
        """Import and export of a group of the store in use."""
        super().__init__(host)
        self.session = host.main.session.for_group(group)
        self.job: Job | None = None
        self.rows = TransferRows(self)
        self.progress = Progress(self)
        self.is_stale = False
        self._about: Source | None = None

    def compose_body(self) -> Iterable[Widget]:
        """Two panes."""
        with Vertical(classes="pane tool-list", id="transfer-list") as left:
            left.border_title = Content("Import and export")
            yield FilterLine("words of an item", id="transfer-filter", rows="transfer")
            yield TransferList(self.rows.draw, id="transfer")
        with Vertical(classes="pane tool-side", id="transfer-side") as right:
            right.border_title = Content("What it is")
            yield Reasons("L in full", id="reasons")
            view = LandingView(id="landing")
            view.display = False
            yield view

    @property
    def source(self) -> Source | None:
        """What the cursor is on among the sources; once there is a plan, what that is about."""
        return self._about if self.job is not None else self.rows.source

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """What is on this machine; or the plan, anew."""
        if self.job is not None:
            await self.start(self.job)
            return
        self.rows.looking()
        try:
            found = await self.asking(import_sources.detect, self.session)
        except MemError:
            found = []
        there = [format_transfer.detected(each, formats.title_of(each.format)) for each in found]
        self.rows.found([*there, *format_transfer.ways({each.format for each in found})])
        if self.job is None:
            self.rows.show_sources()

    async def start(self, job: Job) -> None:
        """Plan something, and show it."""
        is_new = job is not self.job
        about = self.source
        pulse = Pulse()
        self.progress.begin(job.title, pulse)
        self.is_stale = False
        try:
            plan = await self.asking(job.plan, pulse)
        except MemError:
            if self.job is not None:
                self.leave_plan()
            raise  # told where every refusal is
        finally:
            was_told = self.progress.end(pulse)
        self.job, self._about, self.rows.plan = job, about, plan
        self.query_one(LandingView).display = True
        self.rows.show_plan(job, is_new=is_new)
        if is_new or was_told:
            would = f"{counted(plan.files, 'file')} would change" if plan.files else "No file would change"
            self.say(f"{would}: nothing is written before A. {job.losses()}")

    def plan_anew(self) -> None:
        """Plan again: the person has changed something."""
        self.is_stale = True
        self.load()

    def leave_plan(self) -> None:
        """Back to the sources, the cursor where the plan came from."""
        about, self.job, self._about = self._about, None, None
        self.query_one(FilterLine).close()
        view = self.query_one(LandingView)
        view.compare(b"", b"")
        if self.focused is view:
            self.widget_of().focus()
        view.display = False
        self.rows.show_sources(about)
        self.load()

    def back(self) -> None:
        """Stops what is under way; from the diff to the list, to the sources, away."""
        if self.progress.stop() or self.query_one(FilterLine).close():
            return
        if self.focused is self.widget_of() and self.job is not None:
            self.leave_plan()
        else:
            super().back()

    def action_tick(self, which: Literal["one", "all"] = "one") -> None:
        """Take it, or leave it; or all that are shown and can be taken, or none of them."""
        number = self.rows.number
        if self.job is None or number is None:
            self.say(transferring.CHOOSE_FIRST if self.job is None else "Nothing selected.", warning=True)
            return
        ticks = self.rows.ticks(every=which == "all")
        if not ticks:
            self.say(f"This cannot be taken. {self.job.words(number)[0]}", warning=True)
            return
        self.job.wishes.ticks = {**self.job.wishes.ticks, **ticks}
        if which == "one":
            self.rows.widget.action_move(1)
        self.plan_anew()

    def action_cycle(self, which: Literal["fate", "policy"]) -> None:
        """Show only what has the next fate; or what becomes of a name that another text has."""
        job = self.job
        if job is None:
            self.say(transferring.CHOOSE_FIRST, warning=True)
        elif which == "fate":
            self.rows.next_fate()
            self.rows.show_plan(job)
        elif job.way.is_in:
            every = list(Policy)
            job.wishes.policy = every[(every.index(job.wishes.policy) + 1) % len(every)]
            self.plan_anew()
        else:
            self.say("What stands there already is never written over: there is nothing to choose.", warning=True)

    def action_read(self, how: Literal["filter", "full"]) -> None:
        """Type words that items must have; or all that is said of the row, as a page."""
        if how == "full":
            show_page(self.app, "Import and export", "\n\n".join(self.rows.told(self.job)))
        elif self.job is None:
            self.say(transferring.CHOOSE_FIRST, warning=True)
        else:
            self.query_one(FilterLine).begin()

    @on(Input.Changed, "#transfer-filter")
    def _filtered(self) -> None:
        if self.job is not None:
            self.rows.show_plan(self.job)

    def action_talk(self, about: Literal["edit", "target", "project", "apply", "to", "remove"]) -> None:
        """Other words for an item, another file, another project for all; another agent; do it, or take it out again."""
        flows = {
            "edit": transferring.edit,
            "target": transferring.retarget,
            "project": transferring.project,
            "apply": transferring.apply,
            "to": transferring.to_agent,
            "remove": transferring.take_out,
        }
        self.host.talk(flows[about](self), self)

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        kind, which = event.key
        if kind == "source":
            self.host.talk(transferring.begin(self, self.rows.source_of(which)), self)
        else:
            self.query_one(LandingView).focus()

    @on(RowList.Moved)
    @work(exclusive=True, group="compare")
    async def _compare(self) -> None:
        job, number, view = self.job, self.rows.number, self.query_one(LandingView)
        told = self.rows.told(job)
        if job is None or number is None:
            self.rows.tell("What it is", told)
            return
        try:
            sides = await self.asking(job.sides, number)
            shown = await self.asking(redacted, sides.before, sides.after)
        except MemError:
            self.rows.tell("What would be written", told)
            view.compare(b"", b"")
            raise  # told where every refusal is
        if self.job is job:
            self.rows.tell(sides.name, told)
            view.compare(*shown)
