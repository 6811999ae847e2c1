"""Parse JSON into nodes with offsets, so that a text can be edited without reformatting it."""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any, Final, NamedTuple

from zsmem_tui.agents.settings.errors import HasComments, NotEditable, position
from zsmem_tui.core.json_value import json_value

_DEEPEST: Final = 200
"""The deepest nesting; settings have about ten levels, more would only exhaust the stack."""

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_SCALAR: Final = re.compile(r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.+-])")
_GOES_ON: Final = re.compile(r"[\w.+-]")
"""Characters that cannot follow a number or a word."""

_COMMENT: Final = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA: Final = re.compile(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])')
Path = tuple[str, ...]
"""A sequence of keys."""


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant)


class Node(NamedTuple):
    """A value with its offsets. `members` are those of an object, `items` those of a list; None for other values and for skipped
    ones.
    """

    start: int
    end: int
    members: tuple[Member, ...] | None = None
    items: tuple[Node, ...] | None = None


class Member(NamedTuple):
    """A key, its offset, and its value."""

    key: str
    start: int
    value: Node


def parse(text: str, path: Path = ()) -> Node:
    """Parse the single value of a text. Raises `NotEditable` with line and column; `HasComments` for JSON with comments.

    Values of keys that are not on `path` are skipped and only get their offsets, since settings may have megabytes.
    """
    node = _value(text, _skip(text, 0), 0, path)
    end = _skip(text, node.end)
    if end != len(text):
        raise _error(text, end, "there is more behind its end")
    return node


def without_comments(text: str) -> str:
    """The text with comments and trailing commas replaced by blanks, for reading hand-written JSON."""
    for pattern in (_COMMENT, _LAST_COMMA):
        text = pattern.sub(lambda found: found[1] or "".join("\n" if char == "\n" else " " for char in found[0]), text)
    return text


def value_of(text: str, node: Node) -> Any:
    """The value of a node."""
    return json_value(text[node.start : node.end])


def member(text: str, node: Node, key: str) -> Member | None:
    """The member of an object with that key. Raises `NotEditable` if there are two, or if the node is no object."""
    if node.members is None:
        raise _error(text, node.start, "an object in braces should stand here")
    found = [each for each in node.members if each.key == key]
    if len(found) > 1:
        raise _error(text, found[1].start, f"it has {key!r} twice")
    return found[0] if found else None


def at_path(text: str, node: Node, path: Path) -> Node | None:
    """The node at a path; None if there is none. Raises `NotEditable`."""
    for key in path:
        found = member(text, node, key)
        if found is None:
            return None
        node = found.value
    return node


def _skipped(text: str, at: int, depth: int) -> Node:
    """A value of which only the end is needed. If it is invalid, it is parsed the slow way for a precise error."""
    with contextlib.suppress(ValueError, RecursionError):
        end: int = _DECODER.raw_decode(text, at)[1]
        if not _GOES_ON.match(text, end):
            return Node(at, end)
    return _value(text, at, depth)


def _value(text: str, at: int, depth: int, path: Path = ()) -> Node:
    if depth > _DEEPEST:
        raise _error(text, at, "it is nested too deeply")
    match text[at : at + 1]:
        case "{":
            return _object(text, at, depth, path)
        case "[":
            return _list(text, at, depth)
        case '"':
            return Node(at, _string(text, at))
    found = _SCALAR.match(text, at)
    if found is None:
        raise _error(text, at, "a value should stand here" if at < len(text) else "it ends too early")
    return Node(at, found.end())


def _object(text: str, start: int, depth: int, path: Path) -> Node:
    members: list[Member] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}" or members:
        if text[at : at + 1] != '"':
            raise _unexpected(text, at, "}", "a key in quotes should stand here")
        end = _string(text, at)
        colon = _skip(text, end)
        if text[colon : colon + 1] != ":":
            raise _error(text, colon, "a colon should stand here")
        key, begin = json_value(text[at:end]), _skip(text, colon + 1)
        is_passed = path and path[0] != key
        value = _skipped(text, begin, depth + 1) if is_passed else _value(text, begin, depth + 1, path[1:])
        members.append(Member(key, at, value))
        at = _skip(text, value.end)
        if text[at : at + 1] == "}":
            break
        at = _comma(text, at)
    return Node(start, at + 1, members=tuple(members))


def _list(text: str, start: int, depth: int) -> Node:
    items: list[Node] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]" or items:
        if items and text[at : at + 1] == "]":
            raise _unexpected(text, at, "]", "")
        item = _value(text, at, depth + 1)
        items.append(item)
        at = _skip(text, item.end)
        if text[at : at + 1] == "]":
            break
        at = _comma(text, at)
    return Node(start, at + 1, items=tuple(items))


def _comma(text: str, at: int) -> int:
    if text[at : at + 1] != ",":
        raise _error(text, at, "a comma should stand here" if at < len(text) else "it ends too early")
    return _skip(text, at + 1)


def _string(text: str, at: int) -> int:
    found = _STRING.match(text, at)
    if found is None:
        raise _error(text, at, "a text in quotes does not end, or holds what it may not")
    return found.end()


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    end = found.end() if found else at
    if text.startswith(("//", "/*"), end):
        raise HasComments("it has comments", *position(text, end))
    return end


def _unexpected(text: str, at: int, closing: str, reason: str) -> NotEditable:
    if text[at : at + 1] == closing:
        return HasComments("it has a comma behind the last entry", *position(text, at))
    return _error(text, at, reason if at < len(text) else "it ends too early")


def _error(text: str, at: int, reason: str) -> NotEditable:
    return NotEditable(reason, *position(text, at))
