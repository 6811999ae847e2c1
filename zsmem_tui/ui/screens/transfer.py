"""Other memories in, this one out: what is there, what each item would become, and the very file it would land in."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, ClassVar, Literal

from textual import on, work
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.fold import fold
from zsmem_tui.core.text import printable_path, words
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import bundles, formats, importing
from zsmem_tui.service.bundles import BundlePlan
from zsmem_tui.service.importing import Fate, ImportPlan, Policy
from zsmem_tui.ui.flows import transferring
from zsmem_tui.ui.flows.transferring import Source
from zsmem_tui.ui.format import transfer as format_transfer
from zsmem_tui.ui.host import Host
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.screens.tool import ToolScreen
from zsmem_tui.ui.widgets.diff_view import DiffView
from zsmem_tui.ui.widgets.filter_line import FilterLine
from zsmem_tui.ui.widgets.row_list import ListRow, RowList


class TransferList(RowList):
    """Sources, then the items of one."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("transfer")]


class LandingView(DiffView):
    """The file that an item would land in."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("landing")]


class TransferScreen(ToolScreen):
    """Left what can be brought in, then its items; right the diff of the file that the item under the cursor would land in."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"transfer": "transfer", "landing": "landing"}
    PAGE = "transfer"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.plan: ImportPlan | None = None
        self.bundle: BundlePlan | None = None
        self.source: Source | None = None
        self.ticks: dict[str, bool] = {}
        self.targets: dict[str, str] = {}
        self.edits: dict[str, str] = {}
        self.into = ""
        self.policy_now = Policy.SKIP
        self._sources: list[Source] = []
        self._stopped = threading.Event()
        self._reading = False

    def compose_body(self) -> Iterable[Widget]:
        """Two panes."""
        with Vertical(classes="pane tool-list") as left:
            left.border_title = Content("Import and export")
            yield FilterLine("words of an item", id="transfer-filter", rows="transfer")
            yield TransferList(self._draw_row, id="transfer")
        with Vertical(classes="pane tool-side") as right:
            right.border_title = Content("What would be written")
            yield LandingView(id="landing")

    @property
    def rows(self) -> TransferList:
        """The list."""
        return self.query_one(TransferList)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """What is on this machine; or the plan, anew."""
        if self.source is not None:
            await self.make_plan()
            return
        self.rows.nothing = "Looking for other memories …"
        try:
            found = await self.asking(importing.detect, self.session)
        except MemError:
            found = []
        self._sources = [
            *(
                Source(each.format, each.path, f"{each.format} · {each.problem or f'{each.items} items, {each.new} new'}")
                for each in found
            ),
            *(
                Source(each.name, "", f"{each.name} · {each.source}")
                for each in formats.every()
                if each.name not in [other.format for other in found]
            ),
            *(
                Source(each.name, "", f"{each.name} · {each.out}", out=True)
                for each in sorted(formats.every(), key=lambda each: not each.one_file)
            ),
        ]
        cut = next(number for number, each in enumerate(self._sources) if each.out)
        keys: list[Any] = [("head", "Bring in"), *(("source", number) for number in range(cut))]
        self.rows.show([*keys, ("head", "Take out"), *(("source", number) for number in range(cut, len(self._sources)))])

    async def make_plan(self) -> None:
        """Plan what was chosen, with what the person changed so far."""
        source = self.source
        if source is None:
            return
        self.say(f"Reading {source.format} … esc stops.")
        self._stopped.clear()
        self._reading = True
        try:
            if source.format == formats.BUNDLE:
                self.bundle = await self.asking(
                    lambda: bundles.plan(self.session, source.path, into=self.into, policy=self.policy_now)
                )
            else:
                self.plan = await self.asking(
                    lambda: importing.plan(
                        self.session,
                        formats.of_agent(source.format),
                        source.path,
                        into=self.into,
                        policy=self.policy_now,
                        ticks=self.ticks,
                        targets=self.targets,
                        edits=self.edits,
                        incoming=self.plan.incoming if self.plan is not None else None,
                        cancelled=self._stopped.is_set,
                    )
                )
        except MemError:
            self.leave_plan()
            raise  # told where every refusal is
        finally:
            self._reading = False
        self.show_plan()

    @on(Input.Changed, "#transfer-filter")
    def show_plan(self) -> None:
        """The items of the plan that the filter lets through."""
        needles = [fold(word.encode("utf-8", "replace")) for word in words(self.query_one(FilterLine).words)]
        pane = self.query_one(".tool-list")
        if self.bundle is not None:
            every = [(each.source, each.source) for each in self.bundle.files]
            taken = sum(each.ticked for each in self.bundle.files)
            pane.border_subtitle = Content(f"{taken} of {len(every)} files would be written · on conflict {self.policy_now}")
            self.say("All of it was checked. Nothing is written before A.")
        elif self.plan is not None:
            every = [(item.key, f"{item.incoming.source} {item.incoming.text}") for item in self.plan.items]
            taken = sum(item.ticked for item in self.plan.items)
            lost = f", {self.plan.lost} more lines lost" if self.plan.lost > 0 else ""
            total = f"{taken} of {len(every)} · prompt {self.plan.grows:+d} bytes{lost}"
            pane.border_subtitle = Content(f"{total} · on conflict {self.policy_now}")
            self.say(self.plan.losses)
        else:
            return
        kept = [mark for mark, text in every if all(needle in fold(text.encode("utf-8", "replace")) for needle in needles)]
        pane.border_title = Content(f"Import from {self.source.format if self.source else ''}: nothing is written before A")
        self.rows.nothing = "There is nothing in it."
        keys = [("item", mark) for mark in kept]
        begun = any(key[0] == "item" for key in self.rows.keys)
        self.rows.show(keys, cursor=None if begun or not keys else keys[0])

    def leave_plan(self) -> None:
        """Back to the sources."""
        self.plan = self.bundle = self.source = None
        self.ticks, self.targets, self.edits, self.into = {}, {}, {}, ""
        pane = self.query_one(".tool-list")
        pane.border_title, pane.border_subtitle = Content("Import and export"), Content("")
        self.query_one(LandingView).compare(b"", b"")
        self.load()

    def back(self) -> None:
        """From the diff to the list, to the sources, away."""
        if self._reading:
            self._stopped.set()
        elif self.query_one(FilterLine).close():
            return
        elif self.focused is self.widget_of() and self.source is not None:
            self.leave_plan()
        else:
            super().back()

    def item(self) -> importing.PlannedItem | None:
        """The item under the cursor."""
        key = self.rows.key
        if self.plan is None or not key or key[0] != "item":
            return None
        return next((item for item in self.plan.items if item.key == key[1]), None)

    def action_tick(self, which: Literal["one", "all"] = "one") -> None:
        """Take it, or leave it; or everything that can be taken, or nothing."""
        item = self.item()
        if which == "all":
            every = self.plan.items if self.plan else ()
            can = [each for each in every if each.fate in (Fate.ADD, Fate.CONFLICT, Fate.IMPORTED)]
            wanted = not all(each.ticked for each in can)
            self.ticks |= {each.key: wanted for each in can}
        elif item is None or item.fate is Fate.SKIPPED or item.fate is Fate.DUPLICATE:
            self.say("This cannot be taken." if item is None else f"This cannot be taken: {item.reason}.", warning=True)
            return
        else:
            self.ticks[item.key] = not item.ticked
            self.rows.action_move(1)
        self.load()

    def action_policy(self) -> None:
        """What becomes of a name that another text has."""
        every = list(Policy)
        self.policy_now = every[(every.index(self.policy_now) + 1) % len(every)]
        self.load()

    def action_filter(self) -> None:
        """Type words."""
        self.query_one(FilterLine).begin()

    def action_talk(self, about: Literal["edit", "target", "project", "apply"]) -> None:
        """Other words for an item, another file, another project for all; or do it."""
        flows = {
            "edit": transferring.edit,
            "target": transferring.retarget,
            "project": transferring.project,
            "apply": transferring.apply,
        }
        self.host.talk(flows[about](self), self)

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        kind, which = event.key
        if kind == "source":
            self.host.talk(transferring.begin(self, self._sources[which]), self)
        else:
            self.query_one(LandingView).focus()

    @on(RowList.Moved)
    @work(exclusive=True, group="compare")
    async def _compare(self) -> None:
        view, side = self.query_one(LandingView), self.query_one(".tool-side")
        side.border_subtitle = Content("")
        key, bundle, plan = self.rows.key, self.bundle, self.plan
        if bundle is not None and key and key[0] == "item":
            try:
                before, after = await self.asking(bundles.texts, self.session, bundle, key[1])
            except MemError:
                view.compare(b"", b"")
                raise  # told where every refusal is
            view.compare(before, after)
            side.border_title = Content(f"{visible_line(printable_path(key[1]))} in the bundle")
            return
        item = self.item()
        if item is None or plan is None:
            view.compare(b"", b"")
            return
        side.border_subtitle = Content(visible_line(item.reason))
        change = plan.changes.get(item.ref.path)
        if change is not None and item.ticked:
            view.compare(*change)
            side.border_title = Content(f"{visible_line(printable_path(item.ref.path))}, as it would be")
        else:
            view.compare(b"", item.incoming.text.encode("utf-8", "replace"))
            side.border_title = Content(f"{visible_line(printable_path(item.incoming.source))}: not taken")

    def _draw_row(self, key: Any) -> ListRow:
        kind, which = key
        if kind == "head":
            return ListRow([(which, "head")], heading=True)
        if kind == "source":
            return format_transfer.source_row(self._sources[which])
        if self.bundle is not None:
            return format_transfer.file_row(next(file for file in self.bundle.files if file.source == which))
        item = next(item for item in (self.plan.items if self.plan else ()) if item.key == which)
        return format_transfer.item_row(item, self.session)
