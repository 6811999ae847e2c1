"""The block that goes into an agent's prompt, of whatever agent: sections, the pieces they become, and where it is cut.

Which files they come from, in which order and with which headings, a layout says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from zsmem_tui.core.profile import Profile
from zsmem_tui.core.text import cut, trim, trim_start, truncate
from zsmem_tui.core.tree import Tree


class Reader(Protocol):
    """How a layout looks at a store while it composes the block. Paths are relative to the root, with `/`."""

    def text(self, path: str) -> str | None:
        """What stands in a file; None when it is missing, unreadable or not valid UTF-8."""

    def size(self, path: str) -> int | None:
        """Bytes of a file; None when it cannot be looked at."""

    def names(self, folder: str) -> list[str]:
        """The names of the memory files in a folder; none when it cannot be read."""

    def tree(self) -> Tree:
        """The same files as bytes and names, for agents whose rules look at more than texts. Its root is the store's."""


class Moment(NamedTuple):
    """For whom and when a block is made. `cap` bounds its inner text in bytes; `yesterday` is empty where there is none."""

    project: str
    today: str
    yesterday: str
    profile: Profile
    cap: int


@dataclass(frozen=True, slots=True)
class Section:
    """One source of the block: its title, its heading as it stands in the block, and its trimmed text. Never blank.

    `head` begins and ends with a line feed. `path` is the file's; `numbers` has the number, from 0, in it of each line of `body`.
    """

    title: str
    head: str
    body: str
    path: str
    numbers: Sequence[int]

    @property
    def text(self) -> str:
        """Heading and body as they stand in the block."""
        return f"{self.head}{self.body}"


class Skipped(NamedTuple):
    """A file that would be a section of this title, were it not larger than `limit` bytes."""

    title: str
    path: str
    limit: int = 0


class Piece(NamedTuple):
    """A part of the block's inner text: the heading or body of a section, or a mark for what is left out.

    `section` is the number of the section it speaks of.
    """

    section: int
    kind: Literal["head", "body", "mark"]
    text: str


class Shown(NamedTuple):
    """A run of a prompt as it stands there: `text` and `end`.

    It shows the line number `line` (from 0) of the file at `path`, as the agent writes that line; where `path` is empty it is the
    agent's own. A run of no text and no end says that what such a line says is there, in words of the agent's own.
    """

    text: str
    path: str = ""
    line: int = -1
    end: str = "\n"


class LeftOut(NamedTuple):
    """A line of a file that is not whole in a prompt; `line` counts from 0. `cut`: a part of it is there. `reason` is a clause.

    `for_size`: it would be there if less stood there.
    """

    path: str
    line: int
    text: str
    cut: bool
    reason: str
    for_size: bool = False


class Meter(NamedTuple):
    """How full a part of a prompt is that has a cap of its own: `used` of `cap`.

    `of` says what it is, `path` whose text it counts.
    """

    used: int
    cap: int
    of: str
    path: str


@dataclass(frozen=True, slots=True)
class Composed:
    """A prompt that is no plain cut of its sections (the last characters stay, the middle goes, lines are picked or rewritten).

    Its text is that of the runs, one after the other. A line of a section is in `left_out`, blank, or whole in a
    run. `used` of `cap` in `unit` is what a meter shows, `of` says of what, as "the index"; a cap of 0 is none. `rule` is how the
    agent cuts, or why there is no prompt, in a sentence. `meters` are those of single files, in the same unit.
    """

    runs: tuple[Shown, ...]
    left_out: tuple[LeftOut, ...] = ()
    used: int = 0
    cap: int = 0
    unit: str = ""
    of: str = ""
    rule: str = ""
    meters: tuple[Meter, ...] = ()

    @property
    def text(self) -> str:
        """The prompt."""
        return "".join(f"{run.text}{run.end}" for run in self.runs)


@dataclass(frozen=True, slots=True)
class Block:
    """What a layout composed. The inner text is made of `pieces` and cut at `cap` bytes with `mark` where it is longer.

    `opening` and `closing` stand around it (`closing` begins with a line feed); `skipped` are the files that the
    agent does not even look into, for their size. Where `composed` is there, it says all this line by line, `pieces` are empty
    and `cap` is its own.
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
        """The inner text before it is cut as a whole."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def is_cut(self) -> bool:
        """Whether the inner text is cut as a whole."""
        inner = self.inner
        return len(cut(inner, self.cap)) < len(inner)

    @property
    def needed(self) -> int:
        """Bytes of all sections before anything is cut, without the wrapper; for a composed one what is used, in its unit."""
        if self.composed is not None:
            return self.composed.used
        return sum(len(section.text.encode()) for section in self.sections)

    @property
    def text(self) -> str | None:
        """The whole block as it stands in the prompt, or None when there is nothing to say."""
        if self.composed is not None:
            return self.composed.text or None
        return f"{self.opening}{truncate(self.inner, self.cap, self.mark)}{self.closing}" if self.sections else None


def section_of(title: str, head: str, text: str | None, path: str) -> Section | None:
    """A whole file as a section; None when it is missing or blank."""
    body = trim(text or "")
    if not body or text is None:
        return None
    first = text.count("\n", 0, len(text) - len(trim_start(text)))
    return Section(title, head, body, path, range(first, first + body.count("\n") + 1))


def whole_pieces(found: Sequence[Section], first: int = 0) -> list[Piece]:
    """These sections whole; the first of them is number `first` of the block."""
    return [
        piece
        for number, section in enumerate(found, first)
        for piece in (Piece(number, "head", section.head), Piece(number, "body", section.body))
    ]
