"""The connect screen: the agents on this machine, whether zsmem is in their settings, and adding or removing it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.getters import query_one
from textual.widget import Widget

from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import counted
from zsmem_tui.core.visible import visible, visible_line
from zsmem_tui.service import agent_command, connect_check, connecting
from zsmem_tui.service.connecting import AgentLine, ConnectPlan, FilePlan, Wish
from zsmem_tui.service.plan import Fate, Plan, Row
from zsmem_tui.service.session import Session
from zsmem_tui.ui import signs
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.dialogs.ask import show_page
from zsmem_tui.ui.dialogs.plan import plan_and_show
from zsmem_tui.ui.perform import attempt, perform
from zsmem_tui.ui.plans import Draft, Pulse, Sides
from zsmem_tui.ui.tool import ToolScreen, after
from zsmem_tui.ui.widgets.frame import Notice, pane
from zsmem_tui.ui.widgets.row_list import HEADING, ListRow, MarkList, RowList
from zsmem_tui.ui.wording import fenced, folder_name

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.dialogs.plan import PlanDialog

WHOSE: Final = {"user": "your", "project": "this project's"}
"""Whose settings a scope means."""

_PARTS = ((True, True), (True, False), (False, True))


class ConnectDraft(Draft):
    """The files that connecting an agent would change; `C` switches between the user's and the project's settings."""

    changes = frozenset({"plan.regroup"})

    def __init__(self, session: Session, line: AgentLine, wish: Wish) -> None:
        super().__init__(f"{'Take zsmem out of' if wish.remove else 'Connect'} {line.title}", lambda _: Plan("", ""))
        self._session = session
        self._agent = line.name
        self._wish = wish

    @property
    def wanted(self) -> ConnectPlan:
        """The plan to connect."""
        found: ConnectPlan = self.plan.read
        return found

    def make(self, pulse: Pulse) -> Plan:
        """Compute what would be written. Raises `MemError`."""
        found = connecting.plan(self._session, self._agent, self._wish)
        files = (Row(each.place, each.place, Fate.ADD, key=str(number)) for number, each in enumerate(found.files))
        act = partial(connecting.apply, self._session, found) if found.changed else None
        return Plan("", "", rows=tuple(files), notes=tuple(filter(None, (found.gives, *found.notes))), read=found, act=act)

    @property
    def head(self) -> str:
        """Whose settings change, which parts, and the number of files."""
        wanted = self.wanted
        parts = " and ".join(wanted.parts) or f"it takes no {parts_of(wanted.wish)}"  # an agent may not have all
        would = f"{counted(len(wanted.changed), 'file')} would change" if wanted.changed else "nothing to write"
        return f"{WHOSE[wanted.setup.scope.value]} settings · {parts} · {would}"

    def _file(self, row: Row) -> FilePlan:
        return self.wanted.files[int(row.key)]

    def draw_row(self, row: Row) -> ListRow:
        """Render a file."""
        file = self._file(row)
        fate = "by hand" if file.left else "as it is" if not file.changes else "is new" if file.before is None else "changes"
        if file.changes and file.after is None:
            fate = "goes"
        style = "warn" if file.left else "text" if file.changes else "quiet"
        return ListRow([("  ", "quiet"), (folder_name(file.place), style)], fate)

    def row_words(self, row: Row) -> list[str]:
        """What happens to a file."""
        file = self._file(row)
        if file.left:
            return [visible_line(f"{file.left}{' Below is what goes into it by hand.' if file.snippet else ''}")]
        if file.run:
            return [visible_line(f"Its own command changes the server: {agent_command.shown(file.run)}")]
        return ["" if file.changes else f"{folder_name(file.place)} stays as it is."]

    def row_sides(self, row: Row) -> Sides:
        """Both versions of a file; for one that is left alone, the text to add by hand."""
        file = self._file(row)
        by_hand = file.snippet.encode() if file.left else b""  # as an addition, since nothing would be removed
        return Sides("", b"" if by_hand else file.before, by_hand or file.after)

    async def regroup(self, dialog: PlanDialog, *numbers: int) -> bool:
        """Switch between the user's and the project's settings."""
        self._wish = replace(self._wish, scope=after(self.wanted.setup.scope.value, list(WHOSE)))
        return True


class AgentList(MarkList[AgentLine], keys="connect"):
    """The list of agents."""


class ConnectScreen(ToolScreen):
    """Agents at the left, details at the right; plans are shown in a dialog."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"connect": "connect"}
    PAGE = "connect"

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(host)
        self._parts = _PARTS[0]

    def compose_body(self) -> Iterable[Widget]:
        """Yield the two panes."""
        yield pane("list", "Connect", AgentList(lambda name: agent_row(self.rows.items[name]), id="connect"))
        yield pane("side", "What it has", Notice(id="reasons"))

    rows = query_one(AgentList)

    async def read(self) -> None:
        """Determine the installed and the connected agents."""
        found = await self.asking(connecting.agents, self.session)
        self.rows.items = {line.name: line for line in found}
        keys: list[str] = []
        for title, installed in (("Installed, or with files here", True), ("No program found", False)):
            own = [line.name for line in found if line.installed is installed]
            keys += [f"{HEADING}{title}", *own] if own else []
        self.rows.show(keys)
        self._tell()

    @on(RowList.Moved)
    def _tell(self) -> None:
        line = self.rows.at_cursor()
        self.query_one(Notice).show(agent_words(line) if line is not None else "")

    @on(RowList.Chosen)
    def _chosen(self) -> None:
        self.action_connect()

    def action_parts(self) -> None:
        """Cycle between server and hooks, server only, and hooks only."""
        self._parts = after(self._parts, _PARTS)
        self.say(f"Meant is: {parts_of(Wish('', *self._parts, False))}. enter shows what would be written.")

    @in_turn
    async def action_connect(self) -> None:
        """Show what connecting the agent would write, and write it."""
        await self._plan_and_do(removes=False)

    @in_turn
    async def action_remove(self) -> None:
        """Show what disconnecting the agent would change, and do it."""
        await self._plan_and_do(removes=True)

    async def _plan_and_do(self, *, removes: bool) -> None:
        line, main = self.rows.at_cursor(), self.host.main
        if line is None:
            self.warn("Choose an agent first. Nothing was written.")
            return
        plan = await plan_and_show(self, ConnectDraft(self.session, line, Wish("", *self._parts, removes)))

        async def refresh(_: VerbResult) -> None:
            await main.look_now()
            self.load()

        if plan is not None and plan.act is not None:
            await perform(self.host, plan.act, self, refresh=refresh)

    @in_turn
    async def action_check(self) -> None:
        """Start what the agent is configured to start, and show what works."""
        line = self.rows.at_cursor()
        if line is None:
            self.warn("Choose an agent first. Nothing was started.")
            return
        self.say(f"Starting what {line.title} would start …")
        found = await attempt(asyncio.to_thread(connect_check.check, self.session, line.name), self.warn)
        if found is not None:
            fails = sum(not each.works for each in found)
            self.say(f"{line.title}: {f'{fails} of {len(found)} fail' if fails else 'all of it works'}.", warning=bool(fails))
            rows = [f"{'works' if each.works else 'FAILS'}  {each.what}: {visible(each.words)}" for each in found]
            show_page(self.app, f"Connect {line.title}", f"# {visible_line(line.title)}: what works\n\n{fenced(rows)}\n")


def agent_row(line: AgentLine) -> ListRow:
    """Render an agent with its connection."""
    found = [f"{WHOSE[each.scope.value]}: {each.words}" for each in line.connected if each]
    problem = any(each.problem for each in line.connected)
    facts = "; ".join(found) or ("settings cannot be read" if problem else "not connected")
    mark = (f"{signs.LOOK} ", "warn") if problem else ("  ", "mark")
    return ListRow([mark, (line.title, "text" if line.installed else "quiet")], visible_line(facts))


def agent_words(line: AgentLine) -> str:
    """Describe an agent's connection, and what can be done."""
    found = [f"In {WHOSE[each.scope.value]} settings: {each.problem or each.words or 'not connected'}." for each in line.connected]
    here = "Its program is not on PATH." if line.installed else "No program of it was found here."
    here = "It is installed here." if line.has_program else here
    adds = {"hooks": ", and hooks put the memory into its prompt", "plugin": ", and a plugin puts the memory into its prompt"}
    more = "".join(words for what, words in adds.items() if what in line.takes)
    gives = " ".join(filter(None, (visible_line(line.gives), f"It gets zsmem's server{more}.")))
    does = "enter shows what connecting it would write, d what disconnecting it would. S starts what is configured."
    return "\n".join([gives, "", here, *map(visible_line, found), "", does])


def parts_of(wish: Wish) -> str:
    """The wished parts in words."""
    return "server and hooks" if wish.server and wish.hooks else "server" if wish.server else "hooks"
