"""Results of writes. Expected outcomes are values, not exceptions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from zsmem_tui.core.notice import Notice, sentences


class Saved(NamedTuple):
    """`text` is on disk; `kept_lines` of its lines came from another writer. `confirmed` False: others overwrote it meanwhile."""

    text: bytes
    kept_lines: int = 0
    confirmed: bool = True


class Unchanged(NamedTuple):
    """The file already had exactly this content."""

    text: bytes


class Conflicted(NamedTuple):
    """Another writer changed the same lines (`theirs` None: deleted the file). Nothing was written."""

    theirs: bytes | None


SaveOutcome = Saved | Unchanged | Conflicted


@dataclass(frozen=True, slots=True)
class WriteReport:
    """The result of a write; `str()` is the sentence agents get (specification, section 9).

    `path` is the file, `written` the bytes of content kept (0 if nothing was written), `skipped_lines` the number of duplicates
    dropped, `truncated_from` the bytes of the content before it was cut, or None. `findings` are notices for the person, `warnings`
    the same as sentences. `changed` is False if every line was there already, `confirmed` if another program kept overwriting it.
    `after` is the file's content then.
    """

    path: str
    message: str
    written: int = 0
    skipped_lines: int = 0
    truncated_from: int | None = None
    findings: tuple[Notice, ...] = ()
    changed: bool = True
    confirmed: bool = True
    after: bytes | None = field(default=None, repr=False)

    @property
    def warnings(self) -> list[str]:
        """`findings` as sentences."""
        return sentences(self.findings)

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class VerbResult:
    """The result of a command, for a front end to show.

    `message` is a sentence. `changed` is the number of files or items changed (0: there is no step to undo). `undo_problem` is a
    sentence on why the step cannot be undone; empty if it can. `warning`: only part of the request was done. `conflicted`: nothing
    was done, because another writer changed the same lines.
    """

    message: str
    changed: int = 0
    undo_problem: str = ""
    warning: bool = False
    conflicted: bool = False
