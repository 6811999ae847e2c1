"""Doing what the screen of agents shows: writing a plan, and trying out what is configured."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.service import connect_check, connecting
from zsmem_tui.ui.connect import rows as format_connect
from zsmem_tui.ui.dialogs.ask import show_page
from zsmem_tui.ui.perform import attempt, perform

if TYPE_CHECKING:
    from zsmem_tui.service.connecting import AgentLine, ConnectPlan
    from zsmem_tui.ui.tool import ToolScreen


async def apply(screen: ToolScreen, agent: str, plan: ConnectPlan | None, refused: str) -> None:
    """Write the plan for an agent; `refused` is why there is none."""
    main = screen.host.main
    if plan is None or plan.agent != agent:
        screen.say(refused or "Choose an agent first. Nothing was written.", warning=True)
        return
    if not plan.changed:
        screen.say(connecting.would(plan), warning=bool(plan.left))
        return

    async def refresh(_: VerbResult) -> None:
        await main.look_now()
        screen.load()

    await perform(screen.host, lambda: connecting.apply(main.session, plan), screen, refresh=refresh)


async def check(screen: ToolScreen, line: AgentLine) -> None:
    """Start what is configured for an agent, and show what works."""
    screen.say(f"Starting what {line.title} would start …")
    asked = asyncio.to_thread(connect_check.check, screen.host.main.session, line.name)
    found = await attempt(asked, lambda reason: screen.say(reason, warning=True))
    if found is not None:
        fails = sum(not each.works for each in found)
        screen.say(f"{line.title}: {f'{fails} of {len(found)} fail' if fails else 'all of it works'}.", warning=bool(fails))
        show_page(screen.app, f"Connect {line.title}", format_connect.checks_page(line.title, found))
