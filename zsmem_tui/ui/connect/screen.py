"""Agents of this machine: what of ours is in their settings, what connecting one would write, and whether it works."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.service import connect_check, connecting
from zsmem_tui.service.connecting import AgentLine, ConnectPlan, Wish
from zsmem_tui.ui.connect import rows as agent_rows
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.dialogs.ask import show_page
from zsmem_tui.ui.keys.bindings import bindings
from zsmem_tui.ui.perform import attempt, perform
from zsmem_tui.ui.tool import ToolScreen, after
from zsmem_tui.ui.widgets.diff_view import DiffView
from zsmem_tui.ui.widgets.row_list import ListRow, RowList
from zsmem_tui.ui.wording import refusal

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

_SCOPES = ("user", "project")
_PARTS = ((True, True), (True, False), (False, True))


class AgentList(RowList):
    """The agents, and below the one under the cursor its files."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("connect")]


class SettingsDiff(DiffView):
    """The file under the cursor."""

    NOTHING = "The lines that would be written into the settings of the chosen agent show up here, before A writes them."

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("settings")]


class ConnectScreen(ToolScreen):
    """Left the agents with the files of one; right what would change in the file under the cursor."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"connect": "connect", "settings": "settings"}
    PAGE = "connect"

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(host)
        self._lines: dict[str, AgentLine] = {}
        self._plan: ConnectPlan | None = None
        self._refused: dict[str, str] = {}
        self._scope = ""
        self._removes = False
        self._parts = _PARTS[0]
        self._told: Any = None
        """The row that the status line need not speak of."""

    def compose_body(self) -> Iterable[Widget]:
        """Two panes."""
        with Vertical(classes="pane tool-list") as left:
            left.border_title = Content("Connect an agent")
            yield AgentList(self._draw_row, id="connect")
        with Vertical(classes="pane tool-side") as right:
            right.border_title = Content("What would be written")
            yield SettingsDiff(id="settings")

    @property
    def rows(self) -> AgentList:
        """The list."""
        return self.query_one(AgentList)

    @work(exclusive=True, group="load")
    async def load(self, *, tells: bool = False) -> None:
        """What is here and what is connected; then the plan for the agent under the cursor.

        With `tells`, the status line speaks of it; else what stands there, such as how a verb ended, stays until the cursor moves.
        """
        self._told = None if tells else self.rows.key
        found = await self.asking(connecting.agents, self.session)
        self._lines = {line.name: line for line in found}
        await self._make_plan(self._agent or (found[0].name if found else ""))

    @property
    def _agent(self) -> str:
        """The agent that the cursor is on, or on a file of."""
        return self.rows.key[1] if self.rows.key else ""

    async def _make_plan(self, agent: str) -> None:
        """Work out what would be written for an agent, and show it."""
        server, hooks = self._parts
        wish = Wish(self._scope, server, hooks, self._removes)
        try:
            self._plan = await self.asking(connecting.plan, self.session, agent, wish)
            self._refused.pop(agent, None)
        except MemError as error:
            self._plan = None
            self._refused[agent] = refusal(error)
        self._show(agent)

    def _show(self, agent: str) -> None:
        keys: list[Any] = []
        for title, installed in (("Installed here", True), ("Not found here", False)):
            own = [line for line in self._lines.values() if line.installed is installed]
            keys += [("head", title)] if own else []
            for line in own:
                keys.append(("agent", line.name))
                if line.name == agent and self._plan is not None:
                    keys += [("file", agent, number) for number in range(len(self._plan.files))]
        wanted = self.rows.key if self.rows.key in keys else ("agent", agent)
        self.rows.show(keys, cursor=wanted)
        left, plan = self.query_one(".tool-list"), self._plan
        left.border_subtitle = Content(agent_rows.subtitle(plan) if plan is not None else "")
        self._compare()

    @on(RowList.Moved)
    def _moved(self) -> None:
        if self._agent and (self._plan is None or self._plan.agent != self._agent) and self._agent not in self._refused:
            self._plan_for(self._agent)
        else:
            self._compare()

    @work(exclusive=True, group="plan")
    async def _plan_for(self, agent: str) -> None:
        await self._make_plan(agent)

    def _compare(self) -> None:
        """What would become of the file under the cursor; for an agent, of the first that changes."""
        view, side, plan = self.query_one(SettingsDiff), self.query_one(".tool-side"), self._plan
        if plan is None or plan.agent != self._agent:
            view.compare(b"", b"")
            self._tell(self._refused.get(self._agent, ""), warning=True)
            return
        side.border_title = Content(agent_rows.heading(plan))
        key = self.rows.key
        number = key[2] if key[0] == "file" else next((at for at, each in enumerate(plan.files) if each.changes), 0)
        if not plan.files:
            view.compare(b"", b"")
            self._tell("There is nothing of this kind in its settings.")
            return
        file = plan.files[number]
        by_hand = file.snippet.encode() if file.left else b""  # what is to be added: nothing that stands there would go
        view.compare(b"" if by_hand else file.before, by_hand or file.after)
        self._tell(agent_rows.file_words(file) or " ".join(plan.notes), warning=bool(file.left))

    def _tell(self, words: str, *, warning: bool = False) -> None:
        if self.rows.key != self._told:
            self._told = None
            self.say(words, warning=warning)

    def action_remove(self) -> None:
        """Plan to take ours out, or to connect."""
        self._removes = not self._removes
        self._plan_otherwise()

    def action_scope(self) -> None:
        """Plan it for the person's settings, or for this project's."""
        scope = self._plan.setup.scope.value if self._plan is not None else self._scope or _SCOPES[0]
        self._scope = after(scope, _SCOPES)
        self._plan_otherwise()

    def action_parts(self) -> None:
        """Plan server and hooks, only the server, or only the hooks."""
        self._parts = after(self._parts, _PARTS)
        self._plan_otherwise()

    def _plan_otherwise(self) -> None:
        self._refused.clear()
        self.load(tells=True)

    @in_turn
    async def action_apply(self) -> None:
        """Write what is shown."""
        plan, main = self._plan, self.host.main
        if plan is None or plan.agent != self._agent:
            self.warn(self._refused.get(self._agent) or "Choose an agent first. Nothing was written.")
            return
        if not plan.changed:
            self.say(connecting.would(plan), warning=bool(plan.left))
            return

        async def refresh(_: VerbResult) -> None:
            await main.look_now()
            self.load()

        await perform(self.host, partial(connecting.apply, main.session, plan), self, refresh=refresh)

    @in_turn
    async def action_check(self) -> None:
        """Start what is configured for the agent, and show what works."""
        if not self._agent:
            return
        line = self._lines[self._agent]
        self.say(f"Starting what {line.title} would start …")
        found = await attempt(asyncio.to_thread(connect_check.check, self.session, line.name), self.warn)
        if found is not None:
            fails = sum(not each.works for each in found)
            self.say(f"{line.title}: {f'{fails} of {len(found)} fail' if fails else 'all of it works'}.", warning=bool(fails))
            show_page(self.app, f"Connect {line.title}", agent_rows.checks_page(line.title, found))

    @on(RowList.Chosen)
    def _chosen(self) -> None:
        self.query_one(SettingsDiff).focus()

    def _draw_row(self, key: Any) -> ListRow:
        match key:
            case ("head", title):
                return ListRow([(title, "head")], heading=True)
            case ("agent", name):
                return agent_rows.agent_row(self._lines[name])
            case (_, name, number) if self._plan is not None and self._plan.agent == name:
                return agent_rows.file_row(self._plan.files[number], is_last=number == len(self._plan.files) - 1)
        return ListRow([])
