"""The actions on scratchpad items."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import MARKED, Action, Room, Scope

_ACTIONS: Final = (
    Action("todos.tick", "x", "screen.tick", "Done", "Done, or open again.", bar=True),
    Action("todos.run", "Q", "screen.run", "One by one", "One item after another, one key for each.", bar=True),
    Action("todos.edit", "e", "screen.edit", "Edit", "Give the item other words.", bar=True),
    Action("todos.add", "a", "screen.add", "Add", "Add an item, or as many as lines are pasted.", bar=True, bare=True),
    Action("todos.delete", "d", "screen.delete", "Delete", "Delete the item with the lines below it."),
    Action("todos.move", "m", "screen.move", "Move", "Move to another project or heading.", bar=True),
    Action("todos.promote", "p", "screen.promote", "Promote", "Make it a fact of MEMORY.md or of instructions.", bar=True),
    Action("todos.note", "t", "screen.note", "To a note", "Turn it into a note."),
    Action("todos.log", "X", "screen.log", "Log", "Log it as done in today's log, and take it off the list."),
    Action("todos.archive", "Z", "screen.archive", "Archive done", "Move done items out of the prompt, to the archive."),
    Action("todos.sink", "J", "screen.shift(1)", "Move down", "One place down in its list."),
    Action("todos.rise", "K", "screen.shift(-1)", "Move up", "One place up in its list."),
    Action("todos.in", "greater_than_sign", "screen.indent(1)", "Indent", "One step further in."),
    Action("todos.out", "less_than_sign", "screen.indent(-1)", "Outdent", "One step further out."),
    Action("todos.open", "enter", "screen.open", "Open", "Read the scratchpad at this item.", palette=False),
    Action("todos.filter", "slash", "screen.filter", "Filter", "Show only items with these words.", bar=True),
    Action("todos.state", "f", "screen.cycle('state')", "Open / done / all", "Show open items, done ones, or all."),
    Action("todos.by", "full_stop", "screen.cycle('group')", "Group", "By project, heading, age, or not at all."),
    Action("todos.sort", "comma", "screen.cycle('order')", "Sort", "By line, age or size."),
    Action(
        "todos.wider",
        "w",
        "screen.cycle('scope')",
        "All projects",
        "This project, all of its store, or all stores.",
        bar=True,
        bare=True,
    ),
)

ROOM: Final = Room("triage", "Triage", (Scope("todos", "Triage", MARKED),), _ACTIONS)
