"""The description of a folder's instruction files as an agent."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.agent import Agent


class Instructions(Agent):
    """Not an agent: files that several agents read. One folder is one store, opened only by name."""

    name = "instructions"
    title = "AGENTS.md"
    format_name = "agents-md"
    has_format = True


AGENT: Final = Instructions()
