"""Whose memory an export goes to: asked where there are several, and asked again where the answer is refused."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from zsmem_tui.core.text import printable_path, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import export_targets, formats
from zsmem_tui.service.session import Session
from zsmem_tui.service.transferring import Goal
from zsmem_tui.ui.dialogs.ask import ask_line, choose
from zsmem_tui.ui.host import Place

_NOBODY: Final = "-"
"""The answer for no user beside a group."""

_OTHER: Final = "+"
"""The answer for a name that is not among those shown."""


async def goal_of(screen: Place, name: str, path: str) -> Goal | None:
    """Whose memory is meant there, asked where there are several; None when the person does not say. Raises `MemError`."""
    goal = Goal(formats.of_agent(name), path)
    found = await asyncio.to_thread(_whose, screen.session, name, path)
    title = formats.title_of(name)
    for whose in found:
        group = whose.groups[0] if len(whose.groups) == 1 else ""
        if len(whose.groups) > 1:
            answers = [(each, visible_line(printable_path(each.partition(":")[2]))) for each in whose.groups]
            answers.append((_OTHER, f"Another {whose.kind}, by its name"))
            group = await choose(screen, title, f"The {whose.kind} that gets it:", answers, names=True) or ""
            if not group:
                return None
        if group in ("", _OTHER):
            group = await _named(screen, goal, whose.kind)
            if not group:
                return None
        goal = replace(goal, group=group)
        if whose.users:
            answers = [(_NOBODY, f"The {whose.kind} itself")]
            answers += [(each, f"User {visible_line(printable_path(each))}") for each in whose.users]
            user = await choose(screen, title, "Facts about the person go to:", answers, names=True)
            if user is None:
                return None
            goal = replace(goal, user="" if user == _NOBODY else user)
    return goal


async def _named(screen: Place, goal: Goal, kind: str) -> str:
    """A group by the name that the person types; what is refused is there to be mended. Empty when they do not say."""
    name, given, problem = goal.format.name, "", ""
    while True:
        question = f"The name of the {kind} that gets it:"
        given = trim(await ask_line(screen, formats.title_of(name), question, given, problem=problem) or "")
        if not given:
            return ""
        group = f"{kind}:{given}"
        problem = await asyncio.to_thread(export_targets.group_problem, screen.session, name, goal.path, group)
        if not problem:
            return group


def _whose(session: Session, name: str, path: str) -> list[export_targets.Whose]:
    """What is to be asked, if anything."""
    found = export_targets.whose(session, name, path)
    return [found] if found is not None else []
