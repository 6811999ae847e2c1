"""The description of Cursor as an agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from zsmem_tui.agents.agent import Agent
from zsmem_tui.agents.hook_shape import HookShape, below, text_of


def _folder(told: Mapping[str, Any]) -> str:
    """The first folder of the workspace."""
    roots = told.get("workspace_roots")
    return text_of(roots[0]) if isinstance(roots, list) and roots else text_of(told.get("cwd"))


HOOK: Final = HookShape(
    "cursor",
    start=("sessionStart",),
    answer=below("additional_context"),
    session=("conversation_id", "session_id"),
    folder=_folder,
    twin="claude-code",
)
"""Memory at the start of a session. Cursor runs Claude Code's hooks too."""


class Cursor(Agent):
    """Can be connected, and has hooks."""

    name = "cursor"
    title = "Cursor"
    has_client = True
    hook = HOOK


AGENT: Final = Cursor()
