"""The memory block that goes into an agent's prompt, for any agent: sections, the pieces they become, and the cut at the cap.

A layout decides which files are used, in which order and with which headings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from zsmem_tui.core.profile import Profile
from zsmem_tui.core.text import cut, trim, trim_start, truncate
from zsmem_tui.core.tree import Tree


class Reader(Protocol):
    """Read access to a store for a layout that composes the block. Paths are relative to the root, with `/`."""

    def text(self, path: str) -> str | None:
        """The content of a file; None if it is missing, unreadable or not valid UTF-8."""

    def size(self, path: str) -> int | None:
        """The size of a file in bytes; None if stat fails."""

    def names(self, folder: str) -> list[str]:
        """The names of the memory files in a folder; empty if it cannot be read."""

    def tree(self) -> Tree:
        """The same files as raw bytes and names, for agents whose rules need more than text. Its root is the store's root."""


class Moment(NamedTuple):
    """The project and dates (`YYYY-MM-DD`) a block is made for. `cap` limits its inner text in bytes; `yesterday` may be empty."""

    project: str
    today: str
    yesterday: str
    profile: Profile
    cap: int


@dataclass(frozen=True, slots=True)
class Section:
    """One source of the block: title, heading as written in the block, and trimmed text. Never blank.

    `head` begins and ends with a line feed. `path` is the file; `numbers` has, for each line of `body`, its 0-based line in that
    file.
    """

    title: str
    head: str
    body: str
    path: str
    numbers: Sequence[int]

    @property
    def text(self) -> str:
        """Heading and body as written in the block."""
        return f"{self.head}{self.body}"


class Skipped(NamedTuple):
    """A file of `size` bytes that is not read as a section: it is larger than `limit` bytes; with 0, it is not valid UTF-8, or it
    cannot be read.
    """

    title: str
    path: str
    size: int
    limit: int = 0
    takes: Callable[[str], object] = trim
    """Whether the section would have a line."""


class Piece(NamedTuple):
    """A part of the block's inner text: heading or body of a section, or a mark that replaces omitted text.

    `section` is the index of the section it belongs to.
    """

    section: int
    kind: Literal["head", "body", "mark"]
    text: str


class Shown(NamedTuple):
    """A run of text in a composed prompt, written as `text` followed by `end`.

    It shows the 0-based line `line` of the file at `path`; an empty `path` means text of the agent's own. An empty run (no text, no
    end) means that the line's content is in the prompt in the agent's own words.
    """

    text: str
    path: str = ""
    line: int = -1
    end: str = "\n"


class LeftOut(NamedTuple):
    """A line (0-based) of a file that is not complete in a prompt. `cut`: part of it is there. `reason` is a clause for people,
    empty if it is just the cap.

    `for_size`: it was left out only for lack of space.
    """

    path: str
    line: int
    text: str
    cut: bool
    reason: str = ""
    for_size: bool = False


class Meter(NamedTuple):
    """The fill level of a part of a prompt with its own cap: `used` of `cap`.

    `of` names the part, `path` is the file whose text is counted.
    """

    used: int
    cap: int
    of: str
    path: str


@dataclass(frozen=True, slots=True)
class Composed:
    """A prompt that is not simply its sections cut at a byte limit (tail kept, middle dropped, lines picked or rewritten).

    Its text is all `runs` concatenated. Each line of a section is in `left_out`, is blank, or is whole in a run. A meter shows
    `used` of `cap` in `unit` for the part named `of`, such as a file; a cap of 0 means no cap. `rule` is a sentence on how the
    agent cuts, or why there is no prompt. `meters` are those of single files, in the same unit; `other`: a second cap.
    """

    runs: tuple[Shown, ...]
    left_out: tuple[LeftOut, ...] = ()
    used: int = 0
    cap: int = 0
    unit: str = ""
    of: str = ""
    rule: str = ""
    meters: tuple[Meter, ...] = ()
    other: str = ""

    @property
    def text(self) -> str:
        """The text of the prompt."""
        return "".join(f"{run.text}{run.end}" for run in self.runs)


@dataclass(frozen=True, slots=True)
class Block:
    """What a layout composed: an inner text made of `pieces`, cut at `cap` bytes with `mark` if it is longer.

    `opening` and `closing` are put around it (`closing` begins with a line feed); `skipped` are files the agent does not
    read. If `composed` is set, it describes the prompt instead: `pieces` is empty and `cap` is its own.
    """

    sections: tuple[Section, ...]
    pieces: tuple[Piece, ...]
    cap: int
    opening: str
    closing: str
    mark: str
    skipped: tuple[Skipped, ...] = ()
    composed: Composed | None = None

    @property
    def inner(self) -> str:
        """The inner text before the cut at `cap`."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def is_cut(self) -> bool:
        """Whether the inner text is longer than `cap` and gets cut."""
        inner = self.inner
        return len(cut(inner, self.cap)) < len(inner)

    @property
    def needed(self) -> int:
        """Bytes of all sections before any cut, without the wrapper; for a composed prompt its `used`, in its unit."""
        if self.composed is not None:
            return self.composed.used
        return sum(len(section.text.encode()) for section in self.sections)

    @property
    def text(self) -> str | None:
        """The whole block as written in the prompt; None if there are no sections."""
        if self.composed is not None:
            return self.composed.text or None
        return f"{self.opening}{truncate(self.inner, self.cap, self.mark)}{self.closing}" if self.sections else None


def section_of(title: str, head: str, text: str | None, path: str) -> Section | None:
    """Make a section of a whole file; None if it is missing or blank."""
    body = trim(text or "")
    if not body or text is None:
        return None
    first = text.count("\n", 0, len(text) - len(trim_start(text)))
    return Section(title, head, body, path, range(first, first + body.count("\n") + 1))


def whole_pieces(found: Sequence[Section], first: int = 0) -> list[Piece]:
    """Pieces for these sections, uncut; `first` is the index of the first one in the block."""
    return [
        piece
        for number, section in enumerate(found, first)
        for piece in (Piece(number, "head", section.head), Piece(number, "body", section.body))
    ]
