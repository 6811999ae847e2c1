"""A place in a text that a check points at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a text: lines count from 1; start and end are character offsets in the text (end exclusive)."""

    line: int
    end_line: int
    start: int
    end: int
    kind: str
    """Which shape it has (data, for the words)."""
    shown: str = ""
    """What may be quoted (a secret: masked; hidden text: decoded)."""
    sure: bool = True
    """False: perhaps, for a person to decide."""
