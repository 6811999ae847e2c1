"""The actions of the review: what is done with a changed file, and with its changed lines."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import LIST, MARKED, Action, Room, Scope, choose

_ACTIONS: Final = (
    choose("changes", "Changes", "Show the changes"),
    Action("changes.accept", "x", "screen.accept('file')", "Seen", "Mark as seen: what is marked, or the file.", bar=True),
    Action("changes.accept_all", "X", "screen.accept('all')", "All seen", "Mark every file of the agent as seen.", bar=True),
    Action(
        "changes.put_back",
        "b",
        "screen.put_back('file')",
        "Put back",
        "Put back what stood there before: for what is marked, or the whole file.",
        bar=True,
    ),
    Action("changes.mark", "space", "screen.mark", "Mark", "Mark all changed lines of the file, or none."),
    Action("changes.find", "slash", "screen.find", "Find", "Find a changed line, in any file of the agent.", bar=True),
    Action("changes.edit", "e", "screen.edit", "Edit", "Edit the file."),
    Action("changes.then", "t", "screen.show_then", "What it saw then", "The prompt just before the last write."),
    Action("changes.history", "H", "screen.history", "History", "All versions of the file."),
    Action("change.accept", "x", "screen.accept('line')", "Seen", "Mark the line as seen, or what is marked.", bar=True),
    Action(
        "change.put_back",
        "b",
        "screen.put_back('line')",
        "Put back",
        "Put back what stood there before the line, or what is marked.",
        bar=True,
    ),
    Action("change.find", "slash", "screen.find", "Find", "Find a changed line, in any file of the agent.", bar=True),
    Action("change.accept_all", "X", "screen.accept('whole')", "File seen", "Mark the whole file as seen."),
    Action(
        "change.put_back_all",
        "B",
        "screen.put_back('whole')",
        "Put back all",
        "Put back the whole file as it was before others changed it.",
    ),
    Action("change.move", "m", "screen.move", "Move", "Move the line, or what is marked, to another file."),
    Action("change.then", "t", "screen.show_then", "What it saw then", "The prompt just before the line was written."),
    Action("change.edit", "e", "screen.edit", "Edit", "Edit the file at the line; esc comes back.", bar=True),
    Action("change.history", "H", "screen.history", "History", "All versions of the file."),
)

ROOM: Final = Room(
    "review", "Review", (Scope("changes", "Review: files", LIST), Scope("change", "Review: one file", (*MARKED, "diff"))), _ACTIONS
)
