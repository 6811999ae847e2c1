"""The actions of connecting agents."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import LIST, Action, Room, Scope, choose

_ACTIONS: Final = (
    choose("connect", "Connect", "Show what connecting it would write"),
    Action("connect.remove", "d", "screen.remove", "Take out", "Show what taking ours out would change.", bar=True),
    Action("connect.check", "S", "screen.check", "Try it", "Start what is configured, and say what works.", bar=True),
    Action("connect.hooks", "", "screen.parts", "Server or hooks", "Server and hooks, only the server, or only hooks."),
)

ROOM: Final = Room("connect", "Connect", (Scope("connect", "Connect", LIST),), _ACTIONS)
