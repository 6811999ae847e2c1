"""Gemini CLI: where its servers and hooks are kept, and our entries there."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Final

from zsmem_tui.agents.agent import Agent
from zsmem_tui.agents.connection import (
    MCP,
    Client,
    Entry,
    Hooks,
    OwnCommand,
    Setup,
    below,
    command_and_args,
    json_hooks,
    json_server,
)
from zsmem_tui.agents.gemini.agent import AGENT, FILES
from zsmem_tui.agents.hook_shape import SERVER

_MILLISECONDS: Final = 10_000
_SINCE: Final = (0, 2)


def client_of(agent: Agent, program: str, folder: str, own: Callable[[Setup], OwnCommand | None] = lambda setup: None) -> Client:
    """An agent with our server and hooks in the `settings.json` of its folder below home, or below the project's."""
    settings, hook = f"{folder}/settings.json", agent.hook

    def entries(setup: Setup) -> list[Entry]:
        place = below(setup.on, setup.scope, settings, settings)
        out = [json_server(place, ("mcpServers",), {"command": setup.command, "args": [MCP]}, command_and_args)]
        if hook is not None:
            command = {"type": "command", "command": setup.shell(f"hook {agent.name}"), "timeout": _MILLISECONDS}
            events = (*hook.start, *([hook.summary_event] if hook.summary_event else []))
            out.append(json_hooks(place, Hooks(agent.name, {event: [command] for event in events})))
        return out

    return Client(agent.name, agent.title, (program,), lambda on: [posixpath.join(on.home, folder)], entries, own=own)


def _own(setup: Setup) -> OwnCommand:
    scope = ("--scope", setup.scope.value)
    add = ("mcp", "add", *scope, SERVER, setup.command, MCP)
    return OwnCommand("gemini", _SINCE, add, ("mcp", "remove", *scope, SERVER))


CLIENT: Final = client_of(AGENT, "gemini", FILES.own_folder, _own)
