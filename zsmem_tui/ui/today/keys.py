"""The actions of Today, with the keys that the same things have on every screen."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import MARKED, WAYS, Action, Room, Scope, choose


def _verb(name: str, key: str, label: str, help: str, *, bar: bool = True) -> Action:
    return Action(f"today.{name}", key, name, label, help, bar=bar)


_ACTIONS: Final = (
    _verb("seen", "x", "Seen", "Mark as seen: the row, or what is marked."),
    _verb("put_back", "b", "Put back", "Put back what stood there before: for the row, or what is marked."),
    _verb("move", "m", "Move", "Move the line to another file, project or heading."),
    _verb("raise", "plus", "Into the prompt", "Bring the line into the prompt, where it is not loaded."),
    choose("today", "Open", "The file at the line, or the screen that has more", keys="enter,l,right"),
    Action("today.history", "H", "screen.history", "History", "All versions of the file."),
    _verb("edit", "e", "Edit", "Edit the file at the line; esc comes back."),
)

ROOM: Final = Room("today", "Today", (Scope("today", "Today", (WAYS, *MARKED)),), _ACTIONS)
