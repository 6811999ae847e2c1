"""Versions of memory files in the history: who wrote, in which step, how many lines; and whether a text was wiped."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import Final, NamedTuple, assert_never

from zsmem_tui.core.text import plain_words

WIPE_LINES: Final = 5
"""The fewest lines of a text whose loss counts as a wipe, if the file is still there."""

LOST_MOST: Final = "lost most lines"
"""A wipe in words."""


WHILE_AWAY: Final = "written since zsmem last looked"
WHILE_RUNNING: Final = "seen while zsmem was running"
WHILE_WRITING: Final = "found when zsmem wrote over it"
AS_IT_STANDS: Final = "as it stands in the file"
FIRST_LOOK: Final = "there when zsmem first looked"
LEFT_OVER: Final = "Left by an interrupted write"
PUT_BACK: Final = "Put back lines that another program's write had dropped"
"""The label of the step that restores lost lines automatically."""
TOOK_BACK: Final = "Took back: "
"""Prefix of the label of what reverts a step that failed or was interrupted."""
CAME_LATE: Final = "came while zsmem wrote over it"
_SEEN: Final = (WHILE_AWAY, WHILE_RUNNING, WHILE_WRITING)
"""Evidence that says only when a write by an unnamed program was noticed, not who made it."""
THROWN_AWAY: Final = "unsaved text, discarded"
BESIDE: Final = "beside the file"
"""The relation of a version whose text was never in the file, and of the next one, which restores the file's own text."""

_AGENT: Final = "agent "
"""Prefix of an agent's name in `who` in the history. No other evidence begins like this."""

AGENT_NAME_CHARS: Final = 60
"""The most characters kept of a program's name, which comes from outside: it has to fit in rows of 80 cells."""

UNNAMED_AGENT: Final = "an agent"
"""The name for a program that requests a write without giving its name."""


class Origin(StrEnum):
    """The origin of a version, as stored in the history."""

    YOU = "you"
    OTHER = "other"
    IMPORTED = "import"
    UNDO = "undo"
    SYNCED = "sync"
    """Brought by a sync: a step made here with text written on another machine."""

    @property
    def is_import(self) -> bool:
        """Whether the version was imported from elsewhere."""
        return self is Origin.IMPORTED

    @property
    def is_sync(self) -> bool:
        """Whether a sync brought it from another machine."""
        return self is Origin.SYNCED

    @property
    def is_step(self) -> bool:
        """Whether it belongs to a step made here, which can be undone, whoever wrote the text."""
        return self is not Origin.OTHER

    @property
    def is_ours(self) -> bool:
        """Whether it was made here, in the program or on the command line."""
        match self:
            case Origin.YOU | Origin.IMPORTED | Origin.UNDO:
                return True
            case Origin.OTHER | Origin.SYNCED:
                return False
            case _:
                assert_never(self)


class AuthorKind(StrEnum):
    """The kind of author of a version."""

    YOU = "you"
    IMPORTED = "import"
    UNDO = "undo"
    AGENT = "agent"
    """A program that gave its name."""
    UNNAMED = "unnamed"
    """Another program, or a person in an editor: known only by evidence."""
    BEFORE = "before"
    """The text existed before anything was recorded."""
    SYNCED = "sync"
    """Somebody on another machine, which is named."""


class Author(NamedTuple):
    """Who wrote a version. `name` is an agent's name, the evidence for an unnamed author, what zsmem did on its own for `YOU`, else
    empty.

    `str()` is the form for the screen, `evidence` the form stored in the history beside the origin.
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
                return "another program" if not self.name or self.name in _SEEN else self.name
            case AuthorKind.BEFORE:
                return "before zsmem"
            case AuthorKind.SYNCED:
                return self.name or "another machine"
            case _:
                assert_never(self.kind)

    @property
    def is_before(self) -> bool:
        """Whether the text stood there before anything was recorded."""
        return self.kind is AuthorKind.BEFORE

    @property
    def evidence(self) -> str:
        """The value to store as a version's `who`; `author_of` parses it."""
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
    """The author for a program's self-reported name, reduced to one line of at most 60 characters.

    A name that stands for another author, such as "you", gets " (agent)" appended.
    """
    kept = plain_words(name[: 4 * AGENT_NAME_CHARS])[:AGENT_NAME_CHARS].rstrip() or UNNAMED_AGENT
    others = [str(Author(kind)) for kind in AuthorKind if kind is not AuthorKind.AGENT]
    return Author(AuthorKind.AGENT, f"{kept} (agent)" if kept.casefold() in others else kept)


def author_of(origin: Origin, who: str) -> Author:
    """Parse the author from a version's origin and `who`."""
    match origin:
        case Origin.YOU | Origin.IMPORTED | Origin.UNDO:
            return Author(AuthorKind(origin.value))
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
    """One file at one moment, in the order in which versions were recorded.

    `id` identifies the version. `path` is relative to the root, `when` is nanoseconds since 1970. `who` is the stored evidence for
    its author; `author` parses it. `batch` is shared by all changes of one step and empty if they cannot be undone; `label` says
    what the step did. `relation` is `undoes BATCH`, `redoes BATCH`, or another property of the step. `before` and `after` are ids
    of texts; empty: no file. `added` and `removed` count lines; `wiped`: the text was emptied or lost half of its lines. `dropped`
    is when the first of the versions before it that were deleted as too old was written; 0: none. `written` is the file's own time
    for a version found at the first look at the file, or moved here with its time; 0: `when`.
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
    def look(self) -> str:
        """The look or step that recorded it, as the start of its id, behind which a number tells its files apart."""
        return self.id.partition(".")[0]

    @property
    def since(self) -> int:
        """Since when its text has existed, in nanoseconds since 1970, as far as known."""
        return self.written or self.when

    @property
    def puts_back(self) -> bool:
        """Whether this is an automatic step that restored lost lines."""
        return self.origin is Origin.YOU and self.label == PUT_BACK

    @property
    def takes_back(self) -> bool:
        """Whether it reverts a step that failed or was interrupted."""
        return self.origin is Origin.UNDO and self.label.startswith(TOOK_BACK)

    @property
    def is_beside(self) -> bool:
        """Whether it records a discarded text that was never in the file, or the file's own text restored after it."""
        return self.relation == BESIDE

    @property
    def author(self) -> Author:
        """The author, as far as known."""
        if self.puts_back:
            return Author(AuthorKind.YOU, "put back")
        if self.is_beside:
            return Author(AuthorKind.UNNAMED, f"{self.who}, never in the file")
        return author_of(self.origin, self.who)


def line_counts(old: bytes | None, new: bytes | None) -> tuple[int, int]:
    """How many lines were (added, removed). One that was only moved counts as neither."""
    from zsmem_tui.core.merge import split  # deferred: a millisecond that the first frame does not need

    before, after = Counter(split(old or b"")), Counter(split(new or b""))
    return (after - before).total(), (before - after).total()


def lost_lines(old: bytes, new: bytes | None) -> int:
    """How many lines are gone. Blank ones count as none, white space at the end of a line, like a changed line end, as nothing."""
    from zsmem_tui.core.merge import bare_lines  # as above

    return (Counter(filter(None, bare_lines(old))) - Counter(bare_lines(new or b""))).total()


def is_wiped(old: bytes | None, new: bytes | None) -> bool:
    """Whether a file with words was deleted, or one of at least five lines that are not blank lost half of them or all."""
    from zsmem_tui.core.merge import split  # as above

    lines = [line for line in split(old or b"") if line.strip()]
    if new is None or len(lines) < WIPE_LINES:
        return new is None and bool(lines)
    return lost_lines(b"".join(lines), new) * 2 >= len(lines)
