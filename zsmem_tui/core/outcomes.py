"""How a save ended. Expected outcomes are values, not errors."""

from __future__ import annotations

from typing import NamedTuple


class Saved(NamedTuple):
    """`text` is on disk; `kept_lines` of it came from somebody else meanwhile. `confirmed` False: it may not last."""

    text: bytes
    kept_lines: int = 0
    confirmed: bool = True


class Unchanged(NamedTuple):
    """The file held just this already."""

    text: bytes


class Conflicted(NamedTuple):
    """Somebody changed the same lines (`theirs` None: deleted the file). Nothing was written.

    `proposal` is a text with both sides' changes, theirs first where they overlap.
    """

    theirs: bytes | None
    proposal: bytes


SaveOutcome = Saved | Unchanged | Conflicted
