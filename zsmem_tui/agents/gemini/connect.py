"""Gemini CLI: where its servers and hooks are kept, and our entries there."""

from __future__ import annotations

import posixpath
from typing import Final

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
from zsmem_tui.agents.gemini.agent import HOOK
from zsmem_tui.agents.hook_shape import SERVER, HookShape

_SETTINGS: Final = ".gemini/settings.json"
_MILLISECONDS: Final = 10_000
_SINCE: Final = (0, 2)


def entries_in(settings: str, hook: HookShape, setup: Setup) -> list[Entry]:
    """Our server and hooks in a settings file below the home folder, or below the project's."""
    place = below(setup.on, setup.scope, settings, settings)
    command = {"type": "command", "command": setup.shell(f"hook {hook.agent}"), "timeout": _MILLISECONDS}
    events = (*hook.start, *([hook.summary_event] if hook.summary_event else []))
    return [
        json_server(place, ("mcpServers",), {"command": setup.command, "args": [MCP]}, command_and_args),
        json_hooks(place, Hooks(hook.agent, {event: [command] for event in events})),
    ]


def _own(setup: Setup) -> OwnCommand:
    scope = ("--scope", setup.scope.value)
    add = ("mcp", "add", *scope, SERVER, setup.command, MCP)
    return OwnCommand("gemini", _SINCE, add, ("mcp", "remove", *scope, SERVER))


CLIENT: Final = Client(
    HOOK.agent,
    "Gemini CLI",
    ("gemini",),
    lambda on: [posixpath.join(on.home, posixpath.dirname(_SETTINGS))],
    lambda setup: entries_in(_SETTINGS, HOOK, setup),
    own=_own,
)
