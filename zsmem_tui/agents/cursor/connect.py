"""Connect Cursor: its settings files, and our server and hooks in them."""

from __future__ import annotations

import posixpath
from typing import Final

from zsmem_tui.agents.connection import Client, Entry, Setup, below, json_hooks, usual_server
from zsmem_tui.agents.cursor.agent import HOOK

_OWN_FOLDER: Final = ".cursor"
_SECONDS: Final = 10


def _entries(setup: Setup) -> list[Entry]:
    paths = (f"{_OWN_FOLDER}/mcp.json", f"{_OWN_FOLDER}/hooks.json")
    servers, hooks = (below(setup.on, setup.scope, path, path) for path in paths)
    return [usual_server(servers, setup), json_hooks(hooks, setup, HOOK, _SECONDS, is_flat=True)]


CLIENT: Final = Client(
    HOOK.agent, "Cursor", ("cursor", "cursor-agent"), lambda on: [posixpath.join(on.home, _OWN_FOLDER)], _entries
)
