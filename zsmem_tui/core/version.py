"""What happened to a memory file: who wrote, in what batch, how much; and whether a text was wiped."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import Final, NamedTuple

from zsmem_tui.core.merge import split

WIPE_LINES: Final = 5
"""Lines that a text has at least for its loss to be called a wipe."""


class Origin(StrEnum):
    """Where a version came from."""

    YOU = "you"
    OTHER = "other"
    IMPORTED = "import"
    UNDO = "undo"


class Version(NamedTuple):
    """One file at one moment, in the order in which it came to our notice.

    `id` names the version. `path` is relative to the root, `when` nanoseconds since 1970. `who` is the program's name where it is
    known, else the evidence. `batch` is shared by all changes of one step and empty when it cannot be undone; `label` says what
    the step did. `relation` is `undoes BATCH` or `redoes BATCH`. `before` and `after` name texts; empty: there was no file.
    `added` and `removed` count lines; `wiped` says that the text was emptied or lost half of its lines.
    """

    id: str
    path: str
    when: int
    origin: Origin
    who: str
    batch: str
    label: str
    relation: str
    before: str
    after: str
    added: int
    removed: int
    wiped: bool = False


def line_counts(old: bytes | None, new: bytes | None) -> tuple[int, int]:
    """How many lines `new` has that `old` had not, and the other way round; a line that only moved is neither."""
    before, after = Counter(split(old or b"")), Counter(split(new or b""))
    return (after - before).total(), (before - after).total()


def is_wiped(old: bytes | None, new: bytes | None) -> bool:
    """Whether a text of at least five lines that are not blank was emptied, deleted or lost half of them."""
    lines = [line for line in split(old or b"") if line.strip()]
    if len(lines) < WIPE_LINES:
        return False
    kept = Counter(lines) & Counter(split(new or b""))
    return kept.total() * 2 <= len(lines)
