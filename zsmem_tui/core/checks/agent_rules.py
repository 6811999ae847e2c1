"""The rules that hold for some agents alone: their layouts look for what is wrong by them."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.finding import Level, Rule

INDEX: Final = Rule(
    "index",
    Level.WARNING,
    "Indexes that do not fit",
    "An index and its files that do not fit: a file twice or not at all, another case. Claude Code.",
    "Takes the line out, mends it, or adds one.",
)
HEAD: Final = Rule(
    "head",
    Level.WARNING,
    "Heads of files",
    "A file whose head gives it another file's name, or does not say what it is about. Claude Code.",
    "Writes the name of the file into it, or its first words.",
)
UNSEEN: Final = Rule(
    "unseen",
    Level.WARNING,
    "Lines that the agent does not get",
    "Lines that the agent takes out of the prompt, or rewrites, whatever their size. Ethos, oh-my-pi.",
)


PASSED_OVER: Final = "passed-over"
"""The shape of a finding about a file that an agent does not read at all: nothing else is said of it."""
