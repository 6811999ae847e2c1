"""All signs drawn on screens, with their meanings: each sign has one meaning everywhere.

The states of a fact are told by the same four words everywhere. Most facts are loaded, so that state has no sign.
"""

from __future__ import annotations

from typing import Final

CUT: Final = "✂"
LOST: Final = "✗"
NOT_LOADED: Final = "◌"
LOADED: Final = " "

OTHERS: Final = "●"
LOOK: Final = "!"
DANGER: Final = "▲"  # lost, leaked or dangerous now
UNSURE: Final = "?"  # not known for sure

MORE: Final = "+"  # behind a number: not all is checked yet

MARKED: Final = "✓"
CURSOR: Final = "▶"  # where one is in a text: one line, of a change its first
TICKED: Final = "[x]"  # will be done
UNTICKED: Final = "[ ]"  # will not be done
UNSAVED: Final = "*"  # not saved

OPEN: Final = "☐"
DONE: Final = "☑"  # a done item
OTHER_BOX: Final = "◪"  # a box that the agent does not know

HERE: Final = "◆"
GONE: Final = "∅"  # its folder is gone
MOVED: Final = "»"  # goes there
MAYBE: Final = "≈"  # perhaps moved
FAMILY: Final = "⑂"  # of one repository
FOLDED: Final = "▸"  # folded
UNFOLDED: Final = "▾"  # unfolded

FACT_SIGNS: Final = {"whole": LOADED, "cut": CUT, "lost": LOST, "never": NOT_LOADED}
FACT_WORDS: Final = {
    "whole": "loaded",
    "cut": "cut",
    "lost": "lost",
    "never": "not loaded by design",
}
"""The state of a fact in the prompt in words, by the value of `core.preview.Prompt`, which is not imported for the first frame."""

BAR_PARTS: Final = "█▓▒"  # the first, second and third part of a prompt
BAR_REST: Final = "▚"  # its other parts
BAR_LOST: Final = "░"  # what has no room in it
BAR_FREE: Final = "┈"  # its free room
BAR_CAP: Final = "┃"  # the most that goes in

BULLET: Final = "•"  # an entry of a list
TITLE: Final = "▌"  # a first heading
QUOTED: Final = "▎"  # quoted
RULE: Final = "─"  # a rule
COLUMN: Final = "│"  # between columns, and past rows of a tree
BRANCH: Final = "├"  # to a row of a tree with others behind it
BRANCH_END: Final = "└"  # to the last
CROSSING: Final = "┼"  # where rule and column meet
GAP: Final = "┄"  # lines left out
GOES_ON: Final = "↪"  # the line above goes on
LINE_END: Final = "␤"  # the end of a line
UNSEEN: Final = "▯"  # a character that cannot be seen

CHANGE: Final = "╎"  # the prompt changed then
NO_CHANGE: Final = "╌"  # it did not
SHOWN: Final = "△"  # the moment that is shown
CURVE: Final = "▁▂▃▄▅▆▇"  # how much it was

LEGEND: Final = {
    CUT: "cut",
    LOST: "lost",
    NOT_LOADED: "not loaded by design",
    OTHERS: "written by somebody else",
    LOOK: "look at this, `!2` at two things",
    DANGER: "lost, leaked or dangerous now",
    UNSURE: "not known for sure",
    MORE: "behind a number: not all is checked yet",
    MARKED: "marked, or taken",
    OPEN: "an open item",
    HERE: "of this folder",
    MOVED: "moved, or goes there",
    GONE: "its folder is gone",
    CURSOR: "you are here",
}
"""The signs explained at the top of the keys page: those of a first look."""

RARER: Final = {
    DONE: "a done item",
    OTHER_BOX: "one with a box that the agent does not know",
    MAYBE: "perhaps moved",
    FAMILY: "of one repository",
    FOLDED: "folded",
    UNFOLDED: "unfolded",
    TICKED: "will be done",
    UNTICKED: "will not",
    UNSAVED: "not saved",
    GAP: "lines left out",
    GOES_ON: "the line above goes on",
    LINE_END: "ends a line",
    UNSEEN: "a character that cannot be seen",
    CHANGE: "the prompt changed then",
    NO_CHANGE: "it did not",
    SHOWN: "the moment that is shown",
    BAR_FREE: "room in a prompt",
    BAR_CAP: "its end",
    BAR_LOST: "past it",
}
"""The signs explained at its end."""

DRAWING: Final = (*BAR_PARTS, BAR_REST, *CURVE, BULLET, TITLE, QUOTED, RULE, COLUMN, BRANCH, BRANCH_END, CROSSING)
"""What draws bars that are labelled where they stand, texts, frames and trees: the only signs that nothing explains."""


def legend() -> str:
    """One line with the signs of a first look and their meanings."""
    return " · ".join(f"`{sign}` {meaning}" for sign, meaning in LEGEND.items())


def rarer() -> str:
    """A list of the others with their meanings."""
    return "\n".join(f"- `{sign}` {meaning}" for sign, meaning in RARER.items())
