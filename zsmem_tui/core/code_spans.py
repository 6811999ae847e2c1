"""Code spans in Markdown text: where they are, and the text without them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from zsmem_tui.core.markdown import Kind, scan
from zsmem_tui.core.text import raw_lines

_RUN: Final = re.compile("`+")
_WORDS: Final = re.compile(r"[^\n]")


def code_spans(row: str) -> list[tuple[int, int]]:
    """(start, end) of each code span of a line or paragraph, backticks included. Takes linear time."""
    runs = [found.span() for found in _RUN.finditer(row)]
    ends: dict[int, list[int]] = {}
    for number in range(len(runs) - 1, -1, -1):
        ends.setdefault(runs[number][1] - runs[number][0], []).append(number)
    spans = []
    at = 0
    while at < len(runs):
        start, end = runs[at]
        start += _is_escaped(row, start)  # such a mark opens nothing, but may close
        same = ends.get(end - start, [])
        while same and same[-1] <= at:
            same.pop()
        if same:
            spans.append((start, runs[same[-1]][1]))
            at = same[-1]
        at += 1
    return spans


def _is_escaped(row: str, at: int) -> bool:
    """Whether an odd number of backslashes stands before a character."""
    begin = at
    while begin and row[begin - 1] == "\\":
        begin -= 1
    return (at - begin) % 2 == 1


def without_code(row: str) -> str:
    """A line or paragraph with its code spans replaced by blanks, keeping offsets and line ends."""
    out, last = [], 0
    for start, end in code_spans(row) if "`" in row else ():
        out += [row[last:start], _WORDS.sub(" ", row[start:end])]
        last = end
    return "".join((*out, row[last:])) if out else row


def lines_without_code(lines: Sequence[str]) -> list[str]:
    """These lines with all code replaced by blanks: fenced, indented, and in spans, which may go on over a paragraph's lines."""
    paragraphs: list[list[str]] = []
    for line, found in zip(lines, scan(lines, tags=False), strict=True):
        leaf = found.leaf
        if leaf.joins and paragraphs:
            paragraphs[-1].append(line)
        else:
            paragraphs.append(["" if found.is_code or leaf.kind is Kind.INDENTED else line])
    return [line for each in paragraphs for line in raw_lines(without_code("\n".join(each)))]
