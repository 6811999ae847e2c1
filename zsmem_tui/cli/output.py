"""Standard output, standard error and exit codes.

Standard output gets data only. Text printed for people has control characters made visible, also in a pipe; a requested text goes
into a pipe byte for byte.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, TypeVar

from zsmem_tui.core.errors import (
    BadContent,
    BadName,
    BadTarget,
    ConfigError,
    Conflict,
    MemError,
    Missing,
    NotExactlyOnce,
    NotKept,
    OutputFailed,
    OutsideStore,
    RuleBroken,
    WriteConflict,
)
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import EVERYBODY

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Sequence

    from zsmem_tui.service.session import Session


LONGEST_LINE: Final = 500
"""Maximum number of bytes shown to a person of a line that others wrote."""

WAS_DRY: Final = "This was a dry run: nothing was written."

_LINE_FEED: Final = "␊"
"""What stands for a line feed in a row, as on the screens."""

Row = TypeVar("Row")


class Exit(IntEnum):
    """The exit codes, which are an interface (specification, section 17)."""

    DONE = 0
    NOTHING = 1
    USAGE = 2
    REFUSED = 3
    FILE = 4
    CONFLICT = 5
    INTERRUPTED = 130


def say(text: str) -> None:
    """Print a message as one line to standard error."""
    from zsmem_tui.core.visible import visible_line  # deferred: most runs print no message

    print(f"zsmem: {visible_line(text)}", file=sys.stderr)


def report(error: MemError) -> Exit:
    """Print an error and its hint; return its exit code. Texts of agents and of the system do not say what was not done."""
    say(error.message if error.message.endswith((".", "?")) else f"{error.message}. Nothing was done.")
    if error.hint:
        say(error.hint)
    return exit_code(error)


def exit_code(error: MemError) -> Exit:
    """The exit code for an error."""
    match error:
        case BadName() | BadTarget() | RuleBroken() | OutsideStore():
            return Exit.REFUSED
        case BadContent() | ConfigError():
            return Exit.USAGE
        case NotExactlyOnce() | Missing():
            return Exit.NOTHING
        case WriteConflict() | NotKept() | Conflict():
            return Exit.CONFLICT
        case _:
            return Exit.FILE


def put(text: str, *, is_safe: bool = False) -> None:
    """Print `text` unchanged; on a terminal, make control characters visible and end the last line.

    `is_safe`: control characters were made visible already, except for our own colours.
    """
    if sys.stdout is None:
        raise OutputFailed("There is no standard output: the result could not be printed.")
    if sys.stdout.isatty():
        from zsmem_tui.core.visible import visible  # deferred: not needed in a pipe

        text = text if is_safe else visible(text)
        if text and not text.endswith("\n"):
            text += "\n"
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputFailed(f"The result could not be printed: {error.strerror}.") from error


def put_line(text: str) -> None:
    """Print `text` as one line with control characters made visible, line feeds of a name among them."""
    put_lines(text.replace("\n", _LINE_FEED))


def put_lines(text: str) -> None:
    """Like `put_line`, for a text of several lines."""
    from zsmem_tui.core.visible import visible  # deferred: not needed for plain output

    put(f"{visible(text)}\n", is_safe=True)


def put_json(document: dict[str, Any], session: Session | None = None) -> None:
    """Print a JSON document; with a session, it begins with the store's name (`of_store`).

    Whatever a name or a text holds, it is valid: bytes that are not UTF-8, and lone surrogates, become U+FFFD.
    """
    import json  # deferred: 4 ms, needed only for JSON

    if session is not None:
        document = of_store(session) | document
    put(f"{printable_path(json.dumps(document, ensure_ascii=False, indent=2))}\n")


def put_either(args: argparse.Namespace, document: dict[str, Any], lines: Iterable[str], session: Session | None = None) -> None:
    """Print the JSON document if `--json` was given, else the lines. A `message` in the document tells what was done, or with
    `dry_run`, would be.
    """
    if done := document.get("message"):
        tell(args, done)
        document = {**document, "dry_run": args.dry_run}
    if args.json:
        put_json(document, session)
    elif rows := list(lines):
        put_lines("\n".join(row.replace("\n", _LINE_FEED) for row in rows))  # one write: there may be thousands


def tell(args: argparse.Namespace, done: str) -> None:
    """Keep what was done, before it is printed: if that fails, the error says it (`outcome_of`)."""
    if "Nothing was" not in done:
        args.outcome = WAS_DRY if args.dry_run else f"It was done all the same: {done.rstrip('.')}."


def outcome_of(args: argparse.Namespace, error: MemError) -> None:
    """Add what was done all the same to an error about printing it."""
    if isinstance(error, OutputFailed) and hasattr(args, "outcome"):
        error.message = f"{error.message} {args.outcome}"


def put_rows(
    args: argparse.Namespace,
    name: str,
    found: Sequence[Row],
    as_json: Callable[[Row], object],
    line: Callable[[Row], str],
    nothing: str,
    session: Session | None = None,
) -> Exit:
    """Print the rows as lines, or as the list `name` of a JSON document; if there are none, say `nothing`."""
    put_either(args, {name: [as_json(each) for each in found]}, map(line, found), session)
    if found:
        return Exit.DONE
    say(nothing)
    return Exit.NOTHING


def put_done(
    args: argparse.Namespace, message: str, session: Session | None = None, *, undo_problem: str = "", **about: object
) -> None:
    """Print what was done, or with `--dry-run`, would be; `about` has further fields for the JSON document."""
    put_either(args, {**about, "message": message}, [message], session)
    if args.dry_run:
        say(WAS_DRY)
    if undo_problem:
        say(f"Undo is off. {undo_problem}")


def of_store(session: Session) -> dict[str, str | None]:
    """The store as `KIND:ROOT`, and its group; None for global files."""
    store = session.store or f"{session.layout.kind}:{session.root}"
    return {"store": printable_path(store), "group": None if session.project == EVERYBODY else printable_path(session.project)}


SLOW_AFTER: Final = 1.0
"""Seconds after which the message is printed."""

SLOW: Final = {
    "today": "Looking at what others wrote",
    "review": "Looking at what others wrote",
    "history": "Looking at what others wrote",
    "doctor": "Looking into every file",
    "search": "Searching every file",
    "undo": "Undoing",
    "export": "Reading every file",
    "sync": "Syncing",
}
"""Verbs that can take long with many files, and what they do."""


@contextmanager
def named(verb: str) -> Iterator[None]:
    """A context that prints once what the verb is doing if it takes long; only to a terminal."""
    if verb not in SLOW or sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from threading import Timer  # deferred: not needed in a pipe

    timer = Timer(SLOW_AFTER, say, [f"{SLOW[verb]}: that takes a while here. ctrl+c ends it."])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
