"""Which memory file: targets, modes, and `MemRef`, the identity that rows, caches and reports use."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from zsmem_tui.core.errors import BadTarget


class WriteTarget(StrEnum):
    """What a person or an agent can write to (specification, section 9)."""

    LONG_TERM = "long_term"
    SCRATCHPAD = "scratchpad"
    DAILY = "daily"
    NOTE = "note"

    @classmethod
    def parse(cls, value: str) -> WriteTarget:
        """The target spelled exactly so. Raises `BadTarget` otherwise."""
        try:
            return cls(value)
        except ValueError:
            raise BadTarget(f"unknown target: {value}", "Targets are long_term, scratchpad, daily and note.") from None


class WriteMode(StrEnum):
    """How a write joins what is there (specification, section 9)."""

    APPEND = "append"
    OVERWRITE = "overwrite"

    @classmethod
    def of_agent(cls, value: str | None) -> WriteMode:
        """What agents mean: overwrite only when it is exactly `overwrite`; anything else appends."""
        return cls.OVERWRITE if value == cls.OVERWRITE.value else cls.APPEND


class MemRef(NamedTuple):
    """One memory file. `path` is relative to the root with `/` and is the identity; the rest says what it is.

    `target` is None for a Markdown file that no target writes to, `project` is empty for global files, and `name` is
    the note's stem or the log's date (empty elsewhere).
    """

    path: str
    target: WriteTarget | None = None
    project: str = ""
    name: str = ""

    @property
    def kind(self) -> str:
        """The target's word, or `other`."""
        return self.target.value if self.target else "other"
