"""The actions on facts."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import MARKED, Action, Room, Scope


def _verb(
    name: str,
    key: str,
    act: str,
    label: str,
    help: str,
    *,
    bar: bool = False,
    bare: bool = False,
    palette: bool = True,
) -> Action:
    return Action(f"facts.{name}", key, f"screen.{act}", label, help, bar=bar, bare=bare, palette=palette)


_ACTIONS: Final = (
    _verb("open", "enter", "open", "Open", "Read the file at this fact.", bar=True, palette=False),
    _verb("edit", "e", "edit", "Edit", "Give the fact other words; of several lines, in the editor at the line.", bar=True),
    _verb("delete", "d", "delete", "Delete", "Delete the fact with the lines below it.", bar=True),
    _verb("move", "m", "move", "Move", "Move to another file, project or heading.", bar=True),
    _verb("copy", "c", "copy", "Copy", "Copy to another file, project or heading."),
    _verb("promote", "p", "promote", "Promote", "Into the file that is in every prompt; from there, into a note.", bar=True),
    _verb("top", "plus", "top", "To the top", "To the very top of its file, so that the agent sees it.", bar=True),
    _verb("sink", "J", "shift(1)", "Move down", "One place down below its heading."),
    _verb("rise", "K", "shift(-1)", "Move up", "One place up below its heading."),
    _verb("add", "a", "add", "Add", "Add a fact below this one.", bar=True, bare=True),
    _verb("wanted", "exclamation_mark", "wanted", "Keep", "Mark it to stay in the prompt, or not any more: Fit moves others."),
    _verb("fit", "equals_sign", "fit", "Fit", "What to move so that nothing that is to stay is lost.", bar=True),
    _verb("copy_text", "y", "copy_text", "Copy text", "Copy the text of the fact to the clipboard."),
    _verb("story", "", "story", "How it changed", "Every version in which it changed."),
    _verb("until", "i", "show_fall", "When it fell out", "The moment at which it fell out of the prompt."),
    _verb("history", "H", "history", "History", "All versions of the file."),
    _verb("run", "Q", "run", "One by one", "One fact after another, one key for each."),
    _verb("filter", "slash", "filter", "Filter", "Show only facts with these words.", bar=True),
    _verb("which", "f", "cycle('which')", "Which", "All, lost, new, mine, theirs, twice, or old ones.", bar=True, bare=True),
    _verb("by", "full_stop", "cycle('group')", "Group", "By place, prompt, author, age, size, or not at all."),
    _verb("sort", "comma", "cycle('order')", "Sort", "By place, age, author, size or prompt."),
    _verb("wider", "w", "cycle('scope')", "Scope", "This project, everything, or this file.", bar=True, bare=True),
)

ROOM: Final = Room("facts", "Facts", (Scope("facts", "Facts", MARKED),), _ACTIONS)
