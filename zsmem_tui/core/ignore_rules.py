"""Parse gitignore rules and match paths against them, as git does, and agents that follow git."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from zsmem_tui.core.text import raw_lines

_CLASSES: Final = MappingProxyType(
    {
        "alnum": "0-9A-Za-z",
        "alpha": "A-Za-z",
        "blank": " \\t",
        "cntrl": r"\x00-\x1f\x7f",
        "digit": "0-9",
        "graph": "!-~",
        "lower": "a-z",
        "print": " -~",
        "punct": r"!-/:-@\[-`{-~",
        "space": r" \t-\r",
        "upper": "A-Z",
        "xdigit": "0-9A-Fa-f",
    }
)
"""What stands between the brackets of a regular expression for a class such as `[:alpha:]`, which has ASCII characters only."""


class Rule(NamedTuple):
    """One line of an ignore file: its pattern, whether it matches folders only, and whether it is negated (`!`)."""

    pattern: re.Pattern[str]
    is_folder_only: bool
    is_negated: bool


def parse(text: str, folder: str) -> Iterator[Rule]:
    """Parse an ignore file in `folder` (relative to the start of the walk; empty for the start itself)."""
    prefix = f"{re.escape(folder)}/" if folder else ""
    for raw in raw_lines(text):
        line = raw.removesuffix("\r")
        line = re.sub(r"(?<!\\) +$", "", line)
        if not line or line.startswith("#"):
            continue
        is_negated = line.startswith("!")
        line = line[1:] if is_negated else line
        line = line[1:] if line.startswith(("\\#", "\\!")) else line
        is_folder_only = line.endswith("/")
        line = line[:-1] if is_folder_only else line
        if not line:
            continue
        is_anchored = "/" in line
        body = _translated(line.removeprefix("/"))
        if body is None:
            continue
        start = "" if is_anchored else "(?:.*/)?"
        yield Rule(re.compile(f"{prefix}{start}{body}", re.DOTALL), is_folder_only, is_negated)


def is_ignored(rules: Sequence[Rule], path: str, is_folder: bool) -> bool:
    """Whether the last matching rule ignores the path. The caller must not descend into an ignored folder."""
    for rule in reversed(rules):
        if (is_folder or not rule.is_folder_only) and rule.pattern.fullmatch(path):
            return not rule.is_negated
    return False


def _translated(line: str) -> str | None:
    """The regular expression of a pattern; None if it matches nothing, as one with a bracket that is not closed."""
    out, at = "", 0
    while at < len(line):
        if line.startswith("**/", at) and (at == 0 or line[at - 1] == "/"):
            out, at = out + "(?:.*/)?", at + 3
        elif line[at:] == "**" and (at == 0 or line[at - 1] == "/"):
            out, at = out + ".+", at + 2
        elif line[at] == "*":
            out, at = out + "[^/]*", at + 1
        elif line[at] == "?":
            out, at = out + "[^/]", at + 1
        elif line[at] == "[":
            found = _bracketed(line, at + 1)
            if found is None:
                return None
            out, at = out + found[0], found[1]
        elif line[at] == "\\":
            if at + 1 == len(line):
                return None
            out, at = out + re.escape(line[at + 1]), at + 2
        else:
            out, at = out + re.escape(line[at]), at + 1
    return out


def _bracketed(line: str, at: int) -> tuple[str, int] | None:
    """The regular expression of a set of characters that begins at `at`, and where it ends; None if it is no valid set."""
    is_negated = line[at : at + 1] in ("!", "^")
    start = at = at + is_negated
    held, last = "", ""
    while line[at : at + 1] != "]" or at == start:
        char, step = line[at : at + 1], 1
        if not char:
            return None
        if line.startswith("[:", at):
            end = line.find("]", at + 2)
            if end < 0:
                return None
            if line[end - 1] == ":" and end > at + 2:
                if (name := line[at + 2 : end - 1]) not in _CLASSES:
                    return None
                held, last, at = held + _CLASSES[name], "", end + 1
                continue
        elif char == "-" and last and line[at + 1 : at + 2] not in ("", "]"):
            step = 3 if line[at + 1] == "\\" else 2
            if not (char := line[at + step - 1 : at + step]):
                return None
            held += f"{re.escape(last)}-{re.escape(char)}" if last <= char else ""
            last, at = "", at + step
            continue
        elif char == "\\":
            char, step = line[at + 1 : at + 2], 2
            if not char:
                return None
        held, last, at = held + re.escape(char), char, at + step
    return (f"[^/{held}]" if is_negated else f"(?!/)[{held}]"), at + 1
