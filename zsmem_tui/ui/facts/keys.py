"""The actions on facts."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import MARKED, Action, Room, Scope


def _verb(name: str, key: str, verb: str, label: str, help: str, *, bar: bool = False, bare: bool = False) -> Action:
    return Action(f"facts.{name}", "facts", key, f"screen.verb('{verb}')", label, help, bar=bar, bare=bare)


_ACTIONS: Final = (
    Action("facts.open", "facts", "enter", "screen.verb('open')", "Open", "Read the file at this fact.", bar=True, palette=False),
    _verb("edit", "e", "edit", "Edit", "Give the fact other words; of several lines, in the editor at the line.", bar=True),
    _verb("delete", "d", "delete", "Delete", "Delete the fact with the lines below it.", bar=True),
    _verb("move", "m", "move", "Move", "Move to another file, project or heading.", bar=True),
    _verb("copy", "c", "copy", "Copy", "Copy to another file, project or heading."),
    _verb("promote", "p", "promote", "Promote", "Into long-term memory; from there, into a note of the project.", bar=True),
    _verb("top", "plus", "top", "To the top", "To the very top of its file, so that the agent sees it.", bar=True),
    _verb("sink", "J", "down", "Move down", "One place down below its heading."),
    _verb("rise", "K", "up", "Move up", "One place up below its heading."),
    _verb("add", "a", "add", "Add", "Add a fact below this one.", bar=True, bare=True),
    _verb("wanted", "exclamation_mark", "wanted", "Wanted", "Mark as wanted in the prompt, or not any more: Fit keeps it there."),
    _verb("fit", "equals_sign", "fit", "Fit", "What to move so that everything wanted fits into the prompt.", bar=True),
    Action("facts.copy_text", "facts", "y", "screen.verb('copy_text')", "Copy text", "Copy the text of the fact to the clipboard."),
    Action(
        "facts.story",
        "facts",
        "",
        "screen.verb('story')",
        "How it changed",
        "Every version in which it changed.",
    ),
    Action("facts.history", "facts", "H", "screen.verb('history')", "History", "All versions of the file."),
    Action("facts.run", "facts", "Q", "screen.run", "Run", "One fact after another, one key for each."),
    Action("facts.filter", "facts", "slash", "screen.filter", "Filter", "Show only facts with these words.", bar=True),
    Action(
        "facts.which",
        "facts",
        "f",
        "screen.cycle('which')",
        "Which",
        "All, lost, new, mine, theirs, twice, or old ones.",
        bar=True,
        bare=True,
    ),
    Action(
        "facts.by", "facts", "full_stop", "screen.cycle('group')", "Group", "By place, prompt, author, age, size, or not at all."
    ),
    Action("facts.sort", "facts", "comma", "screen.cycle('order')", "Sort", "By place, age, author, size or prompt."),
    Action(
        "facts.wider",
        "facts",
        "w",
        "screen.cycle('scope')",
        "Scope",
        "This project, everything, or this file.",
        bar=True,
        bare=True,
    ),
)

ROOM: Final = Room("facts", "Facts", (Scope("facts", "Facts", MARKED),), _ACTIONS)
