"""The actions of connecting agents."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import DIFF, LIST, Action, Room, Scope, choose

_ACTIONS: Final = (
    choose("connect", "Its changes"),
    Action("connect.apply", "connect", "A", "screen.apply", "Apply", "Write it: one step, which u undoes.", bar=True),
    Action("connect.remove", "connect", "d", "screen.remove", "Take out", "Plan to take ours out, or to connect.", bar=True),
    Action("connect.wider", "connect", "w", "screen.scope", "Whose settings", "Yours, or this project's.", bar=True),
    Action("connect.hooks", "connect", "f", "screen.parts", "What", "Server and hooks, only the server, or only hooks."),
    Action("connect.check", "connect", "S", "screen.check", "Try it", "Start what is configured, and say what works.", bar=True),
    Action("settings.apply", "settings", "A", "screen.apply", "Apply", "Write it: one step, which u undoes.", bar=True),
)

ROOM: Final = Room(
    "connect",
    "Connect an agent",
    (Scope("connect", "Connect an agent", LIST), Scope("settings", "Connect an agent: the changes of a file", DIFF)),
    _ACTIONS,
)
