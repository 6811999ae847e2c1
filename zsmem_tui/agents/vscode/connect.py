"""Visual Studio Code: where a project's servers are kept, and our entry there. It has no hooks."""

from __future__ import annotations

import posixpath
from typing import Final

from zsmem_tui.agents.connection import MCP, Client, Entry, Scope, Setup, command_and_args, json_server

_SERVERS: Final = ".vscode/mcp.json"
_PROJECT: Final = "${workspaceFolder}"


def _entries(setup: Setup) -> list[Entry]:
    value = {"type": "stdio", "command": setup.command, "args": [MCP, "--cwd", _PROJECT]}
    return [json_server(posixpath.join(setup.on.folder, _SERVERS), ("servers",), value, command_and_args)]


CLIENT: Final = Client(
    "vscode",
    "Visual Studio Code",
    ("code",),
    lambda on: [posixpath.join(on.folder, posixpath.dirname(_SERVERS))],
    _entries,
    scopes=(Scope.PROJECT,),
    filled=lambda on, word: word.replace(_PROJECT, on.folder),
)
