"""The description of Visual Studio Code as an agent."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.agent import Agent


class VisualStudioCode(Agent):
    """Can be connected; it has no hooks."""

    name = "vscode"
    title = "Visual Studio Code"
    has_client = True


AGENT: Final = VisualStudioCode()
