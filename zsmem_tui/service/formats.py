"""The formats that memory is brought in from and taken out to, as data for screens, command line and completion."""

from __future__ import annotations

from typing import Final, NamedTuple

from zsmem_tui.agents import registry
from zsmem_tui.agents.format import Format as AgentFormat
from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.suggest import did_you_mean

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
        for each in registry.formats()
    )
    return (*agents, Format(BUNDLE, "a .tar.gz of a store", "the whole store in one file", one_file=True))


def names() -> tuple[str, ...]:
    """The names of all formats, in that order."""
    return tuple(each.name for each in every())


def called(name: str) -> Format:
    """What front ends show of the format of that name. Raises `BadTarget`."""
    own = BUNDLE if name == BUNDLE else of_agent(name).name
    return next(each for each in every() if each.name == own)


def title_of(name: str) -> str:
    """What people call the format of that name."""
    return next((each.title for each in registry.formats() if name in (each.name, each.recorded_as)), name)


def of_agent(name: str, nothing: str = "Nothing was done") -> AgentFormat:
    """The agent's format of that name, in full, as it was once called, or as far as no other begins so (`claude`).

    Raises `BadTarget`, which ends with what was not done.
    """
    known = registry.formats()
    meant = [each for each in known if name in (each.name, each.recorded_as)]
    meant = meant or [each for each in known if each.name.startswith(f"{name}-")]
    if len(meant) != 1:
        there = [each.name for each in known]
        guess = did_you_mean(name, there) or did_you_mean(name, [each.partition("-")[0] for each in there])
        raise BadTarget(f"There is no format {name!r}.{guess} {nothing}.", f"Formats are {', '.join(there)}.")
    return meant[0]
