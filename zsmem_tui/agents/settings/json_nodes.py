"""Parse JSON into nodes with offsets, so that a text can be edited without reformatting it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final, NamedTuple

from zsmem_tui.agents.settings.errors import HasComments, NotEditable, position

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_COMMENT: Final = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA: Final = re.compile(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])')
_REASONS: Final = {
    "Expecting value": "a value should stand here",
    "Expecting property name enclosed in double quotes": "a key in quotes should stand here",
    "Expecting ':' delimiter": "a colon should stand here",
    "Expecting ',' delimiter": "a comma should stand here",
    "Extra data": "there is more behind its end",
}
"""What is wrong, by the decoder's messages; any other is about a text in quotes."""

Path = tuple[str, ...]
"""A sequence of keys."""


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant)


class Node:
    """A value in valid JSON, with its offsets."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self.value, self.end = _DECODER.raw_decode(text, start)

    @cached_property
    def members(self) -> tuple[Member, ...] | None:
        """The members of an object; None for any other value."""
        if not isinstance(self.value, dict):
            return None
        keys = ((at, *_DECODER.raw_decode(self.text, at)) for at in self._starts())
        return tuple(Member(key, at, Node(self.text, _skip(self.text, _skip(self.text, end) + 1))) for at, key, end in keys)

    @cached_property
    def items(self) -> tuple[Node, ...] | None:
        """The items of a list; None for any other value."""
        return tuple(Node(self.text, at) for at in self._starts()) if isinstance(self.value, list) else None

    def _starts(self) -> Iterator[int]:
        """The offset of each key or item."""
        at = _skip(self.text, self.start + 1)
        while at < self.end - 1:
            yield at
            for _ in range(1 + isinstance(self.value, dict)):
                at = _skip(self.text, _DECODER.raw_decode(self.text, at)[1]) + 1
                at = _skip(self.text, at)


class Member(NamedTuple):
    """A key, its offset, and its value."""

    key: str
    start: int
    value: Node


def parse(text: str) -> Node:
    """Parse the single value of a text. Raises `NotEditable` with line and column; `HasComments` for JSON with comments."""
    try:
        _DECODER.decode(text)
        return Node(text, _skip(text, 0))
    except json.JSONDecodeError as error:
        raise _refused(text, error.pos, error.msg) from error
    except (ValueError, RecursionError) as error:
        raise NotEditable(str(error) if isinstance(error, ValueError) else "it is nested too deeply") from error


def _refused(text: str, at: int, said: str) -> NotEditable:
    """The error for what the decoder says of an offset."""
    if text.startswith(("//", "/*"), at):
        return HasComments("it has comments", *position(text, at))
    if said.startswith("Illegal trailing comma") or (text[at : at + 1] in ("}", "]") and text[:at].rstrip().endswith(",")):
        return HasComments("it has a comma behind the last entry", *position(text, at))
    reason = _REASONS.get(said, "a text in quotes does not end, or holds what it may not")
    return NotEditable("it ends too early" if at >= len(text) else reason, *position(text, at))


def without_comments(text: str) -> str:
    """The text with comments and trailing commas replaced by blanks, for reading hand-written JSON."""
    for pattern in (_COMMENT, _LAST_COMMA):
        text = pattern.sub(lambda found: found[1] or "".join("\n" if char == "\n" else " " for char in found[0]), text)
    return text


def member(node: Node, key: str) -> Member | None:
    """The member of an object with that key. Raises `NotEditable` if there are two, or if the node is no object."""
    if node.members is None:
        raise NotEditable("an object in braces should stand here", *position(node.text, node.start))
    found = [each for each in node.members if each.key == key]
    if len(found) > 1:
        raise NotEditable(f"it has {key!r} twice", *position(node.text, found[1].start))
    return found[0] if found else None


def at_path(node: Node, path: Path) -> Node | None:
    """The node at a path; None if there is none. Raises `NotEditable`."""
    for key in path:
        found = member(node, key)
        if found is None:
            return None
        node = found.value
    return node


def _skip(text: str, at: int) -> int:
    """The offset of the first character from here on that is no white space."""
    found = _SPACE.match(text, at)
    return found.end() if found else at
