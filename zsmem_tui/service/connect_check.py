"""Test whether an agent's connection works: start the configured commands as the agent would, and query them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from zsmem_tui.agents import registry
from zsmem_tui.agents.connection import Client, Entry, Setup, What
from zsmem_tui.agents.hook_shape import HookShape
from zsmem_tui.agents.places import Machine
from zsmem_tui.agents.settings.errors import NotEditable
from zsmem_tui.core.errors import MemError, WriteFailed
from zsmem_tui.core.json_value import json_object
from zsmem_tui.core.text import counted
from zsmem_tui.service.agent_command import output
from zsmem_tui.service.connecting import client_called, machine, own_command, scopes, text_at, why_no_project
from zsmem_tui.service.searching import CHECK
from zsmem_tui.service.session import Session

_SECONDS: Final = 10.0
"""The timeout in seconds of a server or a hook; agents allow as much."""

_ALWAYS: Final = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TERM", "TMPDIR")
"""Variables that an agent passes on even if it only passes those that are named."""

_PROTOCOL: Final = "2025-06-18"
_SEARCH: Final = "memory_search"
_LONGEST: Final = 200
"""The most characters shown of a failing search."""


class Check(NamedTuple):
    """One test: what was tried, whether it works, and a message."""

    what: str
    works: bool
    words: str


def check(session: Session, name: str, scope: str = "") -> list[Check]:
    """Test an agent's connection in `scope`, or in all scopes. Raises `BadTarget` if there is no such agent."""
    client = client_called(name)
    on = machine(session)
    out: list[Check] = []
    for each in (client.scope(scope),) if scope else scopes(client, on):
        setup = Setup(on, each, own_command())
        for entry in client.entries(setup):
            out += [found._replace(what=f"{each.value} {found.what}") for found in _entry(client, setup, entry)]
    return out or [Check(name, False, f"it is not connected: `zsmem connect {name}` does that")]


def _entry(client: Client, setup: Setup, entry: Entry) -> list[Check]:
    try:
        text = text_at(entry.place)
        commands, environ = list(entry.started(text) or entry.found(text)), entry.environ(text)
    except WriteFailed as error:
        return [Check(entry.what.value, False, error.message)]
    except (MemError, NotEditable) as error:
        return [Check(entry.what.value, False, f"{entry.place}: {error}")]
    if not commands:
        return []
    match entry.what:
        case What.SERVER:
            words, passed = [client.filled(setup.on, word) for word in commands], (*_ALWAYS, *entry.passed(text))
            given = {key: value for key, value in setup.on.env.items() if key in passed or not client.passes_named}
            return _server(words, setup.on, given | environ)
        case What.HOOKS:
            known = registry.agent(client.name)
            shape = known.hook if known is not None else None
            return [_hook(shape, command, setup) for command in commands] if shape is not None else []
        case What.PLUGIN:
            is_ours = entry.put(text) == text
            return [Check("plugin", is_ours, "as it is made now" if is_ours else "another release made it: connect again")]


def _server(command: list[str], on: Machine, environ: dict[str, str]) -> list[Check]:
    shown = " ".join(command)
    first = _query_server(command, on.folder, environ, [("tools/list", {})])
    if isinstance(first, str):
        return [Check("server", False, f"{shown}: {first}")]
    info = first[0].get("serverInfo")
    name = info.get("name", "a server") if isinstance(info, dict) else "a server"
    out = [Check("server", True, f"{shown}: answers as {name}")]
    tools = first[1].get("tools")
    names = [str(each.get("name")) for each in tools if isinstance(each, dict)] if isinstance(tools, list) else []
    out.append(Check("tools", bool(names), ", ".join(names) or "it lists none"))
    search = next((each for each in names if each.endswith(_SEARCH)), "")
    if search:
        everywhere = {"scope": "all"} if why_no_project(on) else {}  # without a project, the server would ask which one is meant
        call = {"name": search, "arguments": {"query": "zsmem", **everywhere}}
        found = _query_server(command, on.folder, environ, [("tools/call", call)])
        if isinstance(found, str):
            out.append(Check("search", False, found))
        else:
            failed, content = found[1].get("isError") is True, found[1].get("content")
            said = content[0] if isinstance(content, list) and content else None
            why = str(said.get("text", ""))[:_LONGEST] if isinstance(said, dict) else "it failed"
            out.append(Check("search", not failed, why if failed else "answers"))
    return out


def _query_server(
    command: Sequence[str], folder: str, environ: dict[str, str], requests: Sequence[tuple[str, dict[str, Any]]]
) -> list[dict[str, Any]] | str:
    """The results of `initialize` and of each request; or a text that says which one failed."""
    hello = {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": {"name": CHECK, "version": "1"}}
    every = [("initialize", hello), *requests]
    lines = [{"jsonrpc": "2.0", "id": number, "method": method, "params": about} for number, (method, about) in enumerate(every)]
    lines.insert(1, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    out, why = output(command, environ, folder, b"".join(json.dumps(each).encode() + b"\n" for each in lines), _SECONDS)
    answers: dict[int, dict[str, Any]] = {}
    for line in out.split(b"\n"):
        if (found := json_object(line)) is not None and isinstance(found.get("id"), int):
            answers[found["id"]] = found
    results = []
    for number, (method, _) in enumerate(every):
        answer = answers.get(number, {})
        if not isinstance(answer.get("result"), dict):
            problem = answer.get("error")
            said = problem.get("message") if isinstance(problem, dict) else why
            return f"{method} got no result{f': {said}' if said else ''}"
        results.append(answer["result"])
    return results


def _hook(shape: HookShape, command: str, setup: Setup) -> Check:
    """Run one hook with a made-up event that writes nothing."""
    is_summary = bool(shape.summary_event) and "--part" not in command and (shape.parts > 1 or not shape.start)
    event = shape.summary_event if is_summary else shape.start[0]
    told = {"hook_event_name": event, "cwd": setup.on.folder, "workspace_roots": [setup.on.folder], "source": "startup"}
    out, why = output(["/bin/sh", "-c", command], dict(setup.on.env), setup.on.folder, json.dumps(told).encode(), _SECONDS)
    if why:
        return Check("hook", False, f"{command}: {why}")
    size = len(out.decode("utf-8", "replace"))
    gives = f"gives {counted(size, 'character')}" if size else "gives nothing: zerostack has no more memory of this folder"
    return Check("hook", True, f"{command}: {'is ready for a summary' if is_summary else gives}")
