"""Parse one YAML 1.2 document into plain values. Simple frontmatter is parsed here, anything else by ruamel.yaml.

Unlike in YAML 1.1, `yes`, `on` and `12:30` are text and `010` is ten. Only harmless tags and anchors are supported.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from zsmem_tui.core.text import raw_lines


class Date(NamedTuple):
    """An unquoted date or time, so that callers can tell it from text."""

    text: str


class YamlError(ValueError):
    """The text is not YAML, or uses more of it than frontmatter may."""


Value = None | bool | int | float | str | Date | list["Value"] | dict[str, "Value"]
LONGEST_HEAD: Final = 256 * 1024
"""In bytes: longer frontmatter is refused before it is parsed."""

DEEPEST: Final = 100
"""The most levels of nested lists and maps."""

_NULL: Final = ("", "~", "null", "Null", "NULL")
_TRUE: Final = ("true", "True", "TRUE")
_FALSE: Final = ("false", "False", "FALSE")
_INT: Final = re.compile(r"[-+]?(?:0b[01][01_]*|0o[0-7][0-7_]*|0x[0-9a-fA-F][0-9a-fA-F_]*|[0-9][0-9_]*)(?<!_)")
_FLOAT: Final = re.compile(
    r"[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?(?<!_)|\.[0-9_]+(?:[eE][-+]?[0-9]+)?(?<!_)|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_DATE: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?))?", re.ASCII
)
_WORD: Final = re.compile(r"\.[A-Za-z]+")
_BASES: Final = {"0b": 2, "0o": 8, "0x": 16}
_WORDS: Final = r"""[^\s"'\[\]{},|>&*!%@`#?:-](?:[^:#]|:(?![ \t]|$)|(?<![ \t])\#)*"""
_KEY: Final = re.compile(rf"""( *)([A-Za-z_][\w-]*):(?:[ \t]+("[^"\\]*"|'[^']*'|{_WORDS})?)?[ \t]*""", re.ASCII)
"""A line with a key and a simple value: plain words, or quoted without escapes."""
_BLANK_TABS: Final = re.compile(r"(?m)(?:(?<=[:,\[{?])|(?<=^-)|(?<= -))[ ]*\t[ \t]*|[ \t]*\t[ \t]*(?=#|$)")
"""Tabs as separators, which ruamel.yaml does not accept as white space."""
_BLOCK: Final = re.compile(r"(?:.*[:?-] +)?(?:[!&]\S+ +)*[|>][-+1-9]{0,2} *(?: #.*)?")
"""A line after which a block of text begins, whose tabs are its own."""
_FORBIDDEN: Final = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_BREAKS: Final = str.maketrans({"\t": "\ue009", "\x85": "\ue085", "\u2028": "\ue028", "\u2029": "\ue029"})
"""Characters that ruamel.yaml refuses or takes for line ends, unlike YAML 1.2; replaced by private ones."""
_BROKEN: Final = {ord(to): chr(char) for char, to in _BREAKS.items()}
_TAGS: Final = {"str": str, "int": int, "float": float, "bool": bool, "null": type(None), "seq": list, "map": dict}


def load(text: str) -> Value:
    """The value of a document; None if it is empty. Raises `YamlError`."""
    if found := _FORBIDDEN.search(text):
        raise YamlError(f"YAML forbids the character U+{ord(found[0]):04X}")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    flat = _parse_simple(text)
    return flat if flat is not None else _Reader(text).value()


def head_map(head: str) -> dict[str, Value] | None:
    """The fields of a frontmatter; None if it is too long, invalid, or no map."""
    try:
        found = load(head) if len(head) <= LONGEST_HEAD else None
    except YamlError:
        return None
    return found if isinstance(found, dict) else None


def plain(text: str) -> Value:
    """The value of an unquoted scalar."""
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INT.fullmatch(text):
        sign, digits = (-1 if text[0] == "-" else 1), text.lstrip("+-").replace("_", "")
        base = _BASES.get(digits[:2])
        if base:
            return sign * int(digits[2:], base)
        return sign * (int(digits) if len(digits) < 300 else math.inf)  # Python limits the digits of an integer
    if _FLOAT.fullmatch(text):
        return float(_WORD.sub(lambda word: word[0][1:], text.replace("_", "")))
    return Date(text) if _DATE.fullmatch(text) else text


def _parse_simple(text: str) -> dict[str, Value] | None:
    """The map of a document with one key per line and at most one nested level; None if it is more complex."""
    out: dict[str, Value] = {}
    inner: dict[str, Value] | None = None
    last, deep = "", 0
    for line in raw_lines(text):
        found = _KEY.fullmatch(line)
        if found is None:
            if line.strip(" \t"):
                return None
            continue
        indent, key, said = len(found[1]), found[2], found[3] or ""
        if indent and inner is None and (not last or out[last] is not None):
            return None
        if indent and inner is None:
            inner, deep = {}, indent
            out[last] = inner
        if (indent and indent != deep) or key in (out if not indent or inner is None else inner):
            return None
        value = said[1:-1] if said[:1] in ("'", '"') else plain(said.rstrip(" \t"))
        if indent and inner is not None:
            inner[key] = value
        else:
            out[key], last, inner = value, key if not said else "", None
    return out or None


class _Reader:
    """Builds values from ruamel.yaml's events."""

    def __init__(self, text: str) -> None:
        from ruamel.yaml import YAML  # deferred: 17 ms, not needed for simple frontmatter
        from ruamel.yaml.error import YAMLError  # with it

        if text.startswith("%"):
            raise YamlError("directives are not read")
        reader = YAML(typ="safe", pure=True)
        self._events: Iterator[Any] = reader.parse(_without_tabs(text if text.endswith("\n") else f"{text}\n"))
        self._failures = (YAMLError, ValueError, RecursionError, IndexError, TypeError, AttributeError)
        self._anchors: dict[str, Value] = {}

    def value(self) -> Value:
        """The value of the document."""
        try:
            return self._document()
        except YamlError:
            raise
        except self._failures as error:
            where = getattr(error, "problem_mark", None)
            why = getattr(error, "problem", "") or "it is no YAML"
            raise YamlError(f"{why} in line {where.line + 1}" if where else why) from error

    def _document(self) -> Value:
        found: list[Value] = []
        for event in self._events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                if found:
                    raise YamlError("there is a second document")
                found.append(self._node(next(self._events), 0))
        return found[0] if found else None

    def _node(self, event: Any, depth: int) -> Value:
        if depth > DEEPEST:
            raise YamlError("it is nested too deep")
        match type(event).__name__:
            case "AliasEvent":
                if event.anchor not in self._anchors:
                    raise YamlError(f"there is no anchor {event.anchor}")
                return self._anchors[event.anchor]
            case "ScalarEvent":
                return self._kept(event, _scalar(event))
            case "SequenceStartEvent":
                return self._kept(event, _fits(event, [self._node(each, depth + 1) for each in self._until("SequenceEndEvent")]))
            case _:
                return self._kept(event, _fits(event, self._map(depth)))

    def _map(self, depth: int) -> dict[str, Value]:
        out: dict[str, Value] = {}
        merged: dict[str, Value] = {}
        for event in self._until("MappingEndEvent"):
            is_merge = getattr(event, "value", "") == "<<" and event.style is None
            key = self._node(event, depth + 1)
            value = self._node(next(self._events), depth + 1)
            name = key if isinstance(key, str) else getattr(event, "value", "")
            if not name and getattr(event, "style", "") is None:
                raise YamlError("a key is missing")
            if is_merge:
                for each in value if isinstance(value, list) else [value]:
                    if not isinstance(each, dict):
                        raise YamlError("only maps can be merged")
                    merged = {**each, **merged}
                continue
            if name in out:
                raise YamlError(f"the key {name} is there twice")
            out[name] = value
        return {**merged, **out}

    def _until(self, end: str) -> Iterator[Any]:
        for event in self._events:
            if type(event).__name__ == end:
                return
            yield event

    def _kept(self, event: Any, value: Value) -> Value:
        if event.anchor:
            self._anchors[event.anchor] = value
        return value


def _without_tabs(text: str) -> str:
    """The text with tabs outside blocks of text replaced for ruamel.yaml; indented with tabs it stays, and is refused."""
    out: list[str] = []
    block: float = math.inf  # how far the line before a block is indented
    for line in raw_lines(text):
        indent = len(line) - len(line.lstrip(" "))
        if indent <= block and line[indent:].strip("\t "):
            if line[indent] == "\t":
                return text
            line = _BLANK_TABS.sub(" ", line)
            block = indent if _BLOCK.fullmatch(line) else math.inf
        elif indent <= block:
            line = ""
        out.append(line)
    return "\n".join(out).translate(_BREAKS)


def _scalar(event: Any) -> Value:
    text: str = event.value.translate(_BROKEN).encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # halves by escapes
    if event.tag is not None and str(event.tag) == "!":
        return None if event.style is None and not text else text
    return _fits(event, plain(text) if event.style is None and not event.tag else text)


def _fits(event: Any, value: Value) -> Value:
    """The value converted by its tag; only JSON's tags are allowed, and only if they fit."""
    tag = str(event.tag or "").rpartition(":")[2].lstrip("!")
    if not tag or (tag == "str" and isinstance(value, str)):
        return value
    made = plain(value) if isinstance(value, str) else value
    wanted = _TAGS.get(tag)
    if wanted is float and type(made) is int:
        return float(made)
    if wanted is None or wanted is str or type(made) is not wanted:
        raise YamlError(f"the tag !!{tag} does not fit")
    return made
