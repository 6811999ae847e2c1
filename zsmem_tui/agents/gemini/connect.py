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
from zsmem_tui.agents.hook_shape import SERVER

_SETTINGS: Final = ".gemini/settings.json"
_MILLISECONDS: Final = 10_000
_SINCE: Final = (0, 2)


def _entries(setup: Setup) -> list[Entry]:
    place = below(setup.on, setup.scope, _SETTINGS, _SETTINGS)
    hook = {"type": "command", "command": setup.shell(f"hook {HOOK.agent}"), "timeout": _MILLISECONDS}
    return [
        json_server(place, ("mcpServers",), {"command": setup.command, "args": [MCP]}, command_and_args),
        json_hooks(place, Hooks(HOOK.agent, {HOOK.start[0]: [hook]})),
    ]


def _own(setup: Setup) -> OwnCommand:
    scope = ("--scope", setup.scope.value)
    add = ("mcp", "add", *scope, SERVER, setup.command, MCP)
    return OwnCommand("gemini", _SINCE, add, ("mcp", "remove", *scope, SERVER))


CLIENT: Final = Client(
    HOOK.agent, "Gemini CLI", ("gemini",), lambda on: [posixpath.join(on.home, posixpath.dirname(_SETTINGS))], _entries, own=_own
)
