"""Standard output: data only. A terminal gets every control character made visible, a pipe the bytes as they are."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final, TypeVar

from zsmem_tui.cli.exit_codes import Exit, say
from zsmem_tui.core.errors import OutputFailed
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import EVERYBODY

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from zsmem_tui.service.session import Session


WAS_DRY: Final = "This was a dry run: nothing was written."

Row = TypeVar("Row")


def put(text: str, *, is_safe: bool = False) -> None:
    """`text` exactly, with nothing added in a pipe; on a terminal the last line is ended.

    `is_safe`: whatever could steer a terminal has been made visible in it, but for colours of ours.
    """
    if sys.stdout is None:
        raise OutputFailed("There is no standard output: the result could not be printed.")
    if sys.stdout.isatty():
        from zsmem_tui.core.visible import visible  # a pipe can do without

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
    """`text` and a line break."""
    put(f"{text}\n")


def put_json(document: dict[str, Any], session: Session | None = None) -> None:
    """One JSON document; of a session's store, it begins with which that is (`of_store`)."""
    import json  # 4 ms, only when asked for

    if session is not None:
        document = of_store(session) | document
    put_line(json.dumps(document, ensure_ascii=False, indent=2))


def put_rows(
    args: argparse.Namespace,
    name: str,
    found: Sequence[Row],
    as_json: Callable[[Row], object],
    line: Callable[[Row], str],
    nothing: str,
    session: Session | None = None,
) -> Exit:
    """Print what was found, a line each or as the list `name` of a JSON document; `nothing` is said where there is none."""
    if args.json:
        put_json({name: [as_json(each) for each in found]}, session)
    else:
        put("".join(f"{line(each)}\n" for each in found))
    if found:
        return Exit.DONE
    say(nothing)
    return Exit.NOTHING


def put_done(
    args: argparse.Namespace, message: str, session: Session | None = None, *, undo_problem: str = "", **about: object
) -> None:
    """Print what a verb did, or with `--dry-run` would have done; `about` is what else the JSON document says."""
    if args.json:
        put_json({**about, "message": message, "dry_run": args.dry_run}, session)
    else:
        put_line(message)
    if args.dry_run:
        say(WAS_DRY)
    if undo_problem:
        say(f"Undo is off. {undo_problem}")


def of_store(session: Session) -> dict[str, str | None]:
    """Which store something is of, as `KIND:ROOT`, and which group of it; no group where files belong to everybody."""
    store = session.store or f"{session.layout.kind}:{session.root}"
    return {"store": printable_path(store), "group": None if session.project == EVERYBODY else printable_path(session.project)}
