"""Connect Claude Code: its settings files, and our server and hooks in them."""

from __future__ import annotations

import json
import posixpath
from typing import Any, Final

from zsmem_tui.agents.claude_code.agent import HOOK
from zsmem_tui.agents.claude_code.files import CLAUDE, FOLDER_SETTINGS, OWN_FOLDER
from zsmem_tui.agents.connection import (
    MCP,
    Client,
    Entry,
    Scope,
    Setup,
    added_by,
    command_and_args,
    generated,
    json_hooks,
    json_server,
)
from zsmem_tui.agents.hook_shape import SERVER
from zsmem_tui.agents.settings import json_text

_PROJECT_SERVERS: Final = ".mcp.json"
_SETTINGS: Final = "settings.json"
_STARTS: Final = "startup|resume|clear|compact|fork"
_SECONDS: Final = 10
_SINCE: Final = (1, 0)


def _server(setup: Setup) -> dict[str, Any]:
    return {"type": "stdio", "command": setup.command, "args": [MCP], "env": {}}


def _hooks(setup: Setup, place: str = "") -> Entry:
    return json_hooks(place, setup, HOOK, _SECONDS, _STARTS)


def _entries(setup: Setup) -> list[Entry]:
    env, home = setup.on.env, setup.on.home
    if setup.scope is Scope.PROJECT:
        servers = posixpath.join(setup.on.folder, _PROJECT_SERVERS)
        settings = posixpath.join(setup.on.folder, OWN_FOLDER, _SETTINGS)
    else:
        servers = posixpath.join(env.get("CLAUDE_CONFIG_DIR") or home, FOLDER_SETTINGS)
        settings = posixpath.join(CLAUDE.root(env, home), _SETTINGS)
    return [json_server(servers, ("mcpServers",), _server(setup), command_and_args), _hooks(setup, settings)]


def _plugin(setup: Setup, folder: str) -> list[Entry]:
    """The files of a plugin folder: description, server, hooks."""
    about = {"name": SERVER, "description": "Memory in Markdown: search, read, write; at the start and after a compaction."}
    texts = {
        ".claude-plugin/plugin.json": json.dumps(about, indent=2) + "\n",
        "hooks/hooks.json": _hooks(setup).snippet,
        _PROJECT_SERVERS: json_text.put("", ("mcpServers", SERVER), _server(setup)),
    }
    return [generated(posixpath.join(folder, path), text) for path, text in texts.items()]


CLIENT: Final = Client(
    HOOK.agent,
    "Claude Code",
    ("claude",),
    lambda on: [CLAUDE.root(on.env, on.home)],
    _entries,
    plugin=_plugin,
    own=lambda setup: added_by(setup, "claude", _SINCE, ("--",)),
)
