"""What every verb that writes owes to whoever called it: whether it can be undone, and where others changed the same lines."""

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
    """A file whose lines were changed by others too: `mine` is what undoing wants, `theirs` what is there (None: no file).

    Both were made from `base`.
    """

    ref: MemRef
    mine: bytes
    theirs: bytes | None
    proposal: bytes
    base: bytes = b""
    root: str = ""
    """Which store it is in."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a clashing file shall hold, decided when `theirs` stood there. `text` None: leave it as it is.

    `root` is that of the `Clash`; it may be left out where the step was made in one store.
    """

    ref: MemRef
    theirs: bytes | None
    text: bytes | None
    root: str = ""


def says_undo(verb: Callable[Concatenate[Session, Rest], Result]) -> Callable[Concatenate[Session, Rest], Result]:
    """The verb, its result saying why its step cannot be undone. Asked once it has ended: the step is complete then."""

    @wraps(verb)
    def run(session: Session, /, *args: Rest.args, **named: Rest.kwargs) -> Result:
        done = verb(session, *args, **named)
        return replace(done, undo_problem=session.undo_problem) if done.changed else done

    return run


def ended(outcome: SaveOutcome, words: str, conflict: str) -> VerbResult:
    """How a verb that saved one file ended: `words` when it did, `conflict` when somebody had changed the same lines."""
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
