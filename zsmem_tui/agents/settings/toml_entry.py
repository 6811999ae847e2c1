"""A server as a table of a TOML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zsmem_tui.agents.connection import Entry, command_and_args, server
from zsmem_tui.agents.hook_shape import SERVER
from zsmem_tui.agents.settings import toml_text

_PATH = ("mcp_servers", SERVER)
_PASSED = "env_vars"


def toml_server(place: str, values: dict[str, Any], *, first: Mapping[str, Any] | None = None, passed: Sequence[str] = ()) -> Entry:
    """The table `mcp_servers.zsmem` of a file. What a person has added to it stays.

    `first` is what only a new table gets. Of the names in its `env_vars` only those stay that a person has added, or that are in
    `values` too: `passed` are all that we know.
    """

    def put(text: str) -> str:
        there = toml_text.get(text, _PATH)
        if not isinstance(there, dict) or not there:
            return toml_text.put(text, _PATH, {**values, **(first or {})})
        own = values.get(_PASSED, [])
        kept = [each for each in _named(there) if each not in passed or each in own]
        names = [*kept, *(each for each in own if each not in kept)]
        return toml_text.put(text, _PATH, {**values, **({_PASSED: names or None} if _PASSED in there or own else {})})

    return server(
        place,
        lambda text: toml_text.get(text, _PATH),
        put,
        lambda text: toml_text.take(text, _PATH),
        values,
        command_and_args,
        passed=lambda text: _named(toml_text.get(text, _PATH)),
    )


def _named(there: Any) -> list[str]:
    found = there.get(_PASSED) if isinstance(there, dict) else None
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []
