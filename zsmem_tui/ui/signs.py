"""Every sign that a screen draws, and what it means: one sign, one meaning, on every screen.

What a fact is, is told in the same four words everywhere. Most facts are loaded, so that has no sign.
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
"""What an agent gets of a fact in its prompt, by the value of `core.preview.Prompt`, which a first frame does without."""

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
"""What each sign means; no other sign is drawn."""

IN_LEGEND: Final = (CUT, LOST, NOT_LOADED, OTHERS, LOOK, MARKED, OPEN, HERE)
"""What the first line of the page of all keys explains, of a prompt and of the tree."""


def legend() -> str:
    """What the signs that stand on most screens mean, in one line."""
    return " · ".join(f"`{sign}` {MEANINGS[sign].partition(':')[0]}" for sign in IN_LEGEND)
