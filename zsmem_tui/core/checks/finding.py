"""What a rule of the doctor is, and what it has found: one kind of each, whatever the rule."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from zsmem_tui.core.text import printable_path

_SHORTEST_SECRET: Final = 8
_IN_SECRETS: Final = re.compile("[0-9=:]")
"""What every credential has, or its name before it: of very many findings, few are looked at more closely."""


class Level(StrEnum):
    """How much a finding matters. The values are an interface, in the order of their weight."""

    ERROR = "error"
    """Something is lost, leaked or dangerous now."""
    WARNING = "warning"
    """Wrong or wasteful: a person should decide."""
    INFO = "info"
    """Perhaps."""


WEIGHT: Final = {Level.ERROR: 0, Level.WARNING: 1, Level.INFO: 2}
"""The worst first."""


class Rule(NamedTuple):
    """A rule of the doctor, declared in the module that looks for it.

    `name` is an interface: scripts and settings use it. `level` is how bad a finding is as a rule, `title` what stands above its
    findings, `says` what it reports and `fix` what the key does about it (empty: a person has to), each a sentence. A rule that is
    not `shown` is often wrong on what people write: only who asks for all rules, or for it by name, is told.
    """

    name: str
    level: Level
    title: str
    says: str
    fix: str = ""
    shown: bool = True


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


class Fix(NamedTuple):
    """What a fix does: a sentence, in which `{name}` is a name and `{file}` the paths of files, and the lines it replaces.

    Without edits it is about a whole file, or is for a person to do; `choices` are what there is to choose from. `removes` is the
    file that goes to the trash, or becomes the file `becomes`; `recodes` is the one whose bytes are to be UTF-8; `fits` is the
    project whose files give up what does not fit into its prompt.
    """

    says: str
    name: str = ""
    edits: tuple[LineEdit, ...] = ()
    removes: str = ""
    becomes: str = ""
    recodes: str = ""
    fits: str = ""
    choices: tuple[Fix, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether it can be done without a choice by a person."""
        return bool(self.edits or self.removes or self.recodes or self.fits)

    @property
    def sentence(self) -> str:
        """What the one key would do; no credential stands whole in it."""
        name = without_secrets(self.name)
        return self.says.format(name=name, file=printable_path(name), group=printable_path(self.fits))


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

    `says` is what is wrong, as a sentence in which `{text}` is what the words quote, `{size}` and `{limit}` its sizes, `{file}` its
    own file and `{other}` the place it is related to. `kind` is which shape of its rule it has, `quoted` are the words that it is
    about, as the store has them: with rule and path they name it, so that it keeps its id whatever happens around it, and has
    another as soon as they change. `nth` tells those of one name apart.
    """

    rule: Rule
    path: str
    line: int = 1
    end_line: int = 0
    says: str = "{text}"
    level: Level = Level.WARNING
    kind: str = ""
    text: str = ""
    size: int = 0
    limit: int = 0
    related: tuple[Place, ...] = ()
    fix: Fix | None = None
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
        raw = "\0".join((self.rule.name, self.path, self.kind, " ".join(self.quoted.split()), str(self.nth)))
        return hashlib.sha256(raw.encode("utf-8", "surrogateescape")).hexdigest()[:12]

    @property
    def message(self) -> str:
        """What is wrong, as a sentence without its place; no credential stands whole in it."""
        return self._sentence(
            self.text if self.secret else without_secrets(self.text)
        )  # of a credential it is cut down where it is found

    @property
    def sought(self) -> str:
        """The words of that sentence in which others are looked for; nobody is shown them."""
        return self._sentence(self.text)

    def _sentence(self, text: str) -> str:
        other = f"line {self.related[0].line} of {printable_path(self.related[0].path)}" if self.related else ""
        words = self.says.format(text=text, size=self.size, limit=self.limit, file=printable_path(self.path), other=other)
        return f"{words[:1].upper()}{words[1:]}"


def without_secrets(text: str) -> str:
    """Words that are quoted, with the credentials in them cut down."""
    if len(text) < _SHORTEST_SECRET or not _IN_SECRETS.search(text):
        return text
    from zsmem_tui.core.checks.secret import masked, secrets_in  # its module declares its rule by this one

    return masked(text, secrets_in(text))
