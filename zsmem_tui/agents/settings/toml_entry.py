"""A server as a table of a TOML file."""

from __future__ import annotations

from typing import Any

from zsmem_tui.agents.connection import NOT_OURS, Entry, What, command_and_args, environment_of, is_our_server, own_words
from zsmem_tui.agents.hook_shape import SERVER
from zsmem_tui.agents.settings import toml_text
from zsmem_tui.agents.settings.errors import NotEditable

_PATH = ("mcp_servers", SERVER)


def toml_server(place: str, values: dict[str, Any]) -> Entry:
    """The table `mcp_servers.zsmem` of a file. What a person has added to it stays."""

    def started(text: str) -> list[str]:
        return command_and_args(toml_text.get(text, _PATH))

    def put(text: str) -> str:
        if toml_text.get(text, _PATH) and not is_our_server(started(text)):
            raise NotEditable(NOT_OURS)
        return toml_text.put(text, _PATH, values)

    return Entry(
        place,
        What.SERVER,
        put,
        lambda text: toml_text.take(text, _PATH) if is_our_server(started(text)) else text,
        lambda text: own_words(started(text)),
        command_and_args(values),
        toml_text.put("", _PATH, values),
        environ=lambda text: environment_of(toml_text.get(text, _PATH)),
        started=started,
    )
