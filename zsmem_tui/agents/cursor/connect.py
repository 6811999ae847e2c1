"""Cursor: where its servers and hooks are kept, and our entries there."""

from __future__ import annotations

import posixpath
from typing import Final

from zsmem_tui.agents.connection import MCP, Client, Entry, Hooks, Setup, below, command_and_args, json_hooks, json_server
from zsmem_tui.agents.cursor.agent import HOOK

_OWN_FOLDER: Final = ".cursor"
_SERVERS: Final = f"{_OWN_FOLDER}/mcp.json"
_HOOKS: Final = f"{_OWN_FOLDER}/hooks.json"
_SECONDS: Final = 10


def _entries(setup: Setup) -> list[Entry]:
    hook = {"command": setup.shell(f"hook {HOOK.agent}"), "timeout": _SECONDS}
    hooks = Hooks(HOOK.agent, {HOOK.start[0]: [hook]}, is_flat=True, beside={"version": 1})
    servers = below(setup.on, setup.scope, _SERVERS, _SERVERS)
    return [
        json_server(servers, ("mcpServers",), {"command": setup.command, "args": [MCP]}, command_and_args),
        json_hooks(below(setup.on, setup.scope, _HOOKS, _HOOKS), hooks),
    ]


CLIENT: Final = Client(
    HOOK.agent, "Cursor", ("cursor", "cursor-agent"), lambda on: [posixpath.join(on.home, _OWN_FOLDER)], _entries
)
