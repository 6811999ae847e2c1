"""Write strings as js-yaml does at a width of 120, so that files by other programs are reproduced exactly."""

from __future__ import annotations

import re
from typing import Final

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.yaml.reading import plain
from zsmem_tui.core.text import raw_lines

WIDTH: Final = 118
"""The most UTF-16 units of a line under a key; two less in a list."""

_OLD_WORDS: Final = ("y", "yes", "on", "n", "no", "off")
_BASE_60: Final = re.compile(r"[-+]?[0-9_]+(?::[0-9_]+)+(?:\.[0-9_]*)?")
_UNPRINTABLE: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
_ESCAPES: Final = {
    "\0": "\\0", "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r", "\x1b": "\\e",
    '"': '\\"', "\\": "\\\\", "\x85": "\\N", "\xa0": "\\_", "\u2028": "\\L", "\u2029": "\\P",
}  # fmt: skip
_BAD_START: Final = " -?:,[]{}#&*!|=>'\"%@`"


def string(text: str, *, in_list: bool = False) -> str:
    """The text after `key: ` (or `- `) for a string, without a final line feed."""
    width, indent = (WIDTH - 2, "    ") if in_list else (WIDTH, "  ")
    if not text:
        return "''"
    if any(text in (word, word.capitalize(), word.upper()) for word in _OLD_WORDS) or _BASE_60.fullmatch(text):
        return f"'{text}'"
    if _UNPRINTABLE.search(text):
        return f'"{"".join(map(_escaped, text))}"'
    if "\n" not in text and (text.startswith(" ") or js.units(text) <= width):
        return text if _may_be_plain(text) else "'" + text.replace("'", "''") + "'"
    return _block(text, width, indent)


def _may_be_plain(text: str) -> bool:
    is_text = plain(text) == text and isinstance(plain(text), str) and text != "<<"
    return is_text and text[0] not in _BAD_START and text[-1] not in " :" and " #" not in text and ": " not in text


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if not _UNPRINTABLE.match(char):
        return char
    return f"\\x{ord(char):02X}" if ord(char) < 0x100 else f"\\u{ord(char):04X}"


def _block(text: str, width: int, indent: str) -> str:
    lines = raw_lines(text)
    is_folded = any(not line.startswith(" ") and js.units(line) > width for line in lines)
    head = ">" if is_folded else "|"
    if text.lstrip("\n").startswith(" "):
        head += "2"
    if not text.endswith("\n"):
        head += "-"
    elif text.endswith("\n\n") or text == "\n":
        head += "+"
    body = text.removesuffix("\n")
    if is_folded:
        body = _folded(body, width)
    return f"{head}\n" + "\n".join(indent + line if line else line for line in raw_lines(body))


def _folded(text: str, width: int) -> str:
    """Fold long lines at single spaces; a line break between two text lines becomes two."""
    out = ""
    before = ""
    breaks = 0
    for number, line in enumerate(raw_lines(text)):
        if number:
            breaks += 1
        if not line:
            continue
        is_text = not line.startswith(" ") and not before.startswith(" ")
        out += "\n" * (breaks + (1 if breaks and before and is_text else 0))
        out += _wrapped(line, width)
        before, breaks = line, 0
    return out + "\n" * breaks


def _wrapped(line: str, width: int) -> str:
    if line.startswith(" "):
        return line
    out: list[str] = []
    start = end = 0
    for found in re.finditer(r" (?=[^ ])", line):
        at = found.start()
        if js.units(line[start:at]) > width and end > start:
            out.append(line[start:end])
            start = end + 1
        end = at
    if js.units(line[start:]) > width and end > start:
        out += [line[start:end], line[end + 1 :]]
    else:
        out.append(line[start:])
    return "\n".join(out)
