"""The files of a folder that tell its agents what to do."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.agent import Agent


class Instructions(Agent):
    """No agent, but what several read: one folder is one store, and only asked for by its name."""

    name = "instructions"
    title = "AGENTS.md"
    format_name = "agents-md"
    has_format = True


AGENT: Final = Instructions()
