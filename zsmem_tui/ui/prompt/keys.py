"""The actions on what the agent sees: on a whole prompt, and on the facts in it and out of it."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import DIFF, LIST, Action, Room, Scope, choose

_BOTH: Final = "prompt"


def _verb(name: str, keys: str, label: str, help: str, *, bar: bool = False) -> Action:
    """What is done with the fact under the cursor, as on the screen of facts."""
    return Action(f"prompt.{name}", keys, f"screen.{name}", label, help, bar=bar)


def _turn(name: str, keys: str, act: str, label: str, help: str, *, bar: bool = False, silent: str = "") -> Action:
    """What shows another prompt, or more of it."""
    return Action(f"prompt.{name}", keys, f"screen.{act}", label, help, bar=bar, bare=bar, silent=silent)


_ACTIONS: Final = (
    choose("uses", "Open", "The section in the block; a lost line in its file", keys="enter"),
    Action("uses.block", "l,right", "screen.to_block", "To the block", "Go to the block.", palette=False),
    Action("block.jump", "enter,l,right", "screen.jump", "To the file", "Go to the line in its file; esc comes back.", bar=True),
    _verb("top", "plus", "To the top", "The fact to the very top of its file, so that the agent sees it.", bar=True),
    _verb("fit", "equals_sign", "Fit", "What to move so that nothing that is to stay is lost.", bar=True),
    _turn("earlier", "left_curly_bracket", "step_change(-1)", "Earlier", "To the change before; then, to how it began.", bar=True),
    _turn("later", "right_curly_bracket", "step_change(1)", "Later", "To the change after; behind the last, to now.", bar=True),
    _turn("now", "underscore", "show_moment", "Now", "The prompt as it is.", bar=True),
    _turn(
        "profiles",
        "vertical_line",
        "compare",
        "Before and after",
        "The prompt before a change and after it, side by side; now: how the next prompt differs.",
        bar=True,
    ),
    _turn("moment", "t", "type_moment", "At a moment", "The prompt as it was: yesterday 14:00, 3d, a date, an id.", bar=True),
    Action("prompt.filter", "f", "screen.filter", "All / lost / section", "Show all, lost lines, or one section.", bar=True),
    Action("prompt.find", "slash", "screen.find", "Find", "Find words in the block and in what is lost.", bar=True),
    _verb("edit", "e", "Edit", "Give the fact other words; of several lines, in the editor at the line.", bar=True),
    _verb("delete", "d", "Delete", "Delete the fact with the lines below it.", bar=True),
    _verb("move", "m", "Move", "Move the fact to another file, project or heading."),
    _verb("copy", "c", "Copy", "Copy the fact to another file, project or heading."),
    _verb("promote", "p", "Promote / demote", "Into the file that is in every prompt; from there, into a note."),
    _verb("wanted", "exclamation_mark", "Keep", "Mark the fact to stay in the prompt, or not any more: Fit moves others."),
    _verb("copy_text", "y", "Copy text", "Copy the text of the fact to the clipboard."),
    _verb("story", "", "How it changed", "Every version in which it changed."),
    _turn("profile", "E", "next_agent", "Next agent", "As the next agent of this folder gets it, or another profile.", bar=True),
    _turn("until", "i", "show_fall", "When it fell out", "The moment at which the lost line fell out of the prompt."),
    _turn("project", "w", "choose_project", "Other project", "The prompt of another project or group.", bar=True),
    _turn("before", "", "turn_day(-1)", "Day before", "The prompt of the day before."),
    _turn("after", "", "turn_day(1)", "Day after", "The prompt of the day after."),
    _turn("today", "", "turn_day(0)", "Today", "The prompt of today."),
    _turn("words", "", "in_full", "In full", "All warnings and every lost line with the reason, in full.", silent="L"),
    _turn("copy_block", "", "copy_block", "Copy block", "Copy the whole block to the clipboard."),
)

ROOM: Final = Room(
    "prompt",
    "Prompt",
    (
        Scope(_BOTH, "Prompt"),
        Scope("uses", "Prompt: sections", (_BOTH, *LIST)),
        Scope("block", "Prompt: the text", (_BOTH, *DIFF)),
        Scope("costs", "What costs what", LIST),
    ),
    (*_ACTIONS, choose("costs", "Its prompt")),
)
