"""The actions of import and export."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import Action

_SCOPE: Final = "transfer"

TRANSFER_ACTIONS: Final = (
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
    Action("transfer.full", _SCOPE, "L", "screen.read('full')", "In full", "All that is said of the row, as a page."),
)
