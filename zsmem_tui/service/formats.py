"""The formats for import and export, as data for screens, command line and completion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from zsmem_tui.agents import registry
from zsmem_tui.agents.format import Format as AgentFormat
from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.suggest import did_you_mean

BUNDLE: Final = "bundle"
"""Our own format: a whole store, or some of its projects, in one file."""

OF_NO_AGENT: Final = (BUNDLE, "markdown")
"""Formats for which no agent has to be on this machine."""


class Format(NamedTuple):
    """A format as front ends show it: what an import reads and an export writes, and which of our files it applies to.

    `one_file`: it is a file, not a folder; `finds_its_place`: an export needs no path; `has_sections`: an import needs a section;
    `takes`: what an export takes.
    """

    name: str
    source: str
    out: str
    one_file: bool = False
    finds_its_place: bool = False
    has_sections: bool = False
    takes: str = ""


def every() -> tuple[Format, ...]:
    """All formats in the order of display."""
    agents = (
        Format(each.name, "a folder that you name", "this project", False, each.finds_its_place, each.has_sections, each.takes)
        for each in registry.formats()
    )
    return (*agents, Format(BUNDLE, "one .tar.gz file, made by an export", "this whole memory in one .tar.gz file", one_file=True))


def names() -> tuple[str, ...]:
    """The names of all formats in that order."""
    return tuple(each.name for each in every())


def called(name: str) -> Format:
    """The format with that name. Raises `BadTarget`."""
    own = BUNDLE if name == BUNDLE else of_agent(name).name
    return next(each for each in every() if each.name == own)


def title_of(name: str) -> str:
    """The display title of the format with that name."""
    return next((each.title for each in registry.formats() if name in (each.name, each.recorded_as)), name)


def of_agent(name: str, nothing: str = "Nothing was done", also: Sequence[str] = ()) -> AgentFormat:
    """The agent's format with that name, a former name, or a unique prefix (`claude`).

    Raises `BadTarget`, whose message ends with `nothing`; `also` are other words that can stand there and may have been meant.
    """
    known = registry.formats()
    meant = [each for each in known if name in (each.name, each.recorded_as)]
    meant = meant or [each for each in known if each.name.startswith(f"{name}-")]
    if len(meant) != 1:
        there = [each.name for each in known]
        guess = did_you_mean(name, [*there, *also]) or did_you_mean(name, [each.partition("-")[0] for each in there])
        there += [each for each in also if each == BUNDLE]
        raise BadTarget(f"There is no format {name!r}.{guess} {nothing}.", f"Formats are {', '.join(there)}.")
    return meant[0]
