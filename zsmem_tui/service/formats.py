"""The formats that memory is brought in from and taken out to, as data for screens, command line and completion."""

from __future__ import annotations

from typing import Final, NamedTuple

from zsmem_tui.agents.base import AgentFormat
from zsmem_tui.agents.registry import FORMATS, WRITERS
from zsmem_tui.core.errors import BadTarget

BUNDLE: Final = "bundle"
"""Our own: a whole store, or some projects of it, in one file."""


class Format(NamedTuple):
    """A format as front ends show it: what an import reads and an export writes, and which of our files it goes to.

    `one_file`: it is a file, not a folder; `finds_its_place`: an export need not be told where to; `has_sections`: an import
    needs to be told which part.
    """

    name: str
    source: str
    out: str
    one_file: bool = False
    finds_its_place: bool = False
    has_sections: bool = False


def every() -> tuple[Format, ...]:
    """All formats, in the order in which they are shown."""
    agents = (
        Format(each.name, "from a folder that you name", "this project", False, each.finds_its_place, each.has_sections)
        for each in FORMATS
    )
    return (*agents, Format(BUNDLE, "a .tar.gz of a store", "the whole store in one file", one_file=True))


def names() -> tuple[str, ...]:
    """The names of all formats, in that order."""
    return tuple(each.name for each in every())


def called(name: str) -> Format:
    """What front ends show of the format of that name. Raises `BadTarget`."""
    found = next((each for each in every() if each.name == name), None)
    if found is None:
        raise _no_format(name)
    return found


def title_of(name: str) -> str:
    """What people call the format of that name."""
    return next((each.title for each in WRITERS if each.name == name), name)


def of_agent(name: str) -> AgentFormat:
    """The agent's format of that name. Raises `BadTarget`."""
    found = next((each for each in FORMATS if each.name == name), None)
    if found is None:
        raise _no_format(name)
    return found


def _no_format(name: str) -> BadTarget:
    return BadTarget(f"There is no format {name!r}. Nothing was done.", f"Formats are {', '.join(names())}.")
