"""Edit one entry of a JSON text: order, indentation and everything else stay, byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from zsmem_tui.agents.settings.errors import NotEditable, position
from zsmem_tui.agents.settings.json_nodes import Member, Node, Path, at_path, member, parse, without_comments
from zsmem_tui.core.json_value import json_value

_INDENT: Final = re.compile(r"\n([ \t]+)\S")
_TWO: Final = "  "
"""The indentation for a text that has none."""


def get(text: str, path: Path) -> Any:
    """The value at a path, also in JSON with comments; None if there is none. Raises `NotEditable`."""
    if not text.strip():
        return None
    try:
        found: Any = json_value(text)  # a hundred times as fast as parsing with offsets
    except ValueError:
        bare = without_comments(text)
        try:
            node = at_path(parse(bare), path) if bare.strip() else None
            return None if node is None else node.value
        except NotEditable:
            parse(text)  # if comments are not the only problem, report the other one
            raise
    for number, key in enumerate(path):
        if not isinstance(found, dict):
            at_path(parse(text), path[: number + 1])  # raises with line and column
            return None
        if key not in found:
            return None
        found = found[key]
    return found


def where(text: str, path: Path) -> tuple[int, int]:
    """The 1-based line and column of the value at a path; (0, 0) if there is none. Raises `NotEditable`."""
    text = without_comments(text)
    node = at_path(parse(text), path)
    return (0, 0) if node is None else position(text, node.start)


def put(text: str, path: Path, value: Any) -> str:
    """The text with `value` set at a path; missing parents are created. Raises `NotEditable`."""
    if not text.strip():
        return rendered(_nested(path, value), "", _TWO, "\n") + "\n"
    node = parse(text)
    style = _Style(text)
    for number, key in enumerate(path):
        found = member(node, key)
        if found is None:
            return _inserted(text, node, key, _nested(path[number + 1 :], value), style)
        node = found.value
    if node.value == value:
        return text
    made = style.render(value, _indent_at(text, node.start))
    return text[: node.start] + made + text[node.end :]


def take(text: str, path: Path) -> str:
    """The text without the member at a path, and without parents that become empty."""
    if not text.strip():
        return text
    *above, key = path
    parent = at_path(parse(text), tuple(above))
    found = member(parent, key) if parent is not None else None
    if parent is None or found is None:
        return text
    text = _cut(text, parent, [(each.start, each.value.end) for each in parent.members or ()], (found.start, found.value.end))
    return _without_empty(text, tuple(above))


def append(text: str, path: Path, value: Any) -> str:
    """The text with `value` appended to the list at a path, which is created if missing. Raises `NotEditable`."""
    node = at_path(parse(text), path) if text.strip() else None
    if node is None:
        return put(text, path, [value])
    style = _Style(text)
    if node.items is None:
        raise NotEditable("a list in brackets should stand here", *position(text, node.start))
    if not node.items:
        made = style.render([value], _indent_at(text, node.start))
        return text[: node.start] + made + text[node.end :]
    last = node.items[-1]
    between, indent = style.between(text, node.start, node.items[0].start)
    return text[: last.end] + between + style.render(value, indent, inline="\n" not in between) + text[last.end :]


def take_items(text: str, path: Path, is_ours: Callable[[Any], bool], inner: str = "") -> str:
    """The text without our items of a list; with `inner`, without ours in the lists under that key of its items.

    A list, or an item with an inner list, that becomes empty is removed too. Raises `NotEditable`.
    """
    while text.strip():
        found = _first_of_ours(text, path, is_ours, inner)
        if found is None:
            break
        owner, item = found
        spans = [(each.start, each.end) for each in owner.items or ()]
        text = _cut(text, owner, spans, (item.start, item.end))
        text = _without_empty(_without_empty_item(text, path, inner), path)
    return text


def rendered(value: Any, indent: str, unit: str, newline: str) -> str:
    """A value as formatted JSON: objects on several lines, lists of plain values on one."""
    if isinstance(value, dict) and value:
        rows = [f"{indent}{unit}{_plain(key)}: {rendered(each, indent + unit, unit, newline)}" for key, each in value.items()]
        return "{" + newline + f",{newline}".join(rows) + newline + indent + "}"
    if isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        rows = [f"{indent}{unit}{rendered(each, indent + unit, unit, newline)}" for each in value]
        return "[" + newline + f",{newline}".join(rows) + newline + indent + "]"
    return _plain(value)


class _Style:
    """The style of a text: line ends, indentation, and whether it is a single line."""

    def __init__(self, text: str) -> None:
        self.newline = "\r\n" if "\r\n" in text else "\n"
        found = _INDENT.search(text)
        self.unit = found[1] if found else _TWO
        self.is_one_line = "\n" not in text.strip() and text.strip() not in ("{}", "[]")

    def render(self, value: Any, indent: str, *, inline: bool = False) -> str:
        return _plain(value) if inline or self.is_one_line else rendered(value, indent, self.unit, self.newline)

    def between(self, text: str, start: int, first: int) -> tuple[str, str]:
        """(separator, indentation) of the entries in the braces at offset `start`; `first` is the offset of the first entry."""
        gap = text[start + 1 : first]
        if "\n" not in gap:
            return ", ", _indent_at(text, start)
        indent = gap.rpartition("\n")[2]
        return f",{self.newline}{indent}", indent


def _inserted(text: str, node: Node, key: str, value: Any, style: _Style) -> str:
    if not node.members:
        made = style.render({key: value}, _indent_at(text, node.start))
        return text[: node.start] + made + text[node.end :]
    end = node.members[-1].value.end
    between, indent = style.between(text, node.start, node.members[0].start)
    made = style.render(value, indent, inline="\n" not in between)
    return f"{text[:end]}{between}{_plain(key)}: {made}{text[end:]}"


def _cut(text: str, owner: Node, spans: Sequence[tuple[int, int]], span: tuple[int, int]) -> str:
    """The text without one of the entries' spans in braces or brackets, and without its comma."""
    number = spans.index(span)
    if len(spans) == 1:
        return text[: owner.start + 1] + text[owner.end - 1 :]
    if number == len(spans) - 1:
        return text[: spans[number - 1][1]] + text[span[1] :]
    return text[: span[0]] + text[spans[number + 1][0] :]


def _without_empty(text: str, path: Path) -> str:
    """The text without the empty value at a path and parents that become empty; the outermost object stays."""
    if path and get(text, path) in ({}, []):
        return take(text, path)
    return text


def _without_empty_item(text: str, path: Path, inner: str) -> str:
    """The text without the first item whose inner list is empty."""
    node = at_path(parse(text), path) if inner else None
    for item in (node.items or ()) if node is not None else ():
        held = member(item, inner) if item.members is not None else None
        if node is not None and held is not None and held.value.items == ():
            return _cut(text, node, [(each.start, each.end) for each in node.items or ()], (item.start, item.end))
    return text


def _first_of_ours(text: str, path: Path, is_ours: Callable[[Any], bool], inner: str) -> tuple[Node, Node] | None:
    node = at_path(parse(text), path)
    owners: list[Node] = [] if node is None else [node]
    if inner and node is not None:
        held: list[Member | None] = [member(each, inner) for each in node.items or () if each.members is not None]
        owners = [each.value for each in held if each is not None]
    for owner in owners:
        for item in owner.items or ():
            if is_ours(item.value):
                return owner, item
    return None


def _indent_at(text: str, at: int) -> str:
    """The indentation of the line that contains an offset."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _nested(path: Path, value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
