"""Which keys the monkey presses, and what happens between them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from zsmem_tui.ui.keys.bindings import ACTIONS

SIZES = ("20x6", "80x24", "200x60", "120x40", "50x16")

_WALK = ("j", "k", "h", "l", "g", "G", "up", "down", "left", "right", "pageup", "pagedown", "home", "end", "space")
_STEPS = ("enter", "enter", "enter", "escape", "escape", "tab", "shift+tab", "1", "2", "3", "s", "z")
_DOORS = (
    *("f1", "f2", "f3", "f4", "f5", "f6", "6", "7", "H", "question_mark", "ctrl+p"),
    *("ctrl+o", "slash", "O", "e", "a", "r", "m", "o"),
)
_EDITS = (
    "ctrl+s",
    "ctrl+f",
    "backspace",
    "delete",
    "ctrl+k",
    "ctrl+x",
    "ctrl+c",
    "ctrl+v",
    "ctrl+y",
    "f3",
    "f4",
    "ctrl+l",
    "f8",
    "f6",
    "f7",
)
_VERBS = tuple(key for each in ACTIONS for key in each.keys.split(",") if key not in ("ctrl+q", "ctrl+z"))
_WORDS = (
    "redis",
    "the",
    "qzx",
    "[/]",
    "rev",
    "undo",
    "all",
    "back",
    "note",
    "x/y",
    "..",
    "\u8a18",
    "history",
    "maxi",
    "demo",
    "edit",
    "6",
    "copy",
)
_PHRASES: tuple[tuple[str, ...], ...] = (
    ("ctrl+p", "r", "e", "v", "enter", "enter"),
    ("a", "enter", "enter", "enter"),
    ("6", "slash", "q", "z", "x", "enter", "v"),
    ("f4", "idle", "enter", "idle", "A", "u"),
    ("f2", "idle", "|", "|", "E", "escape"),
    ("f3", "idle", "enter", "b", "x", "u"),
    ("f6", "idle", "x", "A", "j", "x", "f", "x", "u"),
    ("H", "idle", "enter", "b", "escape", "escape"),
    ("6", "idle", "m", "enter", "escape"),
    ("e", "idle", "x", "ctrl+s", "escape"),
    ("e", "idle", "x", "escape", "down", "enter"),
    ("d", "u", "U", "u"),
)


def events(dice: random.Random, count: int) -> list[str]:
    """That many keys, and what happens between them."""
    out: list[str] = []
    keys = 0
    away = False
    while keys < count:
        mood = dice.random()
        if mood < 0.22:
            some: Sequence[str] = [dice.choice(_WALK) for _ in range(dice.randint(1, 6))]
        elif mood < 0.45:
            some = [dice.choice(_VERBS) for _ in range(dice.randint(1, 4))]
        elif mood < 0.60:
            some = [dice.choice(_STEPS)]
        elif mood < 0.72:
            some = [dice.choice(_DOORS)]
        elif mood < 0.80:
            some = [*dice.choice(_WORDS), *(["enter"] if dice.random() < 0.5 else [])]
        elif mood < 0.85:
            some = [
                "ctrl+p",
                *dice.choice([each.label for each in ACTIONS])[:5].lower(),
                "enter",
                *(["enter"] if dice.random() < 0.5 else []),
            ]
        elif mood < 0.90:
            some = [dice.choice(_EDITS) for _ in range(dice.randint(1, 3))]
        else:
            some = dice.choice(_PHRASES)
        pace = dice.choice(("", "", "", "wait:0", "wait:0", "wait:10", "wait:10", "idle"))
        for key in some:
            out += [key, pace] if pace else [key]
            keys += 1
        extra = dice.random()
        if extra < 0.10:
            out.append("idle")
        elif extra < 0.16:
            out.append(f"wait:{dice.choice((30, 60, 200, 600))}")
        elif extra < 0.22:
            out.append(f"agent:{dice.randrange(1_000_000)}")
        elif extra < 0.23:
            out.append(f"size:{dice.choice(SIZES)}")
        elif extra < 0.235 or away:
            out.append("return" if away else "vanish")
            away = not away
    return out
