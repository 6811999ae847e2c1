"""Connect zerostack: its settings files, and our server in them, through which it can reach other projects' memory."""

from __future__ import annotations

import posixpath
from typing import Final

from zsmem_tui.agents.connection import MCP, Client, Entry, Scope, Setup, What
from zsmem_tui.agents.hook_shape import SERVER
from zsmem_tui.agents.places import Machine
from zsmem_tui.agents.settings.toml_text import toml_server
from zsmem_tui.config import locate

_PROJECT_FOLDER: Final = ".zerostack"
_SETTINGS: Final = "config.toml"


def _root(on: Machine) -> str:
    """Its configuration folder; the one that its documents name if only that has settings."""
    own = locate.agent_folder()
    base = on.env.get("XDG_CONFIG_HOME", "")
    named = posixpath.join(base if base.startswith("/") else posixpath.join(on.home, ".config"), "zerostack")
    has_settings = [folder for folder in (own, named) if on.is_there(posixpath.join(folder, _SETTINGS))]
    return has_settings[0] if has_settings else own


def _entries(setup: Setup) -> list[Entry]:
    home = _root(setup.on) if setup.scope is Scope.USER else posixpath.join(setup.on.folder, _PROJECT_FOLDER)
    values = {"command": setup.command, "args": [MCP, "--tool-prefix", f"{SERVER}_"]}
    return [toml_server(posixpath.join(home, _SETTINGS), values)]


CLIENT: Final = Client(
    "zerostack",
    "zerostack",
    ("zerostack",),
    lambda on: [posixpath.join(_root(on), _SETTINGS)],
    _entries,
    notes={What.SERVER: "With any server in mcp_servers, zerostack no longer starts its Exa search server by itself."},
)
