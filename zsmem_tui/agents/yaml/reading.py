"""Reads one YAML document into plain values: maps, lists, and what `scalars` knows. Tags and anchors only as far as is harmless."""

from __future__ import annotations

import re
from typing import Final

from zsmem_tui.agents.yaml.flow import DEEPEST, PROPERTY, Flow, alias, may_start, with_properties
from zsmem_tui.agents.yaml.scalars import Value, YamlError, folded, plain, quoted
from zsmem_tui.core.text import raw_lines

_HEADER: Final = re.compile(r"[|>](?:([1-9])([-+])?|([-+])([1-9])?)?[ \t]*(?:[ \t]#.*)?")
_COMMENT: Final = re.compile(r"(?:^|[ \t])#.*")
_KEY_END: Final = re.compile(r":(?=[ \t]|$)")


def load(text: str) -> Value:
    """The value of a document; nothing at all is None. Raises `YamlError`."""
    return _Reader(text).document()


class _Reader:
    """The lines of a document, read from the top; `lines` change where an entry of a list begins on the line of its dash."""

    def __init__(self, text: str) -> None:
        self.lines = [line.removesuffix("\r") for line in raw_lines(text.removesuffix("\n"))]
        self.at = 0
        self.depth = 0
        self.anchors: dict[str, Value] = {}

    def document(self) -> Value:
        if any("\0" in line for line in self.lines):
            raise YamlError("there is a NUL character")
        self.skip()
        if self.at < len(self.lines) and self.lines[self.at].startswith("%"):
            raise YamlError("directives are not known")
        if self.at < len(self.lines) and self.lines[self.at].rstrip(" \t") == "---":
            self.at += 1
        value = self.block(-1)
        self.skip()
        if self.at < len(self.lines) and self.lines[self.at].rstrip(" \t") == "...":
            self.at += 1
            self.skip()
        if self.at < len(self.lines):
            raise YamlError(f"line {self.at + 1} does not belong to what is above it")
        return value

    def skip(self) -> None:
        """Go to the next line that is not blank and not a comment."""
        while self.at < len(self.lines) and not _COMMENT.sub("", self.lines[self.at], count=1).strip(" \t"):
            self.at += 1

    def indent(self) -> int:
        """How far the line is indented; -1 at the end."""
        if self.at >= len(self.lines) or self.is_marker():
            return -1
        line = self.lines[self.at]
        size = len(line) - len(line.lstrip(" "))
        if line[size : size + 1] == "\t":
            raise YamlError(f"line {self.at + 1} is indented with a tab")
        return size

    def is_marker(self) -> bool:
        """Whether the line ends the document or begins another one."""
        line = self.lines[self.at]
        return line[:3] in ("---", "...") and line[3:4] in ("", " ", "\t")

    def block(self, parent: int, *, properties: tuple[str, ...] = ()) -> Value:
        """The value that begins on the next line, indented more than `parent`; None when there is none."""
        self.skip()
        indent = self.indent()
        if indent <= parent:
            return self.named(None, properties)
        self.depth += 1
        if self.depth > DEEPEST:
            raise YamlError("it is nested too deeply")
        content = self.lines[self.at][indent:]
        if _is_entry(content):
            value = self.sequence(indent)
        elif _split_key(content) is not None:
            value = self.mapping(indent)
        else:
            value = self.inline(content, parent)
        self.depth -= 1
        return self.named(value, properties)

    def sequence(self, indent: int) -> Value:
        """A list whose dashes stand at `indent`."""
        out: list[Value] = []
        while self.indent() == indent and _is_entry(self.lines[self.at][indent:]):
            rest = self.lines[self.at][indent + 1 :]
            if not _COMMENT.sub("", rest, count=1).strip(" \t"):
                self.at += 1
                out.append(self.block(indent))
            else:
                if rest.lstrip(" ").startswith("\t") and _starts_block(rest.strip(" \t")):
                    raise YamlError(f"line {self.at + 1} is indented with a tab")
                self.lines[self.at] = " " * (indent + 1) + rest.replace("\t", " ", len(rest) - len(rest.lstrip(" \t")))
                out.append(self.block(indent))
            self.skip()
        if self.indent() > indent:
            raise YamlError(f"line {self.at + 1} is indented wrongly")
        return out

    def mapping(self, indent: int) -> Value:
        """A map whose keys stand at `indent`."""
        out: dict[str, Value] = {}
        merged: dict[str, Value] = {}
        while self.indent() == indent:
            found = _split_key(self.lines[self.at][indent:])
            if found is None:
                raise YamlError(f"line {self.at + 1} is neither a key nor indented")
            key, rest, is_plain = found
            if key in out:
                raise YamlError(f"the key {key} is there twice")
            value = self.value(rest, indent)
            if key == "<<" and is_plain:
                merged = {**_merged(value), **merged}
            else:
                out[key] = value
            self.skip()
        if self.indent() > indent:
            raise YamlError(f"line {self.at + 1} is indented wrongly")
        return {**merged, **out}

    def value(self, rest: str, indent: int) -> Value:
        """What follows a key at `indent`: on its line, or on those below."""
        rest, properties = _properties(rest.strip(" \t"))
        if _COMMENT.match(rest) or not rest:
            self.at += 1
            self.skip()
            if self.indent() == indent and _is_entry(self.lines[self.at][indent:]):
                return self.named(self.sequence(indent), properties)
            return self.block(indent, properties=properties)
        return self.named(self.inline(rest, indent), properties)

    def inline(self, content: str, parent: int) -> Value:
        """A value that begins with `content` at the end of this line; lines that belong to it are indented more than `parent`."""
        content, properties = _properties(content)
        if not content:
            self.at += 1
            return self.block(parent, properties=properties)
        if content[0] in "|>":
            return self.named(self.literal(content, parent), properties)
        if content[0] in "'\"[{":
            text = "\n".join([content, *self.lines[self.at + 1 :]])
            value, end = quoted(text, 0) if content[0] in "'\"" else Flow(text, self.anchors).value(0)
            self.at += text[:end].count("\n")
            if _COMMENT.sub("", text[end:].split("\n", 1)[0], count=1).strip(" \t"):
                raise YamlError(f"there is something behind the value in line {self.at + 1}")
            self.at += 1
            return self.named(value, properties)
        return self.named(self.words(content, parent), properties)

    def words(self, content: str, parent: int) -> Value:
        """An unquoted value, which may go on below."""
        if content[0] == "*":
            self.at += 1
            return alias(_COMMENT.sub("", content, count=1).strip(" \t")[1:], self.anchors)
        if not may_start(content):
            raise YamlError(f"a value cannot begin with {content[0]} in line {self.at + 1}")
        lines: list[str] = []
        while True:
            kept = _COMMENT.sub("", content, count=1).rstrip(" \t")
            if _KEY_END.search(kept):
                raise YamlError(f"there is a second key in line {self.at + 1}")
            lines.append(kept)
            self.at += 1
            begin = self.at
            while self.at < len(self.lines) and not self.lines[self.at].strip(" \t"):
                self.at += 1
            blank = self.at - begin
            at_end = self.at >= len(self.lines) or self.is_marker()
            line = "" if at_end else self.lines[self.at]
            size = len(line) - len(line.lstrip(" "))
            if len(kept) < len(content.rstrip(" \t")) or at_end or size <= parent or line.lstrip(" \t").startswith("#"):
                break
            lines += [""] * blank
            content = line.strip(" \t")
        return plain(lines[0]) if len(lines) == 1 else folded(lines)

    def literal(self, content: str, parent: int) -> str:
        """A block with its line ends (`|`) or folded (`>`)."""
        head = _HEADER.fullmatch(content)
        if head is None:
            raise YamlError(f"line {self.at + 1} begins a block wrongly")
        digit, chomp = head[1] or head[4], head[2] or head[3] or ""
        self.at += 1
        indent = max(parent, 0) + int(digit) if digit else 0
        lines: list[str] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            size = len(line) - len(line.lstrip(" "))
            if line.strip(" ") and not indent:
                indent = size if size > parent and size else -1
            if line.strip(" ") and (indent < 0 or size < indent or (indent == 0 and self.is_marker())):
                break
            lines.append(line[indent:] if indent > 0 else "")
            self.at += 1
        end = len(lines)
        while end and not lines[end - 1]:
            end -= 1
        body, tail = lines[:end], len(lines) - end
        text = "\n".join(body) if content[0] == "|" else _folded_block(body)
        if chomp == "+":
            return text + "\n" * (tail + bool(body))
        return text + ("\n" if body and chomp == "" else "")

    def named(self, value: Value, properties: tuple[str, ...]) -> Value:
        return with_properties(value, properties, self.anchors)


def _is_entry(content: str) -> bool:
    return content[:1] == "-" and content[1:2] in ("", " ", "\t")


def _starts_block(content: str) -> bool:
    return _is_entry(content) or _split_key(content) is not None


def _split_key(content: str) -> tuple[str, str, bool] | None:
    """The key at the start of a line, what follows its colon, and whether it is unquoted; None when there is no key."""
    if content[:1] in ("'", '"'):
        try:
            key, end = quoted(content, 0)
        except YamlError:
            return None
        rest = content[end:].lstrip(" \t")
        return (key, rest[1:], False) if _KEY_END.match(rest) else None
    if not may_start(content):
        return None
    found = _KEY_END.search(_COMMENT.sub("", content, count=1))
    return (content[: found.start()].rstrip(" \t"), content[found.end() :], True) if found else None


def _properties(content: str) -> tuple[str, tuple[str, ...]]:
    found: list[str] = []
    while match := PROPERTY.match(content):
        found.append(match[1])
        content = content[match.end() :]
    return content, tuple(found)


def _merged(value: Value) -> dict[str, Value]:
    found = value if isinstance(value, list) else [value]
    out: dict[str, Value] = {}
    for each in found:
        if not isinstance(each, dict):
            raise YamlError("only maps can be merged")
        out = {**each, **out}
    return out


def _folded_block(lines: list[str]) -> str:
    """Lines of a folded block: those that begin with white space keep their line ends."""
    out, breaks = "", 0
    was_text = False
    for number, line in enumerate(lines):
        if not line:
            breaks += 1
            continue
        is_text = line[0] not in " \t"
        if number and any(lines[:number]):
            out += " " if breaks == 0 and was_text and is_text else "\n" * (breaks if was_text and is_text else breaks + 1)
        else:
            out += "\n" * breaks
        out, breaks, was_text = out + line, 0, is_text
    return out
