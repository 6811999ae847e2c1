"""Where memory lies: the machine that it is looked for on, the store, and the place of a file in that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.core.refs import MemRef, Role

if TYPE_CHECKING:
    from datetime import datetime

AGENT_VARIABLES: Final = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR")
"""What agents tell the programs that they start. Codex tells nothing; opencode and zerostack start them in the project."""


class Machine(NamedTuple):
    """Where stores are looked for: the environment, the home folder, the folder worked in, and whether something is there."""

    env: Mapping[str, str]
    home: str
    folder: str
    is_there: Callable[[str], bool]


class Where(NamedTuple):
    """What a layout may have to know beside its store: its root, the folder worked in, the home folder, a user, the clock."""

    root: str
    folder: str
    home: str
    user: str
    now: Callable[[], datetime]


class Place(NamedTuple):
    """What a file of a store is. `group` is whom it belongs to, as `kind:name` or `global`; `role` what it is there for.

    `reason` says why a derived file is not edited here, or why one is never read.
    """

    group: str
    role: Role
    label: str
    reason: str = ""


GLOBAL = "global"
"""The group of what belongs to everybody."""


def ref_of(path: str, place: Place | None) -> MemRef | None:
    """A file that a kind places, as everything else names it."""
    if place is None:
        return None
    stem = place.label.rpartition("/")[2].removesuffix(".md") if place.role in (Role.NOTE, Role.LOG) else ""
    return MemRef(path, place.role, "" if place.group == GLOBAL else place.group, stem)
