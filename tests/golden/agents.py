"""Calls the public API for one case of the agents' vectors: imports nothing but `zsmem_tui` and the standard library."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from typing import Any

import zsmem_tui
from zsmem_tui import EthosMemory, MemoryUpdate, RuleBroken, StoreError, Unreadable

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
            MemoryUpdate(each["action"], each.get("content", ""), key=each["key"], substring=each.get("substringMatch", ""))
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


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


_OPERATIONS: dict[tuple[str, str], Callable[[str, Args], dict[str, Any]]] = {
    ("ethos", "prefetch"): _prefetch,
    ("ethos", "sync"): _sync,
    ("ethos", "read"): _ethos_read,
    ("ethos", "search"): _ethos_search,
    ("ethos", "list"): _ethos_list,
}
