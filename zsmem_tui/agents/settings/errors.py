"""Why a settings file is not edited. Whoever knows the file's name makes a sentence of it."""

from __future__ import annotations


class NotEditable(ValueError):
    """The text is left alone: `reason` says why; `line` and `column` say where, from 1 (0: nowhere in particular)."""

    def __init__(self, reason: str, line: int = 0, column: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column


class HasComments(NotEditable):
    """It is JSON with comments or commas at the end, or otherwise as only a person can keep it."""


def position(text: str, at: int) -> tuple[int, int]:
    """Line and column of an offset, from 1."""
    return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1
