"""The MCP resources (memory files) and prompts."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import parse_qs, quote, unquote_to_bytes

from zsmem_tui.config.locate import NO_FOLDER_PROJECT
from zsmem_tui.core.errors import BadContent, BadName, BadTarget
from zsmem_tui.core.limits import MAX_INJECT_BYTES, TRUNCATED_MARK
from zsmem_tui.core.moments import CALLED
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import printable_path, truncate
from zsmem_tui.mcp.served import Served
from zsmem_tui.mcp.wire import BAD_PARAMETERS, Params, RpcError
from zsmem_tui.service.browsing import agent_files, open_file
from zsmem_tui.service.hooks import client_block
from zsmem_tui.service.which_project import MeantProject

SCHEME: Final = "zsmem://"
_MARKDOWN: Final = "text/markdown"
_BLOCK: Final = "context"

_PAGE: Final = 500
"""Resources per page; most projects have a few dozen."""

_EMPTY: Final = "There is nothing in memory yet."
_SHOWN: Final = 200
"""Maximum characters of a client's input quoted in an error."""


class Resources:
    """The memory files and prompts of a server."""

    def __init__(self, served: Served) -> None:
        self._served = served

    def listed(self, params: Params) -> Params:
        """A page of the memory files; without a project, of the global ones. Raises `RpcError` for an invalid cursor."""
        cursor = params.get("cursor", "0")
        if not (isinstance(cursor, str) and cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
            raise RpcError(BAD_PARAMETERS, "This cursor is none that was given. Nothing was read.")
        start = int(cursor)
        files = self._files("")
        found: Params = {
            "resources": [
                {"uri": uri, "name": printable_path(ref.name or ref.target), "title": title, "mimeType": _MARKDOWN}
                for uri, ref in list(files.items())[start : start + _PAGE]
                for title in [printable_path(f"{ref.target}: {ref.name}" if ref.name else ref.target)]
            ]
        }
        if start + _PAGE < len(files):
            found["nextCursor"] = str(start + _PAGE)
        return found

    def templates(self) -> list[Params]:
        """The URI templates for files and prompts of other projects."""
        return [
            {
                "uriTemplate": f"{SCHEME}{{project}}/{{source}}{{/name}}",
                "name": "memory",
                "title": "A memory file of a project",
                "description": "project: its slug. source: long_term, scratchpad, daily (name: the date), note (name: its name).",
                "mimeType": _MARKDOWN,
            },
            {
                "uriTemplate": f"{SCHEME}{{project}}/{_BLOCK}{{?at}}",
                "name": "context",
                "title": "The prompt of a project, at a moment",
                "description": f"What memory puts into the prompt. project: its slug. at: {CALLED}; left out: now.",
                "mimeType": _MARKDOWN,
            },
        ]

    def read(self, params: Params) -> Params:
        """The content of a memory file, at most 32,768 bytes, or a project's prompt. Raises `RpcError`."""
        uri = params.get("uri")
        if not isinstance(uri, str):
            raise RpcError(BAD_PARAMETERS, "A resource is named by its uri, which must be text. Nothing was read.")
        wanted = unquote_to_bytes(uri.encode("utf-8", "replace"))
        slug = unquote_to_bytes(uri.removeprefix(SCHEME).partition("/")[0].encode("utf-8", "replace")).decode("utf-8", "replace")
        path, _, query = uri.partition("?")
        if path == f"{SCHEME}{path.removeprefix(SCHEME).partition('/')[0]}/{_BLOCK}":
            return self._context(uri, slug, query)
        ref: MemRef | None = None
        if uri.startswith(SCHEME) and slug and not slug.startswith(("/", "~")):
            try:
                files = self._files(slug)
            except (BadName, BadTarget):
                files = {}
            ref = next((ref for each, ref in files.items() if unquote_to_bytes(each) == wanted), None)
        if ref is not None:
            self._served.session.refuse_link_out(ref)
        file = open_file(self._served.session, ref) if ref is not None else None
        if file is None or file.fingerprint is None:
            raise RpcError(
                BAD_PARAMETERS, "There is no such memory file.", {"uri": uri[:_SHOWN].encode("utf-8", "replace").decode()}
            )
        text = truncate(file.text, MAX_INJECT_BYTES, TRUNCATED_MARK)
        return {"contents": [{"uri": uri, "mimeType": _MARKDOWN, "text": text}]}

    def _context(self, uri: str, slug: str, query: str) -> Params:
        """A project's memory block, now or at the moment in the query. Raises `RpcError`."""
        from zsmem_tui.service.past import point_of  # deferred: 35 ms, with the history

        try:
            asked = parse_qs(query.replace("+", "%2B"), keep_blank_values=True, strict_parsing=bool(query), max_num_fields=4)
            if asked.keys() - {"at"} or len(asked.get("at", ())) > 1:
                raise ValueError
            self._served.open(slug)
            at = asked.get("at", [""])[0]
            text, _ = client_block(self._served.session, point_of(self._served.session, at) if "at" in asked else None)
        except ValueError:
            raise RpcError(
                BAD_PARAMETERS, "A resource of the prompt takes ?at=MOMENT and nothing else. Nothing was read."
            ) from None
        except (BadName, BadTarget) as error:
            raise RpcError(BAD_PARAMETERS, f"{error.message} {error.hint}".rstrip()) from error
        return {"contents": [{"uri": uri, "mimeType": _MARKDOWN, "text": text}]}

    def prompts(self) -> list[Params]:
        """The prompts that a person can choose."""
        found: list[Params] = [
            {
                "name": "memory",
                "title": "What memory holds",
                "description": "What an agent has in its prompt when a session starts: lasting facts, open items, the last days.",
                "arguments": [{"name": "project", "description": _PROJECT_ARGUMENT, "required": False}],
            }
        ]
        if not self._served.options.read_only:
            found.append(
                {
                    "name": "remember",
                    "title": "Remember this",
                    "description": "Have the agent keep something for later sessions.",
                    "arguments": [{"name": "text", "description": "What is worth having next time.", "required": True}],
                }
            )
        return found

    def prompt(self, params: Params) -> Params:
        """The text of a prompt. Raises `RpcError`."""
        name, arguments = params.get("name"), params.get("arguments")
        given = {} if arguments is None else arguments
        if not isinstance(given, dict):
            raise RpcError(BAD_PARAMETERS, "arguments must be a JSON object.")
        known = {each["name"]: each for each in self.prompts()}
        if not isinstance(name, str) or name not in known:
            raise RpcError(BAD_PARAMETERS, f"There is no such prompt. Prompts are {', '.join(known)}.")
        try:
            text = self._memory(given.get("project")) if name == "memory" else self._remember(given.get("text"))
        except (BadContent, BadName, BadTarget) as error:
            raise RpcError(BAD_PARAMETERS, error.message) from error
        return {
            "description": known[name]["description"],
            "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
        }

    def _memory(self, project: Any) -> str:
        found = self._served.open(project)
        block, left = client_block(self._served.session)
        return "\n\n".join((block or _EMPTY, *left, self._served.describe(found)))

    def _remember(self, text: Any) -> str:
        if not isinstance(text, str) or not text.strip():
            raise RpcError(BAD_PARAMETERS, "remember needs an argument: text, what is worth having next time.")
        tool = f"{self._served.options.prefix}memory_write"
        return (
            f"Keep this for later sessions with {tool}, in the target that fits: long_term for what holds in every project, "
            f"note for reference material of this one, scratchpad for what is to be done, daily for what happened today. "
            f"Look first whether it is there already.\n\n{text}"
        )

    def _files(self, project: str) -> dict[str, MemRef]:
        """The memory files of a project (empty: the current one) by URI. Raises `MemError`."""
        found = self._served.open(project, needed=False)
        return {_uri(found, ref): ref for ref in agent_files(self._served.session, of_project=bool(found.slug))}


_PROJECT_ARGUMENT: Final = "The project's folder or slug; left out: the one worked in."


def _uri(project: MeantProject, ref: MemRef) -> str:
    slug = quote(project.slug or NO_FOLDER_PROJECT, safe="", errors="surrogateescape")
    name = f"/{quote(ref.name, safe='', errors='surrogateescape')}" if ref.name else ""
    return f"{SCHEME}{slug}/{ref.target}{name}"
