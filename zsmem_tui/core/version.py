"""What happened to a memory file: who wrote, in what batch, how much; and whether a text was wiped."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import Final, NamedTuple, assert_never

from zsmem_tui.core.text import plain_words

WIPE_LINES: Final = 5
"""Lines that a text has at least for its loss to be called a wipe."""


WHILE_AWAY: Final = "written since zsmem last looked"
WHILE_RUNNING: Final = "seen while zsmem was running"
WHILE_WRITING: Final = "found when zsmem wrote over it"
AS_IT_STANDS: Final = "as it stands in the file"
FIRST_LOOK: Final = "there when zsmem first looked"
LEFT_OVER: Final = "Left by an interrupted write"
PUT_BACK: Final = "Put back lines that another program's write had dropped"
"""What the step is called that does that by itself."""
CAME_LATE: Final = "came while zsmem wrote over it"

_AGENT: Final = "agent "
"""What stands before the name of a program that said who it is, where the history keeps it. No evidence begins so."""

AGENT_NAME_CHARS: Final = 60
"""Characters of a program's name that are kept: it stands in rows of 80 cells, and whatever a program sends comes here."""

UNNAMED_AGENT: Final = "an agent"
"""What a program is called that asks for a write and does not say its name."""


class Origin(StrEnum):
    """Where a version came from, as the history keeps it."""

    YOU = "you"
    OTHER = "other"
    IMPORTED = "import"
    UNDO = "undo"
    SYNCED = "sync"
    """Brought by a sync: a step made here, with what others wrote on another machine."""

    @property
    def is_import(self) -> bool:
        """Whether it brought in what somebody else had written."""
        return self is Origin.IMPORTED

    @property
    def is_sync(self) -> bool:
        """Whether a sync brought it from another machine."""
        return self is Origin.SYNCED

    @property
    def is_step(self) -> bool:
        """Whether it was a step made here, which can be undone, whoever wrote what it brought."""
        return self is not Origin.OTHER

    @property
    def is_ours(self) -> bool:
        """Whether it was made here, in the program or on the command line, and not by somebody else."""
        match self:
            case Origin.YOU | Origin.IMPORTED | Origin.UNDO:
                return True
            case Origin.OTHER | Origin.SYNCED:
                return False
            case _:
                assert_never(self)


class AuthorKind(StrEnum):
    """Whose words a version brought."""

    YOU = "you"
    IMPORTED = "import"
    UNDO = "undo"
    AGENT = "agent"
    """A program that said who it is."""
    UNNAMED = "unnamed"
    """Another program, or a person in an editor: there is only evidence of it."""
    BEFORE = "before"
    """It stood there before anything was recorded."""
    SYNCED = "sync"
    """Somebody on another machine, named with it."""


class Author(NamedTuple):
    """Who wrote a version. `name` is the program's for an agent, the evidence for one that is unnamed, what was done to your lines
    where nobody asked for it, else empty.

    `str()` is what a screen prints, `evidence` what the history keeps beside the origin.
    """

    kind: AuthorKind
    name: str = ""

    def __str__(self) -> str:
        match self.kind:
            case AuthorKind.YOU:
                return f"zsmem, {self.name}" if self.name else "you"
            case AuthorKind.IMPORTED:
                return "import"
            case AuthorKind.UNDO:
                return "you, undo"
            case AuthorKind.AGENT:
                return self.name
            case AuthorKind.UNNAMED:
                return self.name or "another program"
            case AuthorKind.BEFORE:
                return "before zsmem"
            case AuthorKind.SYNCED:
                return self.name or "another machine"
            case _:
                assert_never(self.kind)

    @property
    def evidence(self) -> str:
        """What a version's `who` says of this author: `author_of` reads it back."""
        match self.kind:
            case AuthorKind.YOU | AuthorKind.IMPORTED | AuthorKind.UNDO:
                return ""
            case AuthorKind.AGENT:
                return f"{_AGENT}{self.name}"
            case AuthorKind.UNNAMED | AuthorKind.SYNCED:
                return self.name
            case AuthorKind.BEFORE:
                return FIRST_LOOK
            case _:
                assert_never(self.kind)


def agent_author(name: str) -> Author:
    """A program as the author of what it writes, by the name that it says of itself: one line, 60 characters at most.

    One that goes by a word that stands for somebody else, such as "you", is told from them.
    """
    kept = plain_words(name[: 4 * AGENT_NAME_CHARS])[:AGENT_NAME_CHARS].rstrip() or UNNAMED_AGENT
    others = [str(Author(kind)) for kind in AuthorKind if kind is not AuthorKind.AGENT]
    return Author(AuthorKind.AGENT, f"{kept} (agent)" if kept.casefold() in others else kept)


def author_of(origin: Origin, who: str) -> Author:
    """The author that a version's origin and `who`, as the history keeps them, tell of."""
    match origin:
        case Origin.YOU:
            return Author(AuthorKind.YOU)
        case Origin.IMPORTED:
            return Author(AuthorKind.IMPORTED)
        case Origin.UNDO:
            return Author(AuthorKind.UNDO)
        case Origin.SYNCED:
            return Author(AuthorKind.SYNCED, who)
        case Origin.OTHER if who == FIRST_LOOK:
            return Author(AuthorKind.BEFORE)
        case Origin.OTHER if who.startswith(_AGENT):
            return Author(AuthorKind.AGENT, who.removeprefix(_AGENT))
        case Origin.OTHER:
            return Author(AuthorKind.UNNAMED, who)
        case _:
            assert_never(origin)


class Version(NamedTuple):
    """One file at one moment, in the order in which it came to our notice.

    `id` names the version. `path` is relative to the root, `when` nanoseconds since 1970. `who` is the evidence for who wrote it,
    as the history keeps it; `author` reads it. `batch` is shared by all changes of one step and empty when it cannot be undone;
    `label` says what the step did. `relation` is `undoes BATCH`, `redoes BATCH`, or what else the step was. `before` and `after`
    name texts; empty: there was no file. `added` and `removed` count lines; `wiped` says that the text was emptied or lost half of
    its lines. `dropped` is when the first of the versions was written that stood before it and were taken out as too old; 0: none.
    `written` is when a file was written that was found later, at the first look at it, as the file itself says; 0: at `when`.
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
    dropped: int = 0
    written: int = 0

    @property
    def since(self) -> int:
        """Since when what it brought is there, as far as is known."""
        return self.written or self.when

    @property
    def puts_back(self) -> bool:
        """Whether it is a step that put dropped lines back by itself."""
        return self.origin is Origin.YOU and self.label == PUT_BACK

    @property
    def author(self) -> Author:
        """Who wrote it, as far as is known."""
        if self.puts_back:
            return Author(AuthorKind.YOU, "put back")
        return author_of(self.origin, self.who)


def line_counts(old: bytes | None, new: bytes | None) -> tuple[int, int]:
    """How many lines `new` has that `old` had not, and the other way round; a line that only moved is neither."""
    from zsmem_tui.core.merge import split  # a millisecond that the first frame can do without

    before, after = Counter(split(old or b"")), Counter(split(new or b""))
    return (after - before).total(), (before - after).total()


def is_wiped(old: bytes | None, new: bytes | None) -> bool:
    """Whether a text of at least five lines that are not blank was emptied, deleted or lost half of them."""
    from zsmem_tui.core.merge import split  # as above

    lines = [line for line in split(old or b"") if line.strip()]
    if len(lines) < WIPE_LINES:
        return False
    kept = Counter(lines) & Counter(split(new or b""))
    return kept.total() * 2 <= len(lines)
