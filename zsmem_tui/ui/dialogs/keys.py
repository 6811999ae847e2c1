"""The keys of a conflict, each of which is one of its answers, and of a plan."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import DIFF, LIST, TEXT, Action, Room, Scope, choose

_ACTIONS: Final = (
    Action("conflict.theirs", "t", "decide('theirs')", "Theirs", "Take their lines, and go on.", palette=False),
    Action("conflict.mine", "m", "decide('mine')", "Mine", "Take my lines, and go on.", palette=False),
    Action("conflict.both", "b", "decide('both')", "Both", "Take both, theirs first, and go on.", palette=False),
    Action("conflict.edit", "e", "edit", "Edit", "Write other lines; ctrl+s takes them.", palette=False),
    Action("conflict.undecide", "backspace", "undecide", "Undecide", "Leave it open again.", palette=False),
    Action("conflict.next", "n", "next_conflict(1)", "Next", "The next conflict.", palette=False),
    Action("conflict.previous", "N", "next_conflict(-1)", "Previous", "The conflict before.", palette=False),
    Action("conflict.save", "enter,ctrl+s", "finish", "Save", "Save the result, once all is decided.", palette=False),
)

ROOM: Final = Room(
    "conflict", "A conflict", (Scope("conflict", "A conflict"), Scope("sides", "A conflict: both sides", TEXT)), _ACTIONS
)


def _of_plan(name: str, keys: str, label: str, help: str) -> Action:
    return Action(f"plan.{name}", keys, f"screen.{name}", label, help, bar=True, palette=False)


_PLAN_ACTIONS: Final = (
    _of_plan("apply", "A", "Apply", "Do it: one step, which u undoes."),
    _of_plan("tick", "space", "Leave out", "Leave this row out, or take it again."),
    choose("plan", "Its changes"),
    _of_plan("all", "asterisk", "All shown", "Take all rows that are shown, or none."),
    _of_plan("rename", "r", "Other name", "Give the file another name there."),
    _of_plan("retarget", "m", "To another file", "Take this into another file."),
    _of_plan("reword", "e", "Edit", "Take this with other words."),
    _of_plan("regroup", "w", "Into", "The project that everything goes into."),
    _of_plan("policy", "I", "On conflict", "Skip, rename, replace or merge what has a name that is taken."),
    _of_plan("fate", "f", "Which", "All rows, or those of one fate: * is about them."),
    _of_plan("filter", "slash", "Filter", "Show only rows with these words."),
    _of_plan("full", "L", "In full", "All that is said of the row, as a page."),
    Action("planned.apply", "A", "screen.apply", "Apply", "Do it: one step, which u undoes.", bar=True, palette=False),
)

PLAN_ROOM: Final = Room(
    "plan", "A plan", (Scope("plan", "A plan", LIST), Scope("planned", "A plan: the changes of a file", DIFF)), _PLAN_ACTIONS
)
