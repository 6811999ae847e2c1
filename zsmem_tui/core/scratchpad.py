"""The checklist: which of its lines the agent sees (specification, section 8)."""

from __future__ import annotations

import re
from typing import Final

from zsmem_tui.core.text import lines, trim_start


def is_open(line: str) -> bool:
    """Whether a line is injected: after white space, it starts `- [ ]` or `* [ ]`."""
    return trim_start(line).startswith(("- [ ]", "* [ ]"))


_LOOKS_OPEN: Final = re.compile(
    "^[\ufeff\u200b]?(?:[-*+\u2022]|[0-9]+[.)])?[ \t]*(?:\\[[ \t\u3000]*\\]|\uff3b[ \t\u3000]*\uff3d)(?=[ \t]|$)"
)
"""A checkbox that nobody has ticked, in whatever way it is written: another bullet, a number, `[]`, full-width brackets."""


def hidden_items(text: str) -> list[tuple[int, str]]:
    """Lines that a person would take for open items and the agent does not see, with their numbers from 0."""
    numbered = enumerate(lines(text))
    return [(number, line) for number, line in numbered if not is_open(line) and _LOOKS_OPEN.match(trim_start(line))]


def open_items(text: str) -> list[str]:
    """The lines that are injected, indentation kept: those that start `- [ ]` or `* [ ]` after white space."""
    return [line for line in lines(text) if is_open(line)]
