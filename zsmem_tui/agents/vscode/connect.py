"""Connect Visual Studio Code: its settings files, and our server in them. It has no hooks."""

from __future__ import annotations

import json
import posixpath
import sys
from typing import Any, Final

from zsmem_tui.agents.connection import MCP, Client, Entry, OwnCommand, Scope, Setup, command_and_args, json_server
from zsmem_tui.agents.hook_shape import SERVER
from zsmem_tui.agents.places import Machine

_SERVERS: Final = ".vscode/mcp.json"
_PROJECT: Final = "${workspaceFolder}"
_SINCE: Final = (1, 102)
"""The version since which `code --add-mcp` writes a separate file."""


def _user_folder(on: Machine) -> str:
    """The folder of a user's settings."""
    if sys.platform == "darwin":
        return posixpath.join(on.home, "Library/Application Support/Code/User")
    return posixpath.join(on.env.get("XDG_CONFIG_HOME") or posixpath.join(on.home, ".config"), "Code/User")


def _value(setup: Setup) -> dict[str, Any]:
    return {"type": "stdio", "command": setup.command, "args": [MCP, "--cwd", _PROJECT]}


def _entries(setup: Setup) -> list[Entry]:
    is_user = setup.scope is Scope.USER
    place = posixpath.join(_user_folder(setup.on), "mcp.json") if is_user else posixpath.join(setup.on.folder, _SERVERS)
    return [json_server(place, ("servers",), _value(setup), command_and_args)]


def _own(setup: Setup) -> OwnCommand | None:
    """`code --add-mcp`, which knows no projects, and cannot remove a server."""
    if setup.scope is not Scope.USER:
        return None
    return OwnCommand("code", _SINCE, ("--add-mcp", json.dumps({"name": SERVER, **_value(setup)})))


CLIENT: Final = Client(
    "vscode",
    "Visual Studio Code",
    ("code",),
    lambda on: [posixpath.join(on.folder, posixpath.dirname(_SERVERS)), _user_folder(on)],
    _entries,
    scopes=(Scope.PROJECT, Scope.USER),
    own=_own,
    filled=lambda on, word: word.replace(_PROJECT, on.folder),
)
