"""Parse gitignore rules and match paths against them, as git does, and agents that follow git."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from zsmem_tui.core.text import raw_lines


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
        line = line.rstrip("/") if is_folder_only else line
        if not line:
            continue
        is_anchored = "/" in line
        body = _translated(line.removeprefix("/"))
        start = "" if is_anchored else "(?:.*/)?"
        yield Rule(re.compile(f"{prefix}{start}{body}", re.DOTALL), is_folder_only, is_negated)


def is_ignored(rules: Sequence[Rule], path: str, is_folder: bool) -> bool:
    """Whether the last matching rule ignores the path. The caller must not descend into an ignored folder."""
    for rule in reversed(rules):
        if (is_folder or not rule.is_folder_only) and rule.pattern.fullmatch(path):
            return not rule.is_negated
    return False


def _translated(line: str) -> str:
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
        elif line[at] == "[" and (end := line.find("]", at + 2)) > 0:
            inside = line[at + 1 : end].replace("\\", r"\\").replace("[", r"\[")
            out, at = out + f"[{'^' + inside[1:] if inside[0] in '!^' else inside}]", end + 1
        elif line[at] == "\\" and at + 1 < len(line):
            out, at = out + re.escape(line[at + 1]), at + 2
        else:
            out, at = out + re.escape(line[at]), at + 1
    return out
