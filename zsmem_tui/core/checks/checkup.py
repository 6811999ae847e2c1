"""What is known of a store by its findings: which there are, which are ignored, and where they are counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zsmem_tui.core.checks.finding import Finding
    from zsmem_tui.core.refs import MemRef


@dataclass(frozen=True, slots=True, repr=False, match_args=False)
class Checkup:
    """What was found, the worst first; `problems` are sentences about what could not be looked into.

    `counts` and `lines` are about what a person should decide: errors and warnings that are not ignored, by path.
    """

    faults: tuple[Finding, ...] = ()
    ids: Mapping[str, Finding] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    problems: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    lines: Mapping[str, frozenset[int]] = field(default_factory=dict)
    secrets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The credentials that stand in each file, whole, the longest first: words from it are shown without them."""
    left: int = 0
    """Files that nobody has looked into yet: there may be more."""
    left_here: int = 0
    """Those of them that are of the folder worked in."""
    is_looked: bool = True
    """Whether the doctor has looked; else there are only `counts`, of the errors that it is known to have found before."""

    @property
    def to_decide(self) -> tuple[Finding, ...]:
        """What was found and is not ignored."""
        return tuple(fault for id, fault in self.ids.items() if id not in self.ignored)

    def secrets_of(self, fault: Finding) -> list[str]:
        """The credentials that stand in the files that a fault is about, the longest of each file first.

        What calls a word a password may be far from the line that a fault quotes, such as the head of its table.
        """
        paths = (fault.path, *(place.path for place in fault.related)) if self.secrets else ()
        return [secret for path in dict.fromkeys(paths) for secret in self.secrets.get(path, ())]

    @property
    def count(self) -> int:
        """How many findings a person should decide."""
        return sum(self.counts.values())

    def count_of(self, ref: MemRef) -> int:
        """How many of them are about a file."""
        return self.counts.get(ref.path, 0)

    def lines_of(self, ref: MemRef) -> frozenset[int]:
        """The lines of a file (from 0) that they are about."""
        return self.lines.get(ref.path, frozenset())


NOT_LOOKED = Checkup(is_looked=False)
"""What is known of a store before the doctor has looked at it."""
