"""How a write ended. Expected outcomes are values, not errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from zsmem_tui.core.notice import Notice, sentences


class Saved(NamedTuple):
    """`text` is on disk; `kept_lines` of it came from somebody else meanwhile. `confirmed` False: others wrote over it."""

    text: bytes
    kept_lines: int = 0
    confirmed: bool = True


class Unchanged(NamedTuple):
    """The file held just this already."""

    text: bytes


class Conflicted(NamedTuple):
    """Somebody changed the same lines (`theirs` None: deleted the file). Nothing was written.

    `proposal` is a text with both sides' changes, theirs first where they overlap.
    """

    theirs: bytes | None
    proposal: bytes


SaveOutcome = Saved | Unchanged | Conflicted


@dataclass(frozen=True, slots=True)
class WriteReport:
    """What a write did; `str()` is the sentence agents get (specification, section 9).

    `path` is the file, `written` the bytes of content kept (0 when nothing was written), `skipped_lines` the duplicates dropped,
    `truncated_from` the bytes of the content before it was cut, or None. `findings` are what the person should know, `warnings`
    the same in sentences; `changed` is False when every line was there already, `confirmed` when another program kept writing
    over it.
    """

    path: str
    message: str
    written: int = 0
    skipped_lines: int = 0
    truncated_from: int | None = None
    findings: tuple[Notice, ...] = ()
    changed: bool = True
    confirmed: bool = True

    @property
    def warnings(self) -> list[str]:
        """`findings` in words."""
        return sentences(self.findings)

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class VerbResult:
    """How a verb ended, for a front end to show.

    `message` is a sentence. `changed` says how many files or items are different now (0: there is no step to undo). `undo_problem`
    is why that step cannot be undone, as a sentence; empty when it can. `warning`: not all of what was asked for was done.
    `conflicted`: nothing was, for somebody had changed the same lines.
    """

    message: str
    changed: int = 0
    undo_problem: str = ""
    warning: bool = False
    conflicted: bool = False
