"""The keys of a conflict: each is one of its answers."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import TEXT, Action, Room, Scope

_ACTIONS: Final = (
    Action("conflict.theirs", "conflict", "t", "decide('theirs')", "Theirs", "Take their lines, and go on.", palette=False),
    Action("conflict.mine", "conflict", "m", "decide('mine')", "Mine", "Take my lines, and go on.", palette=False),
    Action("conflict.both", "conflict", "b", "decide('both')", "Both", "Take both, theirs first, and go on.", palette=False),
    Action("conflict.edit", "conflict", "e", "edit", "Edit", "Write other lines; ctrl+s takes them.", palette=False),
    Action("conflict.undecide", "conflict", "backspace", "undecide", "Undecide", "Leave it open again.", palette=False),
    Action("conflict.next", "conflict", "n", "next_conflict(1)", "Next", "The next conflict.", palette=False),
    Action("conflict.previous", "conflict", "N", "next_conflict(-1)", "Previous", "The conflict before.", palette=False),
    Action("conflict.save", "conflict", "enter,ctrl+s", "finish", "Save", "Save the result, once all is decided.", palette=False),
)

ROOM: Final = Room(
    "conflict", "A conflict", (Scope("conflict", "A conflict"), Scope("sides", "A conflict: both sides", TEXT)), _ACTIONS
)
