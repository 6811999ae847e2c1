"""The actions on projects: which folder each memory belongs to, and what mends it."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import MARKED, TEXT, Action, Room, Scope


def _verb(name: str, key: str, label: str, help: str, *, bar: bool = False) -> Action:
    return Action(f"projects.{name}", key, f"screen.{name}", label, help, bar=bar)


_ACTIONS: Final = (
    Action("projects.why", "l,right", "choose", "Why", "Go to the right side: why, and what would move.", palette=False),
    Action("projects.open", "enter", "screen.open", "Open", "Read what it remembers.", palette=False),
    _verb("follow", "A", "Follow", "Do what the right side shows: its memory goes to where the folder is now.", bar=True),
    _verb("move", "m", "Move", "Move its memory to another folder or project.", bar=True),
    _verb("merge", "M", "Merge", "Merge it, or all that are marked, into another project.", bar=True),
    _verb("label", "r", "Name", "Give it a name of your own; an empty one takes that away.", bar=True),
    _verb("archive", "d", "Archive", "Put it away as a bundle; u brings it back.", bar=True),
    _verb("about", "", "About", "Its folder, its repository, and what became of them: as a page."),
    _verb("copy", "y", "Copy name", "Copy the name that it has in the store to the clipboard."),
    Action("projects.filter", "slash", "screen.filter", "Filter", "Show only projects with these words.", bar=True),
    Action("projects.which", "f", "screen.cycle('which')", "Which", "All, or those of one state, or of one repository."),
    Action("projects.sort", "comma", "screen.cycle('order')", "Sort", "By state, name, last write, size, or items."),
    Action("projects.scan", "S", "screen.scan", "Scan", "Look for the folders of all; while that goes on, stop."),
)

ROOM: Final = Room(
    "projects",
    "Projects",
    (Scope("projects", "Projects", MARKED), Scope("project", "Projects: one of them", TEXT)),
    _ACTIONS,
)
