"""What a format of another agent offers: bytes in, values out, never a file handle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from zsmem_tui.core.finding import Finding, Rule
from zsmem_tui.core.import_item import ImportItem


class Memory(NamedTuple):
    """Our memory of one project, as an export sees it: the texts by note stem and by date."""

    project: str
    long_term: str
    scratchpad: str
    notes: Mapping[str, str]
    logs: Mapping[str, str]


class AgentFormat(Protocol):
    """One format. Adding one takes a module with these, a line in `registry`, a sample and its expected plan."""

    name: str
    finds_its_place: bool
    """Whether an export knows a folder by itself where none is named."""
    losses: str
    """What does not survive the way in, and the way out, in a sentence."""

    def places(self, home: str, folder: str) -> list[str]:
        """Where such a memory lies by default, for a home folder and a project's folder (empty: not known)."""

    def wants(self, path: str) -> bool:
        """Whether a file, by its path in the memory, is to be read at all."""

    def claims(self, paths: list[str]) -> bool:
        """Whether a folder with these files is what it claims to be."""

    def parse(self, files: Mapping[str, bytes]) -> list[ImportItem]:
        """Everything that is in it, also what is not to be taken."""

    def export(self, memory: Memory, there: Mapping[str, bytes]) -> dict[str, bytes]:
        """The files to write, given those that are there; what others wrote in them stays."""


def text_of(raw: bytes) -> tuple[str, tuple[Finding, ...]]:
    """A foreign file as text with line feeds, without BOM; and what was wrong with it."""
    problem: tuple[Finding, ...] = ()
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("utf-8", "replace")
        problem = (Finding(Rule.BYTES_REPLACED),)
    return text.replace("\r\n", "\n"), problem
