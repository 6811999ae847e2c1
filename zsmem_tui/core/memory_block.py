"""The part of an instruction file between two markers that holds promoted facts; nothing outside of it is ever written.

Markers in code are examples and ignored. If the markers are ambiguous, `BadContent` is raised and nothing is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from zsmem_tui.core.block_edits import Block, Edge, ending_of, inserted, without
from zsmem_tui.core.code_spans import without_code
from zsmem_tui.core.errors import BadContent
from zsmem_tui.core.facts import MEMORY_MARKER, Fact, facts
from zsmem_tui.core.markdown import BOM, ended_lines, outside_code, unclosed
from zsmem_tui.core.text import raw_lines, trim

BEGIN: Final = "<!-- zerostack-memory:begin -->"
END: Final = "<!-- zerostack-memory:end -->"

_SIGN: Final = "zerostack-memory:"


class Region(NamedTuple):
    """The 0-based line numbers of the two markers."""

    begin: int
    end: int


def region(text: str, name: str = "") -> Region | None:
    """Find the markers; None if there are none. Raises `BadContent` if they do not enclose exactly one part.

    `name` is what the sentence calls the file.
    """
    found: list[tuple[str, int]] = []
    lines = raw_lines(text.removeprefix(BOM))
    is_open = unclosed(lines) >= 0
    for number, line, outside in outside_code(lines):
        if not outside or _SIGN not in line:
            continue
        bare = without_code(line)
        for marker in MEMORY_MARKER.finditer(bare):
            if trim(bare) != marker[0]:
                raise _bad_markers(name, f"line {number + 1} has a marker of memory amid other words")
            found.append((marker[1], number))
    if not found:
        if is_open:
            raise _bad_markers(name, "a fence in it is never closed, so that what is added would be part of that")
        return None
    match found:
        case [("begin", begin), ("end", end)]:
            return Region(begin, end)
        case [("end", end), *_]:
            raise _bad_markers(name, f"line {end + 1} ends a part with memory that no line begins")
        case [("begin", begin)]:
            inside = " (an end that stands in a fence is none)" if is_open else ""
            raise _bad_markers(name, f"the part with memory that begins on line {begin + 1} has no end{inside}")
        case [_, ("begin", again), *_]:
            raise _bad_markers(name, f"line {again + 1} begins a part with memory inside another")
        case _:
            raise _bad_markers(name, f"line {found[2][1] + 1} has another marker of memory: there can be one part only")


def facts_between(text: str, name: str = "") -> list[Fact]:
    """The facts between the markers, with line numbers in the whole text; empty without markers. Raises as `region` does.

    A marker ends the block above it, even where Markdown would continue it.
    """
    here = region(text, name)
    if here is None:
        return []
    shift = here.begin + 1
    found = facts(_parts(text, here)[1])
    return [
        each._replace(line=each.line + shift, stop=each.stop + shift, children=tuple(child + shift for child in each.children))
        for each in found
    ]


def added(text: str, new: Sequence[Block], name: str = "") -> str:
    """Insert facts between the markers, skipping those the text already has; missing markers are appended to the text.

    Line endings follow the text, and a last line without one gets one when markers are appended. Raises as `region` does, and for a
    fact that contains a marker.
    """
    for block in new:
        if MEMORY_MARKER.search(block.text):
            raise BadContent("A fact that holds a marker of memory cannot be loaded. Nothing was written.")
    here = region(text, name)
    there = {trim(fact.text) for fact in (*facts(text), *facts_between(text))}
    more = [block for block in new if trim(block.text) not in there]
    if not more:
        return text
    ending = "\r\n" if "\r\n" in text else "\n"
    if here is None:
        joint = "" if not text or text == BOM or text.endswith("\n") else ending
        gap = ending if trim(text.removeprefix(BOM)) and not (text + joint).endswith(ending * 2) else ""
        text = f"{text}{joint}{gap}{BEGIN}{ending}{END}{ending}"
        here = region(text) or Region(0, 1)
    front, inner, back = _parts(text, here)
    inner = inserted(inner, more, Edge.END, ending=ending)
    if inner and not inner.endswith("\n"):
        inner += ending
    return _joined(front, inner, back)


def taken(text: str, found: Sequence[Fact]) -> str:
    """Remove these facts, which must be between the markers (`facts_between`). Raises `BadContent`."""
    here = region(text)
    if here is None or any(not (here.begin < fact.line and fact.stop <= here.end) for fact in found):
        raise BadContent("Only what stands between the markers of memory is taken out. Nothing was written.")
    front, inner, back = _parts(text, here)
    shift = here.begin + 1
    own = {fact.line - shift for fact in found}
    return _joined(front, without(inner, [fact for fact in facts(inner) if fact.line in own]), back)


def _parts(text: str, here: Region) -> tuple[str, str, str]:
    """Split the text into: up to and including the first marker, between the markers, from the second marker on."""
    lines = ended_lines(text)
    return "".join(lines[: here.begin + 1]), "".join(lines[here.begin + 1 : here.end]), "".join(lines[here.end :])


def _joined(front: str, inner: str, back: str) -> str:
    """Concatenate the parts; a fence left open before the second marker is closed."""
    rows = raw_lines(front + inner)
    opened = unclosed(rows)
    if opened < 0:
        return front + inner + back
    mark = rows[opened].strip()
    return f"{front}{inner}{mark[: len(mark) - len(mark.lstrip(mark[0]))]}{ending_of(front)}{back}"


def _bad_markers(name: str, why: str) -> BadContent:
    return BadContent(
        f"The markers of memory{name and f' in {name}'} cannot be used: {why}. Nothing was written.", f"They are {BEGIN} and {END}."
    )
