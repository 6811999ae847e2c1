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

_IN_SET: Final = re.compile(r"\[:(?P<name>[^\]]*):\]|\\?(?P<low>.)(?:-(?:\\(?P<escaped>.)|(?P<high>[^\]])))?", re.DOTALL)
"""A class, a character or a range of characters in a set."""


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
    at, held = at + is_negated, ""
    while not held or line[at : at + 1] != "]":
        found = _IN_SET.match(line, at)
        if found is None or found["name"] not in (None, *_CLASSES):
            return None
        low, high = found["low"], found["escaped"] or found["high"] or found["low"]
        held += _CLASSES[found["name"]] if low is None else re.escape(low) + f"-{re.escape(high)}" * (low <= high)
        at = found.end()
    return (f"[^/{held}]" if is_negated else f"(?!/)[{held}]"), at + 1
