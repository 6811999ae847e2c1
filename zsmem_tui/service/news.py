"""What waits for the user, as values: changes by others in a store, and the rows for them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from zsmem_tui.core.moments import moment
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted
from zsmem_tui.core.version import Version
from zsmem_tui.service.reviewing import PendingReview
from zsmem_tui.service.session import Session

if TYPE_CHECKING:
    from zsmem_tui.core.preview import InBlock, Prompt
    from zsmem_tui.service.review_lines import Pick, ReviewLine


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
    """In how many files the lines were not counted, and how many of these came and went."""
    new: int = 0
    gone: int = 0
    errors: int = 0
    """How many errors of the doctor it stands for."""
    wrong: int = 0
    """How many of its doubts are errors: the first ones."""
    is_cut: bool = False
    """Whether its text is only the beginning of what stands there, with an ellipsis."""

    def with_errors(self, words: Sequence[str]) -> Row:
        """The row with what the doctor calls errors as the first of its doubts; one that begins with the same words is the same."""
        wrong = {next((each for each in self.doubts if each.startswith(word)), word): 0 for word in words}
        return self._replace(errors=len(words), wrong=len(wrong), doubts=(*(wrong | dict.fromkeys(self.doubts)),))

    @property
    def deleted(self) -> bool:
        """Whether it is a deleted file."""
        return self.kind is Kind.FILE and self.pick is not None and self.pick.change.now is None and not self.pick.change.note

    @property
    def is_rest(self) -> bool:
        """Whether it stands for lines of the file above that have no row."""
        return self.kind is Kind.MORE and self.lines > 0

    @property
    def ref(self) -> MemRef | None:
        """The file that it is about."""
        return self.pick.change.ref if self.pick is not None else None

    @property
    def line(self) -> int:
        """The line that it is about, if that is there; else -1."""
        return self.at if self.kind is Kind.LINE and not self.is_gone else -1

    @property
    def waits(self) -> bool:
        """Whether there is something to decide here; what waits elsewhere or is unreadable is only mentioned."""
        return self.kind not in (Kind.ELSEWHERE, Kind.PROBLEM, Kind.AGENTS)


class News(NamedTuple):
    """Changes by others in a store: `here` in the current folder, with the lines of each row; `elsewhere` counts files by project.

    `unread` are files of the folder that were not examined, each new, changed or deleted. `fates` says what of each file is in the
    prompt.
    """

    session: Session
    here: tuple[tuple[PendingReview, tuple[tuple[ReviewLine, ...], ...]], ...] = ()
    unread: tuple[tuple[MemRef, str], ...] = ()
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
    checked_ns: int | None = None
    """When the doctor began to look; its findings are not about the lines of files written after that. None: just now."""

    @property
    def is_quiet(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.here or self.unread or self.elsewhere or self.fell or self.items or self.problem)


class Today(NamedTuple):
    """All rows in order, the last change by others, and how many files the doctor has not examined (None: unknown)."""

    rows: tuple[Row, ...] = ()
    last: Version | None = None
    unchecked: int | None = 0
    found: int = 0
    """How many findings of the doctor are to be decided in the folder; whoever says that nothing waits counts them."""

    @property
    def waits(self) -> bool:
        """Whether there is anything to decide."""
        return any(each.waits for each in self.rows)

    @property
    def is_whole(self) -> bool:
        """Whether everything could be read; if not, more may wait than is known."""
        return not any(each.kind is Kind.PROBLEM for each in self.rows)

    def nothing(self, now_ns: int, leads: str) -> str:
        """Sentences that nothing waits, since when, and what the doctor, to which `leads` does, found, as far as that is known."""
        if not self.is_whole:
            return "What waits cannot be told: not all of it can be read."
        found = f"Doctor has {counted(self.found, 'finding')} ({leads})" if self.found else "the doctor found nothing"
        if self.unchecked is None:
            found = "the doctor has not looked yet" if not self.found else f"{found}, and looks on"
        elif self.unchecked:
            found = f"{found} and has not checked {counted(self.unchecked, 'file')} yet"
        return f"{nobody_since(self.last, now_ns).removesuffix('.')} · {found}."

    @property
    def lines(self) -> int:
        """How many lines by others wait, including those without a row, except blank ones and those of `files`."""
        return sum(each.lines for each in self.rows)

    @property
    def counts(self) -> tuple[int, int]:
        """How many lines others wrote and deleted in the files that have rows."""
        found = {(id(row.session), row.pick.change.ref): row.pick.change for row in self.rows if row.pick is not None}
        return sum(each.told[0] for each in found.values()), sum(each.told[1] for each in found.values())

    @property
    def errors(self) -> int:
        """How many errors of the doctor wait, including those without a row."""
        return sum(each.errors for each in self.rows)

    @property
    def files(self) -> int:
        """How many files wait that were not examined."""
        return sum(each.files for each in self.rows)


def nobody_since(last: Version | None, now_ns: int) -> str:
    """A sentence that says when somebody else last wrote, or zsmem first looked."""
    then, now = (moment(each / 10**9) for each in (last.when if last else 0, now_ns))
    seen = then.strftime("%H:%M" if then.date() == now.date() else "%Y-%m-%d %H:%M")
    first = "zsmem's first look at " if last and last.author.is_before else ""
    return f"Nobody else has written since {first}{seen}." if last else "Nobody else has written yet."
