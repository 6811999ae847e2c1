"""What the doctor has found, as data. The words for it are in `describe`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Check(StrEnum):
    """A rule of the doctor. The values are an interface: scripts and settings name them."""

    DUPLICATE = "duplicate"
    NEAR_DUPLICATE = "near-duplicate"
    CONTRADICTION = "contradiction"
    DEAD_PATH = "dead-path"
    DEAD_LINK = "dead-link"
    STALE = "stale"
    HIDDEN_ITEM = "hidden-item"
    OVER_BUDGET = "over-budget"
    BROKEN = "broken"
    PAID_TWICE = "paid-twice"
    SECRET = "secret"
    POISON = "poison"
    # of the layouts of some agents
    INDEX = "index"
    HEAD = "head"
    UNSEEN = "unseen"


class Level(StrEnum):
    """How much a fault matters. The values are an interface, in the order of their weight."""

    ERROR = "error"
    """Something is lost, leaked or dangerous now."""
    WARNING = "warning"
    """Wrong or wasteful: a person should decide."""
    INFO = "info"
    """Perhaps."""


class Place(NamedTuple):
    """Lines of a file of the store, counted from 1. `path` is relative to its root, or absolute for a file that is not in it."""

    path: str
    line: int = 1


class LineEdit(NamedTuple):
    """Lines of a file that a fix replaces: `before` as they stand there from `line` on (from 1), `after` instead of them.

    They are without their line ends. No lines `after` takes them away; no lines `before` puts `after` behind the last line. Line 0
    is that of a file which is not there yet: `after` is all of it.
    """

    path: str
    line: int
    before: tuple[str, ...]
    after: tuple[str, ...]


class Repair(NamedTuple):
    """What a fix does: the kind of it, what its words name, and the lines it replaces.

    Without edits it is about a whole file, or is for a person to do; `choices` are what there is to choose from. `removes` is the
    file that goes to the trash, or becomes the file `becomes`; `recodes` is the one whose bytes are to be UTF-8; `fits` is the
    project whose files give up what does not fit into its prompt.
    """

    kind: str
    name: str = ""
    edits: tuple[LineEdit, ...] = ()
    removes: str = ""
    becomes: str = ""
    recodes: str = ""
    fits: str = ""
    choices: tuple[Repair, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether it can be done without a choice by a person."""
        return bool(self.edits or self.removes or self.recodes or self.fits)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong. `kind` is which shape of its rule, `text` what the words quote, `size` and `limit` its sizes.

    `quoted` are the words that the fault is about, as the store has them: with the rule and the path they name it, so that it
    keeps its id whatever happens around it, and has another as soon as they change. `nth` tells those of one name apart.
    """

    check: Check
    level: Level
    path: str
    line: int = 1
    end_line: int = 0
    kind: str = ""
    text: str = ""
    size: int = 0
    limit: int = 0
    related: tuple[Place, ...] = ()
    repair: Repair | None = None
    quoted: str = ""
    nth: int = 0
    secret: str = ""
    """The whole credential that it is about: it is shown nowhere, and cut down in the words of whatever quotes its file."""

    @property
    def last_line(self) -> int:
        """Its last line."""
        return max(self.line, self.end_line)

    @property
    def id(self) -> str:
        """A short name that stays while the words it is about do."""
        raw = "\0".join((self.check, self.path, self.kind, " ".join(self.quoted.split()), str(self.nth)))
        return hashlib.sha256(raw.encode("utf-8", "surrogateescape")).hexdigest()[:12]


WEIGHT = {Level.ERROR: 0, Level.WARNING: 1, Level.INFO: 2}
"""The worst first."""
