"""Value types about places: the machine, what a layout needs to know, and the place of a file in a store."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.core.refs import MemRef, Role

if TYPE_CHECKING:
    from datetime import datetime

    from zsmem_tui.core.tree import Heads

ENDINGS: Final = (".md", ".markdown")
"""The extensions of Markdown files, in lower case."""

BAD_STEM: Final = re.compile(r"[/\\\x00-\x1f]|^\.|^$")
"""What the name of a new note may not have."""

AGENT_VARIABLES: Final = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR")
"""Variables by which agents tell started programs the project. Codex has none; opencode and zerostack start them in it."""


class Machine(NamedTuple):
    """Where stores are searched: environment, home folder, current folder, a test for existing paths, and what lies below one."""

    env: Mapping[str, str]
    home: str
    folder: str
    is_there: Callable[[str], bool]
    heads: Callable[[str], Heads] | None = None


class Where(NamedTuple):
    """What a layout may need besides its store: root, current folder, home folder, user, clock, environment."""

    root: str
    folder: str
    home: str
    user: str
    now: Callable[[], datetime]
    env: Mapping[str, str] = {}


def visible(path: str) -> bool:
    """Whether no part of a path is hidden."""
    return not any(part.startswith(".") for part in path.split("/"))


def upwards(folder: str) -> Iterator[str]:
    """A folder and its parents, without `/`."""
    while folder and folder != "/":
        yield folder
        folder = folder.rpartition("/")[0]


class Place(NamedTuple):
    """The place of a file in a store. `group` is its owner, `kind:name` or `global`; `role` its purpose.

    `reason` says why a derived file is not editable, or why a file is never read.
    """

    group: str
    role: Role
    label: str
    reason: str = ""


GLOBAL = "global"
"""The group of shared files."""


def ref_of(path: str, place: Place | None) -> MemRef | None:
    """The reference to a file with this place."""
    if place is None:
        return None
    stem = place.label.rpartition("/")[2].removesuffix(".md") if place.role in (Role.NOTE, Role.LOG) else ""
    return MemRef(path, place.role, "" if place.group == GLOBAL else place.group, stem)
