"""Which memory file: targets, modes, and `MemRef`, the identity that rows, caches and reports use."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from zsmem_tui.core.errors import BadTarget


class Role(StrEnum):
    """What a memory file is, in whatever agent's store."""

    FACTS = "facts"
    """What is always in the prompt."""
    INDEX = "index"
    """A list of other files, in the prompt in their place."""
    CHECKLIST = "checklist"
    """Tasks, open and done."""
    LOG = "log"
    """What happened on a day."""
    NOTE = "note"
    """Read on demand."""
    INSTRUCTIONS = "instructions"
    """Orders to the agent, which a person writes."""
    DERIVED = "derived"
    """Made by another program, which would write over any change."""


class WriteTarget(StrEnum):
    """What the agent's tools write to, in the agent's words (specification, section 9)."""

    LONG_TERM = "long_term"
    SCRATCHPAD = "scratchpad"
    DAILY = "daily"
    NOTE = "note"

    @property
    def role(self) -> Role:
        """What a file of this target is."""
        return _ROLES[self]

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

    `role` is None for a Markdown file that is none of its kind's memory, `project` is empty for global files, and `name` is
    the note's stem or the log's date (empty elsewhere).
    """

    path: str
    role: Role | None = None
    project: str = ""
    name: str = ""

    @property
    def target(self) -> str:
        """What the agent's tools call it (specification, section 17), else its role; `other` for one of no role."""
        return next(
            (target.value for target, role in _ROLES.items() if role is self.role), self.role.value if self.role else "other"
        )


_ROLES: Final = {
    WriteTarget.LONG_TERM: Role.FACTS,
    WriteTarget.SCRATCHPAD: Role.CHECKLIST,
    WriteTarget.DAILY: Role.LOG,
    WriteTarget.NOTE: Role.NOTE,
}
