"""Connect Gemini CLI: its settings files, and our server and hooks in them."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Final

from zsmem_tui.agents.agent import Agent
from zsmem_tui.agents.connection import Client, Entry, OwnCommand, Setup, added_by, below, json_hooks, usual_server
from zsmem_tui.agents.gemini.agent import AGENT, FILES

_MILLISECONDS: Final = 10_000
_SINCE: Final = (0, 2)


def client_of(agent: Agent, program: str, folder: str, own: Callable[[Setup], OwnCommand | None] = lambda setup: None) -> Client:
    """The client of an agent with server and hooks in the `settings.json` of its folder in the home folder or in the project."""
    settings, hook = f"{folder}/settings.json", agent.hook

    def entries(setup: Setup) -> list[Entry]:
        place = below(setup.on, setup.scope, settings, settings)
        hooks = [json_hooks(place, setup, hook, _MILLISECONDS)] if hook is not None else []
        return [usual_server(place, setup), *hooks]

    return Client(agent.name, agent.title, (program,), lambda on: [posixpath.join(on.home, folder)], entries, own=own)


CLIENT: Final = client_of(AGENT, "gemini", FILES.own_folder, lambda setup: added_by(setup, "gemini", _SINCE))
