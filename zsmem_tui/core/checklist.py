"""A scratchpad as a list of items, and every change to it that leaves all other bytes as they are.

An item is a line with a checkbox, whatever its bullet; its block are the lines below it that are indented further. Which items the
agent sees is decided by `is_open` alone (specification, section 8).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from zsmem_tui.core.markdown import outside_code
from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.text import WHITE_SPACE, lines, one_line, raw_lines, trim, trim_start, words

ID_CHARS: Final = 8
"""Hex digits of an item's id: with 100,000 items two share one in a hundred runs."""

TAB: Final = 4
"""Columns that a tab indents to."""

STEP: Final = "  "
"""What one step of indentation adds."""

_SPACE: Final = "".join(char for char in WHITE_SPACE if char != "\n")
_INDENT: Final = f"^(?P<indent>[{re.escape(_SPACE)}\ufeff\u200b]*)"
_REST: Final = "(?P<mark>[^\\]\uff3d\r\n]?)(?P<close>[\\]\uff3d])(?P<text>[^\r\n]*)"
_ITEM: Final = Pattern(_INDENT + "(?P<bullet>[-*+\u2022]|[0-9]{1,9}[.)])(?P<gap>[ \t]+)(?P<open>[\\[\uff3b])" + _REST)
_BARE: Final = Pattern(_INDENT + "(?P<bullet>)(?P<gap>)(?P<open>\uff3b)" + _REST)
"""A checkbox of full-width brackets is one without a bullet, too."""

_HEADING: Final = Pattern(r"^ {0,3}(#{1,6})[ \t]+([^\r\n]*)")
_KNOWN_MARKS: Final = ("", " ", "\t", "\u3000", "x", "X", "-", "~", "/", ">", "!", "?")
_FENCE: Final = Pattern(r"^[ \t]*(`{3,}|~{3,})")

_LOOKS_OPEN: Final = Pattern(
    "[\ufeff\u200b]?(?:[-*+\u2022\u2013\u2014\u30fb\u25e6\u25aa\u25cf]|[0-9]{1,9}[.)])?[ \t\u00a0\u3000]*"
    "(?:\\[[ \t\u00a0\u3000]*\\]|\uff3b[ \t\u3000]*\uff3d)(?![(\\[:])[ \t\u00a0\u3000]*"
)
"""A checkbox that nobody has ticked, in whatever way it is written: another bullet, a number, `[]`, full-width brackets."""

REWRITTEN: Final = "- [ ]"
"""How an open item begins that the agent sees."""


def is_open(line: str) -> bool:
    """Whether a line is injected: after white space, it starts `- [ ]` or `* [ ]`."""
    return trim_start(line).startswith(("- [ ]", "* [ ]"))


def hidden_items(text: str) -> list[tuple[int, str]]:
    """Lines that a person would take for open items and the agent does not see, with their numbers from 0.

    What stands in a fence is an example. In a fence that is never closed, it is not.
    """
    found: list[tuple[int, str]] = []
    fenced: list[tuple[int, str]] = []
    fence = ""
    for number, line in enumerate(lines(text)):
        if mark := _FENCE.match(line):
            if not fence:
                fence, fenced = mark[1], []
            elif mark[1].startswith(fence) and not line.strip(" \t`~"):
                fence = ""
        elif ("]" in line or "\uff3d" in line) and not is_open(line) and _LOOKS_OPEN.match(trim_start(line)):
            (fenced if fence else found).append((number, line))
    return sorted(found + fenced) if fence else found


def shown_as_open(line: str) -> str:
    """A line of `hidden_items` with a mark that the agent sees; its indentation and its words stay."""
    bare = trim_start(line)
    mark = _LOOKS_OPEN.match(bare)
    indent = line[: len(line) - len(bare)]
    return f"{indent}{REWRITTEN} {bare[mark.end() :]}" if mark else line


def open_items(text: str) -> list[str]:
    """The lines that are injected, indentation kept: those that start `- [ ]` or `* [ ]` after white space."""
    return [line for line in lines(text) if is_open(line)]


def may_hold_items(raw: bytes) -> bool:
    """Whether a text has something like a box in it, open or ticked: no other needs to be looked at line by line."""
    return any(box in raw for box in (b"[ ]", b"[x]", b"[X]", b"[]"))


class Box(StrEnum):
    """What a checkbox says."""

    OPEN = "open"
    DONE = "done"
    OTHER = "other"


class Item(NamedTuple):
    """One item. `line` counts from 0, `stop` is the line after its block; `depth` counts the items it is nested in.

    `text` is what it says, trimmed; `nth` which of the items with this text it is, from 0. `hidden_reason` says why the agent does
    not see it; empty when it does.
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
    """The items of a scratchpad, in order."""
    lines = _split(text)
    found: list[Item] = []
    seen: dict[str, int] = {}
    stack: list[int] = []
    heading, fence = "", ""
    for number, line in enumerate(lines):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
        elif mark:
            fence = mark[1]
        match = _match(line)
        if not fence and not match and (title := _HEADING.match(line)):
            heading, stack = trim(title[2]), []
        if not match:
            continue
        indent = _width(match["indent"])
        stop = number + 1 if fence else _stop(lines, number, indent)
        while stack and stack[-1] >= indent:
            stack.pop()
        says = trim(match["text"])
        nth = seen.get(says, 0)
        seen[says] = nth + 1
        found.append(Item(number, stop, len(stack), _box(match), says, nth, heading, _hidden_reason(line, match)))
        stack.append(indent)
    return found


def item_id(project: str, item: Item) -> str:
    """A short name of an item: it stays while its project, text and place among equal ones do."""
    import hashlib  # `zsmem projects` counts items and asks for no id

    raw = f"{project}\0{item.text}\0{item.nth}".encode("utf-8", "surrogateescape")
    return hashlib.sha256(raw).hexdigest()[:ID_CHARS]


def locate(found: Sequence[Item], wanted: Item) -> Item | None:
    """An item in a text that may have changed since: on its line with its words, else by its words; None when it is gone."""
    same = [item for item in found if item.text == wanted.text]
    for item in same:
        if item.line == wanted.line:
            return item
    return same[min(wanted.nth, len(same) - 1)] if same else None


def ticked(text: str, wanted: Iterable[Item], *, done: bool) -> str:
    """The text with these items done or open again: one character of each changes. Those without a box to tick stay."""
    lines = _split(text)
    for item in wanted:
        match = _match(lines[item.line])
        if match and match["mark"] and _box(match) is not (Box.DONE if done else Box.OPEN):
            at = match.start("mark")
            lines[item.line] = f"{lines[item.line][:at]}{'x' if done else ' '}{lines[item.line][at + 1 :]}"
    return "".join(lines)


def can_tick(text: str, item: Item) -> bool:
    """Whether an item has a box with room for a mark."""
    match = _match(_split(text)[item.line])
    return bool(match and match["mark"])


def reworded(text: str, item: Item, new: str) -> str:
    """The text with other words for an item; bullet, box and line end stay."""
    lines = _split(text)
    match = _match(lines[item.line])
    if match:
        start, stop = match.span("text")
        old = match["text"]
        gap = old[: len(old) - len(old.lstrip(" \t"))] or " "
        tail = old[len(old.rstrip(" \t")) :] if old.strip(" \t") else ""
        lines[item.line] = f"{lines[item.line][:start]}{gap}{one_line(new)}{tail}{lines[item.line][stop:]}"
    return "".join(lines)


def blocks(text: str, wanted: Iterable[Item]) -> list[str]:
    """The blocks of these items, indentation taken off, each line ended; one that lies in another's is not given twice."""
    lines = _split(text)
    out = []
    for start, stop in _ranges(wanted):
        indent = len(lines[start]) - len(lines[start].lstrip(" \t"))
        own = [_dedented(line, indent) for line in lines[start:stop]]
        out.append("".join(line if line.endswith("\n") else f"{line}\n" for line in own))
    return out


def without(text: str, wanted: Iterable[Item]) -> str:
    """The text without the blocks of these items."""
    lines = _split(text)
    for start, stop in reversed(_ranges(wanted)):
        del lines[start:stop]
    return "".join(lines)


def added(text: str, block: str, heading: str | None = None) -> str:
    """The text with a block at the end of its items, or of those below a heading. Raises `ValueError` when that is not there."""
    lines = _split(text)
    ending = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    own = [line.removesuffix("\n").removesuffix("\r") + ending for line in _split(block)]
    at = _end_of(lines, items(text), heading)
    if at and lines and not lines[at - 1].endswith("\n"):
        lines[at - 1] += ending
    lines[at:at] = own
    return "".join(lines)


def shifted(text: str, item: Item, step: int) -> str:
    """The text with an item's block one place further down (`step` 1) or up (-1) among those beside it; unchanged at an end."""
    found = items(text)
    beside = [
        each
        for each in found
        if each.depth == item.depth and each.heading == item.heading and _parent(found, each) == _parent(found, item)
    ]
    at = next((place for place, each in enumerate(beside) if each.line == item.line), -1) + step
    if item not in beside or not 0 <= at < len(beside):
        return text
    first, second = sorted((item, beside[at]))
    lines = _split(text)
    tail = "" if lines[-1].endswith("\n") else "\n"
    lines[-1] += tail
    between = lines[first.stop : second.line]
    lines[first.line : second.stop] = [*lines[second.line : second.stop], *between, *lines[first.line : first.stop]]
    joined = "".join(lines)
    return joined.removesuffix("\n") if tail else joined


def indented(text: str, wanted: Iterable[Item], step: int) -> str:
    """The text with the blocks of these items one step further in (1) or out (-1)."""
    lines = _split(text)
    for start, stop in _ranges(wanted):
        for number in range(start, stop):
            line = lines[number]
            if step > 0:
                lines[number] = STEP + line if trim(line) else line
            else:
                lines[number] = line.removeprefix("\t") if line.startswith("\t") else _dedented(line, len(STEP))
    return "".join(lines)


def headings(text: str) -> list[str]:
    """The headings of a scratchpad, in order; code is not looked into."""
    return [trim(title[2]) for _, line, outside in outside_code(raw_lines(text)) if outside and (title := _HEADING.match(line))]


def as_items(text: str) -> str:
    """Lines that a person typed or pasted, as open items; a line that has a box already keeps it, blank ones go."""
    kept = [line.removesuffix("\n").removesuffix("\r") for line in _split(text) if trim(line)]
    return "".join(f"{line if _match(line) else f'- [ ] {_without_bullet(line)}'}\n" for line in kept)


def one_fact(block: str) -> str:
    """A block as one line of long-term memory: its words, without boxes."""
    parts = []
    for line in _split(block):
        match = _match(line)
        parts.append(match["text"] if match else line)
    return f"- {' '.join(word for part in parts for word in words(part))}"


def _match(line: str) -> re.Match[str] | None:
    """The parts of an item; None for a line that is none, such as a link of one letter."""
    found = _ITEM.match(line) or _BARE.match(line)
    if found and found["mark"] not in _KNOWN_MARKS and found["text"][:1] not in ("", " ", "\t"):
        return None
    return None if found and found["mark"] in ("x", "X") and found["text"].startswith("(") else found


def _split(text: str) -> list[str]:
    """Lines with their line feeds."""
    pieces = raw_lines(text)
    return [f"{piece}\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


def _box(match: re.Match[str]) -> Box:
    mark = match["mark"]
    if mark in ("x", "X"):
        return Box.DONE
    return Box.OPEN if mark in ("", " ", "\t", "\u3000") else Box.OTHER


def _hidden_reason(line: str, match: re.Match[str]) -> str:
    """Why the agent does not see an item; empty when it does."""
    if is_open(line):
        return ""
    box = _box(match)
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


def _width(indent: str) -> int:
    width = 0
    for char in indent:
        width = width + TAB - width % TAB if char == "\t" else width + (char == " ")
    return width


def _stop(lines: list[str], start: int, indent: int) -> int:
    """The line after the last one that is indented further than `indent`; blank lines only count between such lines."""
    stop = start + 1
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if not trim(line):
            continue
        if _width(line[: len(line) - len(line.lstrip(" \t"))]) <= indent:
            break
        stop = number + 1
    return stop


def _ranges(wanted: Iterable[Item]) -> list[tuple[int, int]]:
    """The lines of these blocks, rising; those inside another are part of it."""
    out: list[tuple[int, int]] = []
    for item in sorted(wanted):
        if not out or item.line >= out[-1][1]:
            out.append((item.line, item.stop))
    return out


def _end_of(lines: list[str], found: list[Item], heading: str | None) -> int:
    """Where a new item goes: after the last item, or the last line that is not blank below a heading."""
    if heading is None:
        return found[-1].stop if found else len(lines)
    below = [item for item in found if item.heading == heading]
    if below:
        return below[-1].stop
    for number, line in enumerate(lines):
        title = _HEADING.match(line)
        if title and trim(title[2]) == heading:
            return number + 1
    raise ValueError(heading)


def _parent(found: Sequence[Item], item: Item) -> int:
    """The line of the item that one is nested in; -1 for none."""
    return max((each.line for each in found if each.line < item.line < each.stop), default=-1)


def _dedented(line: str, count: int) -> str:
    """A line without its first `count` blanks or tabs, as far as it has them."""
    have = len(line) - len(line.lstrip(" \t"))
    return line[min(count, have) :]


def _without_bullet(line: str) -> str:
    return re.sub(r"^[ \t]*(?:[-*+\u2022][ \t]+)?", "", line)
