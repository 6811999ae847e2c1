"""A server as a table of a TOML file."""

from __future__ import annotations

from typing import Any

from zsmem_tui.agents.connection import Entry, What, command_and_args
from zsmem_tui.agents.hook_shape import SERVER
from zsmem_tui.agents.settings import toml_text

_PATH = ("mcp_servers", SERVER)


def toml_server(place: str, values: dict[str, Any]) -> Entry:
    """The table `mcp_servers.zsmem` of a file. What a person has added to it stays."""
    return Entry(
        place,
        What.SERVER,
        lambda text: toml_text.put(text, _PATH, values),
        lambda text: toml_text.take(text, _PATH),
        lambda text: command_and_args(toml_text.get(text, _PATH)),
        command_and_args(values),
        toml_text.put("", _PATH, values),
    )
