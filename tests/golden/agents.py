"""Calls the public API for one case of the agents' vectors: imports nothing but `zsmem_tui` and the standard library."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from typing import Any

from zsmem_tui import (
    EthosMemory,
    Lesson,
    MemoryUpdate,
    Query,
    RuleBroken,
    StoreError,
    Unreadable,
    agent_group,
    agent_memory,
    agent_root,
)

Args = dict[str, Any]


def run(agent: str, op: str, root: str, args: Args) -> dict[str, Any]:
    """The result of one operation of an agent on the store in `root`, as the vectors write it."""
    try:
        return _OPERATIONS[agent, op](root, args)
    except RuleBroken as error:
        return {"err": error.rule}
    except Unreadable:
        return {"err": "EISDIR"}
    except (FileNotFoundError, ValueError) as error:
        return {"err": type(error).__name__}


def _prefetch(root: str, args: Args) -> dict[str, Any]:
    memory = EthosMemory(root, args["personality"], args.get("user"))
    rest = {key: args[key] for key in ("cap", "index_mode") if args.get(key) is not None}
    return {"memory": memory.prefetch(args["message"], **rest)}


def _sync(root: str, args: Args) -> dict[str, Any]:
    memory = EthosMemory(root, "any", now=lambda: _time(args["now"]))
    results: list[Any] = []
    for step in args["steps"]:
        updates = [
            MemoryUpdate(each["action"], each.get("content") or "", key=each["key"], substring=each.get("substringMatch") or "")
            for each in step["updates"]
        ]
        try:
            memory.sync(updates, scope=step["scope"])
            results.append("ok")
        except RuleBroken as error:
            results.append({"err": error.rule})
        except StoreError:
            results.append({"err": "EISDIR"})
    return {"results": results}


def _ethos_read(root: str, args: Args) -> dict[str, Any]:
    return {"content": EthosMemory(root, "any").read(args["key"], scope=args["scope"])}


def _ethos_search(root: str, args: Args) -> dict[str, Any]:
    memory = EthosMemory(root, "any")
    return {"keys": memory.search(args["query"], args.get("limit"), scope=args["scope"], mode=args.get("mode", ""))}


def _ethos_list(root: str, args: Args) -> dict[str, Any]:
    found = EthosMemory(root, "any").list(args.get("limit"), scope=args["scope"])
    return {"entries": [{"key": each.key, "summary": each.summary} for each in found]}


def _opencode(root: str) -> Any:
    return agent_memory("opencode", f"{root}/home/.config/opencode/memory", folder=f"{root}/project")


def _load(root: str, args: Args) -> dict[str, Any]:
    found = _opencode(root).load(args["scope"])
    keys = ("scope", "file", "label", "description", "limit", "read_only", "value")
    blocks = [{key: getattr(block, key) for key in keys} for block in found.blocks]
    return {"blocks": blocks, "ignored": sorted(path.removeprefix(f"{root}/") for path in found.ignored)}


def _render(root: str, args: Args) -> dict[str, Any]:
    return {"text": _opencode(root).render(_time(args["now"]))}


def _journal_list(root: str, args: Args) -> dict[str, Any]:
    given = args["query"]
    query = Query(given.get("text") or "", given.get("project") or "", tuple(given.get("tags") or ()))
    query = query._replace(**{key: given[key] for key in ("limit", "offset") if given.get(key) is not None})
    found = _opencode(root).journal_list(query, _time(args["now"]))
    return {"total": found.total, "tags": found.tags, "entries": [_entry(each) for each in found.entries]}


def _journal_read(root: str, args: Args) -> dict[str, Any]:
    return {"entry": _entry(_opencode(root).journal_read(args["id"], _time(args["now"])))}


def _entry(entry: Any) -> dict[str, Any]:
    return {**entry._asdict(), "created": entry.created_as_listed, "tags": list(entry.tags)}


def _session_start(root: str, args: Args) -> dict[str, Any]:
    memory = agent_memory("memsearch", f"{root}/project/.memsearch/memory")
    return {"context": memory.session_start(os.path.join(root, args["cwd"]), args.get("env", {})).text}


def _recent(root: str, args: Args) -> dict[str, Any]:
    return {"context": agent_memory("memsearch", f"{root}/project/{args['dir']}").opencode_recent().text or ""}


def _scan(root: str, args: Args) -> dict[str, Any]:
    found = agent_memory("memsearch", root).scan(
        args["paths"], exclude=args.get("exclude") or (), ignore_files=args.get("ignore_files") or ()
    )
    return {"files": found}


def _encode(root: str, args: Args) -> dict[str, Any]:
    return {"folder": agent_group("oh-my-pi", args["cwd"], platform=args.get("platform") or "posix")}


def _inject(root: str, args: Args) -> dict[str, Any]:
    memory = agent_memory("oh-my-pi", f"{root}/agent/memories", folder=args["cwd"])
    rest = {key: args[key] for key in ("limit", "backend") if args.get(key) is not None}
    return {"text": memory.prompt(**rest).text}


def _learn(root: str, args: Args) -> dict[str, Any]:
    memory = agent_memory("oh-my-pi", f"{root}/agent/memories", folder=args["cwd"])
    return {"stored": memory.learn([Lesson(each["content"], each.get("context") or "") for each in args["lessons"]])}


def _root(root: str, args: Args) -> dict[str, Any]:
    return {"path": agent_root("oh-my-pi", env=args["env"], home=f"{root}/home", folder=root)}


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


_OPERATIONS: dict[tuple[str, str], Callable[[str, Args], dict[str, Any]]] = {
    ("ethos", "prefetch"): _prefetch,
    ("ethos", "sync"): _sync,
    ("ethos", "read"): _ethos_read,
    ("ethos", "search"): _ethos_search,
    ("ethos", "list"): _ethos_list,
    ("opencode-agent-memory", "load"): _load,
    ("opencode-agent-memory", "render"): _render,
    ("opencode-agent-memory", "journal_list"): _journal_list,
    ("opencode-agent-memory", "journal_read"): _journal_read,
    ("memsearch", "session_start"): _session_start,
    ("memsearch", "opencode_recent"): _recent,
    ("memsearch", "scan"): _scan,
    ("oh-my-pi", "encode"): _encode,
    ("oh-my-pi", "inject"): _inject,
    ("oh-my-pi", "learn"): _learn,
    ("oh-my-pi", "root"): _root,
}
