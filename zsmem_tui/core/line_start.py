"""What a line of Markdown begins with before its text, and what a list or a quote goes on with on the next line."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_QUOTE: Final = re.compile(r"(?:[ \t]{0,3}> ?)+")
_INDENT: Final = re.compile(r"[ \t]*")
_BREAK: Final = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_BULLET: Final = re.compile(
    "(?P<bullet>[-*+\u2022]|[0-9]{1,9}[.)])(?P<gap>[ \t]+)(?P<box>(?:\\[[^\\]]?\\]|\uff3b[^\uff3d\\]]?[\uff3d\\]])(?:[ \t]+|$))?"
)


class LineStart(NamedTuple):
    """The parts of a line before its text, each as it stands there, in this order."""

    quote: str
    indent: str
    bullet: str
    gap: str
    box: str

    @property
    def length(self) -> int:
        """Characters before the text."""
        return len(self.quote) + len(self.indent) + len(self.bullet) + len(self.gap) + len(self.box)


def line_start(line: str) -> LineStart:
    """What stands before the text of `line`, a line without its line end."""
    quoted = _QUOTE.match(line)
    quote = quoted.group() if quoted else ""
    indented = _INDENT.match(line, len(quote))
    indent = indented.group() if indented else ""
    at = len(quote) + len(indent)
    found = None if _BREAK.match(line, len(quote)) else _BULLET.match(line, at)
    if found is None:
        return LineStart(quote, indent, "", "", "")
    return LineStart(quote, indent, found["bullet"], found["gap"], found["box"] or "")


def continued(line: str, column: int) -> str:
    """What the next line begins with when `line` is broken at `column`; empty where it is neither an item's nor a quote's text.

    A number is counted up, a box is an open one.
    """
    start = line_start(line)
    if not (start.bullet or start.quote) or column < start.length:
        return ""
    if not start.bullet:
        return start.quote
    number = start.bullet[:-1]
    bullet = f"{int(number) + 1}{start.bullet[-1]}" if number.isdecimal() else start.bullet
    signs = start.box.rstrip(" \t")
    box = f"{signs[0]} {signs[-1]}{start.box[len(signs) :] or ' '}" if signs else ""
    return start.quote + start.indent + bullet + start.gap + box


def given_up(line: str) -> str | None:
    """What is left of a line that holds nothing but a marker, once its list or its quote ends; None: it holds more."""
    start = line_start(line)
    if not (start.bullet or start.quote) or line[start.length :].strip():
        return None
    return start.quote if start.bullet else start.quote.rstrip()[:-1]
