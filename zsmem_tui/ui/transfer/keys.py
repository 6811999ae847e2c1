"""The actions of import and export."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import LIST, Action, Room, Scope, choose


def _action(name: str, key: str, label: str, help: str) -> Action:
    return Action(f"transfer.{name}", key, f"screen.{name}", label, help, bar=True)


_ACTIONS: Final = (
    choose("transfer", "Choose"),
    _action("to", "t", "To an agent", "Take another agent's memory to a third at once, without this one in between."),
    Action("transfer.sync", "y", "app.sync", "Sync", "Bring this machine and your others together.", bar=True),
    _action("remove", "d", "Take out again", "Take out of an agent's memory what was exported there."),
)

ROOM: Final = Room("transfer", "Import and export", (Scope("transfer", "Import and export", LIST),), _ACTIONS)
