"""zerostack, and the working folders named in its session files; only that one field is searched for."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Final

from zsmem_tui.agents.agent import Agent, Sessions
from zsmem_tui.agents.hook_shape import HookShape, below
from zsmem_tui.core.json_value import json_value

FOLDER: Final = "sessions"

ENDING: Final = ".json"

_NAME: Final = b'"working_dir"'

_FIELD: Final = re.compile(rb'(?<!\\)"working_dir"\s*:\s*("(?:[^"\\]|\\.)*")', re.DOTALL)

_OVERLAP: Final = 16 * 1024
"""How many bytes of a piece are searched again with the next one: more than a path has."""

_MOST: Final = 16
"""The most folders taken from one session, since tools may write a field of that name too."""


def session_folders(root: str, env: Mapping[str, str], home: str) -> list[str]:
    """The session folders of the agent whose memory is at `root`."""
    data = env.get("XDG_DATA_HOME", "")
    own = env.get("ZS_DATA_DIR") or posixpath.join(data if data.startswith("/") else f"{home}/.local/share", "zerostack")
    places = [posixpath.join(own, FOLDER)]
    if root.endswith("/agent/memory"):
        places.insert(0, posixpath.join(root.removesuffix("/agent/memory"), FOLDER))
    return list(dict.fromkeys(places))


def working_folders(pieces: Iterable[bytes]) -> list[str]:
    """The folders named in a session file, read in pieces since it may be huge or damaged."""
    found: dict[str, None] = {}
    rest = b""
    for piece in pieces:
        raw = rest + piece
        if _NAME in raw:
            for match in _FIELD.finditer(raw):
                path = _said(match[1])
                if path.startswith("/") and "\0" not in path:
                    found[path] = None
            if len(found) >= _MOST:
                break
        rest = raw[-_OVERLAP:]
    return list(found)


def _said(raw: bytes) -> str:
    try:
        said = json_value(raw)
        said.encode("utf-8", "surrogateescape")
    except ValueError:
        return ""
    return str(said)


HOOK: Final = HookShape("zerostack", start=("SubagentStart",), answer=below("additionalContext"))
"""The agent has memory by itself, but its sub-agents get none."""


class Zerostack(Agent):
    """The default agent, whose store is opened without loading this description."""

    name = "zerostack"
    title = "zerostack"
    travels = True
    has_format = has_client = True
    hook = HOOK
    sessions = Sessions(session_folders, ENDING, working_folders)


AGENT: Final = Zerostack()
