"""The actions on what the agent sees: on a whole prompt, and on the facts in it and out of it."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import Action, list_keys


def _prompt_keys(scope: str) -> tuple[Action, ...]:
    """The keys of both sides. Those of facts are the same as on the screen of facts."""
    before, after = "left_square_bracket", "right_square_bracket"

    def verb(name: str, key: str, label: str, help: str, *, bar: bool = False) -> Action:
        return Action(f"{scope}.{name}", scope, key, f"screen.verb('{name}')", label, help, bar=bar)

    return (
        verb("top", "plus", "To the top", "The fact to the very top of its file, so that the agent sees it.", bar=True),
        verb("fit", "equals_sign", "Fit", "What to move so that everything wanted fits into the prompt.", bar=True),
        Action(
            f"{scope}.filter",
            scope,
            "f",
            "screen.filter",
            "All / lost / section",
            "Show all, lost lines, or one section.",
            bar=True,
        ),
        Action(f"{scope}.find", scope, "slash", "screen.find", "Find", "Find words in the block and in what is lost.", bar=True),
        Action(
            f"{scope}.words",
            scope,
            "L",
            "screen.turn('words')",
            "In full",
            "All warnings and every lost line with the reason, in full.",
        ),
        Action(f"{scope}.next", scope, "n", "screen.find(1)", "Next", "The next match."),
        Action(f"{scope}.previous", scope, "N", "screen.find(-1)", "Previous", "The match before.", palette=False),
        verb("edit", "e", "Edit", "Give the fact other words; of several lines, in the editor at the line.", bar=True),
        verb("delete", "d", "Delete", "Delete the fact with the lines below it.", bar=True),
        verb("move", "m", "Move", "Move the fact to another file, project or heading."),
        verb("copy", "c", "Copy", "Copy the fact to another file, project or heading."),
        verb("promote", "p", "Promote / demote", "Into long-term memory; from there, into a note of the project."),
        verb("wanted", "exclamation_mark", "Wanted", "Mark the fact as wanted in the prompt, or not any more: Fit keeps it there."),
        verb("copy_text", "y", "Copy text", "Copy the text of the fact to the clipboard."),
        verb("story", "i", "Story", "Every version in which the fact changed, who and when."),
        Action(
            f"{scope}.profile",
            scope,
            "E",
            "screen.turn('profile')",
            "Next agent",
            "As the next agent of this folder gets it, or another profile.",
            bar=True,
            bare=True,
        ),
        Action(
            f"{scope}.profiles",
            scope,
            "vertical_line",
            "screen.turn('profiles')",
            "Difference",
            "How the next prompt differs from this one, side by side.",
        ),
        Action(
            f"{scope}.before",
            scope,
            before,
            "screen.turn('day', -1)",
            "Day before",
            "The prompt of the day before.",
            bar=True,
            bare=True,
        ),
        Action(f"{scope}.after", scope, after, "screen.turn('day', 1)", "Day after", "The prompt of the day after."),
        Action(f"{scope}.today", scope, "underscore", "screen.turn('day')", "Today", "The prompt of today."),
        Action(
            f"{scope}.project",
            scope,
            "w",
            "screen.turn('project')",
            "Other project",
            "The prompt of another project or group.",
            bar=True,
            bare=True,
        ),
        Action(f"{scope}.copy_block", scope, "Y", "screen.turn('copy')", "Copy block", "Copy the whole block to the clipboard."),
    )


PROMPT_ACTIONS: Final = (
    Action(
        "uses.open",
        "uses",
        "enter",
        "choose",
        "Open",
        "The section in the block; a lost line in its file.",
        bar=True,
        palette=False,
    ),
    Action("uses.block", "uses", "l,right", "screen.turn('block')", "To the block", "Go to the block.", palette=False),
    *list_keys("uses"),
    *_prompt_keys("uses"),
    Action(
        "block.jump",
        "block",
        "enter,l,right",
        "screen.jump",
        "To the file",
        "Go to the line in its file; esc comes back.",
        bar=True,
    ),
    Action("block.down", "block", "j,down", "line(1)", "Down", "One row down.", palette=False),
    Action("block.up", "block", "k,up", "line(-1)", "Up", "One row up.", palette=False),
    Action("block.page_down", "block", "space,pagedown", "lines(1)", "Page down", "One page down.", palette=False),
    Action("block.page_up", "block", "pageup", "lines(-1)", "Page up", "One page up.", palette=False),
    Action("block.first", "block", "g,home", "end(-1)", "Top", "To the top.", palette=False),
    Action("block.last", "block", "G,end", "end(1)", "End", "To the end.", palette=False),
    *_prompt_keys("block"),
)
