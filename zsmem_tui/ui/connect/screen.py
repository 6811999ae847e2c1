"""Agents of this machine: what of ours is in their settings, what connecting one would write, and whether it works."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.service import connect_check, connecting
from zsmem_tui.service.connecting import AgentLine, ConnectPlan, FilePlan, Wish
from zsmem_tui.service.plan import Fate, Plan, Row
from zsmem_tui.service.session import Session
from zsmem_tui.ui.connect import rows as agent_rows
from zsmem_tui.ui.connect.rows import WHOSE
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.dialogs.ask import show_page
from zsmem_tui.ui.dialogs.plan import plan_and_show
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.perform import attempt, perform
from zsmem_tui.ui.plans import Draft, Pulse, Sides
from zsmem_tui.ui.tool import ToolScreen, after
from zsmem_tui.ui.widgets.frame import Notice
from zsmem_tui.ui.widgets.row_list import ListRow, RowList

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.dialogs.plan import PlanDialog

_PARTS = ((True, True), (True, False), (False, True))


class ConnectDraft(Draft):
    """The files of an agent that connecting it would change; `w` means the settings of somebody else."""

    changes = frozenset({"plan.regroup"})

    def __init__(self, session: Session, line: AgentLine, wish: Wish) -> None:
        super().__init__(f"{'Take ours out of' if wish.remove else 'Connect'} {line.title}", lambda _: Plan("", ""))
        self._session = session
        self._agent = line.name
        self._wish = wish

    @property
    def wanted(self) -> ConnectPlan:
        """What would be done."""
        found: ConnectPlan = self.plan.read
        return found

    def make(self, pulse: Pulse) -> Plan:
        """Work out what would be written. Raises `MemError`."""
        found = connecting.plan(self._session, self._agent, self._wish)
        files = (Row(each.place, each.place, Fate.ADD, key=str(number)) for number, each in enumerate(found.files))
        return Plan("", "", rows=tuple(files), notes=tuple(filter(None, (found.gives, *found.notes))), read=found)

    @property
    def head(self) -> str:
        """Whose settings change, and how many files."""
        return agent_rows.head(self.wanted)

    def _file(self, row: Row) -> FilePlan:
        return self.wanted.files[int(row.key)]

    def draw_row(self, row: Row) -> ListRow:
        """A file."""
        return agent_rows.file_row(self._file(row))

    def row_words(self, row: Row) -> list[str]:
        """What becomes of a file."""
        return [agent_rows.file_words(self._file(row))]

    def row_sides(self, row: Row) -> Sides:
        """What would become of a file; of one that is left alone, what goes into it by hand."""
        file = self._file(row)
        by_hand = file.snippet.encode() if file.left else b""  # nothing that stands there would go
        return Sides("", b"" if by_hand else file.before, by_hand or file.after)

    async def regroup(self, dialog: PlanDialog) -> bool:
        """The other settings: yours, or this project's."""
        self._wish = replace(self._wish, scope=after(self.wanted.setup.scope.value, list(WHOSE)))
        return True


class AgentList(RowList):
    """The agents."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("connect")]


class ConnectScreen(ToolScreen):
    """Left the agents, right what the one under the cursor has of ours; what would be written is shown over it."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"connect": "connect"}
    PAGE = "connect"

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(host)
        self._lines: dict[str, AgentLine] = {}
        self._parts = _PARTS[0]

    def compose_body(self) -> Iterable[Widget]:
        """Two panes."""
        with Vertical(classes="pane tool-list") as left:
            left.border_title = Content("Connect")
            yield AgentList(self._draw, id="connect")
        with Vertical(classes="pane tool-side") as right:
            right.border_title = Content("What it has")
            yield Notice(id="reasons")

    @property
    def rows(self) -> AgentList:
        """The list."""
        return self.query_one(AgentList)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """What is here and what is connected."""
        found = await self.asking(connecting.agents, self.session)
        self._lines = {line.name: line for line in found}
        keys: list[tuple[str, str]] = []
        for title, installed in (("Installed here", True), ("Not found here", False)):
            own = [("agent", line.name) for line in found if line.installed is installed]
            keys += [("head", title), *own] if own else []
        self.rows.show(keys)
        self._tell()

    @on(RowList.Moved)
    def _tell(self) -> None:
        line = self._line
        self.query_one(Notice).show(agent_rows.agent_words(line) if line is not None else "")

    def _draw(self, key: Any) -> ListRow:
        kind, name = key
        return ListRow([(name, "head")], heading=True) if kind == "head" else agent_rows.agent_row(self._lines[name])

    @property
    def _line(self) -> AgentLine | None:
        """The agent under the cursor."""
        return self._lines.get(self.rows.key[1]) if self.rows.key else None

    @on(RowList.Chosen)
    def _chosen(self) -> None:
        self.action_connect()

    def action_parts(self) -> None:
        """Connect with server and hooks, only the server, or only the hooks."""
        self._parts = after(self._parts, _PARTS)
        self.say(f"Meant is: {agent_rows.parts_of(Wish('', *self._parts, False))}. enter shows what would be written.")

    @in_turn
    async def action_connect(self) -> None:
        """Show what connecting the agent would write, and write it."""
        await self._plan_and_do(removes=False)

    @in_turn
    async def action_remove(self) -> None:
        """Show what taking ours out would change, and do it."""
        await self._plan_and_do(removes=True)

    async def _plan_and_do(self, *, removes: bool) -> None:
        line, main = self._line, self.host.main
        if line is None:
            self.warn("Choose an agent first. Nothing was written.")
            return
        plan = await plan_and_show(self, ConnectDraft(self.session, line, Wish("", *self._parts, removes)))

        async def refresh(_: VerbResult) -> None:
            await main.look_now()
            self.load()

        if plan is not None:
            await perform(self.host, partial(connecting.apply, main.session, plan.read), self, refresh=refresh)

    @in_turn
    async def action_check(self) -> None:
        """Start what is configured for the agent, and show what works."""
        line = self._line
        if line is None:
            return
        self.say(f"Starting what {line.title} would start …")
        found = await attempt(asyncio.to_thread(connect_check.check, self.session, line.name), self.warn)
        if found is not None:
            fails = sum(not each.works for each in found)
            self.say(f"{line.title}: {f'{fails} of {len(found)} fail' if fails else 'all of it works'}.", warning=bool(fails))
            show_page(self.app, f"Connect {line.title}", agent_rows.checks_page(line.title, found))
