"""The actions on projects: which folder each memory belongs to, and what mends it."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import Action, decide_keys, list_keys


def _verb(name: str, key: str, label: str, help: str, *, bar: bool = False) -> Action:
    return Action(f"projects.{name}", "projects", key, f"screen.{name}", label, help, bar=bar)


PROJECT_ACTIONS: Final = (
    *list_keys("projects"),
    Action(
        "projects.why", "projects", "l,right", "choose", "Why", "Go to the right side: why, and what would move.", palette=False
    ),
    Action("projects.open", "projects", "enter", "screen.open", "Open", "Read what it remembers.", palette=False),
    _verb("follow", "A", "Follow", "Do what the right side shows: its memory goes to where the folder is now.", bar=True),
    _verb("move", "m", "Move", "Move its memory to another folder or project.", bar=True),
    _verb("merge", "M", "Merge", "Merge it, or all that are marked, into another project.", bar=True),
    _verb("label", "r", "Name", "Give it a name of your own; an empty one takes that away.", bar=True),
    _verb("archive", "d", "Archive", "Put it away as a bundle; u brings it back.", bar=True),
    _verb("about", "i", "About", "Slug, folder, repository, and why: as a page."),
    _verb("copy", "y", "Copy slug", "Copy the slug to the clipboard."),
    *decide_keys("projects", "project"),
    Action("projects.filter", "projects", "slash", "screen.filter", "Filter", "Show only projects with these words.", bar=True),
    Action(
        "projects.which", "projects", "f", "screen.cycle('which')", "Which", "All, moved, gone, unknown, families, or those here."
    ),
    Action("projects.sort", "projects", "comma", "screen.cycle('order')", "Sort", "By state, name, last write, size, or items."),
    Action("projects.scan", "projects", "S", "screen.scan", "Scan", "Look for the folders of all; while that goes on, stop."),
    Action("project.down", "project", "j,down", "scroll_down", "Down", "One row down.", palette=False),
    Action("project.up", "project", "k,up", "scroll_up", "Up", "One row up.", palette=False),
    Action("project.page_down", "project", "space,pagedown", "page_down", "Page down", "One page down.", palette=False),
    Action("project.page_up", "project", "pageup", "page_up", "Page up", "One page up.", palette=False),
    Action("project.first", "project", "g,home", "scroll_home", "Top", "To the top.", palette=False),
    Action("project.last", "project", "G,end", "scroll_end", "End", "To the end.", palette=False),
)
