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
DANGER: Final = "▲"
UNSURE: Final = "?"

MARKED: Final = "✓"
CURSOR: Final = "▶"
TICKED: Final = "[x]"
UNTICKED: Final = "[ ]"
UNSAVED: Final = "*"

OPEN: Final = "☐"
DONE: Final = "☑"
OTHER_BOX: Final = "◪"
LOG: Final = "◷"
NOTE: Final = "≡"
ORDERS: Final = "§"

HERE: Final = "◆"
GONE: Final = "∅"
MOVED: Final = "»"
MAYBE: Final = "≈"
FAMILY: Final = "⑂"
FOLDED: Final = "▸"
UNFOLDED: Final = "▾"

FACT_SIGNS: Final = {"whole": LOADED, "cut": CUT, "lost": LOST, "never": NOT_LOADED}
FACT_WORDS: Final = {
    "whole": "loaded",
    "cut": "cut",
    "lost": "lost",
    "never": "not loaded by design",
}
"""The state of a fact in the prompt in words, by the value of `core.preview.Prompt`, which is not imported for the first frame."""

BAR_PARTS: Final = "█▓▒"
BAR_REST: Final = "▚"
BAR_LOST: Final = "░"
BAR_FREE: Final = "┈"
BAR_CAP: Final = "┃"

BULLET: Final = "•"
TITLE: Final = "▌"
QUOTED: Final = "▎"
RULE: Final = "─"
COLUMN: Final = "│"
CROSSING: Final = "┼"
GAP: Final = "┄"
BRANCH: Final = "├"
LAST_BRANCH: Final = "└"
GOES_ON: Final = "↪"
LINE_END: Final = "␤"
UNSEEN: Final = "▯"

CHANGE: Final = "╎"
NO_CHANGE: Final = "╌"
SHOWN: Final = "△"
CURVE: Final = "▁▂▃▄▅▆▇"

MEANINGS: Final = {
    CUT: "cut: only a part of it is loaded",
    LOST: "lost: the agent looks for it, and it has no room",
    NOT_LOADED: "not loaded by design",
    OTHERS: "written by somebody else",
    LOOK: "look at this",
    DANGER: "lost, leaked or dangerous now",
    UNSURE: "not known for sure",
    MARKED: "marked, or taken",
    CURSOR: "the line or change that keys are about",
    TICKED: "will be done",
    UNTICKED: "will not be done",
    UNSAVED: "not saved",
    OPEN: "an open item",
    DONE: "a done item",
    OTHER_BOX: "a box that the agent does not know",
    LOG: "a log",
    NOTE: "a note",
    ORDERS: "instructions",
    HERE: "of this folder",
    GONE: "its folder is gone",
    MOVED: "goes there",
    MAYBE: "perhaps moved",
    FAMILY: "of one repository",
    FOLDED: "folded",
    UNFOLDED: "unfolded",
    **dict(zip(BAR_PARTS, ("the first part of a prompt", "its second part", "its third part"), strict=True)),
    BAR_REST: "its other parts",
    BAR_LOST: "what has no room in it",
    BAR_FREE: "its free room",
    BAR_CAP: "the most that goes in",
    BULLET: "an entry of a list",
    TITLE: "a first heading",
    QUOTED: "quoted",
    RULE: "a rule",
    COLUMN: "between columns",
    CROSSING: "where rule and column meet",
    GAP: "lines left out",
    BRANCH: "below the row above",
    LAST_BRANCH: "the last one below the row above",
    GOES_ON: "the line above goes on",
    LINE_END: "the end of a line",
    UNSEEN: "a character that cannot be seen",
    CHANGE: "the prompt changed then",
    NO_CHANGE: "it did not",
    SHOWN: "the moment that is shown",
    **{sign: f"how much it was: {number} of {len(CURVE)}" for number, sign in enumerate(CURVE, 1)},
}
"""The meaning of each sign; no other signs are drawn."""

IN_LEGEND: Final = (CUT, LOST, NOT_LOADED, OTHERS, LOOK, MARKED, OPEN, HERE)
"""The signs explained at the top of the keys page."""


def legend() -> str:
    """One line with the meanings of the most common signs."""
    return " · ".join(f"`{sign}` {MEANINGS[sign].partition(':')[0]}" for sign in IN_LEGEND)
