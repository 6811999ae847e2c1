"""The data types for the doctor: rules, findings, fixes and edits."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from zsmem_tui.core.text import common_ends, printable_path, raw_lines

_SHORTEST_SECRET: Final = 8
_IN_SECRETS: Final = re.compile("[0-9=:]")
"""Contained in every credential or in the name before it; a quick test to skip most texts."""


class Level(StrEnum):
    """The severity of a finding. The values are a public interface, most severe first."""

    ERROR = "error"
    """Something is lost, leaked or dangerous right now."""
    WARNING = "warning"
    """Wrong or wasteful: a person should decide."""
    INFO = "info"
    """Maybe a problem."""


MOST_OF_ONE: Final = 5
"""The most findings of one rule in one file that are listed; more are folded into one row, or counted."""

WEIGHT: Final = {Level.ERROR: 0, Level.WARNING: 1, Level.INFO: 2}
"""Sort keys, most severe first."""


class Rule(NamedTuple):
    """A rule of the doctor, declared in the module that implements it.

    `name` is a public interface: scripts and settings use it. `level` is the usual severity, `title` the heading over its findings,
    `says` what it reports and `fix` what the fix key does (empty: a person has to act), each a sentence.
    """

    name: str
    level: Level
    title: str
    says: str
    fix: str = ""


class Place(NamedTuple):
    """A line (1-based) of a file. `path` is relative to the store's root, or absolute for a file outside of it."""

    path: str
    line: int = 1


class LineEdit(NamedTuple):
    """Lines to replace in a file: `before` is the current text from `line` (1-based) on, `after` the new one.

    Lines have no line endings. An empty `after` deletes the lines; an empty `before` appends `after` after the last line. Line 0
    means that the file does not exist yet: `after` is all of it.
    """

    path: str
    line: int
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def own(self) -> LineEdit:
        """The edit without the lines at its start and end that stay as they are."""
        path, line, before, after = self
        start, end = common_ends(before, after)
        return LineEdit(path, line + start, before[start : len(before) - end], after[start : len(after) - end])

    def applied(self, raw: bytes | None) -> bytes | None:
        """The text with the lines replaced, at their line or at their only other occurrence; None if there is none.

        A file that does not exist (None) becomes `after`.
        """
        if raw is None:
            return "".join(f"{row}\n" for row in self.after).encode()
        try:
            rows = raw_lines(raw.decode())
        except UnicodeDecodeError:
            return None
        bare = [row.removesuffix("\r") for row in rows]
        mark = "\ufeff" if bare[0].startswith("\ufeff") else ""
        bare[0] = bare[0].removeprefix(mark)
        size = len(self.before)
        at = self.line - 1 if size else len(bare) - (not bare[-1])
        if bare[at : at + size] != [*self.before]:
            places = [place for place in range(len(bare) - size + 1) if bare[place : place + size] == [*self.before]]
            if len(places) != 1:
                return None
            at = places[0]
        rows[0] = rows[0].removeprefix(mark)
        is_last = at + size == len(rows)
        ending = "\r" if rows[0 if is_last or not size else at].endswith("\r") else ""
        if is_last and not size:
            rows[-1] = bare[-1] + ending
        rows[at : at + size] = [f"{row}{ending}" for row in self.after]
        if is_last and rows:  # the last line had no end
            rows[-1] = rows[-1].removesuffix(ending)
        return (mark + "\n".join(rows)).encode()


class Fix(NamedTuple):
    """A fix: a sentence, in which `{name}` stands for a name and `{file}` for paths, and the lines it replaces.

    Without edits it concerns a whole file, or has to be done by a person; `choices` are alternatives to choose from. `removes` is a
    file that is moved to the trash, or to the path `becomes`; `recodes` is a file to convert to UTF-8; `fits` is a project whose
    files are to be shortened to fit its prompt. `notes` is a sentence about what it leaves.
    """

    says: str
    name: str = ""
    edits: tuple[LineEdit, ...] = ()
    removes: str = ""
    becomes: str = ""
    recodes: str = ""
    fits: str = ""
    choices: tuple[Fix, ...] = ()
    notes: str = ""

    @property
    def is_ready(self) -> bool:
        """Whether it can be done without a choice by a person."""
        return bool(self.edits or self.removes or self.recodes or self.fits)

    @property
    def lines(self) -> int:
        """How many lines it changes; two for a whole file."""
        whole = any((self.removes, self.recodes, self.fits))
        return 2 * whole + sum(max(len(edit.own.before), len(edit.own.after)) for edit in self.edits)

    @property
    def sentence(self) -> str:
        """What the fix key would do; credentials are masked."""
        name = without_secrets(self.name)
        return self.says.format(name=name, file=printable_path(name), group=printable_path(self.fits))


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem found by a rule.

    `says` is a sentence in which `{text}` stands for a quotation, `{size}` and `{limit}` for numbers, `{file}` for its own file and
    `{other}` for the related place. `kind` is the variant of its rule, `quoted` the words concerned, as in the file: together with
    rule and path they make up its id, which is thus stable while other text changes, and changes when these words do. `nth`
    distinguishes findings that are otherwise equal.
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
    """The complete credential, if it is about one: never shown, and masked wherever text of its file is quoted."""

    @property
    def last_line(self) -> int:
        """The last line concerned."""
        return max(self.line, self.end_line)

    @property
    def id(self) -> str:
        """A short id that is stable while the quoted words are."""
        raw = "\0".join((self.rule.name, self.path, self.kind, " ".join(self.quoted.split()), str(self.nth)))
        return hashlib.sha256(raw.encode("utf-8", "surrogateescape")).hexdigest()[:12]

    @property
    def message(self) -> str:
        """The problem as a sentence without its place; credentials are masked."""
        return self._sentence(
            self.text if self.secret else without_secrets(self.text)
        )  # a credential's own text is masked where it is found

    @property
    def sought(self) -> str:
        """The unmasked sentence, only for text search; never shown."""
        return self._sentence(self.text)

    def _sentence(self, text: str) -> str:
        other = f"line {self.related[0].line} of {printable_path(self.related[0].path)}" if self.related else ""
        words = self.says.format(text=text, size=self.size, limit=self.limit, file=printable_path(self.path), other=other)
        return f"{words[:1].upper()}{words[1:]}"


def without_secrets(text: str) -> str:
    """A quotation with its credentials masked."""
    if len(text) < _SHORTEST_SECRET or not _IN_SECRETS.search(text):
        return text
    from zsmem_tui.core.checks.secret import masked  # deferred: that module imports `Rule` from here

    return masked(text)
