"""The actions of the review: what is done with a changed file, and with its changed lines."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import Action

REVIEW_ACTIONS: Final = (
    Action(
        "changes.accept",
        "changes",
        "x",
        "screen.verb('accept', 'file')",
        "Seen",
        "Mark as seen: what is marked, or the file.",
        bar=True,
    ),
    Action("changes.accept_all", "changes", "X", "screen.verb('accept', 'all')", "All seen", "Mark every file as seen.", bar=True),
    Action(
        "changes.put_back",
        "changes",
        "b",
        "screen.verb('put_back', 'file')",
        "Put back",
        "Put back what stood there before: for what is marked, or the whole file.",
        bar=True,
    ),
    Action("changes.mark", "changes", "space", "screen.line('all')", "Mark", "Mark all changed lines of the file, or none."),
    Action("changes.find", "changes", "slash", "screen.go('find')", "Find", "Find a changed line, in any of the files.", bar=True),
    Action("changes.edit", "changes", "e", "screen.verb('edit')", "Edit", "Edit the file."),
    Action("changes.history", "changes", "H", "screen.verb('history')", "History", "All versions of the file."),
    Action("change.down", "change", "j,down", "screen.line('move', 1)", "Down", "The next changed line.", palette=False),
    Action("change.up", "change", "k,up", "screen.line('move', -1)", "Up", "The changed line before.", palette=False),
    Action("change.page_down", "change", "pagedown", "screen.line('page', 1)", "Page down", "One page down.", palette=False),
    Action("change.page_up", "change", "pageup", "screen.line('page', -1)", "Page up", "One page up.", palette=False),
    Action("change.first", "change", "g,home", "screen.line('edge', -1)", "First", "The first changed line.", palette=False),
    Action("change.last", "change", "G,end", "screen.line('edge', 1)", "Last", "The last changed line.", palette=False),
    Action(
        "change.accept",
        "change",
        "x",
        "screen.verb('accept', 'line')",
        "Seen",
        "Mark the line as seen, or what is marked.",
        bar=True,
    ),
    Action(
        "change.put_back",
        "change",
        "b",
        "screen.verb('put_back', 'line')",
        "Put back",
        "Put back what stood there before the line, or what is marked.",
        bar=True,
    ),
    Action("change.mark", "change", "space", "screen.line('mark', 1)", "Mark", "Mark the line, and go on.", bar=True),
    Action("change.range", "change", "v", "screen.line('range')", "Range", "Mark from the line marked last to this one."),
    Action("change.hunk", "change", "V", "screen.line('hunk')", "The hunk", "Mark the lines of this hunk, or none.", bar=True),
    Action("change.all", "change", "asterisk", "screen.line('all')", "All shown", "Mark every changed line of the file, or none."),
    Action("change.next", "change", "n", "screen.go(1)", "Next", "The next hunk, or the next line found.", bar=True),
    Action("change.previous", "change", "N", "screen.go(-1)", "Previous", "The hunk before, or the line found before."),
    Action("change.find", "change", "slash", "screen.go('find')", "Find", "Find a changed line, in any of the files.", bar=True),
    Action("change.accept_all", "change", "X", "screen.verb('accept', 'whole')", "File seen", "Mark the whole file as seen."),
    Action(
        "change.put_back_all",
        "change",
        "B",
        "screen.verb('put_back', 'whole')",
        "Put back all",
        "Put back the whole file as it was before others changed it.",
    ),
    Action("change.move", "change", "m", "screen.verb('move')", "Move", "Move the line, or what is marked, to another file."),
    Action("change.edit", "change", "e", "screen.verb('edit')", "Edit", "Edit the file at the line; esc comes back.", bar=True),
    Action("change.history", "change", "H", "screen.verb('history')", "History", "All versions of the file."),
)
"""In the order in which help shows them; `ui.keys` puts them among all others."""
