"""Parse a scratchpad into its check list items.

An item is a line with a check box, whatever its bullet; its block is that line and the lines below it that are indented further.
Which items the agent sees is decided by `is_open` alone (specification, section 8).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from zsmem_tui.core.markdown import columns, heading_level, heading_words, outside_code, unclosed
from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.text import WHITE_SPACE, lines, raw_lines, trim, trim_start

ID_CHARS: Final = 8
"""Hex digits of an item's id: among 100,000 items the chance that any two collide is about one in a hundred."""

_SPACE: Final = "".join(char for char in WHITE_SPACE if char != "\n")
_INDENT: Final = f"^(?P<indent>[{re.escape(_SPACE)}\ufeff\u200b]*)"
_REST: Final = "(?P<mark>[^\\]\uff3d\r\n]?)(?P<close>[\\]\uff3d])(?P<text>[^\r\n]*)"
_ITEM: Final = Pattern(_INDENT + "(?P<bullet>[-*+\u2022]|[0-9]{1,9}[.)])(?P<gap>[ \t]+)(?P<open>[\\[\uff3b])" + _REST)
_BARE: Final = Pattern(_INDENT + "(?P<bullet>)(?P<gap>)(?P<open>\uff3b)" + _REST)
"""A check box of full-width brackets counts even without a bullet."""

_KNOWN_MARKS: Final = ("", " ", "\t", "\u3000", "x", "X", "-", "~", "/", ">", "!", "?")

_LOOKS_OPEN: Final = Pattern(
    "[\ufeff\u200b]?(?:[-*+\u2022\u2013\u2014\u30fb\u25e6\u25aa\u25cf]|[0-9]{1,9}[.)])?[ \t\u00a0\u3000]*"
    "(?:\\[[ \t\u00a0\u3000]*\\]|\uff3b[ \t\u3000]*\uff3d)(?![(\\[:])[ \t\u00a0\u3000]*"
)
"""An unticked check box in any notation: another bullet, a number, `[]`, full-width brackets."""

REWRITTEN: Final = "- [ ]"
"""The start of an open item in the form that the agent sees."""


def is_open(line: str) -> bool:
    """Whether a line is put in the prompt: after white space it starts with `- [ ]` or `* [ ]`."""
    return trim_start(line).startswith(("- [ ]", "* [ ]"))


def hidden_items(text: str) -> list[tuple[int, str]]:
    """Lines that look like open items to a person but are not seen by the agent, with 0-based line numbers.

    Lines in a code fence are examples and skipped, unless the fence is never closed.
    """
    rows = lines(text)
    opened = unclosed(rows)
    return [
        (number, line)
        for number, line, outside in outside_code(rows)
        if outside or 0 <= opened < number
        if ("]" in line or "\uff3d" in line) and not is_open(line) and _LOOKS_OPEN.match(trim_start(line))
    ]


def shown_as_open(line: str) -> str:
    """Rewrite a line of `hidden_items` so that the agent sees it as an open item; indentation and words stay."""
    bare = trim_start(line)
    mark = _LOOKS_OPEN.match(bare)
    indent = line[: len(line) - len(bare)]
    return f"{indent}{REWRITTEN} {bare[mark.end() :]}" if mark else line


def count_open(text: str) -> int:
    """The number of open items; one without words is a line that is not filled in yet."""
    return sum(bool(trim(trim(line)[len(REWRITTEN) :])) for line in open_items(text))


def open_items(text: str) -> list[str]:
    """The lines that are put in the prompt (see `is_open`), indentation kept."""
    return [line for line in lines(text) if is_open(line)]


def may_hold_items(raw: bytes) -> bool:
    """Quick check whether the text contains anything like a check box; if not, it need not be parsed."""
    return any(box in raw for box in (b"[ ]", b"[x]", b"[X]", b"[]"))


class Box(StrEnum):
    """The state of a check box."""

    OPEN = "open"
    DONE = "done"
    OTHER = "other"


class Item(NamedTuple):
    """One item. `line` is 0-based, `stop` is the line after its block; `depth` is the number of items it is nested in.

    `text` is its trimmed text; `nth` counts, from 0, earlier items with the same text. `hidden_reason` says why the agent does not
    see it; empty when it does.
    """

    line: int
    stop: int
    depth: int
    box: Box
    text: str
    nth: int
    heading: str
    hidden_reason: str


def items(text: str) -> list[Item]:
    """Parse the items of a scratchpad, in order."""
    lines = raw_lines(text)
    widths = [columns(line) if trim(line) else None for line in lines]
    found: list[Item] = []
    seen: dict[str, int] = {}
    stack: list[int] = []
    heading = ""
    for number, line, outside in outside_code(lines):
        match = item_parts(line)
        if not match:
            if outside and heading_level(line):
                heading, stack = heading_words(line), []
            continue
        indent = columns(match["indent"])
        stop = number + 1
        if outside:  # up to a line that is indented no further, without the blank ones above it
            below = (at for at in range(stop, len(lines)) if (width := widths[at]) is not None and width <= indent)
            stop = next(below, len(lines))
            while widths[stop - 1] is None:
                stop -= 1
        while stack and stack[-1] >= indent:
            stack.pop()
        says = trim(match["text"])
        nth = seen.get(says, 0)
        seen[says] = nth + 1
        found.append(Item(number, stop, len(stack), box_of(match), says, nth, heading, _hidden_reason(line, match)))
        stack.append(indent)
    return found


def item_id(project: str, item: Item) -> str:
    """A short id for an item; stable while its project, text and position among items with equal text stay the same."""
    import hashlib  # deferred: `zsmem projects` only counts items and needs no ids

    raw = f"{project}\0{item.text}\0{item.nth}".encode("utf-8", "surrogateescape")
    return hashlib.sha256(raw).hexdigest()[:ID_CHARS]


def locate(found: Sequence[Item], wanted: Item) -> Item | None:
    """Find an item again in a changed text: with the same text on the same line, else with the same text; None if it is gone."""
    same = [item for item in found if item.text == wanted.text]
    for item in same:
        if item.line == wanted.line:
            return item
    return same[min(wanted.nth, len(same) - 1)] if same else None


def headings(text: str) -> list[str]:
    """The headings of a scratchpad, in order; code blocks are skipped."""
    return [heading_words(line) for _, line, outside in outside_code(raw_lines(text)) if outside and heading_level(line)]


def item_parts(line: str) -> re.Match[str] | None:
    """Match a line as an item and return its named parts; None if it is not one, such as a link with a one-letter text."""
    found = _ITEM.match(line) or _BARE.match(line)
    if found and found["mark"] not in _KNOWN_MARKS and found["text"][:1] not in ("", " ", "\t"):
        return None
    return None if found and found["mark"] in ("x", "X") and found["text"].startswith("(") else found


def box_of(match: re.Match[str]) -> Box:
    """The state of the check box in a match of `item_parts`."""
    mark = match["mark"]
    if mark in ("x", "X"):
        return Box.DONE
    return Box.OPEN if mark in ("", " ", "\t", "\u3000") else Box.OTHER


def _hidden_reason(line: str, match: re.Match[str]) -> str:
    """Why the agent does not see the item; empty if it does."""
    if is_open(line):
        return ""
    box = box_of(match)
    if box is Box.DONE:
        return "done"
    if box is Box.OTHER:
        return f"marked [{match['mark']}]"
    if match["open"] != "[" or match["close"] != "]":
        return "full-width brackets"
    if not match["mark"]:
        return "no blank between the brackets"
    if match["bullet"] not in ("-", "*"):
        return f"its bullet is {match['bullet']}, not - or *"
    if match["gap"] != " ":
        return "more than one blank before the box"
    return "something stands before its bullet"
