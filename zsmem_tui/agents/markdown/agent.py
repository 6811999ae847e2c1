"""The description of a plain folder of Markdown files as an agent."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.agent import Agent


class Markdown(Agent):
    """Not an agent: its folders have to be named."""

    name = "markdown"
    title = "Markdown"
    travels = True
    has_stores = has_format = True


AGENT: Final = Markdown()
