"""The description of Ethos as an agent."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.agent import Agent
from zsmem_tui.agents.ethos import files
from zsmem_tui.agents.places import Machine


class Ethos(Agent):
    """Personalities, users and teams, each with a memory."""

    name = "ethos"
    title = "Ethos"
    travels = True
    has_stores = has_format = True

    def roots(self, on: Machine) -> list[str]:
        """Ethos' folder."""
        return [files.root(on.env, on.home)]


AGENT: Final = Ethos()
