"""How an index that is too long for the prompt is made to fit: plain facts go into a topic, which the index lists."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.claude_code import files, index
from zsmem_tui.agents.claude_code.naming import INDEX
from zsmem_tui.agents.claude_code.prompt import INDEX_BYTES, INDEX_LINES, first_lost_line
from zsmem_tui.agents.claude_code.topic_dress import TopicDress
from zsmem_tui.core.carried import Carried
from zsmem_tui.core.checks.finding import Fix, LineEdit
from zsmem_tui.core.text import raw_lines
from zsmem_tui.core.tree import Tree, read_if_there

MORE: Final = "reference_more_facts.md"
"""The topic that takes what an index has no room for."""

_APART: Final = ("- ", "* ", "+ ", "#", "```", "~~~", ">", "<!--", "---", "***")
"""How a line begins that does not go on with an item above it."""

_MOST_EMPTY: Final = 20
"""Empty lines between an item and what belongs to it."""

_ABOUT: Final = "Facts that the index has no room for"


def shortened(tree: Tree, path: str) -> Fix | None:
    """Facts of an index, from its end up, into a topic beside it, until all that is left is loaded.

    Links stay: the agent finds its topics by the index alone. None where that is not enough, or the file is no index.
    """
    home, _, name = path.rpartition("/")
    raw = read_if_there(tree, path)
    if name != INDEX or not raw or first_lost_line(raw) is None:
        return None
    goal = f"{home}/{MORE}" if home else MORE
    if files.listed_by(goal) != (path, MORE):
        return None
    try:
        rows = [row.removesuffix("\r") for row in raw_lines(raw.decode().removeprefix("\ufeff"))]
        there = read_if_there(tree, goal)
        listed = index.added(raw, MORE, "More facts", _ABOUT)
        shown = [row.removesuffix("\r") for row in raw_lines(listed.decode().removeprefix("\ufeff"))] if listed != raw else rows
    except UnicodeDecodeError:
        return None
    at = next((at for at, pair in enumerate(zip(rows, shown, strict=False)) if pair[0] != pair[1]), len(rows))
    line = shown[at] if listed != raw else ""
    size = len(raw) + (len(line.encode()) + 2 if line else 0)
    count = len(rows) - (not rows[-1]) + bool(line)
    moved: list[int] = []
    for number in reversed(_facts(raw, rows)):
        if count <= INDEX_LINES and size <= INDEX_BYTES:
            break
        moved.append(number)
        size -= len(rows[number - 1].encode()) + 1
        count -= 1
    if not moved or count > INDEX_LINES or size > INDEX_BYTES:
        return None
    edits = [LineEdit(path, number, (rows[number - 1],), ()) for number in moved]
    if line:
        below = tuple(rows[at : at + 1]) if any(rows[at:]) else ()  # a fence that is never closed
        edits.append(LineEdit(path, at + 1 - sum(number <= at for number in moved), below, (line, *below)))
    held = tuple(rows[number - 1] for number in reversed(moved))
    if there is not None:
        edits.append(LineEdit(goal, 1, (), held))
    else:
        text = TopicDress().wrapped(goal, Carried("\n".join(held).encode(), about=_ABOUT)).decode()
        edits.append(LineEdit(goal, 0, (), tuple(raw_lines(text))))
    return Fix("Move what is too much into {file}.", goal, tuple(edits))


def _facts(raw: bytes, rows: list[str]) -> list[int]:
    """The numbers of the lines, from 1, that are a fact each: items of a list without a link and with nothing below."""
    linked = {link.number for link in index.links(raw)}
    out: list[int] = []
    fence = ""
    for number, row in enumerate(rows, 1):
        mark = row.lstrip()[:3]
        if mark in ("```", "~~~") and fence in ("", mark):
            fence = "" if fence else mark
        hangs = _goes_on(rows, number)
        is_item = row[:2] in ("- ", "* ") and "](" not in row and "[[" not in row
        if is_item and not hangs and not fence and number not in linked:
            out.append(number)
    return out


def _goes_on(rows: list[str], below: int) -> bool:
    """Whether what stands from this place on is a part of the item above it: right below it, or indented behind an empty line."""
    if below == len(rows):
        return False
    if rows[below].strip():
        return not rows[below].startswith(_APART)
    behind = next((row for row in rows[below + 1 : below + 1 + _MOST_EMPTY] if row.strip()), "")
    return behind.startswith((" ", "\t"))
