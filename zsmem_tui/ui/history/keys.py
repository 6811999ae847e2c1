"""The actions of the history."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import DIFF, LIST, Action, Room, Scope, choose

_ACTIONS: Final = (
    choose("versions", "Show what it changed"),
    Action("versions.wider", "w", "screen.cycle('scope')", "All files", "The versions of this file, or of all.", bar=True),
    Action("versions.filter", "slash", "screen.filter", "Filter", "Show only versions with these words.", bar=True),
    Action("versions.whose", "f", "screen.cycle('whose')", "Written by", "By everybody, you, or others.", bar=True),
    Action("versions.restore", "B,b", "screen.restore", "Restore", "Make the file what it was in this version.", bar=True),
    Action("versions.then", "t", "screen.show_then", "What it saw then", "The prompt just before this was written."),
    Action("version.put_back", "b", "screen.put_back", "Put back", "Put back what stood there before this change.", bar=True),
    Action("version.edit", "e", "screen.edit", "Edit", "Edit the file at this change; esc comes back.", bar=True),
    Action("version.restore", "B", "screen.restore", "Restore", "Make the file what it was in this version.", bar=True),
)

ROOM: Final = Room(
    "history", "History", (Scope("versions", "History: versions", LIST), Scope("version", "History: one version", DIFF)), _ACTIONS
)
