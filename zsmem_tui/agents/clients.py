"""The agents that can be connected, in the order in which they are shown; each room is loaded only when its agent is meant."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.errors import BadTarget

if TYPE_CHECKING:
    from zsmem_tui.agents.connection import Client
    from zsmem_tui.agents.hook_shape import HookShape

_ROOMS: Final = {
    "claude-code": "claude_code",
    "codex": "codex",
    "opencode": "opencode",
    "gemini": "gemini",
    "cursor": "cursor",
    "vscode": "vscode",
    "zerostack": "zerostack",
}

NAMES: Final = tuple(_ROOMS)

_WITHOUT_HOOKS: Final = ("vscode",)


def client(name: str) -> Client:
    """What connects the agent of that name. Raises `BadTarget`."""
    if name not in _ROOMS:
        raise BadTarget(f"There is no agent {name!r} to connect. Nothing was written.", f"Agents are {', '.join(NAMES)}.")
    found: Client = import_module(f"zsmem_tui.agents.{_ROOMS[name]}.connect").CLIENT
    return found


def hook_of(name: str) -> HookShape | None:
    """What the hooks of the agent of that name look like; None for one that has none, or that is not known."""
    if name not in _ROOMS or name in _WITHOUT_HOOKS:
        return None
    found: HookShape = import_module(f"zsmem_tui.agents.{_ROOMS[name]}.hook").HOOK
    return found
