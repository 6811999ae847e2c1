"""The errors of editing settings files; callers add the file's name."""

from __future__ import annotations


class NotEditable(ValueError):
    """The text is left alone: `reason` says why; `line` and `column` say where (1-based; 0: unknown)."""

    def __init__(self, reason: str, line: int = 0, column: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column


class HasComments(NotEditable):
    """It is JSON with comments, trailing commas or other hand-written features."""


def position(text: str, at: int) -> tuple[int, int]:
    """The 1-based line and column of an offset."""
    return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1
