"""What a format of another agent offers: bytes in, values out, never a file handle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Final, NamedTuple, Protocol

from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.moments import moment
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.tree import Heads

LONGEST_HEAD: Final = 256 * 1024
"""Bytes of a file's frontmatter. More is no description of a text, and is refused before any of it is understood."""


class Machine(NamedTuple):
    """Where stores are looked for: the environment, the home folder, the folder worked in, and whether something is there."""

    env: Mapping[str, str]
    home: str
    folder: str
    is_there: Callable[[str], bool]


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


class AgentFormat(Protocol):
    """One format. Adding one takes a module with these, a line in `registry`, a sample and its expected plan."""

    name: str
    finds_its_place: bool
    """Whether an export knows a folder by itself where none is named."""
    has_sections: bool
    """Whether the person has to pick a part of it."""
    losses: str
    """What does not survive the way in, and the way out, in a sentence."""

    def places(self, on: Machine) -> list[str]:
        """Where a memory lies that is of the folder worked in, the one that is meant first. All that are there are read."""

    def whole(self, on: Machine) -> list[str]:
        """Where the agent keeps the memory of everything, not of one folder alone."""

    def opened(self, folder: str, on: Machine) -> list[Opened]:
        """What is read for a folder that a person named: the agent's own, the memory in it, or one project's in that."""

    def enters(self, path: str) -> bool:
        """Whether a folder, by its path in the memory, is looked into."""

    def wants(self, path: str) -> bool:
        """Whether a file, by its path in the memory, is to be read at all."""

    def claims(self, paths: list[str]) -> bool:
        """Whether a folder with these files is what it claims to be."""

    def parse(self, source: Source) -> list[ImportItem]:
        """Everything that is in it, also what is not to be taken."""


class NamedFolder:
    """What formats have in common of which a folder has to be named, and is read as it is, but for what is hidden."""

    finds_its_place = False
    has_sections = False

    def places(self, on: Machine) -> list[str]:
        """Nowhere: it has to be named."""
        return []

    def whole(self, on: Machine) -> list[str]:
        """Nowhere."""
        return []

    def opened(self, folder: str, on: Machine) -> list[Opened]:
        """Just what was named."""
        return [Opened(folder)]

    def enters(self, path: str) -> bool:
        """What is not hidden."""
        return visible(path)


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
