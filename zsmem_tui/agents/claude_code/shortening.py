"""How an index that is too long for the prompt is made to fit: plain facts go into a topic, which the index lists."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.claude_code import index
from zsmem_tui.agents.claude_code.files import INDEX, Files
from zsmem_tui.agents.claude_code.prompt import INDEX_BYTES, INDEX_LINES, first_lost_line
from zsmem_tui.agents.claude_code.topic_dress import TopicDress
from zsmem_tui.core.carried import Carried
from zsmem_tui.core.checks.finding import Fix, LineEdit
from zsmem_tui.core.markdown import outside_code
from zsmem_tui.core.text import raw_lines
from zsmem_tui.core.tree import Tree, read_if_there

MORE: Final = "reference_more_facts.md"
"""The topic that takes what an index has no room for."""

_APART: Final = ("- ", "* ", "+ ", "#", "```", "~~~", ">", "<!--", "---", "***")
"""How a line begins that does not go on with an item above it."""

_MOST_EMPTY: Final = 20
"""Empty lines between an item and what belongs to it."""

_ABOUT: Final = "Facts that the index has no room for"


def shortened(tree: Tree, path: str, files: Files) -> Fix | None:
    """Facts of an index, from its end up, into a topic beside it, until all that is left is loaded.

    They stay under their headings, and a heading with nothing left below it goes along. Links stay: the agent finds its topics by
    the index alone. None where that is not enough, or the file is no index.
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
    gone: set[int] = set()
    outline = _Outline(raw, rows)
    for number in reversed(_facts(raw, rows)):
        if count <= INDEX_LINES and size <= INDEX_BYTES:
            break
        moved.append(number)
        taken = outline.take(number)
        gone.update(taken)
        size -= sum(len(rows[each - 1].encode()) + 1 for each in taken)
        count -= len(taken)
    if not moved or count > INDEX_LINES or size > INDEX_BYTES:
        return None
    edits = [LineEdit(path, number, (rows[number - 1],), ()) for number in sorted(gone, reverse=True)]
    if line:
        below = tuple(rows[at : at + 1]) if any(rows[at:]) else ()  # a fence that is never closed
        edits.append(LineEdit(path, at + 1 - sum(number <= at for number in gone), below, (line, *below)))
    held = outline.page(moved[::-1], with_title=there is not None)
    if there is not None:
        edits.append(LineEdit(goal, 1, (), ("", *held) if held[0].startswith("#") else held))
    else:
        text = TopicDress(files).wrapped(goal, Carried("\n".join(held).encode(), about=_ABOUT)).decode()
        edits.append(LineEdit(goal, 0, (), tuple(raw_lines(text))))
    return Fix("Move what is too much into {file}.", goal, tuple(edits))


class _Outline:
    """The lines of an index under their headings, while some are taken out of it."""

    def __init__(self, raw: bytes, rows: list[str]) -> None:
        """Nothing is taken yet."""
        self._rows = rows
        self._under: dict[int, int] = {}
        self._blanks: dict[int, list[int]] = {}
        self._left: dict[int, int] = {}
        levels = {part.number: part.level for part in index.parts(raw, ()) if part.level}
        self._title = next((number for number, level in levels.items() if level == 1 and not any(rows[: number - 1])), 0)
        self._stay = {1, self._title, *(link.number for link in index.links(raw))}
        above: list[int] = []
        for number in range(1, len(rows) + bool(rows[-1])):
            if number in levels:
                above = [each for each in above if levels[each] < levels[number]]
            head = above[-1] if above else 0
            if rows[number - 1].strip():
                self._under[number] = head
                self._left[head] = self._left.get(head, 0) + 1
            else:
                self._blanks.setdefault(head, []).append(number)
            if number in levels:
                above.append(number)

    def take(self, number: int) -> list[int]:
        """Take a line out: the numbers of all that go, with the headings and blank lines that would stand over nothing."""
        taken = [number]
        head = self._under[number]
        while head:
            self._left[head] -= 1
            if self._left[head] or head in self._stay:
                break
            taken += [head, *self._blanks.get(head, ())]
            head = self._under[head]
        return taken

    def page(self, numbers: list[int], *, with_title: bool) -> tuple[str, ...]:
        """Lines, in their order, each under all of its headings; under the title of the index where that is asked for."""
        out: list[str] = []
        last: list[int] = []
        for number in numbers:
            path: list[int] = []
            head = self._under[number]
            while head:
                path.insert(0, head)
                head = self._under[head]
            path = [each for each in path if with_title or each != self._title]
            for each in (each for each in path if each not in last):
                out += ["", self._rows[each - 1], ""] if out and out[-1] else [self._rows[each - 1], ""]
            out.append(self._rows[number - 1])
            last = path
        return tuple(out)


def _facts(raw: bytes, rows: list[str]) -> list[int]:
    """The numbers of the lines, from 1, that are a fact each: items of a list without a link and with nothing below."""
    linked = {link.number for link in index.links(raw)}
    out: list[int] = []
    for at, row, outside in outside_code(rows):
        is_item = row[:2] in ("- ", "* ") and "](" not in row and "[[" not in row
        if is_item and outside and at + 1 not in linked and not _goes_on(rows, at + 1):
            out.append(at + 1)
    return out


def _goes_on(rows: list[str], below: int) -> bool:
    """Whether what stands from this place on is a part of the item above it: right below it, or indented behind an empty line."""
    if below == len(rows):
        return False
    if rows[below].strip():
        return not rows[below].startswith(_APART)
    behind = next((row for row in rows[below + 1 : below + 1 + _MOST_EMPTY] if row.strip()), "")
    return behind.startswith((" ", "\t"))
