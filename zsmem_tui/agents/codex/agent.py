"""The description of Codex as an agent."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.agent import Agent
from zsmem_tui.agents.hook_shape import HookShape

HOOK: Final = HookShape(
    "codex",
    start=("SessionStart",),
    limit=8_000,  # an answer may have 2,500 tokens
    in_bytes=True,
    parts=5,
)
"""Memory at the start of a session. The event of a compaction has no summary."""


class Codex(Agent):
    """Can be connected, and has hooks."""

    name = "codex"
    title = "Codex"
    has_client = True
    hook = HOOK


AGENT: Final = Codex()
