"""Connect Codex: its settings files, and our server and hooks in them."""

from __future__ import annotations

import posixpath
from typing import Any, Final

from zsmem_tui.agents.codex.agent import HOOK
from zsmem_tui.agents.connection import MCP, Client, Entry, OwnCommand, Scope, Setup, What, json_hooks
from zsmem_tui.agents.hook_shape import SERVER
from zsmem_tui.agents.places import Machine
from zsmem_tui.agents.settings.toml_text import toml_server

_OWN_FOLDER: Final = ".codex"
_SECONDS: Final = 10
_SINCE: Final = (0, 46)
_PASSED_ON: Final = ("ZS_CONFIG_DIR", "ZS_DATA_DIR", "XDG_DATA_HOME", "ZSMEM_CONFIG", "ZSMEM_STATE_DIR")
"""Variables that locate the memory; Codex only passes on variables that are named."""


def _root(on: Machine) -> str:
    return on.env.get("CODEX_HOME") or posixpath.join(on.home, _OWN_FOLDER)


def _entries(setup: Setup) -> list[Entry]:
    is_user = setup.scope is Scope.USER
    home = _root(setup.on) if is_user else posixpath.join(setup.on.folder, _OWN_FOLDER)
    values: dict[str, Any] = {"command": setup.command, "args": [MCP] if is_user else [MCP, "--cwd", setup.on.folder]}
    if not is_user:
        values["cwd"] = setup.on.folder
    if named := _named(setup.on):
        values["env_vars"] = named
    first = {"startup_timeout_sec": _SECONDS}
    return [
        toml_server(posixpath.join(home, "config.toml"), values, first=first, passed=_PASSED_ON),
        json_hooks(posixpath.join(home, "hooks.json"), setup, HOOK, _SECONDS),
    ]


def _named(on: Machine) -> list[str]:
    """The variables to pass on; Codex warns about unset ones."""
    return [each for each in _PASSED_ON if on.env.get(each)]


def _own(setup: Setup) -> OwnCommand | None:
    """Codex's own command, if it can do it: it knows no projects or passed variables, and `remove` deletes comments above ours."""
    if setup.scope is not Scope.USER or _named(setup.on):
        return None
    return OwnCommand("codex", _SINCE, ("mcp", "add", SERVER, "--", setup.command, MCP))


CLIENT: Final = Client(
    HOOK.agent,
    "Codex",
    ("codex",),
    lambda on: [_root(on)],
    _entries,
    notes={What.HOOKS: "Codex runs hooks only once you trust them: type /hooks in it."},
    passes_named=True,
    own=_own,
)
