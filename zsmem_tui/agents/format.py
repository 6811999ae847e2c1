"""What a format of another agent offers, and what it is told."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, NamedTuple

from zsmem_tui.agents.outgoing import MAIN, CameFrom, Ours, Outgoing, Spot, Wish
from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.moments import moment
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.tree import Heads, Tree

if TYPE_CHECKING:
    from zsmem_tui.agents.places import Machine


class Opened(NamedTuple):
    """A folder of another memory that is read. `prefix` is what stands before its paths in the memory they are of (empty, or with
    a slash at its end); `name` is the one file that is meant, where it is one. `root` is the agent's own folder, where that is
    known and tells more. `beside` are settings of the agent's that lie elsewhere, those that go before others last.
    """

    folder: str
    prefix: str = ""
    name: str = ""
    root: str = ""
    beside: tuple[str, ...] = ()


class Source(NamedTuple):
    """What was read of another memory, by path in it, and what is known beside it.

    `times_ns` is when each file was changed last. `working` is the folder that the memory is brought in for, `known` are others
    that somebody works in, looked for when asked; `heads` is what the agent's own folder has beside its memory, if it was read.
    `is_one` says that the person named one memory of several, which so goes to the project that is meant. `beside` are the agent's
    settings. `local` is the clock that a log's times are told by (None: the system's). `section` is the part that the person
    picked, where a format asks for one.
    """

    files: Mapping[str, bytes]
    times_ns: Mapping[str, int] = {}
    working: str = ""
    known: Callable[[], Sequence[str]] = tuple
    heads: Heads | None = None
    is_one: bool = False
    beside: Sequence[bytes] = ()
    local: tzinfo | None = UTC
    section: str = ""

    def modified(self, path: str) -> datetime:
        """When a file was changed last, by the local clock."""
        return moment(self.times_ns.get(path, 0) / 10**9, UTC).astimezone(self.local)


class Format(ABC):
    """An agent's memory as it is brought in from bytes and taken out to them, never through a file handle."""

    finds_its_place = True
    """Whether an export knows a folder by itself where none is named."""
    has_sections = False
    """Whether the person has to pick a part of it."""
    shares_facts = False
    """Whether the facts that come in are everybody's there, not one project's."""
    losses = ""
    """What does not survive the way in, and the way out, in a sentence."""
    out_losses = ""
    """What does not survive the way out, for whoever is about to go it."""
    group_kinds: tuple[str, ...] = ()
    """The kinds of groups of which one has to be named on the way out, or be the only one."""

    def __init__(self, name: str, title: str, recorded_as: str) -> None:
        self.name = name
        self.title = title
        self.recorded_as = recorded_as
        """What records of imports and exports call it."""

    # -- in -----------------------------------------------------------------------------------------------------------

    def lost_in(self, items: Iterable[ImportItem]) -> str:
        """What does not survive the way in of these items, in a sentence; empty when all of it does."""
        return self.losses.removeprefix("In: ").partition(" Out: ")[0]

    def places(self, on: Machine) -> list[str]:
        """Where a memory lies that is of the folder worked in, the one that is meant first. All that are there are read."""
        return []

    def whole(self, on: Machine) -> list[str]:
        """Where the agent keeps the memory of everything, not of one folder alone."""
        return []

    def opened(self, folder: str, on: Machine) -> list[Opened]:
        """What is read for a folder that a person named: the agent's own, the memory in it, or one project's in that."""
        return [Opened(folder)]

    def enters(self, path: str) -> bool:
        """Whether a folder, by its path in the memory, is looked into."""
        return visible(path)

    @abstractmethod
    def wants(self, path: str) -> bool:
        """Whether a file, by its path in the memory, is to be read at all."""

    def claims(self, paths: list[str]) -> bool:
        """Whether a folder with these files is what it claims to be."""
        return bool(paths)

    @abstractmethod
    def parse(self, source: Source) -> list[ImportItem]:
        """Everything that is in it, also what is not to be taken."""

    # -- out ----------------------------------------------------------------------------------------------------------

    @abstractmethod
    def spots(self, wish: Wish) -> dict[str, Spot]:
        """Its stores by name, the main one first; none where no place can be told."""

    @abstractmethod
    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """What becomes of everything, in the order in which it is shown. `trees` are the spots as the layouts see them."""

    def came_from(self, file: str) -> CameFrom | None:
        """Where a file lies that an import calls `file`; None where an export does not write such files at all."""
        return CameFrom(MAIN, file)

    def refused(self, path: str, after: bytes) -> str:
        """Why a file that follows another, such as an index, cannot become this, as a clause; empty where it can."""
        return ""


def text_of(raw: bytes) -> tuple[str, tuple[Notice, ...]]:
    """A foreign file as text with line feeds, without BOM; and what was wrong with it."""
    problem: tuple[Notice, ...] = ()
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("utf-8", "replace")
        problem = (Notice(NoticeKind.BYTES_REPLACED),)
    return text.replace("\r\n", "\n"), problem


def visible(path: str) -> bool:
    """Whether no part of a path is hidden."""
    return not any(part.startswith(".") for part in path.split("/"))


def head_of(text: str, body: str) -> str:
    """What stands in a text before its body: the original metadata, as it was written."""
    at = text.rfind(body) if body else -1
    return text[:at] if at > 0 else ""
