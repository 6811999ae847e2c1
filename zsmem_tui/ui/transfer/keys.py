"""The actions of import and export."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import DIFF, LIST, Action, Room, Scope, choose

_SCOPE: Final = "transfer"

_ACTIONS: Final = (
    choose("transfer", "Choose"),
    Action("transfer.tick", _SCOPE, "space", "screen.tick", "Take", "Take this item, or leave it.", bar=True),
    Action("transfer.all", _SCOPE, "asterisk", "screen.tick('all')", "All shown", "Take all items that are shown, or none."),
    Action(
        "transfer.fate", _SCOPE, "f", "screen.cycle('fate')", "Which", "All items, or those of one fate: * is about them.", bar=True
    ),
    Action("transfer.apply", _SCOPE, "A", "screen.talk('apply')", "Apply", "Do it: one step, which u undoes.", bar=True),
    Action("transfer.edit", _SCOPE, "e", "screen.talk('edit')", "Edit", "Take this item with other words."),
    Action("transfer.move", _SCOPE, "m", "screen.talk('target')", "To another file", "Take this item into another file."),
    Action("transfer.project", _SCOPE, "w", "screen.talk('project')", "Into", "The project that everything goes into."),
    Action(
        "transfer.to", _SCOPE, "t", "screen.talk('to')", "To an agent", "Take another agent's memory to a third at once.", bar=True
    ),
    Action(
        "transfer.remove",
        _SCOPE,
        "d",
        "screen.talk('remove')",
        "Take out again",
        "Take out of an agent's memory what was exported there.",
    ),
    Action("transfer.policy", _SCOPE, "I", "screen.cycle('policy')", "On conflict", "Skip, rename, replace or merge.", bar=True),
    Action("transfer.filter", _SCOPE, "slash", "screen.read('filter')", "Filter", "Show only items with these words."),
    Action("transfer.full", _SCOPE, "", "screen.read('full')", "In full", "All that is said of the row, as a page.", silent="L"),
    Action("landing.apply", "landing", "A", "screen.talk('apply')", "Apply", "Do it: one step, which u undoes.", bar=True),
    Action("landing.full", "landing", "", "screen.read('full')", "In full", "All that is said of the item, as a page.", silent="L"),
    choose("plan", "Its changes"),
    Action("plan.apply", "plan", "A", "screen.apply", "Apply", "Do it: one step, which u undoes."),
    Action("plan.rename", "plan", "r", "screen.rename", "Other name", "Give the file another name there."),
    Action("planned.apply", "planned", "A", "screen.apply", "Apply", "Do it: one step, which u undoes."),
)

ROOM: Final = Room(
    "transfer",
    "Import and export",
    (
        Scope("transfer", "Import and export", LIST),
        Scope("landing", "Import: the file it lands in", DIFF),
        Scope("plan", "A plan", LIST),
        Scope("planned", "A plan: the changes of a file", DIFF),
    ),
    _ACTIONS,
)
