"""Strings that try to be more than text: markup, escape sequences, halves of characters, texts that turn round."""

from __future__ import annotations

import random
import re

PIECES = (
    "[/]", "[/nope]", "[link=http://x]y[/link]", "[@click=app.quit]x[/]", "[bold red]", "[x]", "a[0]", "$text", "{name}", "%s",
    "\\", "\x1b[2J", "\x1b[31m", "\x1b]52;c;aGFja2Vk\x07", "\x1b]8;;http://x\x1b\\y", "\x1b]0;title\x07",
    "\x1bP+q\x1b\\", "\x1b", "\x9b31m",
    "\x9d52;c;x\x9c", "\x00", "\x07", "\x08", "\x0e", "\x7f", "\x85", "\r", "\x0b", "\x0c", "\x1c", "\t",
    "\u202e", "\u202c", "\u2066", "\u2069", "\u200b", "\u200d", "\ufeff", "\u2028", "\udcff", "\udc9b",
    "記憶", "👨‍👩‍👧", "e\u0301", "- [ ] ", "# ", "> ", "`", "```", "***", "| a | b |", "---", "word", " ",
)  # fmt: skip

STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
"""What must not reach a terminal: control characters, halves of characters, what turns the direction of text."""


def strings(seed: int, count: int) -> list[str]:
    """That many of them, each of some pieces on one line."""
    dice = random.Random(seed)
    return ["".join(dice.choices(PIECES, k=dice.randint(1, 6))) for _ in range(count)]


def as_text(strings: list[str]) -> list[bytes]:
    """How they stand in a file."""
    return [each.encode("utf-8", "surrogateescape") if "\udcff" in each or "\udc9b" in each else each.encode() for each in strings]
