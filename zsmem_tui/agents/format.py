"""The base class of import and export formats, and their input."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, NamedTuple

from zsmem_tui.agents.outgoing import MAIN, CameFrom, Ours, Outgoing, Spot, Wish
from zsmem_tui.agents.places import visible
from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.moments import moment
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.tree import Heads, Tree

if TYPE_CHECKING:
    from zsmem_tui.agents.places import Machine


class Opened(NamedTuple):
    """A folder to read. `prefix` is put before its paths (empty, or ending in a slash); `name` is a single file to read. `root` is
    the agent's own folder, if known. `beside` are paths of further settings, in increasing priority.
    """

    folder: str
    prefix: str = ""
    name: str = ""
    root: str = ""
    beside: tuple[str, ...] = ()


class Source(NamedTuple):
    """The files that were read, by path, and further facts for parsing.

    `times_ns` are modification times. `working` is the folder imported for, `known` returns other known folders; `heads` gives
    access to other files of the agent's own folder. `is_one`: the user named a single memory of several, so it goes to the target
    project. `beside` are the agent's settings. `local` is the time zone for logs (None: the system's). `section` is the section
    picked by the user.
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
        """The modification time of a file in local time."""
        return moment(self.times_ns.get(path, 0) / 10**9, UTC).astimezone(self.local)


class Format(ABC):
    """The import and export of one agent's memory, from and to bytes, never through a file handle."""

    finds_its_place = True
    """Whether an export finds the folder by itself."""
    reads_links = True
    """Whether the agent reads files that are links."""
    has_sections = False
    """Whether the user has to pick a section."""
    shares_facts = False
    """Whether imported facts are shared by all projects there."""
    takes = "facts, notes, days and open tasks"
    """What an export takes."""
    losses = ""
    """What an import and an export lose, as sentences."""
    out_losses = ""
    """What every export loses, whatever is in it, for display before an export; the rest stands with each text."""
    doubts: tuple[str, ...] = ()
    """Warnings of exported texts that also belong below the whole plan."""
    group_kinds: tuple[str, ...] = ()
    """The kinds of groups to export to: one must be named, or be the only one."""

    def __init__(self, name: str, title: str, recorded_as: str) -> None:
        self.name = name
        self.title = title
        self.recorded_as = recorded_as
        """The format's name in records of imports and exports."""

    # -- import -------------------------------------------------------------------------------------------------------

    def lost_in(self, items: Iterable[ImportItem]) -> str:
        """What an import of these items loses, as a sentence; empty if nothing."""
        return self.losses.removeprefix("In: ").partition(" Out: ")[0]

    def places(self, on: Machine) -> list[str]:
        """The places of a folder's memory, preferred first. All existing ones are read."""
        return []

    def whole(self, on: Machine) -> list[str]:
        """The places of the agent's memory for all folders; some may be among `places` too."""
        return []

    def opened(self, folder: str, on: Machine) -> list[Opened]:
        """What to read for a folder named by the user: the agent's own, the memory in it, or one project's."""
        return [Opened(folder)]

    def enters(self, path: str) -> bool:
        """Whether to read a subfolder, by its path in the memory."""
        return visible(path)

    @abstractmethod
    def wants(self, path: str) -> bool:
        """Whether to read a file, by its path in the memory."""

    def claims(self, paths: list[str]) -> bool:
        """Whether a folder with these files is such a memory."""
        return bool(paths)

    @abstractmethod
    def parse(self, source: Source) -> list[ImportItem]:
        """Parse the files into items, including those that should not be imported."""

    # -- export -------------------------------------------------------------------------------------------------------

    @abstractmethod
    def spots(self, wish: Wish) -> dict[str, Spot]:
        """The target stores by name, the main one first; empty if there is no place."""

    @abstractmethod
    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """What every text becomes there, in order of display. `trees` are the spots as their layouts see them."""

    def came_from(self, file: str) -> CameFrom | None:
        """Where a file lies that an import calls `file`; None if an export never writes such files."""
        return CameFrom(MAIN, file)

    def refused(self, path: str, before: bytes, after: bytes) -> str:
        """Why an index or similar file may not get this content, as a clause; empty if it may."""
        return ""


def lost_of(parts: Mapping[str, bool]) -> str:
    """The parts that are lost, as a sentence; empty if none is."""
    said = [part for part, is_lost in parts.items() if is_lost]
    return " and ".join(filter(None, (", ".join(said[:-1]), said[-1]))) + "." if said else ""


def text_of(raw: bytes) -> tuple[str, tuple[Notice, ...]]:
    """Decode a foreign file to text with line feeds, without BOM; also return notices about problems."""
    problem: tuple[Notice, ...] = ()
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("utf-8", "replace")
        problem = (Notice(NoticeKind.BYTES_REPLACED),)
    if "\0" in text:
        problem = (*problem, Notice(NoticeKind.HOLDS_NUL))
    return text.replace("\r\n", "\n"), problem


def head_of(text: str, body: str) -> str:
    """The text before the body: the original frontmatter, verbatim."""
    at = text.rfind(body) if body else -1
    return text[:at] if at > 0 else ""
