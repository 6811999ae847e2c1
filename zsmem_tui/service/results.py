"""Common results of verbs that write: whether the step can be undone, and conflicts with changes by others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar, assert_never

from zsmem_tui.core.outcomes import Conflicted, Saved, SaveOutcome, Unchanged, VerbResult
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service.session import Session

Rest = ParamSpec("Rest")
Result = TypeVar("Result", bound=VerbResult)


class Clash(NamedTuple):
    """A file whose lines others changed too: `mine` is what undo wants, `theirs` the current content (None: no file).

    Both were made from `base`.
    """

    ref: MemRef
    mine: bytes
    theirs: bytes | None
    base: bytes = b""
    root: str = ""
    """The root of its store."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """The decided content of a clashing file, for the case that it still is `theirs`. `text` None: leave it as it is.

    `root` is that of the `Clash`; optional if the step was made in one store.
    """

    ref: MemRef
    theirs: bytes | None
    text: bytes | None
    root: str = ""


def says_undo(verb: Callable[Concatenate[Session, Rest], Result]) -> Callable[Concatenate[Session, Rest], Result]:
    """Decorator that adds to a verb's result why its step cannot be undone, asked after the step is complete."""

    @wraps(verb)
    def run(session: Session, /, *args: Rest.args, **named: Rest.kwargs) -> Result:
        done = verb(session, *args, **named)
        return replace(done, undo_problem=session.undo_problem) if done.changed else done

    return run


def ended(outcome: SaveOutcome, words: str, conflict: str) -> VerbResult:
    """The result of a verb that saved one file: `words` on success, `conflict` if somebody changed the same lines."""
    match outcome:
        case Conflicted():
            return VerbResult(conflict, warning=True, conflicted=True)
        case Unchanged():
            return VerbResult("The file holds just this already. Nothing was written.")
        case Saved(confirmed=False):
            return VerbResult(f"{words}, but somebody keeps writing over it: look again whether it lasts.", 1, warning=True)
        case Saved():
            return VerbResult(f"{words}.", 1)
        case _:
            assert_never(outcome)
