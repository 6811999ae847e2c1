"""The MCP tools for memory (specification, section 18), each called for a project."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from zsmem_tui.core.errors import BadContent, BadTarget, MemError
from zsmem_tui.core.limits import TRUNCATED_MARK
from zsmem_tui.core.search import SearchResults
from zsmem_tui.core.text import printable_path
from zsmem_tui.mcp.served import Asked, Served
from zsmem_tui.mcp.wire import BAD_PARAMETERS, Params, RpcError
from zsmem_tui.service.agent_tools import Tool, memory_tools, search_answer, text_argument
from zsmem_tui.service.searching import Query, Scope, Sought, note_read, note_search, search
from zsmem_tui.service.which_project import MeantProject

MOST_CHARS: Final = 39_500
"""Maximum characters of a result, text and structured content together; clients cut at 40,000, possibly in mid-structure."""

_LEAST_DATA: Final = 2_000
"""Characters reserved for the structured content."""

_SEARCH: Final = "memory_search"
_READ: Final = "memory_read"
_WRITERS: Final = ("memory_write", "memory_edit")

_FOR_ALL: Final = "long_term"
"""The only target that belongs to no project."""

_SHOWN: Final = 100
"""Maximum characters of a client's input quoted in an error."""

_LOOK_EVERY: Final = 256
"""Number of files after which a search checks for cancellation, which costs as much as searching a file."""

_META: Final = {"anthropic/maxResultSizeChars": 60_000}

_PROJECT: Final = {
    "type": "string",
    "description": "Whose memory: the project's folder, as an absolute path, or its slug. Left out: the project worked in.",
}
_SCOPE: Final = {
    "type": "string",
    "enum": ["agent", "all"],
    "description": "agent (the default): this project, and what all of them share; all: every project.",
}
_ALIASES: Final[Params] = {
    "type": "array",
    "items": {"type": "string"},
    "description": (
        "For a note: three to six words that somebody else would search by and that the note does not say, such as a synonym, an "
        "abbreviation or the error message. They are merged into its line of aliases."
    ),
}
_FOUND: Final[Params] = {
    "type": "object",
    "properties": {
        "project": {"type": "string", "description": "The project searched; empty: none in particular."},
        "path": {"type": "string", "description": "The folder of its memory."},
        "terms": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"term": {"type": "string"}, "count": {"type": "integer"}},
                "required": ["term", "count"],
            },
        },
        "hits": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "path": {"type": "string"},
                    "project": {"type": "string", "description": "Empty: shared by all projects."},
                    "matched_terms": {"type": "array", "items": {"type": "string"}},
                    "total_hits": {"type": "integer", "description": "Lines that match; 0: only the name does."},
                },
                "required": ["path", "project", "matched_terms", "total_hits"],
            },
        },
        "files": {"type": "integer", "description": "Files found, also those that are left out of hits."},
    },
    "required": ["project", "path", "terms", "hits", "files"],
}


class Tools:
    """The tools of a server."""

    def __init__(self, served: Served) -> None:
        self._served = served
        prefix, read_only = served.options.prefix, served.options.read_only
        made = memory_tools(lambda: served.session.mem(), client="")
        self._tools = {f"{prefix}{tool.name}": tool for tool in made if not (read_only and tool.name in _WRITERS)}

    def listed(self) -> list[Params]:
        """The result of `tools/list`."""
        return [_described(name, tool) for name, tool in self._tools.items()]

    def call(self, asked: Asked) -> Params:
        """Call a tool; its errors are returned as a result. Raises `RpcError` for an invalid call."""
        name, arguments = asked.params.get("name"), asked.params.get("arguments")
        if not isinstance(name, str):
            raise RpcError(BAD_PARAMETERS, "A call names its tool: name must be text. Nothing was done.")
        if name not in self._tools:
            raise RpcError(BAD_PARAMETERS, f"There is no tool {name[:_SHOWN]}. Tools are {', '.join(self._tools)}.")
        if arguments is None:
            arguments = {}
        if not isinstance(arguments, dict):
            raise RpcError(BAD_PARAMETERS, "arguments must be a JSON object. Nothing was done.")
        asked.tell(0, 1)
        found = self._answer(self._tools[name], arguments, asked)
        if not asked.is_called_off():
            asked.tell(1, 1)
        return found

    def _answer(self, tool: Tool, arguments: Params, asked: Asked) -> Params:
        project: MeantProject | None = None
        try:
            _check_text(arguments)
            is_of_all = _FOR_ALL in (arguments.get("target"), arguments.get("source")) or arguments.get("scope") == Scope.ALL
            project = self._served.open(arguments.get("project"), needed=not is_of_all)
            about = self._served.describe(project)
            if tool.name == _SEARCH:
                return self._search(arguments, project, about, asked)
            if tool.name == _READ and arguments.get("source") == "list":
                return _result(["\n".join(self._served.session.mem().list(inside=True)), about])
            if tool.name == _READ:
                self._served.refuse_outside(arguments.get("source"), arguments.get("name"))
            if tool.name in _WRITERS:
                self._served.write_as(asked.client)
            answer = tool.handler(arguments)
            if tool.name == _READ:
                ref = self._served.session.mem().source_ref(arguments["source"], arguments.get("name"))
                note_read(self._served.session, asked.client, ref)
            return _result([answer, about])
        except MemError as error:
            texts = [f"{error.message}\n{error.hint}".rstrip(), *([self._served.describe(project)] if project else [])]
            return _result(texts) | {"isError": True}

    def _search(self, arguments: Params, project: MeantProject, about: str, asked: Asked) -> Params:
        query, scope = text_argument(arguments, "query"), _scope(arguments)
        if scope is Scope.ALL:
            about = f"Every project was searched. {about}"
        session = self._served.session
        meant = Query(query, (Sought(session),), scope)
        results = search(meant, cancelled=_every_nth(_LOOK_EVERY, asked.is_called_off), near=True)
        note_search(session, asked.client, query, results)
        place = {"project": printable_path(project.slug), "path": self._served.home(project)}
        room = MOST_CHARS - len(json.dumps(place))
        result = _result([search_answer(query, results), about], room - _LEAST_DATA)
        result["structuredContent"] = place | _structured(results, room - sum(len(each["text"]) for each in result["content"]))
        return result


def _described(name: str, tool: Tool) -> Params:
    properties = tool.parameters["properties"] | {"project": _PROJECT}
    writes = tool.name in _WRITERS
    found: Params = {
        "name": name,
        "description": tool.description,
        "inputSchema": tool.parameters | {"properties": properties, "additionalProperties": False},
        "annotations": {"readOnlyHint": not writes, "openWorldHint": False},
        "_meta": _META,
    }
    if writes:
        found["annotations"] |= {"destructiveHint": True, "idempotentHint": False}
    if tool.name == "memory_write":
        properties["aliases"] = _ALIASES
    if tool.name == _SEARCH:
        properties["scope"] = _SCOPE
        found["outputSchema"] = _FOUND
    return found


def _result(texts: list[str], most: int = MOST_CHARS) -> Params:
    """A result with these texts; the first is cut if they have more than `most` characters in total."""
    first, *others = texts
    room = most - sum(map(len, others))
    if len(first) > room:
        first = first[: max(room - len(TRUNCATED_MARK), 0)] + TRUNCATED_MARK
    return {"content": [{"type": "text", "text": text} for text in (first, *others)], "isError": False}


def _structured(results: SearchResults, room: int) -> Params:
    """Terms and hits as structured content, as many as fit in `room` characters; the excerpts are in the text."""
    found: Params = {"terms": [], "hits": [], "files": len(results.ranked)}
    room -= len(json.dumps(found)) + len(str(found["files"]))
    hits = (
        {
            "path": hit.path,
            "project": printable_path(hit.ref.project),
            "matched_terms": hit.matched_terms,
            "total_hits": hit.total_hits,
        }
        for hit in results.ranked
    )
    for key, rows in (("terms", ({"term": term, "count": count} for term, count in results.terms)), ("hits", hits)):
        for row in rows:
            room -= len(json.dumps(row)) + 2
            if room < 0:
                return found
            found[key].append(row)
    return found


def _scope(arguments: Params) -> Scope:
    match arguments.get("scope"):
        case None | "agent":
            return Scope.AGENT
        case "all":
            return Scope.ALL
        case _:
            raise BadTarget("unknown scope: scopes are agent and all")


def _check_text(arguments: Params) -> None:
    """Raise `BadContent` if a string has a lone surrogate, which JSON allows but files and names cannot contain."""
    for key, value in arguments.items():
        if isinstance(value, str) and not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError as error:
                shown = key.encode("ascii", "backslashreplace").decode()[:_SHOWN]
                raise BadContent(f"argument {shown} is not valid Unicode (it holds half a character). Nothing was done.") from error


def _every_nth(number: int, ask: Callable[[], bool]) -> Callable[[], bool]:
    """A predicate that calls `ask` only every `number` calls."""
    times = 0

    def asked() -> bool:
        nonlocal times
        times += 1
        return times % number == 0 and ask()

    return asked
