"""What waits for the person, as values: what others wrote in a store, and the rows for it."""

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
    """What a row is about. The values are an interface."""

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
    """One thing that waits, or that is to be said beside it.

    `leads` is the screen that has more of it. `pick` is what is meant where it is seen, or put back. `text` are the words: of a
    line of others what it says, with what it said `before`; `at` is its number in the file, from 0. A line may be gone (`is_gone`).
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
    """How many lines of others it stands for."""
    files: int = 0
    """Of how many files the lines were not counted."""
    errors: int = 0
    """How many errors of the doctor it stands for."""

    @property
    def ref(self) -> MemRef | None:
        """The file that it is about."""
        return self.pick.change.ref if self.pick is not None else None

    @property
    def waits(self) -> bool:
        """Whether there is something to decide here; what waits elsewhere, or cannot be read, is only said."""
        return self.kind not in (Kind.ELSEWHERE, Kind.PROBLEM, Kind.AGENTS)


class Unread(NamedTuple):
    """A file that waits and was not looked into: the agent that wrote it last, and whether the person never saw any of it."""

    ref: MemRef
    author: str = ""
    is_new: bool = False


class News(NamedTuple):
    """What others wrote in a store: changes `here`, in the folder worked in, with their lines; of files `elsewhere` how many.

    `unread` are files of the folder that were not looked into. `fates` says what of a file is in the prompt.
    """

    session: Session
    here: tuple[tuple[PendingReview, tuple[ReviewLine, ...]], ...] = ()
    unread: tuple[Unread, ...] = ()
    elsewhere: tuple[tuple[str, int], ...] = ()
    fates: dict[str, InBlock] | None = None
    fell: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    """What the open items say that came with these changes."""
    last: Version | None = None
    problem: str = ""
    is_first: bool = False
    """Whether nothing was known of the store before."""
    ignored: frozenset[str] = frozenset()
    """The ids of what the person wants to be told no more."""
    errors: tuple[tuple[str, int], ...] = ()
    """How many errors are known of each file without looking into it anew (`today.errors_known`)."""

    @property
    def is_quiet(self) -> bool:
        """Whether there is nothing to say of it."""
        return not (self.here or self.unread or self.elsewhere or self.fell or self.items or self.problem)


class Today(NamedTuple):
    """All rows, in order; what others wrote last; and how many files the doctor has not checked yet (None: that is not known)."""

    rows: tuple[Row, ...] = ()
    last: Version | None = None
    unchecked: int | None = 0

    @property
    def waits(self) -> bool:
        """Whether there is anything to decide."""
        return any(each.waits for each in self.rows)

    @property
    def is_whole(self) -> bool:
        """Whether all of it could be read; else more may wait than is known."""
        return not any(each.kind is Kind.PROBLEM for each in self.rows)

    @property
    def nothing(self) -> str:
        """That nothing waits, as a sentence, as far as that is known."""
        if not self.is_whole:
            return "What waits cannot be told: not all of it can be read."
        if self.unchecked is None:
            return "Nothing waits as far as is known."
        if self.unchecked:
            return f"Nothing waits as far as is known: the doctor has not checked {counted(self.unchecked, 'file')} yet."
        return "Nothing waits."

    @property
    def lines(self) -> int:
        """How many lines of others wait, those without a row too, but for those of `files`."""
        return sum(each.lines for each in self.rows)

    @property
    def errors(self) -> int:
        """How many errors of the doctor wait, those without a row too."""
        return sum(each.errors for each in self.rows)

    @property
    def files(self) -> int:
        """How many files wait that were not looked into."""
        return sum(each.files for each in self.rows)
