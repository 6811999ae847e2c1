"""The memory tools that agents call, as plain functions (specification, section 18)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from zsmem_tui.config.load import load
from zsmem_tui.core.errors import BadContent, ConfigError, WriteFailed
from zsmem_tui.core.limits import MAX_INJECT_BYTES
from zsmem_tui.core.notice import NoticeKind, sentences
from zsmem_tui.core.outcomes import WriteReport
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.search import SearchResults
from zsmem_tui.store import search_log
from zsmem_tui.store.mem import Mem

LIBRARY: Final = "the library"
"""The client name for the library's tools in the log of searches."""

Handler = Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: `parameters` is its JSON schema; `handler` maps the arguments to the text of the answer.

    The handler raises `MemError` with a message for the agent.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    handler: Handler


def memory_tools(open_mem: Callable[[], Mem], *, client: str = LIBRARY) -> list[Tool]:
    """The tools for a store: `memory_write`, `memory_read`, `memory_search`, and `memory_edit` with the 1.7 profile.

    `open_mem` returns a `Mem` for the current moment; it is called on each use, and once here for the profile. Searches and reads
    are logged in the state folder under `client`, unless it is empty or the settings disable it or cannot be read.
    """
    try:
        notes = client if client and load().search_log else ""
    except ConfigError:
        notes = ""
    tools = [_write_tool(open_mem), _read_tool(open_mem, notes), _search_tool(open_mem, notes)]
    if open_mem().profile is Profile.ZEROSTACK_1_7:
        tools.append(_edit_tool(open_mem))
    return tools


def search_answer(query: str, results: SearchResults) -> str:
    """The answer of `memory_search` (section 7); with a line about similar words if some terms were not found."""
    near = ""
    if results.near:
        from zsmem_tui.core.recall.near_words import sentence  # deferred: word lists, only needed after a miss

        near = f"\n{sentence(results.near, results.apart())}"
    found = results.render(MAX_INJECT_BYTES - len(near.encode())) if results.ranked else f"No matches for '{query}'."
    return f"{found}{near}"


def _write_answer(report: WriteReport) -> str:
    """The answer of a tool that writes (section 9); with a line if agents will not read the file (section 15)."""
    kinds = (NoticeKind.NOT_UTF8, NoticeKind.NOTE_NOT_UTF8, NoticeKind.OVER_LIMIT)
    unread = [each for each in report.findings if each.kind in kinds]
    return "\n".join((str(report), *sentences(unread)))


def _write_tool(open_mem: Callable[[], Mem]) -> Tool:
    def handler(arguments: Mapping[str, Any]) -> str:
        target, content = text_argument(arguments, "target"), text_argument(arguments, "content")
        mode, name = _optional(arguments, "mode"), _optional(arguments, "name")
        return _write_answer(open_mem().write(target, content, mode, name, aliases=_texts(arguments, "aliases")))

    return _tool(
        "memory_write",
        "Store something worth having in a later session. Appends unless told to overwrite; at most 65,536 bytes a call.",
        {
            "target": _string(
                "long_term: facts for every project, one a line. scratchpad: this project's to-do list. daily: today's log. "
                "note: a named reference file of this project.",
                ["long_term", "scratchpad", "daily", "note"],
            ),
            "content": _string("The Markdown to store."),
            "mode": _string("append (the default) adds at the end; overwrite replaces the whole file.", ["append", "overwrite"]),
            "name": _string("For a note: its name, without slashes or dots. Not used otherwise."),
        },
        ["target", "content"],
        handler,
    )


def _read_tool(open_mem: Callable[[], Mem], client: str) -> Tool:
    def handler(arguments: Mapping[str, Any]) -> str:
        mem, source, name = open_mem(), text_argument(arguments, "source"), _optional(arguments, "name")
        answer = mem.read(source, name)
        if client and source != "list":
            with suppress(WriteFailed):
                search_log.note_read(mem.root, client, mem.source_ref(source, name).path, time.time_ns() / 1e9)
        return answer

    return _tool(
        "memory_read",
        "Read one memory file (its first 32,768 bytes), or list the files there are.",
        {
            "source": _string(
                "Which file; list gives the paths of long-term memory, notes and daily logs.",
                ["long_term", "scratchpad", "daily", "note", "list"],
            ),
            "name": _string("For a note its name; for a daily log its date as YYYY-MM-DD (default: today)."),
        },
        ["source"],
        handler,
    )


def _search_tool(open_mem: Callable[[], Mem], client: str) -> Tool:
    def handler(arguments: Mapping[str, Any]) -> str:
        mem, query = open_mem(), text_argument(arguments, "query")
        results = mem.search(query)
        if client:
            with suppress(WriteFailed):
                paths = [hit.ref.path for hit in results.ranked[: search_log.MOST_HITS]]
                search_log.note_search(mem.root, client, query, paths, time.time_ns() / 1e9)
        return search_answer(query, results)

    return _tool(
        "memory_search",
        "Find memory files by words: long-term memory, and this project's notes and daily logs. A file matches when it holds any "
        "of the words, letter for letter in either case; those with more of them come first, with the lines around each match.",
        {"query": _string("A few distinctive words, separated by blanks.")},
        ["query"],
        handler,
    )


def _edit_tool(open_mem: Callable[[], Mem]) -> Tool:
    def handler(arguments: Mapping[str, Any]) -> str:
        target = text_argument(arguments, "target")
        old, new = _optional(arguments, "old_str"), _optional(arguments, "new_str")
        return _write_answer(open_mem().edit(target, _optional(arguments, "name"), old, new or ""))

    return _tool(
        "memory_edit",
        "Change one passage of a memory file, or delete a note by leaving old_str out.",
        {
            "target": _string("Which kind of file.", ["long_term", "scratchpad", "daily", "note"]),
            "name": _string("For a note its name; for a daily log its date (default: today)."),
            "old_str": _string("The text to replace. It must occur exactly once. Left out: the whole note is deleted."),
            "new_str": _string("What to put in its place."),
        },
        ["target", "new_str"],
        handler,
    )


def _tool(name: str, description: str, properties: dict[str, Any], required: list[str], handler: Handler) -> Tool:
    return Tool(name, description, {"type": "object", "properties": properties, "required": required}, handler)


def _string(description: str, values: Sequence[str] = ()) -> dict[str, Any]:
    return {"type": "string", "description": description, **({"enum": values} if values else {})}


def text_argument(arguments: Mapping[str, Any], key: str) -> str:
    """A required text argument. Raises `BadContent`."""
    if key not in arguments:
        raise BadContent(f"missing argument: {key}")
    value = arguments[key]
    if not isinstance(value, str):
        raise BadContent(f"argument {key} must be text")
    return value


def _optional(arguments: Mapping[str, Any], key: str) -> str | None:
    return None if arguments.get(key) is None else text_argument(arguments, key)


def _texts(arguments: Mapping[str, Any], key: str) -> list[str]:
    found = arguments.get(key) or []
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise BadContent(f"argument {key} must be a list of texts")
    return found
