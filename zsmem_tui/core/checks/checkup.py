"""The result of a doctor's run over a store: findings, ignored ones, and counts by file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from zsmem_tui.core.checks.finding import Finding
    from zsmem_tui.core.notice import Notice
    from zsmem_tui.core.refs import MemRef


UNPLACED: Final = "unplaced"
"""The `kind` of a finding about a file at a place where no agent looks."""


@dataclass(frozen=True, slots=True, repr=False, match_args=False)
class Checkup:
    """The findings, worst first; `problems` are sentences about what could not be examined.

    `counts` and `lines` are about errors and warnings that are not ignored, by path.
    """

    faults: tuple[Finding, ...] = ()
    ids: Mapping[str, Finding] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    problems: tuple[str, ...] = ()
    troubled: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    """The projects that problems are about, by the problem; others are about what all share."""
    counts: Mapping[str, int] = field(default_factory=dict)
    lines: Mapping[str, frozenset[int]] = field(default_factory=dict)
    secrets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The credentials in each file, complete, longest first: they are masked where words of the file are shown."""
    left: int = 0
    """The number of files that were not examined yet: there may be more findings."""
    left_here: int = 0
    """The number of those in the current folder's project."""
    since: int = field(default=0, compare=False)
    """When it began, in nanoseconds: what was written later is not examined."""
    is_looked: bool = True
    """Whether the doctor has run; otherwise there are only `counts` of errors cached from earlier runs."""

    @property
    def is_part(self) -> bool:
        """Whether there may be more findings, since not every file was examined."""
        return bool(self.left) or not self.is_looked

    @property
    def to_decide(self) -> tuple[Finding, ...]:
        """The findings that are not ignored."""
        return tuple(fault for id, fault in self.ids.items() if id not in self.ignored)

    def secrets_of(self, fault: Finding) -> list[str]:
        """The credentials in the files that a finding is about, longest first in each file.

        All of the file is considered, since the word that marks a password may be far from the quoted line, for instance in the
        table's header.
        """
        paths = (fault.path, *(place.path for place in fault.related)) if self.secrets else ()
        return [secret for path in dict.fromkeys(paths) for secret in self.secrets.get(path, ())]

    @property
    def count(self) -> int:
        """The number of errors and warnings that are not ignored."""
        return sum(self.counts.values())

    def count_of(self, ref: MemRef) -> int:
        """The number of them in a file."""
        return self.counts.get(ref.path, 0)

    def lines_of(self, ref: MemRef) -> frozenset[int]:
        """The 0-based lines of a file that they are about."""
        return self.lines.get(ref.path, frozenset())

    def without_files(self, gone: Set[str]) -> Checkup:
        """The result without the findings about these files, which are gone."""
        ids = {id: fault for id, fault in self.ids.items() if fault.path not in gone}
        return replace(
            self,
            faults=tuple(fault for fault in self.faults if fault.path not in gone),
            ids=ids,
            ignored=self.ignored & ids.keys(),
            counts={path: count for path, count in self.counts.items() if path not in gone},
        )

    def without_ignored(self, ref: MemRef, found: Sequence[Notice]) -> Sequence[Notice]:
        """These notices about a file without those that are ignored, known by their text where their lines have moved since."""
        ids = self.ignored if found else ()
        ignored = {(each.line, each.kind, each.text) for each in map(self.ids.__getitem__, ids) if each.path == ref.path}
        there = [(max(each.line, 1), each.kind, each.text) for each in found]
        moved = Counter((kind, text) for _, kind, text in ignored.difference(there))
        left = []
        for key, each in zip(there, found, strict=True):
            if key not in ignored and moved[each.kind, each.text] > 0:
                moved[each.kind, each.text] -= 1
            elif key not in ignored:
                left.append(each)
        return left


NOT_LOOKED = Checkup(is_looked=False)
"""The state before the doctor has run."""
