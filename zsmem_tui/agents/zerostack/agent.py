"""zerostack."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.agent import Agent, Sessions
from zsmem_tui.agents.hook_shape import HookShape
from zsmem_tui.agents.zerostack import sessions


def _answer(text: str) -> str:
    import json  # only for a hook that answers

    return json.dumps({"additionalContext": text}, ensure_ascii=False)


HOOK: Final = HookShape("zerostack", start=("SubagentStart",), answer=_answer)
"""It has memory by itself, but its sub-agents get none."""


class Zerostack(Agent):
    """The agent whose store is meant where none is named: that is opened without asking this description."""

    name = "zerostack"
    title = "zerostack"
    has_format = has_client = True
    hook = HOOK
    sessions = Sessions(sessions.session_folders, sessions.ENDING, sessions.working_folders)


AGENT: Final = Zerostack()
