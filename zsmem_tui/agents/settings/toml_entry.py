"""A server as a table of a TOML file."""

from __future__ import annotations

from typing import Any

from zsmem_tui.agents.connection import Entry, command_and_args, server
from zsmem_tui.agents.hook_shape import SERVER
from zsmem_tui.agents.settings import toml_text

_PATH = ("mcp_servers", SERVER)


def toml_server(place: str, values: dict[str, Any]) -> Entry:
    """The table `mcp_servers.zsmem` of a file. What a person has added to it stays."""
    return server(
        place,
        lambda text: toml_text.get(text, _PATH),
        lambda text: toml_text.put(text, _PATH, values),
        lambda text: toml_text.take(text, _PATH),
        values,
        command_and_args,
    )
