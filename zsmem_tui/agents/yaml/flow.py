"""Values in brackets and braces, and what stands in front of any value: tags and anchors."""

from __future__ import annotations

import re
from typing import Final

from zsmem_tui.agents.yaml.scalars import Date, Value, YamlError, folded, plain, quoted
from zsmem_tui.core.text import raw_lines

PROPERTY: Final = re.compile(r"([&!][^\s,\[\]{}]*)(?:[ \t]+|$)")
"""A tag or an anchor in front of a value."""

DEEPEST: Final = 100
"""Levels of nesting; more is refused."""

_NO_START: Final = ",[]{}#&*!|>'\"%@`"


class Flow:
    """Values in brackets and braces, over several lines if need be."""

    def __init__(self, text: str, anchors: dict[str, Value]) -> None:
        self.text = text
        self.anchors = anchors

    def value(self, at: int, depth: int = 0) -> tuple[Value, int]:
        """The value at `at`, and where it ends."""
        if depth > DEEPEST:
            raise YamlError("it is nested too deeply")
        at = self._gap(at)
        properties: list[str] = []
        while found := PROPERTY.match(self.text, at):
            properties.append(found[1])
            at = self._gap(found.end())
        char = self.text[at : at + 1]
        value: Value
        if char == "[":
            value, at = self._items(at + 1, depth)
        elif char == "{":
            value, at = self._pairs(at + 1, depth)
        elif char and char in "'\"":
            value, at = quoted(self.text, at)
        else:
            word, at = self._word(at)
            value = alias(word[1:], self.anchors) if word[:1] == "*" else plain(word)
        return with_properties(value, tuple(properties), self.anchors), at

    def _items(self, at: int, depth: int) -> tuple[Value, int]:
        out: list[Value] = []
        while (at := self._gap(at)) < len(self.text):
            if self.text[at] == "]":
                return out, at + 1
            value, at = self.value(at, depth + 1)
            at = self._gap(at)
            if self.text[at : at + 1] == ":":
                inner, at = self.value(at + 1, depth + 1)
                value, at = {_key(value): inner}, self._gap(at)
            out.append(value)
            at = self._comma(at, "]")
        raise YamlError("a bracket is not closed")

    def _pairs(self, at: int, depth: int) -> tuple[Value, int]:
        out: dict[str, Value] = {}
        while (at := self._gap(at)) < len(self.text):
            if self.text[at] == "}":
                return out, at + 1
            key, at = self.value(at, depth + 1)
            at = self._gap(at)
            value: Value = None
            if self.text[at : at + 1] == ":":
                value, at = self.value(at + 1, depth + 1)
                at = self._gap(at)
            if _key(key) in out:
                raise YamlError(f"the key {_key(key)} is there twice")
            out[_key(key)] = value
            at = self._comma(at, "}")
        raise YamlError("a brace is not closed")

    def _comma(self, at: int, end: str) -> int:
        if self.text[at : at + 1] == ",":
            return at + 1
        if self.text[at : at + 1] != end:
            raise YamlError("a comma is missing")
        return at

    def _gap(self, at: int) -> int:
        """Behind white space, line ends and comments."""
        while at < len(self.text):
            if self.text[at] in " \t\n":
                at += 1
            elif self.text[at] == "#" and self.text[at - 1] in " \t\n":
                end = self.text.find("\n", at)
                at = len(self.text) if end < 0 else end
            else:
                break
        return at

    def _word(self, at: int) -> tuple[str, int]:
        end = at
        while end < len(self.text) and self.text[end] not in ",[]{}":
            if self.text[end] == ":" and self.text[end + 1 : end + 2] in ("", " ", "\t", "\n", ",", "]", "}", "[", "{"):
                break
            if self.text[end] == "#" and end > at and self.text[end - 1] in " \t\n":
                break
            end += 1
        found = self.text[at:end].strip(" \t\n")
        if found and found[0] != "*" and (found[0] in "#&!|>%@`" or not may_start(found)):
            raise YamlError(f"a value cannot begin with {found[0]}")
        return folded([line.strip(" \t") for line in raw_lines(found)]), end


def may_start(content: str) -> bool:
    """Whether an unquoted value may begin so."""
    if content[:1] in ("-", "?", ":"):
        return content[1:2] not in ("", " ", "\t")
    return content[:1] != "" and content[0] not in _NO_START


def with_properties(value: Value, properties: tuple[str, ...], anchors: dict[str, Value]) -> Value:
    """The value as its tags make it, known by its anchors."""
    for each in properties:
        if each[0] == "!":
            value = _tagged(each, value)
    for each in properties:
        if each[0] == "&":
            anchors[each[1:]] = value
    return value


def _tagged(tag: str, value: Value) -> Value:
    kinds: dict[str, tuple[type, ...]] = {
        "!!map": (dict,), "!!seq": (list,), "!!int": (int,), "!!float": (float,), "!!bool": (bool,), "!!null": (type(None),),
        "!!timestamp": (Date,), "!!str": (str,), "!": (object,),
    }  # fmt: skip
    if tag == "!!str" and not isinstance(value, list | dict):
        return "" if value is None else value.text if isinstance(value, Date) else str(value)
    if tag not in kinds or not isinstance(value, kinds[tag]):
        raise YamlError(f"the tag {tag} does not fit")
    return value


def alias(name: str, anchors: dict[str, Value]) -> Value:
    """The value that has this anchor."""
    if name not in anchors:
        raise YamlError(f"there is no anchor {name}")
    return anchors[name]


def _key(value: Value) -> str:
    if isinstance(value, list | dict):
        raise YamlError("a key is not a word")
    return value.text if isinstance(value, Date) else "null" if value is None else str(value)
