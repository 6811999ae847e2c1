"""How agents are connected: which of their files get an entry of ours, and functions that edit the text of these files."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from zsmem_tui.agents.hook_shape import SERVER, HookShape, is_hook_of, runs_hook_of
from zsmem_tui.agents.places import Machine
from zsmem_tui.agents.settings import json_text
from zsmem_tui.agents.settings.errors import NotEditable
from zsmem_tui.core.errors import BadTarget

MCP: Final = "mcp"
"""The verb that runs the server."""

_PROGRAMS: Final = (SERVER, "zsmem-tui", "zsmem_tui")
"""The names by which we are started: a script or a module."""

NOT_OURS: Final = f"there is a server called {SERVER} that is not ours; give it another name, or leave out ours with --no-mcp"


class Scope(StrEnum):
    """Whose settings get the entry."""

    USER = "user"
    PROJECT = "project"


class What(StrEnum):
    """What an entry is for."""

    SERVER = "server"
    HOOKS = "hooks"
    PLUGIN = "plugin"


class Setup(NamedTuple):
    """What to connect and where. `command` is how the agent starts us; `on.folder` is the project's folder."""

    on: Machine
    scope: Scope
    command: str = SERVER

    def shell(self, words: str) -> str:
        """A shell command line of our program with these arguments."""
        return f"{shlex.quote(self.command)} {words}"


class Entry(NamedTuple):
    """Our entry in one file of an agent. `put` and `take` return the text with and without it, or raise `NotEditable`.

    `found` returns our commands in a text (the words of a server's command, or one per hook), `wanted` are those that `put` writes.
    `snippet` is the entry alone. `is_whole`: the whole file is ours. `environ` returns variables set for the server, `started` the
    server command even if it is not ours, `wrapped` the user's commands that wrap ours, and `passed` the variables that the agent
    passes on by name.
    """

    place: str
    what: What
    put: Callable[[str], str]
    take: Callable[[str], str]
    found: Callable[[str], Sequence[str]]
    wanted: Sequence[str]
    snippet: str
    is_whole: bool = False
    environ: Callable[[str], dict[str, str]] = lambda text: {}
    started: Callable[[str], Sequence[str]] = lambda text: ()
    wrapped: Callable[[str], Sequence[str]] = lambda text: ()
    passed: Callable[[str], Sequence[str]] = lambda text: ()


class OwnCommand(NamedTuple):
    """How the agent's own program adds our server, from version `since` on, and removes it (empty: it cannot)."""

    program: str
    since: tuple[int, ...]
    add: tuple[str, ...]
    remove: tuple[str, ...] = ()


class Client(NamedTuple):
    """An agent that can be connected.

    It is installed if one of `programs`, or of the paths `folders`, exists. `entries` returns all entries for a scope; `notes` tell
    the user what else to know or do. `plugin`: the files of a plugin folder, if supported. `passes_named`: a server gets only
    variables named in its entry. `own` returns the agent's own command for a scope, if any. `filled` expands placeholders in a
    word of a command.
    """

    name: str
    title: str
    programs: tuple[str, ...]
    folders: Callable[[Machine], list[str]]
    entries: Callable[[Setup], list[Entry]]
    scopes: tuple[Scope, ...] = (Scope.USER, Scope.PROJECT)
    notes: Mapping[What, str] = MappingProxyType({})
    plugin: Callable[[Setup, str], list[Entry]] | None = None
    passes_named: bool = False
    own: Callable[[Setup], OwnCommand | None] = lambda setup: None
    filled: Callable[[Machine, str], str] = lambda on, word: word

    def scope(self, wanted: str) -> Scope:
        """The scope with that name; empty: the agent's first. Raises `BadTarget` for one it does not have."""
        if not wanted:
            return self.scopes[0]
        if wanted not in self.scopes:
            raise BadTarget(
                f"{self.title} has no {wanted} settings for servers. Nothing was written.", f"Name --scope {self.scopes[0].value}."
            )
        return Scope(wanted)


def below(on: Machine, scope: Scope, user: str, project: str) -> str:
    """A path in the home folder or in the project's, by scope."""
    return posixpath.join(on.home, user) if scope is Scope.USER else posixpath.join(on.folder, project)


def usual_server(place: str, setup: Setup, **more: Any) -> Entry:
    """A server entry in the common form, below `mcpServers`, with additional members `more`."""
    return json_server(place, ("mcpServers",), {"command": setup.command, "args": [MCP]} | more, command_and_args)


def json_server(place: str, path: Sequence[str], value: dict[str, Any], words: Callable[[Any], list[str]]) -> Entry:
    """A server entry as an object member in a JSON file; the user's additions to it are kept. `words` extracts the command."""
    whole = (*path, SERVER)

    def put(text: str) -> str:
        there = json_text.get(text, whole)
        kept = there if isinstance(there, dict) else {}
        wanted = {**kept, **{key: each for key, each in value.items() if key != "env" or key not in kept}}
        return text if there == wanted else json_text.put(text, whole, wanted)

    return server(
        place,
        lambda text: json_text.get(text, whole),
        put,
        lambda text: json_text.take(text, whole),
        value,
        words,
        lambda text: json_text.where(text, whole),
    )


def server(
    place: str,
    get: Callable[[str], Any],
    put: Callable[[str], str],
    take: Callable[[str], str],
    value: dict[str, Any],
    words: Callable[[Any], list[str]],
    where: Callable[[str], tuple[int, int]] = lambda text: (0, 0),
    passed: Callable[[str], Sequence[str]] = lambda text: (),
) -> Entry:
    """A server entry in a settings file; `get`, `put` and `take` know the format. A foreign server of our name is left alone."""

    def started(text: str) -> list[str]:
        return words(get(text))

    def put_ours(text: str) -> str:
        if get(text) and not is_our_server(started(text)):
            raise NotEditable(NOT_OURS, *where(text))
        return put(text)

    return Entry(
        place,
        What.SERVER,
        put_ours,
        lambda text: take(text) if is_our_server(started(text)) else text,
        lambda text: own_words(started(text)),
        words(value),
        put(""),
        environ=lambda text: environment_of(get(text)),
        started=started,
        passed=passed,
    )


def is_our_server(words: Sequence[str]) -> bool:
    """Whether a server's command runs `zsmem mcp`, with any path or launcher; if not, it is somebody else's."""
    names = [word.rpartition("/")[2] for word in words]
    return any(name in _PROGRAMS and MCP in words[number + 1 :] for number, name in enumerate(names))


def own_words(words: list[str]) -> list[str]:
    """The command if it is our server's; else empty."""
    return words if is_our_server(words) else []


def command_and_args(value: Any) -> list[str]:
    """The command words of a server stored as `command` and `args`."""
    if not isinstance(value, dict) or not isinstance(value.get("command"), str):
        return []
    args = value.get("args", [])
    return [value["command"], *map(str, args if isinstance(args, list) else [])]


def environment_of(value: Any) -> dict[str, str]:
    """The variables that an entry sets for its server."""
    found = value.get("env") if isinstance(value, dict) else None
    return {key: each for key, each in found.items() if isinstance(each, str)} if isinstance(found, dict) else {}


def added_by(setup: Setup, program: str, since: tuple[int, ...], joint: tuple[str, ...] = ()) -> OwnCommand:
    """The command `PROGRAM mcp add` with its counterpart `mcp remove`; `joint` comes before our own command."""
    scope = ("--scope", setup.scope.value)
    add = ("mcp", "add", *scope, SERVER, *joint, setup.command, MCP)
    return OwnCommand(program, since, add, ("mcp", "remove", *scope, SERVER))


def json_hooks(place: str, setup: Setup, shape: HookShape, timeout: int, matcher: str = "", *, is_flat: bool = False) -> Entry:
    """Our hooks below `hooks` in a JSON file: memory in as many parts as needed, and summaries.

    `matcher` restricts the kinds of session starts; flat hooks are in the event's list without a group. Others' hooks are kept,
    even in one group with ours, and the user's wrappers too. What a wrapper already runs is not added again.
    """

    def hook(words: str = "") -> dict[str, Any]:
        kind = {} if is_flat else {"type": "command"}
        return {**kind, "command": setup.shell(f"hook {shape.agent}{words}"), "timeout": timeout}

    parts = [hook(f" --part {number}/{shape.parts}") for number in range(1, shape.parts + 1)] if shape.parts > 1 else [hook()]
    at = dict.fromkeys(shape.start, parts) | ({shape.summary_event: [hook()]} if shape.summary_event else {})
    inner = "" if is_flat else "hooks"

    def is_ours(value: Any) -> bool:
        return isinstance(value, dict) and is_hook_of(value.get("command"), shape.agent)

    def groups(event: str, theirs: Sequence[str]) -> list[Any]:
        own = [each for each in at[event] if not any(_runs(command, each["command"]) for command in theirs)]
        if is_flat or not own:
            return own
        return [{**({"matcher": matcher} if matcher and event in shape.start else {}), "hooks": own}]

    def put(text: str) -> str:
        if is_flat and json_text.get(text, ("version",)) is None:
            text = json_text.put(text, ("version",), 1)
        for event in at:
            there = json_text.get(text, ("hooks", event))
            wanted = groups(event, around(there))
            own = [each for each in there if any(map(is_ours, _hooks_in(each)))] if isinstance(there, list) else []
            if own != wanted:
                text = json_text.take_items(text, ("hooks", event), is_ours, inner)
                for each in wanted:
                    text = json_text.append(text, ("hooks", event), each)
        return text

    def take(text: str) -> str:
        for event in (json_text.get(text, ("hooks",)) or {}) if found(text) else ():
            text = json_text.take_items(text, ("hooks", event), is_ours, inner)
        return text

    def found(text: str) -> list[str]:
        return [command for there in events(text) for command in _commands(there) if is_hook_of(command, shape.agent)]

    def around(there: Any) -> list[str]:
        own = [each for each in _commands(there) if runs_hook_of(each, shape.agent)]
        return [each for each in own if not is_hook_of(each, shape.agent)]

    def events(text: str) -> list[Any]:
        there = json_text.get(text, ("hooks",))
        return list(there.values()) if isinstance(there, dict) else []

    def wrapped(text: str) -> list[str]:
        return [command for there in events(text) for command in around(there)]

    wanted = [each["command"] for every in at.values() for each in every]
    return Entry(place, What.HOOKS, put, take, found, wanted, put(""), wrapped=wrapped)


def _commands(there: Any) -> list[str]:
    """The commands of the hooks at one event."""
    items = [item for group in there for item in _hooks_in(group)] if isinstance(there, list) else []
    return [each["command"] for each in items if isinstance(each, dict) and isinstance(each.get("command"), str)]


def _runs(command: str, ours: str) -> bool:
    """Whether a user's wrapper runs this hook of ours."""
    words = ours[ours.index(" hook ") :]
    return re.search(rf"{re.escape(words)}(?!\S| --part)", command.replace("'", " ").replace('"', " ")) is not None


def _hooks_in(group: Any) -> list[Any]:
    """The hooks of a group, or the hook itself if there is no group."""
    held = group.get("hooks") if isinstance(group, dict) else None
    return held if isinstance(held, list) else [group]


def generated(
    place: str, text: str, is_as_made: Callable[[str], bool] | None = None, is_ours: Callable[[str], bool] | None = None
) -> Entry:
    """A generated plugin file at `place`; a file with other content is left alone. Files of other releases may count as ours, too,
    and as unchanged.
    """
    unchanged = is_as_made or text.__eq__
    is_found = is_ours or unchanged

    def edited(there: str, new: str) -> str:
        if there.strip() and not unchanged(there):
            raise NotEditable("it is not as zsmem makes it")
        return new

    put, take = (lambda there: edited(there, text)), (lambda there: edited(there, ""))
    return Entry(place, What.PLUGIN, put, take, lambda there: [place] * is_found(there), [place], text, is_whole=True)
