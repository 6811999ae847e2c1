"""What waits for the user, as values: changes by others in a store, and the rows for them."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted
from zsmem_tui.core.version import Version
from zsmem_tui.service.session import Session

if TYPE_CHECKING:
    from zsmem_tui.core.preview import InBlock, Prompt
    from zsmem_tui.service.review_lines import Pick, ReviewLine
    from zsmem_tui.service.reviewing import PendingReview


class Kind(StrEnum):
    """What a row is about. The values are part of the public interface."""

    LINE = "line"
    FILE = "file"
    MORE = "more"
    FELL = "fell-out"
    ITEMS = "open-items"
    AGENTS = "not-connected"
    ELSEWHERE = "elsewhere"
    BELONGS = "belongs"
    FINDING = "finding"
    PROBLEM = "problem"


class Row(NamedTuple):
    """One thing that waits for the user, or a message.

    `leads` is the screen with details. `pick` is the selection to accept or revert. `text` is the row's text: for a changed line
    its new text, with the old one in `before`; `at` is its 0-based line number. A line may be deleted (`is_gone`).
    """

    kind: Kind
    session: Session
    text: str
    key: tuple[str, ...]
    leads: str = ""
    pick: Pick | None = None
    at: int = 0
    before: str = ""
    is_gone: bool = False
    author: str = ""
    when: int = 0
    fate: Prompt | None = None
    doubts: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    lines: int = 0
    """How many lines by others it stands for."""
    files: int = 0
    """In how many files the lines were not counted."""
    errors: int = 0
    """How many errors of the doctor it stands for."""

    @property
    def ref(self) -> MemRef | None:
        """The file that it is about."""
        return self.pick.change.ref if self.pick is not None else None

    @property
    def waits(self) -> bool:
        """Whether there is something to decide here; what waits elsewhere or is unreadable is only mentioned."""
        return self.kind not in (Kind.ELSEWHERE, Kind.PROBLEM, Kind.AGENTS)


class Unread(NamedTuple):
    """A file to review that was not examined: the agent that wrote it last, and whether the user never saw any of it."""

    ref: MemRef
    author: str = ""
    is_new: bool = False


class News(NamedTuple):
    """Changes by others in a store: `here` in the current folder, with the lines of each row; `elsewhere` counts files by project.

    `unread` are files of the folder that were not examined. `fates` says what of each file is in the prompt.
    """

    session: Session
    here: tuple[tuple[PendingReview, tuple[tuple[ReviewLine, ...], ...]], ...] = ()
    unread: tuple[Unread, ...] = ()
    elsewhere: tuple[tuple[str, int], ...] = ()
    fates: dict[str, InBlock] | None = None
    fell: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    """The texts of the open items that came with these changes."""
    last: Version | None = None
    problem: str = ""
    is_first: bool = False
    """Whether the store was scanned for the first time."""
    ignored: frozenset[str] = frozenset()
    """The ids of what the user does not want to be told any more."""
    errors: tuple[tuple[str, int], ...] = ()
    """How many errors of each file are known from earlier checks (`today.errors_known`)."""

    @property
    def is_quiet(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.here or self.unread or self.elsewhere or self.fell or self.items or self.problem)


class Today(NamedTuple):
    """All rows in order, the last change by others, and how many files the doctor has not examined (None: unknown)."""

    rows: tuple[Row, ...] = ()
    last: Version | None = None
    unchecked: int | None = 0

    @property
    def waits(self) -> bool:
        """Whether there is anything to decide."""
        return any(each.waits for each in self.rows)

    @property
    def is_whole(self) -> bool:
        """Whether everything could be read; if not, more may wait than is known."""
        return not any(each.kind is Kind.PROBLEM for each in self.rows)

    @property
    def nothing(self) -> str:
        """A sentence that nothing waits, as far as that is known."""
        if not self.is_whole:
            return "What waits cannot be told: not all of it can be read."
        if self.unchecked is None:
            return "Nothing waits as far as is known."
        if self.unchecked:
            return f"Nothing waits as far as is known: the doctor has not checked {counted(self.unchecked, 'file')} yet."
        return "Nothing waits."

    @property
    def lines(self) -> int:
        """How many lines by others wait, including those without a row, except those of `files`."""
        return sum(each.lines for each in self.rows)

    @property
    def errors(self) -> int:
        """How many errors of the doctor wait, including those without a row."""
        return sum(each.errors for each in self.rows)

    @property
    def files(self) -> int:
        """How many files wait that were not examined."""
        return sum(each.files for each in self.rows)
