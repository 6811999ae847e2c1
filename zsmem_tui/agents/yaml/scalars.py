"""What a plain word in YAML 1.2 is: nothing, a truth value, a number, a date, or text.

Unlike in YAML 1.1, `yes`, `on` and `12:30` are text and `010` is ten.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from zsmem_tui.core.text import raw_lines


class Date(NamedTuple):
    """A date or a time that was not quoted: no text, for whoever asks for one."""

    text: str


class YamlError(ValueError):
    """The text is not YAML, or uses more of it than frontmatter may."""


Value = None | bool | int | float | str | Date | list["Value"] | dict[str, "Value"]

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
_ESCAPES: Final = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b", " ": " ",
    '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_HEX: Final = {"x": 2, "u": 4, "U": 8}


def plain(text: str) -> Value:
    """What an unquoted word stands for."""
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INT.fullmatch(text):
        sign, digits = (-1 if text[0] == "-" else 1), text.lstrip("+-").replace("_", "")
        base = _BASES.get(digits[:2])
        return sign * (int(digits[2:], base) if base else _decimal(digits))
    if _FLOAT.fullmatch(text):
        return float(_WORD.sub(lambda word: word[0][1:], text.replace("_", "")))
    return Date(text) if _DATE.fullmatch(text) else text


def _decimal(digits: str) -> int | float:
    """A number of any length: Python reads no more than some thousand digits as an integer."""
    return int(digits) if len(digits) < 300 else float("inf")


def quoted(text: str, at: int) -> tuple[str, int]:
    """The string whose quote is at `at`, and where it ends. Raises `YamlError`."""
    return _single(text, at + 1) if text[at] == "'" else _double(text, at + 1)


def _single(text: str, at: int) -> tuple[str, int]:
    start, out = at, ""
    while (end := text.find("'", start)) >= 0:
        out += text[start:end]
        if not text.startswith("''", end):
            return _folded(out), end + 1
        out, start = out + "'", end + 2
    raise YamlError("a quote is not closed")


def _double(text: str, at: int) -> tuple[str, int]:
    out = ""
    pieces: list[str] = []
    while at < len(text):
        char = text[at]
        if char == '"':
            return "".join([*pieces, _folded(out)]), at + 1
        if char != "\\":
            out, at = out + char, at + 1
            continue
        code = text[at + 1 : at + 2]
        if code == "\n":  # an escaped line end joins the lines
            pieces += [_folded(out), ""]
            at += 2
            while text[at : at + 1] in (" ", "\t"):
                at += 1
            out = ""
            continue
        size = _HEX.get(code)
        digits = text[at + 2 : at + 2 + size] if size else ""
        if size and (len(digits) < size or not all(each in "0123456789abcdefABCDEF" for each in digits)):
            raise YamlError("an escape is not complete")
        if not size and code not in _ESCAPES:
            raise YamlError(f"there is no escape \\{code}")
        value = int(digits, 16) if size else 0
        if value > 0x10FFFF:
            raise YamlError("there is no such character")
        pieces += [_folded(out), chr(value) if size else _ESCAPES[code]]
        out, at = "", at + 2 + (size or 0)
    raise YamlError("a quote is not closed")


def _folded(text: str) -> str:
    """Line ends inside a string: one becomes a space, several one less; white space around them goes."""
    lines = raw_lines(text)
    if len(lines) == 1:
        return text
    if any(line.startswith(("---", "...")) and line[3:4] in ("", " ", "\t") for line in lines[1:]):
        raise YamlError("the document ends inside a quote")
    return folded([lines[0].rstrip(" \t"), *(line.strip(" \t") for line in lines[1:-1]), lines[-1].lstrip(" \t")])


def folded(lines: list[str]) -> str:
    """Lines of one text: a line end becomes a space, each empty line a line end."""
    out, breaks = lines[0], 0
    for number, line in enumerate(lines[1:], 1):
        breaks += 1
        if line or number == len(lines) - 1:
            out += (" " if breaks == 1 else "\n" * (breaks - 1)) + line
            breaks = 0
    return out
